// Package h264 writes video by Rec. ITU-T H.264 (ISO/IEC 14496-10), enough of it for slides:
// pictures that stand still, and fade.
//
// The idea to hold: a picture is either coded by itself ([Encoder.Key]: I_16x16 macroblocks), by
// its difference from the last one, in which nothing moves ([Encoder.Next]: P_L0_16x16 and
// P_Skip), or is the last one ([Encoder.Repeat]: some ten bytes). All is of the constrained
// baseline profile with CAVLC, without the deblocking filter, so that what a decoder will show is
// what was reconstructed here. The package knows no container; package mp4 is one.
//
// Clauses and tables in comments are those of Rec. ITU-T H.264 (08/2021).
package h264

import (
	"fmt"
	"image"

	"annai/fault"
)

// The bounds of a video. MinQP is where levels still fit the profile's codes.
const (
	maxSide = 2048
	maxRate = 60
	MinQP   = 12
	MaxQP   = 51
)

// An Encoder codes pictures of one size, one after the other. It is for one goroutine.
type Encoder struct {
	width, height, rate int
	columns, rows       int // in macroblocks
	source, decoded     [3]*plane
	bits                *bitWriter
	quantizer           *quantizer
	chromaQuantizer     *quantizer
	frame, keys         int

	// room for the macroblock at work
	chromaOf  [2]chromaBlocks
	predicted [3][256]uint8
	trial     [2][256]uint8
}

// New returns an encoder of pictures of width x height, which are even and at most 2048, at rate
// pictures a second. Other sizes are [fault.ErrInvalid].
func New(width, height, rate int) (*Encoder, error) {
	fits := func(side int) bool { return side > 0 && side <= maxSide && side%2 == 0 }
	if !fits(width) || !fits(height) || rate <= 0 || rate > maxRate {
		return nil, fmt.Errorf("video of %d x %d at %d pictures a second: %w", width, height, rate, fault.ErrInvalid)
	}
	e := &Encoder{
		width: width, height: height, rate: rate, columns: (width + 15) / 16, rows: (height + 15) / 16,
		bits: &bitWriter{},
	}
	for c, size := range [3]int{16, 8, 8} {
		e.source[c] = newPlane(e.columns*size, e.rows*size)
		e.decoded[c] = newPlane(e.columns*size, e.rows*size)
	}
	return e, nil
}

// Key codes a picture by itself, as a NAL unit of an IDR picture. qp is the quantization
// parameter, from [MinQP] (fine) to [MaxQP]; one outside is moved inside. The picture has the
// encoder's size and 4:2:0 sampling, else Key panics.
func (e *Encoder) Key(picture *image.YCbCr, qp int) []byte {
	e.load(picture)
	e.frame = 0
	e.begin(true, qp)
	e.keys++
	for row := range e.rows {
		for column := range e.columns {
			e.intra(16*column, 16*row)
		}
	}
	return e.end(0x65) // nal_ref_idc 3, nal_unit_type 5
}

// Next codes a picture by its difference from the last one, of which there must be one. See
// [Encoder.Key].
func (e *Encoder) Next(picture *image.YCbCr, qp int) []byte {
	e.load(picture)
	e.begin(false, qp)
	skipped := 0
	for row := range e.rows {
		for column := range e.columns {
			if e.inter(16*column, 16*row, skipped) {
				skipped = 0
			} else {
				skipped++
			}
		}
	}
	if skipped > 0 {
		e.bits.ue(skipped)
	}
	return e.end(0x61) // nal_ref_idc 3, nal_unit_type 1
}

// Repeat codes the last picture once more.
func (e *Encoder) Repeat() []byte {
	e.begin(false, 26)
	e.bits.ue(e.columns * e.rows)
	return e.end(0x61)
}

func (e *Encoder) load(picture *image.YCbCr) {
	r := picture.Rect
	if picture.SubsampleRatio != image.YCbCrSubsampleRatio420 || r.Size() != image.Pt(e.width, e.height) {
		panic(fmt.Sprintf("h264: %v of %v, want 4:2:0 of %d x %d", picture.SubsampleRatio, r, e.width, e.height))
	}
	luma, chroma := picture.YOffset(r.Min.X, r.Min.Y), picture.COffset(r.Min.X, r.Min.Y)
	e.source[0].load(picture.Y[luma:], picture.YStride, e.width, e.height)
	e.source[1].load(picture.Cb[chroma:], picture.CStride, e.width/2, e.height/2)
	e.source[2].load(picture.Cr[chroma:], picture.CStride, e.width/2, e.height/2)
}

// begin writes a slice header, clause 7.3.3; a picture is one slice.
func (e *Encoder) begin(key bool, qp int) {
	qp = max(MinQP, min(qp, MaxQP))
	if e.quantizer == nil || e.quantizer.qp != qp {
		e.quantizer, e.chromaQuantizer = newQuantizer(qp), newQuantizer(chromaQP(qp))
	}
	w := &bitWriter{bytes: e.bits.bytes[:0]}
	e.bits = w
	w.ue(0) // first_mb_in_slice
	if key {
		w.ue(7) // slice_type: all are I
	} else {
		w.ue(5) // all are P
	}
	w.ue(0)                                                  // pic_parameter_set_id
	w.put(uint32(e.frame)&(1<<frameNumBits-1), frameNumBits) // frame_num
	if key {
		w.ue(e.keys % 2) // idr_pic_id: differs between neighbours
		w.flag(false)    // no_output_of_prior_pics_flag
		w.flag(false)    // long_term_reference_flag
	} else {
		w.flag(false) // num_ref_idx_active_override_flag
		w.flag(false) // ref_pic_list_modification_flag_l0
		w.flag(false) // adaptive_ref_pic_marking_mode_flag
	}
	w.se(qp - initQP) // slice_qp_delta
	w.ue(1)           // disable_deblocking_filter_idc
}

func (e *Encoder) end(header byte) []byte {
	e.frame++
	return e.bits.unit(header)
}
