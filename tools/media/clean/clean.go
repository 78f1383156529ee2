// Package clean makes photographs of flyers and notices fit to be read by machines: noise, shade
// and the color of paper go, letters stay.
//
// The idea to hold: a picture is planes of bytes, and each operation looks at small windows that
// slide over a plane, so that time and memory grow with its pixels and not with the windows. The
// package reads no letters itself.
package clean

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"slices"

	"annai/fault"
)

// An Operation is what is done to a picture. It is a closed set.
type Operation string

// The values of [Operation].
const (
	// Denoise takes out single wrong pixels by the median of 3 x 3, and grain by a small Gaussian.
	Denoise Operation = "denoise"
	// RemoveBackground makes paper white, in each color by itself, whatever the light; it keeps
	// colors.
	RemoveBackground Operation = "remove_background"
	// EnhanceText leaves letters in black on white.
	EnhanceText Operation = "enhance_text"
)

// order is in which operations are done, whatever the order in which they were asked for.
var order = []Operation{Denoise, RemoveBackground, EnhanceText}

// A Result is a picture that was cleaned.
type Result struct {
	// PNG is the picture, upright.
	PNG           []byte
	Width, Height int
	// Operations are those that were done, in their order.
	Operations []Operation
	// Confidence is how far ink and paper are apart, 0 to 1: see [separation].
	Confidence float64
}

// Edit cleans a picture in PNG, JPEG, WebP or GIF (its first frame): by the operations, or, where
// there are none, by [Denoise] and [EnhanceText]. The picture is turned as its EXIF data says, and
// made smaller where it has more than 12.6 million pixels.
//
// What is too large, of another format or damaged is [fault.ErrInvalid].
func Edit(ctx context.Context, data []byte, operations []Operation) (Result, error) {
	if len(operations) == 0 {
		operations = []Operation{Denoise, EnhanceText}
	}
	for _, o := range operations {
		if !slices.Contains(order, o) {
			return Result{}, fmt.Errorf("operation %.20q: %w", o, fault.ErrInvalid)
		}
	}
	picture, err := open(data)
	if err != nil {
		return Result{}, err
	}
	r := rasterOf(picture)
	if slices.Contains(operations, EnhanceText) { // which leaves no colors
		r.gray()
	}
	var done []Operation
	for _, o := range order {
		if !slices.Contains(operations, o) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("clean a picture: %w: %w", fault.ErrUnavailable, err)
		}
		r.apply(o)
		done = append(done, o)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, r.image()); err != nil {
		return Result{}, fmt.Errorf("encode a picture: %w", err)
	}
	if !slices.Contains(done, EnhanceText) { // which measures while there are grays
		r.gray()
		r.flatten()
	}
	return Result{PNG: b.Bytes(), Width: r.w, Height: r.h, Operations: done, Confidence: r.confidence}, nil
}

// Gray cleans a photograph for a program that reads letters: noise goes, and paper becomes white. The edges of
// letters stay gray, since such programs find them better than in black and white. Errors and formats are
// those of [Edit].
func Gray(ctx context.Context, data []byte) (*image.Gray, error) {
	picture, err := open(data)
	if err != nil {
		return nil, err
	}
	r := rasterOf(picture)
	r.gray()
	for _, o := range []Operation{Denoise, RemoveBackground} {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("clean a picture: %w: %w", fault.ErrUnavailable, err)
		}
		r.apply(o)
	}
	return &image.Gray{Pix: r.planes[0], Stride: r.w, Rect: image.Rect(0, 0, r.w, r.h)}, nil
}

// Small makes a picture upright and small, as a JPEG on white: its longer side has at most that many pixels, and more
// than half of that where it had as many. Errors and formats are those of [Edit].
func Small(data []byte, longest int) ([]byte, error) {
	picture, err := open(data)
	if err != nil {
		return nil, err
	}
	w, h := picture.size()
	r := smaller(picture, max(1, (max(w, h)+longest-1)/longest))
	var b bytes.Buffer
	if err := jpeg.Encode(&b, r.image(), &jpeg.Options{Quality: 82}); err != nil {
		return nil, fmt.Errorf("encode a picture: %w", err)
	}
	return b.Bytes(), nil
}

// flatten takes shade out of the one plane there is, and measures how far ink and paper are apart
// then.
func (r *raster) flatten() {
	r.divide(r.planes[0], r.window(shadeWindows))
	r.confidence = separation(r.planes[0])
}

// apply does one operation.
func (r *raster) apply(o Operation) {
	switch o {
	case Denoise:
		for _, plane := range r.planes {
			r.median(plane)
			r.blur(plane)
		}
	case RemoveBackground:
		for _, plane := range r.planes {
			r.whiten(plane)
		}
	case EnhanceText:
		r.flatten()
		r.sauvola(r.planes[0], r.window(letterWindows))
	}
}

// image returns the picture.
func (r *raster) image() image.Image {
	size := image.Rect(0, 0, r.w, r.h)
	if len(r.planes) == 1 {
		return &image.Gray{Pix: r.planes[0], Stride: r.w, Rect: size}
	}
	picture := image.NewRGBA(size)
	for i, p := range r.planes {
		for j, v := range p {
			picture.Pix[4*j+i] = v
		}
	}
	for j := 3; j < len(picture.Pix); j += 4 {
		picture.Pix[j] = 0xFF
	}
	return picture
}
