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

// drawWithArt draws a poster below, or right of, a picture of the service: what is true of the event
// is still written here.
func (m *maker) drawWithArt(ctx context.Context, e Event, in input) (p Poster, data []byte, err error) {
	width, height := in.Dimensions.Width, in.Dimensions.Height
	whole := image.Rect(0, 0, width, height)
	art, words := whole, whole
	if width > height {
		art.Max.X = int(float64(width) * artShare)
		words.Min.X = art.Max.X
	} else {
		art.Max.Y = int(float64(height) * artShare)
		words.Min.Y = art.Max.Y
	}
	if p, err = Draw(e, in.Style, words.Dx(), words.Dy(), in.Language); err != nil {
		return Poster{}, nil, err
	}
	s := m.opts.Service
	asking, cancel := media.Sooner(ctx, embeddedTime)
	defer cancel()
	painted, err := s.Art(asking, e, in.Style, art.Dx(), art.Dy(), in.Language)
	if err != nil {
		return Poster{}, nil, err
	}
	err = m.opts.Turns.Do(ctx, func() error {
		picture, err := openArt(painted)
		if err != nil {
			return fmt.Errorf("picture of %s: %w: %w", s.Name(), fault.ErrUnavailable, err)
		}
		out := image.NewRGBA(whole)
		draw.CatmullRom.Scale(out, art, picture, covering(picture.Bounds(), art), draw.Src, nil)
		draw.Draw(out, words, p.Canvas.Image(), image.Point{}, draw.Src)
		data, err = encode(out)
		return err
	})
	return p, data, err
}

// openArt decodes a picture, whose size is asked for first.
func openArt(data []byte) (image.Image, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxArt/config.Height {
		return nil, fmt.Errorf("%d x %d pixels", config.Width, config.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	return picture, err
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
