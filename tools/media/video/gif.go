package video

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"time"
)

// makeGIF writes each slide once, at half the size, with colors of its own: for where a film can't
// be played. Its size is bounded by that of its pictures: half a megabyte each.
func makeGIF(ctx context.Context, day Day) (Film, error) {
	out := &gif.GIF{}
	var lasts time.Duration
	for _, s := range slides(day) {
		if err := ctx.Err(); err != nil {
			return Film{}, fmt.Errorf("film of %s: %w", day.Date, err)
		}
		out.Image = append(out.Image, paletted(halved(s.picture())))
		out.Delay = append(out.Delay, int(s.lasts/(10*time.Millisecond)))
		lasts += s.lasts
	}
	var data bytes.Buffer
	if err := gif.EncodeAll(&data, out); err != nil {
		return Film{}, fmt.Errorf("film of %s: %w", day.Date, err)
	}
	return Film{Data: data.Bytes(), Format: GIF, Duration: lasts}, nil
}

// halved returns an opaque picture at half its size: a pixel is the mean of four.
func halved(p *image.RGBA) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, p.Rect.Dx()/2, p.Rect.Dy()/2))
	for y := range out.Rect.Dy() {
		upper, lower := p.Pix[2*y*p.Stride:], p.Pix[(2*y+1)*p.Stride:]
		row := out.Pix[y*out.Stride:]
		for x := range out.Rect.Dx() {
			for c := range 3 {
				at := 8*x + c
				sum := int(upper[at]) + int(upper[at+4]) + int(lower[at]) + int(lower[at+4])
				row[4*x+c] = uint8((sum + 2) / 4)
			}
			row[4*x+3] = 255
		}
	}
	return out
}

// fine is how many bits of each part of a color are told apart when a palette is chosen.
const fine = 6

// paletted returns an opaque picture with at most 256 colors, each pixel that of the box of its
// color.
func paletted(p *image.RGBA) *image.Paletted {
	counts := map[[3]uint8]int{}
	key := func(at int) [3]uint8 {
		const drop = 8 - fine
		return [3]uint8{p.Pix[at] >> drop, p.Pix[at+1] >> drop, p.Pix[at+2] >> drop}
	}
	for at := 0; at < len(p.Pix); at += 4 {
		counts[key(at)]++
	}
	boxes := cutColors(counts, 256)
	index := map[[3]uint8]uint8{}
	var palette color.Palette
	for i, b := range boxes {
		palette = append(palette, b.mean())
		for _, c := range b.colors {
			index[c.at] = uint8(i)
		}
	}
	out := image.NewPaletted(image.Rect(0, 0, p.Rect.Dx(), p.Rect.Dy()), palette)
	for i := range out.Pix {
		out.Pix[i] = index[key(4*i)]
	}
	return out
}
