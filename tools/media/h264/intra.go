package h264

// Prediction of a square of samples from those left of it and above, clauses 8.3.3 (luma, 16 x
// 16) and 8.3.4 (chroma, 8 x 8).

// A predictor makes the samples of a square of size x size whose upper left corner is x, y of the
// plane.
type predictor func(p *plane, x, y, size int, out []uint8)

// lumaModes are Intra16x16PredMode 0 to 3, chromaModes intra_chroma_pred_mode 0 to 3.
var (
	lumaModes   = [4]predictor{vertical, horizontal, mean, gradient}
	chromaModes = [4]predictor{quarterMeans, horizontal, vertical, gradient}
)

// usable reports whether the samples that a predictor needs are inside the picture. Means do with
// what there is.
func usable(modes *[4]predictor, mode, x, y int) bool {
	luma := modes == &lumaModes
	switch {
	case mode == 3:
		return x > 0 && y > 0
	case luma && mode == 0, !luma && mode == 2:
		return y > 0
	case mode == 1:
		return x > 0
	default:
		return true
	}
}

func vertical(p *plane, x, y, size int, out []uint8) {
	above := p.row(x, y-1, size)
	for i := range size {
		copy(out[i*size:], above)
	}
}

func horizontal(p *plane, x, y, size int, out []uint8) {
	for i := range size {
		fill(out[i*size:], size, 1, size, p.at(x-1, y+i))
	}
}

// fill sets a rectangle of samples to one value.
func fill(out []uint8, width, height, stride int, value uint8) {
	for i := range height {
		row := out[i*stride:][:width]
		for j := range row {
			row[j] = value
		}
	}
}

func mean(p *plane, x, y, size int, out []uint8) {
	fill(out, size, size, size, p.mean(x, y, 0, 0, size, x > 0, y > 0))
}

// mean returns the mean of samples left of a square, of those above it, of both, or 128 for none:
// n beside a part of the square that is dx, dy from its corner x, y.
func (p *plane) mean(x, y, dx, dy, n int, left, above bool) uint8 {
	sum, count := 0, 0
	if left {
		for i := range n {
			sum += int(p.at(x-1, y+dy+i))
		}
		count += n
	}
	if above {
		for _, sample := range p.row(x+dx, y-1, n) {
			sum += int(sample)
		}
		count += n
	}
	if count == 0 {
		return 128
	}
	return uint8((sum + count/2) / count)
}

// quarterMeans is the DC mode of chroma: each quarter has a mean of its own. The upper right one
// takes the samples above, the lower left one those left of it, where there are any.
func quarterMeans(p *plane, x, y, size int, out []uint8) {
	half := size / 2
	left, above := x > 0, y > 0
	quarter := func(dx, dy int, left, above bool) {
		fill(out[dy*size+dx:], half, half, size, p.mean(x, y, dx, dy, half, left, above))
	}
	quarter(0, 0, left, above)
	quarter(half, 0, left && !above, above)
	quarter(0, half, left, above && !left)
	quarter(half, half, left, above)
}

// gradient is the plane mode, clauses 8.3.3.4 and 8.3.4.4: a slope in each direction.
func gradient(p *plane, x, y, size int, out []uint8) {
	half := size / 2
	h, v := 0, 0
	for i := range half {
		h += (i + 1) * (int(p.at(x+half+i, y-1)) - int(p.at(x+half-2-i, y-1)))
		v += (i + 1) * (int(p.at(x-1, y+half+i)) - int(p.at(x-1, y+half-2-i)))
	}
	factor := 5 // luma
	if size == 8 {
		factor = 34
	}
	b, c := (factor*h+32)>>6, (factor*v+32)>>6
	a := 16 * (int(p.at(x-1, y+size-1)) + int(p.at(x+size-1, y-1)))
	for i := range size {
		for j := range size {
			out[i*size+j] = clip((a + b*(j-half+1) + c*(i-half+1) + 16) >> 5)
		}
	}
}

func clip(sample int) uint8 { return uint8(max(0, min(sample, 255))) }
