package ocr

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
)

// The angles that are tried, in degrees to either side: a page is seldom held more askew than that.
const (
	farthestAngle = 6.0
	coarseStep    = 0.5
	fineStep      = 0.125
	// leastAngle is one that hurts nobody.
	leastAngle = 0.2
	// profileWidth is how wide the picture is in which the angle is looked for.
	profileWidth = 500
)

// straightened is a page turned so that its lines are level.
func straightened(page *image.Gray) *image.Gray {
	angle := skewOf(page)
	if math.Abs(angle) < leastAngle {
		return page
	}
	w, h := float64(page.Rect.Dx()), float64(page.Rect.Dy())
	sin, cos := math.Sincos(-angle * math.Pi / 180)
	turn := f64.Aff3{
		cos, -sin, w/2 - cos*w/2 + sin*h/2,
		sin, cos, h/2 - sin*w/2 - cos*h/2,
	}
	out := image.NewGray(page.Rect)
	draw.Draw(out, out.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.ApproxBiLinear.Transform(out, turn, page, page.Rect, draw.Over, nil)
	return out
}

// skewOf is by how many degrees the lines of a page fall to the right: that angle at which its dark
// pixels lie in the fewest rows.
func skewOf(page *image.Gray) float64 {
	small := page
	if page.Rect.Dx() > profileWidth {
		h := max(1, page.Rect.Dy()*profileWidth/page.Rect.Dx())
		small = image.NewGray(image.Rect(0, 0, profileWidth, h))
		draw.ApproxBiLinear.Scale(small, small.Rect, page, page.Rect, draw.Src, nil)
	}
	dark := darkOf(small)
	best, at := 0.0, 0.0
	try := func(angle float64) {
		if s := sharpness(dark, small.Rect.Dy(), angle); s > best {
			best, at = s, angle
		}
	}
	for angle := -farthestAngle; angle <= farthestAngle; angle += coarseStep {
		try(angle)
	}
	around := at
	for angle := around - coarseStep; angle <= around+coarseStep; angle += fineStep {
		try(angle)
	}
	return at
}

// darkOf are the dark pixels of a page, but for those at its edges, where the table is.
func darkOf(page *image.Gray) []image.Point {
	const mid = 128
	var out []image.Point
	inner := page.Rect.Inset(min(page.Rect.Dx(), page.Rect.Dy()) / 20)
	for y := inner.Min.Y; y < inner.Max.Y; y++ {
		for x := inner.Min.X; x < inner.Max.X; x++ {
			if page.Pix[page.PixOffset(x, y)] < mid {
				out = append(out, image.Pt(x, y))
			}
		}
	}
	return out
}

// sharpness is the sum of the squares of how many dark pixels lie in each row of a page that is turned
// back by an angle.
func sharpness(dark []image.Point, height int, angle float64) float64 {
	slope := math.Tan(angle * math.Pi / 180)
	rows := make([]float64, 3*height+1)
	for _, p := range dark {
		if y := int(math.Round(float64(p.Y)-slope*float64(p.X))) + height; y >= 0 && y < len(rows) {
			rows[y]++
		}
	}
	sum := 0.0
	for _, n := range rows {
		sum += n * n
	}
	return sum
}
