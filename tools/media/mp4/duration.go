package mp4

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"time"

	"annai/fault"
)

// Duration returns how long a file plays, as its movie header says. A file in which there is none,
// or one that says nothing sensible, is [fault.ErrInvalid].
func Duration(file []byte) (time.Duration, error) {
	header := find(find(file, "moov"), "mvhd")
	var scale, length uint64
	switch {
	case len(header) >= 20 && header[0] == 0:
		scale = uint64(binary.BigEndian.Uint32(header[12:]))
		length = uint64(binary.BigEndian.Uint32(header[16:]))
	case len(header) >= 32 && header[0] == 1:
		scale = uint64(binary.BigEndian.Uint32(header[20:]))
		length = binary.BigEndian.Uint64(header[24:])
	}
	high, low := bits.Mul64(length, uint64(time.Second))
	if scale == 0 || length == 0 || high != 0 || low/scale > uint64(24*time.Hour) {
		return 0, fmt.Errorf("length of an mp4: %w", fault.ErrInvalid)
	}
	return time.Duration(low / scale), nil
}

// find returns what is in the first box of a kind, nil where there is none.
func find(data []byte, kind string) []byte {
	for len(data) >= 8 {
		head, size := uint64(8), uint64(binary.BigEndian.Uint32(data))
		if size == 1 && len(data) >= 16 { // the size is a long one
			head, size = 16, binary.BigEndian.Uint64(data[8:])
		}
		if size == 0 { // to the end
			size = uint64(len(data))
		}
		if size < head || size > uint64(len(data)) {
			return nil
		}
		if string(data[4:8]) == kind {
			return data[head:size]
		}
		data = data[size:]
	}
	return nil
}
