package clean

import "math"

// median replaces each pixel with the median of itself and its eight neighbors. Beyond the edge,
// the edge is repeated.
//
// The median of nine is that of the largest of the columns' smallest, the middle of their middles,
// and the smallest of their largest; each column is sorted once for the three windows that it is
// in.
func (r *raster) median(plane []uint8) {
	above, here := make([]uint8, r.w), make([]uint8, r.w)
	copy(here, plane[:r.w])
	copy(above, here)
	for y := range r.h {
		row := plane[y*r.w : (y+1)*r.w]
		below := here
		if y+1 < r.h {
			below = plane[(y+1)*r.w : (y+2)*r.w]
		}
		b := sorted(above[0], here[0], below[0])
		a, c := b, b
		for x := range row {
			if x+1 < r.w {
				c = sorted(above[x+1], here[x+1], below[x+1])
			}
			low, high := max(a.low, b.low, c.low), min(a.high, b.high, c.high)
			row[x] = middleOf(low, middleOf(a.middle, b.middle, c.middle), high)
			a, b = b, c
		}
		above, here = here, above
		copy(here, below)
	}
}

// three are numbers in order.
type three struct{ low, middle, high uint8 }

func sorted(a, b, c uint8) three {
	a, b = min(a, b), max(a, b)
	b, c = min(b, c), max(b, c)
	return three{min(a, b), max(a, b), c}
}

func middleOf(a, b, c uint8) uint8 { return max(min(a, b), min(max(a, b), c)) }

// blur is a Gaussian of 3 x 3: 1, 2, 1 in both directions.
func (r *raster) blur(plane []uint8) {
	for y := range r.h {
		row := plane[y*r.w : (y+1)*r.w]
		left := uint16(row[0])
		for x := range row {
			here := uint16(row[x])
			right := uint16(row[min(x+1, r.w-1)])
			row[x] = uint8((left + 2*here + right + 2) / 4)
			left = here
		}
	}
	above := make([]uint8, r.w)
	copy(above, plane)
	for y := range r.h {
		row := plane[y*r.w : (y+1)*r.w]
		below := plane[min(y+1, r.h-1)*r.w:]
		for x := range row {
			here := row[x]
			row[x] = uint8((uint16(above[x]) + 2*uint16(here) + uint16(below[x]) + 2) / 4)
			above[x] = here
		}
	}
}

// sums are those of the pixels in a window that slides over a plane: so many, of their values and
// of their squares.
type sums struct{ n, sum, square int64 }

func (s sums) mean() float64 { return float64(s.sum) / float64(s.n) }

// slide calls do for each pixel with the sums of the window around it, of 2*half+1 pixels a side,
// cut at the edges. Rows are given as they were before do changed any; do may change the pixel.
func (r *raster) slide(plane []uint8, half int, do func(i int, s sums)) {
	columns := make([]sums, r.w)
	kept := make([][]uint8, 2*half+1) // the rows in the window, as they were
	for i := range kept {
		kept[i] = make([]uint8, r.w)
	}
	add := func(row []uint8, sign int64) {
		for x, v := range row {
			c := &columns[x]
			c.n += sign
			c.sum += sign * int64(v)
			c.square += sign * int64(v) * int64(v)
		}
	}
	enter := func(y int) {
		if y < r.h {
			row := kept[y%len(kept)]
			copy(row, plane[y*r.w:(y+1)*r.w])
			add(row, 1)
		}
	}
	for y := range half {
		enter(y)
	}
	for y := range r.h {
		if y-half-1 >= 0 {
			add(kept[(y-half-1)%len(kept)], -1)
		}
		enter(y + half)
		r.slideRow(columns, half, y*r.w, do)
	}
}

// slideRow is [raster.slide] for one row, from the sums of each column.
func (r *raster) slideRow(columns []sums, half, row int, do func(i int, s sums)) {
	var s sums
	move := func(c sums, sign int64) {
		s.n += sign * c.n
		s.sum += sign * c.sum
		s.square += sign * c.square
	}
	for x := range min(half, r.w) {
		move(columns[x], 1)
	}
	for x := range r.w {
		if x+half < r.w {
			move(columns[x+half], 1)
		}
		if x-half-1 >= 0 {
			move(columns[x-half-1], -1)
		}
		do(row+x, s)
	}
}

// divide takes out shade: each pixel becomes its share of the mean around it, such that the mean
// itself becomes light, and what is much darker stays dark.
func (r *raster) divide(plane []uint8, half int) {
	r.slide(plane, half, func(i int, s sums) {
		plane[i] = scaled(plane[i], s.mean())
	})
}

// light is what the ground of a picture becomes.
const light = 235

func scaled(v uint8, ground float64) uint8 {
	return uint8(min(255, float64(v)*light/max(ground, 1)))
}

// whiten makes paper white: each pixel becomes its share of the light around it, which is the mean
// of those that are at least as light as the mean, since ink is darker.
func (r *raster) whiten(plane []uint8) {
	half := r.window(shadeWindows)
	paper := make([]uint8, len(plane))
	r.slide(plane, half, func(i int, s sums) {
		paper[i] = uint8(max(float64(plane[i]), s.mean()))
	})
	r.slide(paper, half, func(i int, s sums) {
		plane[i] = uint8(min(255, float64(plane[i])*250/max(s.mean(), 1)))
	})
}

// The constants of Sauvola's threshold: how far it is below the mean where there is contrast, and
// the standard deviation that is full contrast.
const (
	sauvolaK = 0.25
	sauvolaR = 128
	// soft is how many grays above and below the threshold stay gray, so that edges stay smooth.
	soft = 24
)

// sauvola makes black and white by a threshold of its own for each pixel, mean * (1 + k *
// (deviation / R - 1)) (J. Sauvola, M. Pietikäinen, Adaptive Document Image Binarization, 2000).
// Close to it, grays are left.
func (r *raster) sauvola(plane []uint8, half int) {
	r.slide(plane, half, func(i int, s sums) {
		mean := s.mean()
		variance := max(0, float64(s.square)/float64(s.n)-mean*mean)
		threshold := mean * (1 + sauvolaK*(math.Sqrt(variance)/sauvolaR-1))
		v := 127.5 + (float64(plane[i])-threshold)*127.5/soft
		plane[i] = uint8(max(0, min(255, v)))
	})
}
