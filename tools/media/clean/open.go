package clean

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // GIF
	_ "image/jpeg" // JPEG
	_ "image/png"  // PNG

	_ "golang.org/x/image/webp" // WebP

	"annai/fault"
)

// The bounds of a picture.
const (
	// MaxBytes is how large its file may be.
	MaxBytes = 10 << 20
	// MaxPixels is how many it may have, and maxDecoded how many bytes they may take.
	MaxPixels  = 25_000_000
	maxDecoded = 4 * MaxPixels
)

// ErrPixels says that a picture has too many pixels, or deep ones. It wraps [fault.ErrInvalid].
var ErrPixels = fmt.Errorf("too many pixels: %w", fault.ErrInvalid)

// open decodes a picture whose bounds are known to be kept before any of it is unpacked.
func open(data []byte) (oriented, error) {
	if len(data) > MaxBytes {
		return oriented{}, fmt.Errorf("picture of %d bytes: %w", len(data), fault.ErrInvalid)
	}
	head, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return oriented{}, fmt.Errorf("picture: %w: %w", fault.ErrInvalid, err)
	}
	pixels := int64(head.Width) * int64(head.Height)
	if pixels <= 0 || pixels > MaxPixels || pixels*bytesPerPixel(head.ColorModel) > maxDecoded {
		return oriented{}, fmt.Errorf("picture of %d x %d: %w", head.Width, head.Height, ErrPixels)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return oriented{}, fmt.Errorf("picture: %w: %w", fault.ErrInvalid, err)
	}
	o := oriented{Image: picture, orientation: 1}
	if format == "jpeg" {
		o.orientation = orientationOf(data)
	}
	return o, nil
}

// bytesPerPixel returns what a pixel takes once it is decoded.
func bytesPerPixel(m color.Model) int64 {
	switch m {
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.YCbCrModel:
		return 3
	}
	return 4 // or less
}

// oriented is a picture and how it has to be turned to stand upright: 1 to 8, as in EXIF.
type oriented struct {
	image.Image

	orientation int
}

// size returns the width and height of the upright picture.
func (o oriented) size() (w, h int) {
	w, h = o.Bounds().Dx(), o.Bounds().Dy()
	if o.orientation >= 5 {
		return h, w
	}
	return w, h
}

// source returns where a pixel of the upright picture is in the file's, whose size is w and h.
func (o oriented) source(x, y, w, h int) (int, int) {
	switch o.orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	case 8:
		return w - 1 - y, x
	}
	return x, y
}

// Markers of JPEG (ITU-T T.81), and the tag of the orientation in EXIF 2.3, which is TIFF 6.0.
const (
	markerAPP1     = 0xE1
	markerScan     = 0xDA
	tagOrientation = 0x0112
)

// orientationOf returns the orientation in a JPEG's EXIF data, 1 where there is none that makes
// sense.
func orientationOf(data []byte) int {
	for at := 2; at+4 <= len(data) && data[at] == 0xFF && data[at+1] != markerScan; {
		length := int(binary.BigEndian.Uint16(data[at+2:]))
		end := at + 2 + length
		if length < 2 || end > len(data) {
			break
		}
		if segment := data[at+4 : end]; data[at+1] == markerAPP1 && bytes.HasPrefix(segment, []byte("Exif\x00\x00")) {
			return orientationIn(segment[6:])
		}
		at = end
	}
	return 1
}

// orientationIn reads the first directory of a TIFF file.
func orientationIn(tiff []byte) int {
	const header, entry = 8, 12
	if len(tiff) < header {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 1
	}
	count := int64(order.Uint16(tiff[at:]))
	for i := range count {
		begin := at + 2 + i*entry
		if begin+entry > int64(len(tiff)) {
			break
		}
		if field := tiff[begin:]; order.Uint16(field) == tagOrientation {
			if v := int(order.Uint16(field[8:])); v >= 1 && v <= 8 {
				return v
			}
		}
	}
	return 1
}
