// Package canvas draws shapes and text, and makes a picture or an SVG of them.
//
// The idea to hold: a drawing is a list of filled outlines, of letters too. So the picture and the
// SVG look the same everywhere, whatever faces a machine or a printer has. The package knows
// nothing of events and posters.
package canvas

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"
)

// A Canvas is a drawing of so many pixels. The origin is at the top left, and y grows downwards.
// It is not safe for concurrent use.
type Canvas struct {
	Width, Height int

	shapes []shape
}

// shape is an outline that is filled where its winding number is not 0.
type shape struct {
	path  Path
	paint Paint
}

// New returns an empty canvas, which is transparent.
func New(width, height int) *Canvas { return &Canvas{Width: width, Height: height} }

// A Paint fills a shape: one color, or a linear gradient from one point to another.
type Paint struct {
	from, to   color.NRGBA
	start, end Point
}

// Solid is a paint of one color.
func Solid(c color.NRGBA) Paint { return Paint{from: c, to: c} }

// Linear is a paint that goes from a color at one point to another color at another point.
func Linear(start, end Point, from, to color.NRGBA) Paint {
	return Paint{from: from, to: to, start: start, end: end}
}

func (p Paint) solid() bool { return p.from == p.to }

// at returns the color at a point.
func (p Paint) at(x, y float64) color.NRGBA {
	dx, dy := p.end.X-p.start.X, p.end.Y-p.start.Y
	length := dx*dx + dy*dy
	if length == 0 {
		return p.from
	}
	t := min(1, max(0, ((x-p.start.X)*dx+(y-p.start.Y)*dy)/length))
	return Blend(p.from, p.to, t)
}

// Blend returns the color that is the share t, 0 to 1, of the way from one to another.
func Blend(from, to color.NRGBA, t float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + t*(float64(b)-float64(a)))) }
	return color.NRGBA{R: mix(from.R, to.R), G: mix(from.G, to.G), B: mix(from.B, to.B), A: mix(from.A, to.A)}
}

// Hex returns the color that is written RRGGBB or RRGGBBAA, and black for what is not.
func Hex(text string) color.NRGBA {
	c := color.NRGBA{A: 0xFF}
	_, _ = fmt.Sscanf(text, "%2x%2x%2x%2x", &c.R, &c.G, &c.B, &c.A)
	return c
}

// Fill adds a shape over what is there.
func (c *Canvas) Fill(p Path, paint Paint) {
	if len(p.segments) > 0 {
		c.shapes = append(c.shapes, shape{p, paint})
	}
}

// Image returns the picture.
func (c *Canvas) Image() *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, c.Width, c.Height))
	raster := vector.NewRasterizer(1, 1)
	for _, s := range c.shapes {
		s.rasterize(raster, picture)
	}
	return picture
}

// rasterize draws the shape within its own bounds only, since a page has thousands of letters.
func (s shape) rasterize(raster *vector.Rasterizer, picture *image.RGBA) {
	bounds := s.path.bounds().Intersect(picture.Bounds())
	if bounds.Empty() {
		return
	}
	raster.Reset(bounds.Dx(), bounds.Dy())
	dx, dy := float32(bounds.Min.X), float32(bounds.Min.Y)
	at := func(p Point) (x, y float32) { return float32(p.X) - dx, float32(p.Y) - dy }
	for _, g := range s.path.segments {
		x, y := at(g.points[0])
		switch g.op {
		case moveTo:
			raster.MoveTo(x, y)
		case lineTo:
			raster.LineTo(x, y)
		case quadTo:
			x1, y1 := at(g.points[1])
			raster.QuadTo(x, y, x1, y1)
		case cubeTo:
			x1, y1 := at(g.points[1])
			x2, y2 := at(g.points[2])
			raster.CubeTo(x, y, x1, y1, x2, y2)
		case closePath:
			raster.ClosePath()
		}
	}
	if s.paint.solid() {
		raster.Draw(picture, bounds, image.NewUniform(s.paint.from), image.Point{})
		return
	}
	mask := image.NewAlpha(image.Rectangle{Max: bounds.Size()})
	raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	s.paint.through(mask, picture, bounds.Min)
}

// through draws the paint over a picture where a mask is, whose origin is at a point of the
// picture.
func (p Paint) through(mask *image.Alpha, picture *image.RGBA, origin image.Point) {
	for y := range mask.Rect.Dy() {
		for x := range mask.Rect.Dx() {
			covered := uint32(mask.Pix[y*mask.Stride+x])
			if covered == 0 {
				continue
			}
			c := p.at(float64(origin.X+x)+0.5, float64(origin.Y+y)+0.5)
			alpha := covered * uint32(c.A) / 0xFF
			pixel := picture.Pix[picture.PixOffset(origin.X+x, origin.Y+y):][:4]
			for i, v := range [4]uint8{c.R, c.G, c.B, 0xFF} {
				pixel[i] = uint8((uint32(v)*alpha + uint32(pixel[i])*(0xFF-alpha) + 0x7F) / 0xFF)
			}
		}
	}
}
