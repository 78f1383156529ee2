package video

import (
	"context"
	"fmt"
	"image"
	"iter"
	"time"

	"annai/tools/media/h264"
	"annai/tools/media/mp4"
)

const (
	// rate is how many pictures a second an MP4 has.
	rate = 25
	// stillQP is the quantization of a slide that stands, fadingQP that of pictures that pass.
	stillQP, fadingQP = 22, 29
)

// A frame is a picture of a film: of a slide that begins to stand, of one that stands, or on the
// way from one to the next.
type frame struct {
	picture *image.YCbCr
	kind    frameKind
}

type frameKind int

const (
	begins frameKind = iota
	stands
	fades
)

// frames returns the pictures of a day's film; each is good until the next is taken. The last
// slide fades into the first, so that the film can be played in a loop.
func frames(day Day) iter.Seq[frame] {
	return func(yield func(frame) bool) {
		all := slides(day)
		fade := themes[day.Style].fade
		first := h264.Convert(all[0].picture())
		picture, between := first, image.NewYCbCr(first.Rect, first.SubsampleRatio)
		for i, s := range all {
			for j := range int(s.lasts/time.Second)*rate - fade {
				if !yield(frame{picture, frameKind(min(j, int(stands)))}) {
					return
				}
			}
			next := first
			if i+1 < len(all) {
				next = h264.Convert(all[i+1].picture())
			}
			for j := range fade {
				blend(between, picture, next, eased(j+1, fade+1))
				if !yield(frame{between, fades}) {
					return
				}
			}
			picture = next
		}
	}
}

// makeMP4 codes each slide once, and the pictures on the way to the next as differences.
func makeMP4(ctx context.Context, day Day) (Film, error) {
	width, height := day.Shape.size()
	encoder, err := h264.New(width, height, rate)
	if err != nil {
		return Film{}, err
	}
	film := mp4.Video{Width: width, Height: height, Rate: rate}
	film.Sequence, film.Picture = encoder.Parameters()
	for f := range frames(day) {
		if err := ctx.Err(); err != nil {
			return Film{}, fmt.Errorf("film of %s: %w", day.Date, err)
		}
		var s mp4.Sample
		switch f.kind {
		case begins:
			s = mp4.Sample{Unit: encoder.Key(f.picture, stillQP), Key: true}
		case stands:
			s.Unit = encoder.Repeat()
		case fades:
			s.Unit = encoder.Next(f.picture, fadingQP)
		}
		film.Samples = append(film.Samples, s)
	}
	data, err := film.Encode()
	return Film{Data: data, Format: MP4, Duration: time.Duration(len(film.Samples)) * time.Second / rate}, err
}

// eased is how much of the next slide is seen, out of 256, at a step of a fade: slow at both ends.
func eased(step, steps int) int {
	t := float64(step) / float64(steps)
	return int(256 * t * t * (3 - 2*t))
}

// blend makes a picture that is part/256 of the way from one to another of the same size.
func blend(out, from, to *image.YCbCr, part int) {
	for _, p := range [3][3][]uint8{{from.Y, to.Y, out.Y}, {from.Cb, to.Cb, out.Cb}, {from.Cr, to.Cr, out.Cr}} {
		a, b, mixed := p[0], p[1], p[2]
		for i := range mixed {
			mixed[i] = uint8((int(a[i])*(256-part) + int(b[i])*part + 128) >> 8)
		}
	}
}
