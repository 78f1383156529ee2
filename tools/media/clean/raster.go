package clean

import (
	"image"
	"image/color"
	"math"
)

// maxWorking is how many pixels are worked on: those of a phone's photograph, and more than A4 at
// 300 dots an inch has. More would only cost time.
const maxWorking = 12_600_000

// raster is a picture as planes of bytes, row by row: red, green and blue, or gray alone.
type raster struct {
	w, h       int
	planes     [][]uint8
	confidence float64
}

// rasterOf turns a picture upright, lays it on white, and makes it smaller where it is too large.
func rasterOf(o oriented) *raster {
	w, h := o.size()
	step := 1
	for (w/step)*(h/step) > maxWorking {
		step++
	}
	return smaller(o, step)
}

// smaller turns a picture upright and lays it on white, with one pixel for step in each direction: the mean of those
// that it covers.
func smaller(o oriented, step int) *raster {
	w, h := o.size()
	r := &raster{w: max(1, w/step), h: max(1, h/step)}
	r.planes = [][]uint8{make([]uint8, r.w*r.h), make([]uint8, r.w*r.h), make([]uint8, r.w*r.h)}
	read := reader(o.Image)
	bounds, area := o.Bounds(), uint32(step*step)
	for y := range r.h {
		for x := range r.w {
			var sum [3]uint32
			for dy := range step {
				for dx := range step {
					sx, sy := o.source(x*step+dx, y*step+dy, bounds.Dx(), bounds.Dy())
					c := read(bounds.Min.X+sx, bounds.Min.Y+sy)
					for i := range sum {
						sum[i] += uint32(c[i])
					}
				}
			}
			for i := range sum {
				r.planes[i][y*r.w+x] = uint8(sum[i] / area)
			}
		}
	}
	return r
}

// reader returns what reads a pixel on white, quickly for what photographs are.
func reader(picture image.Image) func(x, y int) [3]uint8 {
	if p, ok := picture.(*image.YCbCr); ok {
		return func(x, y int) [3]uint8 {
			i, j := p.YOffset(x, y), p.COffset(x, y)
			r, g, b := color.YCbCrToRGB(p.Y[i], p.Cb[j], p.Cr[j])
			return [3]uint8{r, g, b}
		}
	}
	if p, ok := picture.(*image.Gray); ok {
		return func(x, y int) [3]uint8 {
			v := p.Pix[p.PixOffset(x, y)]
			return [3]uint8{v, v, v}
		}
	}
	at := func(x, y int) color.RGBA64 { return color.RGBA64Model.Convert(picture.At(x, y)).(color.RGBA64) }
	if p, ok := picture.(image.RGBA64Image); ok {
		at = p.RGBA64At // which makes no garbage, of which a large picture would be a hundred megabytes
	}
	return func(x, y int) [3]uint8 {
		c := at(x, y)
		r, g, b, a := uint32(c.R), uint32(c.G), uint32(c.B), uint32(c.A)
		white := 0xFFFF - a
		return [3]uint8{uint8((r + white) >> 8), uint8((g + white) >> 8), uint8((b + white) >> 8)}
	}
}

// gray leaves the luma of ITU-R BT.601.
func (r *raster) gray() {
	if len(r.planes) == 1 {
		return
	}
	red, green, blue := r.planes[0], r.planes[1], r.planes[2]
	for i := range red {
		red[i] = uint8((299*uint32(red[i]) + 587*uint32(green[i]) + 114*uint32(blue[i]) + 500) / 1000)
	}
	r.planes = r.planes[:1:1]
}

// The sizes of windows, as how many of them stand along the shorter side of a picture: those of
// shade are larger than letters and smaller than shadows, and those of letters a few lines high.
const (
	shadeWindows  = 12
	letterWindows = 40
)

// window returns half of such a window's side, without the pixel in its middle.
func (r *raster) window(along int) int { return max(7, min(r.w, r.h)/along/2) }

// separation is how far the grays of ink and of paper are apart: the share of their variance that
// is between the two classes that Otsu's threshold makes (N. Otsu, A Threshold Selection Method
// from Gray-Level Histograms, 1979), 0 to 1. It is 0 where no ink is, or no paper.
func separation(plane []uint8) float64 {
	var histogram [256]float64
	for _, v := range plane {
		histogram[v]++
	}
	n := float64(len(plane))
	mean, square := 0.0, 0.0
	for v, count := range histogram {
		mean += float64(v) * count / n
		square += float64(v*v) * count / n
	}
	variance := square - mean*mean
	const flat = 16 // a picture of nothing has this much noise
	if variance < flat {
		return 0
	}
	best, ink := 0.0, 0.0
	below, belowMean := 0.0, 0.0
	for v, count := range histogram {
		below += count / n
		belowMean += float64(v) * count / n
		if below <= 0 || below >= 1 {
			continue
		}
		if between := math.Pow(mean*below-belowMean, 2) / (below * (1 - below)); between > best {
			best, ink = between, below
		}
	}
	const least, most = 0.002, 0.6 // of the pixels are ink where there are letters
	if ink < least || ink > most {
		return 0
	}
	return best / variance
}
