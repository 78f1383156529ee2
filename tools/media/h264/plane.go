package h264

// A plane is one component of a picture: luma, or one of the two of chroma at half the size. Both
// sides are whole macroblocks.
type plane struct {
	pix    []uint8
	stride int
	// counts is TotalCoeff of each 4 x 4 block of the picture being coded, for the contexts of
	// CAVLC; perRow of them are a row.
	counts []uint8
	perRow int
}

func newPlane(width, height int) *plane {
	return &plane{
		pix: make([]uint8, width*height), stride: width,
		counts: make([]uint8, width/4*height/4), perRow: width / 4,
	}
}

func (p *plane) at(x, y int) uint8 { return p.pix[y*p.stride+x] }

func (p *plane) row(x, y, n int) []uint8 { return p.pix[y*p.stride+x:][:n] }

// load copies samples of width x height and repeats the last column and row up to the plane's size.
func (p *plane) load(pix []uint8, stride, width, height int) {
	rows := len(p.pix) / p.stride
	for y := range rows {
		row := p.row(0, y, p.stride)
		copy(row, pix[min(y, height-1)*stride:][:width])
		fill(row[width:], p.stride-width, 1, 0, row[width-1])
	}
}

// distance is the sum of absolute differences of a square and a prediction of it.
func (p *plane) distance(x, y, size int, prediction []uint8) int {
	sum := 0
	for i := range size {
		row := p.row(x, y+i, size)
		for j, predicted := range prediction[i*size:][:size] {
			d := int(row[j]) - int(predicted)
			sum += max(d, -d)
		}
	}
	return sum
}

// close reports whether no sample of a square is more than tolerance away from that of another
// plane.
func (p *plane) close(other *plane, x, y, size, tolerance int) bool {
	for i := range size {
		row := p.row(x, y+i, size)
		for j, sample := range other.row(x, y+i, size) {
			if d := int(row[j]) - int(sample); d > tolerance || -d > tolerance {
				return false
			}
		}
	}
	return true
}

// residual is a 4 x 4 block at x, y less its prediction, whose rows are stride apart.
func (p *plane) residual(x, y int, prediction []uint8, stride int) (b block) {
	for i := range 4 {
		row, predicted := p.row(x, y+i, 4), prediction[i*stride:][:4]
		for j := range 4 {
			b[4*i+j] = int32(row[j]) - int32(predicted[j])
		}
	}
	return b
}

// reconstruct sets a 4 x 4 block to its prediction and residual.
func (p *plane) reconstruct(x, y int, prediction []uint8, stride int, b *block) {
	for i := range 4 {
		row, predicted := p.row(x, y+i, 4), prediction[i*stride:][:4]
		for j := range 4 {
			row[j] = clip(int(predicted[j]) + int(b[4*i+j]))
		}
	}
}

// context is nC of a block at x, y: the mean of the counts of those left of it and above, or the
// one there is, clause 9.2.1.
func (p *plane) context(x, y int) int {
	at := y/4*p.perRow + x/4
	switch {
	case x > 0 && y > 0:
		return (int(p.counts[at-1]) + int(p.counts[at-p.perRow]) + 1) / 2
	case x > 0:
		return int(p.counts[at-1])
	case y > 0:
		return int(p.counts[at-p.perRow])
	default:
		return 0
	}
}

func (p *plane) count(x, y, total int) { p.counts[y/4*p.perRow+x/4] = uint8(total) }
