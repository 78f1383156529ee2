package poster

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg" // what a service may draw, beside PNG
	"time"

	"golang.org/x/image/draw"

	"annai/fault"
	"annai/tools/media"
)

// A Service draws pictures elsewhere. It is safe for concurrent use.
type Service interface {
	// Name is what an answer calls it: "gemini".
	Name() string
	// Art returns a picture in PNG or JPEG for an event, without words, whose sides are about as
	// asked for. Errors are of package fault.
	Art(ctx context.Context, e Event, style Style, width, height int, language string) ([]byte, error)
}

const (
	// artShare is how much of a poster is art, of the longer side.
	artShare = 0.42
	// embeddedTime is what is kept of a deadline for a poster without art, should a service fail.
	embeddedTime = 8 * time.Second
	// maxArt bounds a picture of a service, in pixels.
	maxArt = 40_000_000
)

// drawWithArt draws a poster below, or right of, a picture of a service: what is true of the event
// is still written here.
func drawWithArt(
	ctx context.Context, s Service, e Event, style Style, width, height int, language string,
) (image.Image, Poster, error) {
	whole := image.Rect(0, 0, width, height)
	art, words := whole, whole
	if width > height {
		art.Max.X = int(float64(width) * artShare)
		words.Min.X = art.Max.X
	} else {
		art.Max.Y = int(float64(height) * artShare)
		words.Min.Y = art.Max.Y
	}
	p, err := Draw(e, style, words.Dx(), words.Dy(), language)
	if err != nil {
		return nil, Poster{}, err
	}
	ctx, cancel := media.Sooner(ctx, embeddedTime)
	defer cancel()
	data, err := s.Art(ctx, e, style, art.Dx(), art.Dy(), language)
	if err != nil {
		return nil, Poster{}, err
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width <= 0 || config.Height <= 0 || config.Width > maxArt/config.Height {
		return nil, Poster{}, fmt.Errorf("picture of %s: %w", s.Name(), fault.ErrUnavailable)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, Poster{}, fmt.Errorf("picture of %s: %w", s.Name(), fault.ErrUnavailable)
	}
	out := image.NewRGBA(whole)
	draw.CatmullRom.Scale(out, art, picture, covering(picture.Bounds(), art), draw.Src, nil)
	draw.Draw(out, words, p.Canvas.Image(), image.Point{}, draw.Src)
	return out, p, nil
}

// covering returns the middle of a picture that has the ratio of sides of an area.
func covering(picture, area image.Rectangle) image.Rectangle {
	if width := picture.Dy() * area.Dx() / area.Dy(); width < picture.Dx() {
		picture.Min.X += (picture.Dx() - width) / 2
		picture.Max.X = picture.Min.X + width
		return picture
	}
	height := picture.Dx() * area.Dy() / area.Dx()
	picture.Min.Y += (picture.Dy() - height) / 2
	picture.Max.Y = picture.Min.Y + height
	return picture
}
