// Package mp4 puts a video that package h264 wrote into an MP4 file (ISO/IEC 14496-12 and
// 14496-15): one track, all pictures in one chunk, the index before them, so that a page plays it
// as it arrives.
package mp4

import (
	"encoding/binary"
	"fmt"

	"annai/fault"
)

// A Video is a track of H.264.
type Video struct {
	Width, Height int
	// Rate is how many pictures are shown a second.
	Rate int
	// Sequence and Picture are the parameter sets: NAL units without start codes.
	Sequence, Picture []byte
	// Samples are the pictures, each one NAL unit.
	Samples []Sample
}

// A Sample is one picture.
type Sample struct {
	Unit []byte
	// Key says that the picture is coded by itself.
	Key bool
}

// maxSize bounds a file: offsets have 32 bits, and nothing here is near them.
const maxSize = 1 << 30

// Encode returns the file. A video without pictures, parameter sets or a rate, or of more than 1
// GiB, is [fault.ErrInvalid].
func (v Video) Encode() ([]byte, error) {
	if len(v.Samples) == 0 || v.Rate <= 0 || len(v.Sequence) < 4 || len(v.Picture) == 0 {
		return nil, fmt.Errorf("mp4 of %d pictures at %d a second: %w", len(v.Samples), v.Rate, fault.ErrInvalid)
	}
	size := 0
	for _, s := range v.Samples {
		size += 4 + len(s.Unit)
	}
	if size > maxSize {
		return nil, fmt.Errorf("mp4 of %d bytes: %w", size, fault.ErrInvalid)
	}
	kind := box("ftyp", []byte("isom"), words(0x200), []byte("isomiso2avc1mp41"))
	// the index has one length, whatever offset is written in it
	start := len(kind) + len(v.index(0)) + 8
	file := make([]byte, 0, start+size)
	file = append(append(file, kind...), v.index(start)...)
	file = binary.BigEndian.AppendUint32(file, uint32(8+size))
	file = append(file, "mdat"...)
	for _, s := range v.Samples {
		file = binary.BigEndian.AppendUint32(file, uint32(len(s.Unit)))
		file = append(file, s.Unit...)
	}
	return file, nil
}

// ticks is the length of a picture on the track's time scale, which has Rate * ticks of them a
// second.
const ticks = 512

// index is the moov box. start is where the first sample begins in the file.
func (v Video) index(start int) []byte {
	length := uint32(len(v.Samples) * ticks)
	scale := uint32(v.Rate * ticks)
	size := words(uint32(v.Width)<<16, uint32(v.Height)<<16)
	return box("moov",
		full("mvhd", 0, words(0, 0, scale, length, 1<<16, 1<<24, 0, 0), unity, words(0, 0, 0, 0, 0, 0, 2)),
		box("trak",
			full("tkhd", 3, words(0, 0, 1, 0, length, 0, 0, 0, 0), unity, size), // enabled, in the movie
			box("mdia",
				full("mdhd", 0, words(0, 0, scale, length, 0x55c4<<16)), // language und
				full("hdlr", 0, words(0), []byte("vide"), words(0, 0, 0), []byte("video\x00")),
				box("minf",
					full("vmhd", 1, words(0, 0)),
					box("dinf", full("dref", 0, words(1), full("url ", 1))), // in this file
					v.table(start),
				),
			),
		),
	)
}

// unity is the matrix that leaves a picture as it is.
var unity = words(1<<16, 0, 0, 0, 1<<16, 0, 0, 0, 1<<30)

// table is the stbl box: what the samples are, and how long, how large and where each is.
func (v Video) table(start int) []byte {
	var sizes, keys []uint32
	for i, s := range v.Samples {
		sizes = append(sizes, uint32(4+len(s.Unit)))
		if s.Key {
			keys = append(keys, uint32(i+1))
		}
	}
	n := uint32(len(v.Samples))
	return box("stbl",
		full("stsd", 0, words(1), v.entry()),
		full("stts", 0, words(1, n, ticks)),
		full("stss", 0, words(uint32(len(keys))), words(keys...)),
		full("stsc", 0, words(1, 1, n, 1)),
		full("stsz", 0, words(0, n), words(sizes...)),
		full("stco", 0, words(1, uint32(start))),
	)
}

// entry is the avc1 box, ISO/IEC 14496-15 clause 5.4.2, with its decoder's configuration, clause
// 5.3.3.
func (v Video) entry() []byte {
	// lengths have four bytes, and there is one sequence parameter set
	configuration := []byte{1, v.Sequence[1], v.Sequence[2], v.Sequence[3], 0xff, 0xe1}
	configuration = binary.BigEndian.AppendUint16(configuration, uint16(len(v.Sequence)))
	configuration = append(append(configuration, v.Sequence...), 1)
	configuration = binary.BigEndian.AppendUint16(configuration, uint16(len(v.Picture)))
	configuration = append(configuration, v.Picture...)
	return box("avc1",
		words(0, 1), words(0, 0, 0, 0), // the first data reference
		words(uint32(v.Width)<<16|uint32(v.Height), 72<<16, 72<<16, 0), // 72 dpi
		[]byte{0, 1}, make([]byte, 32), []byte{0, 24, 0xff, 0xff}, // one picture a sample, no name, 24 bits deep
		box("avcC", configuration),
		box("colr", []byte("nclx"), []byte{0, 1, 0, 1, 0, 1, 0}), // BT.709, narrow range
	)
}

// box returns a box with what is in it, ISO/IEC 14496-12 clause 4.2.
func box(kind string, parts ...[]byte) []byte {
	out := append(make([]byte, 4), kind...)
	for _, part := range parts {
		out = append(out, part...)
	}
	binary.BigEndian.PutUint32(out, uint32(len(out)))
	return out
}

// full returns a box of version 0 with flags.
func full(kind string, flags uint32, parts ...[]byte) []byte {
	return box(kind, append([][]byte{words(flags)}, parts...)...)
}

func words(values ...uint32) []byte {
	var out []byte
	for _, value := range values {
		out = binary.BigEndian.AppendUint32(out, value)
	}
	return out
}
