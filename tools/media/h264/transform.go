package h264

// A block is 4 x 4 samples of a residual, or their transform coefficients, row by row.
type block [16]int32

// zigzag is the order in which the coefficients of a block are written, Table 8-2 (frame
// macroblocks).
var zigzag = [16]int{0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15}

// forward is the 4 x 4 transform that [block.inverse] undoes, but for the norms, which the
// quantizer holds.
func (b *block) forward() {
	for i := 0; i < 16; i += 4 { // rows
		s0, s1 := b[i]+b[i+3], b[i+1]+b[i+2]
		d0, d1 := b[i]-b[i+3], b[i+1]-b[i+2]
		b[i], b[i+1], b[i+2], b[i+3] = s0+s1, 2*d0+d1, s0-s1, d0-2*d1
	}
	for i := range 4 { // columns
		s0, s1 := b[i]+b[i+12], b[i+4]+b[i+8]
		d0, d1 := b[i]-b[i+12], b[i+4]-b[i+8]
		b[i], b[i+4], b[i+8], b[i+12] = s0+s1, 2*d0+d1, s0-s1, d0-2*d1
	}
}

// inverse is clause 8.5.12.2: scaled coefficients become a residual.
func (b *block) inverse() {
	for i := 0; i < 16; i += 4 {
		e0, e1 := b[i]+b[i+2], b[i]-b[i+2]
		e2, e3 := b[i+1]>>1-b[i+3], b[i+1]+b[i+3]>>1
		b[i], b[i+1], b[i+2], b[i+3] = e0+e3, e1+e2, e1-e2, e0-e3
	}
	for i := range 4 {
		e0, e1 := b[i]+b[i+8], b[i]-b[i+8]
		e2, e3 := b[i+4]>>1-b[i+12], b[i+4]+b[i+12]>>1
		b[i], b[i+4], b[i+8], b[i+12] = (e0+e3+32)>>6, (e1+e2+32)>>6, (e1-e2+32)>>6, (e0-e3+32)>>6
	}
}

// hadamard is the transform of the sixteen DC coefficients of a macroblock, clause 8.5.10. It
// undoes itself but for a factor of 16.
func (b *block) hadamard() {
	for _, step := range [2][2]int{{1, 4}, {4, 1}} { // rows, columns
		along, across := step[0], step[1]
		for i := 0; i < 4*across; i += across {
			p := [4]int32{b[i], b[i+along], b[i+2*along], b[i+3*along]}
			s0, s1, d0, d1 := p[0]+p[3], p[1]+p[2], p[0]-p[3], p[1]-p[2]
			b[i], b[i+along], b[i+2*along], b[i+3*along] = s0+s1, d0+d1, s0-s1, d0-d1
		}
	}
}

// hadamard2 is the transform of the four DC coefficients of a chroma component, clause 8.5.11.1.
func hadamard2(c [4]int32) [4]int32 {
	s0, d0, s1, d1 := c[0]+c[1], c[0]-c[1], c[2]+c[3], c[2]-c[3]
	return [4]int32{s0 + s1, d0 + d1, s0 - s1, d0 - d1}
}

// normAdjust is v of clause 8.5.9 by QP modulo 6: of coefficients whose row and column are even,
// both odd, and the others.
var normAdjust = [6][3]int32{{10, 16, 13}, {11, 18, 14}, {13, 20, 16}, {14, 23, 18}, {16, 25, 20}, {18, 29, 23}}

// maxLevel is the largest level that is written; CAVLC of this profile ends a little above.
const maxLevel = 2000

// A quantizer turns coefficients into levels and back for one QP.
type quantizer struct {
	qp int
	// factor is 2^shift over the step of each coefficient and the norm of the transform.
	factor [16]int32
	shift  int
	// scale is LevelScale4x4 for flat scaling lists, by raster order.
	scale [16]int32
}

func newQuantizer(qp int) *quantizer {
	q := &quantizer{qp: qp, shift: 15 + qp/6}
	for i := range 16 {
		v := normAdjust[qp%6]
		switch row, column := i/4, i%4; {
		case row%2 == 0 && column%2 == 0:
			q.factor[i], q.scale[i] = over(1<<17, v[0]), 16*v[0]
		case row%2 == 1 && column%2 == 1:
			q.factor[i], q.scale[i] = over(1<<17*16/25, v[1]), 16*v[1]
		default:
			q.factor[i], q.scale[i] = over(1<<17*4/5, v[2]), 16*v[2]
		}
	}
	return q
}

// over is a / b, rounded.
func over(a, b int32) int32 { return (a + b/2) / b }

// level quantizes a coefficient. extra is by how much more the coefficient was scaled, as a power
// of two. Rounding is down from 5/6 where there is motion (inter), from 2/3 where there is none:
// a level that is not written costs nothing.
func (q *quantizer) level(coefficient int32, at, extra int, inter bool) int32 {
	shift := q.shift + extra
	round := int64(1) << shift / 3
	if inter {
		round /= 2
	}
	size := int64(coefficient)
	if size < 0 {
		size = -size
	}
	size = min((size*int64(q.factor[at])+round)>>shift, maxLevel)
	if coefficient < 0 {
		return -int32(size)
	}
	return int32(size)
}

// quantize quantizes a transformed block from the coefficient that is from-th in its scan, and
// returns the levels in the order of the scan and whether one is not zero. The block then holds
// the scaled coefficients, clause 8.5.12.1.
func (q *quantizer) quantize(b *block, from int, inter bool) (levels [16]int32, any bool) {
	for i := from; i < 16; i++ {
		at := zigzag[i]
		level := q.level(b[at], at, 0, inter)
		levels[i] = level
		any = any || level != 0
		b[at] = level * q.scale[at] / 16 << (q.qp / 6)
	}
	return levels, any
}

// quantizeDC quantizes the sixteen DC coefficients of a macroblock. dc then holds the scaled
// ones, clause 8.5.10.
func (q *quantizer) quantizeDC(dc *block) (levels [16]int32) {
	dc.hadamard()
	for i, at := range zigzag {
		levels[i] = q.level(dc[at]/2, 0, 1, false)
	}
	for i, at := range zigzag {
		dc[at] = levels[i]
	}
	dc.hadamard()
	for i, f := range dc {
		dc[i] = shifted(f*q.scale[0], q.qp/6-6)
	}
	return levels
}

// quantizeChromaDC quantizes the four DC coefficients of a chroma component and returns the
// scaled ones too, clause 8.5.11.2.
func (q *quantizer) quantizeChromaDC(dc [4]int32, inter bool) (levels, scaled [4]int32) {
	for i, c := range hadamard2(dc) {
		levels[i] = q.level(c, 0, 1, inter)
	}
	for i, f := range hadamard2(levels) {
		scaled[i] = f * q.scale[0] << (q.qp / 6) >> 5
	}
	return levels, scaled
}

// shifted is value * 2^by, rounded.
func shifted(value int32, by int) int32 {
	if by >= 0 {
		return value << by
	}
	return (value + 1<<(-by-1)) >> -by
}

// chromaQP is QPc of Table 8-15 for a luma QP, with a chroma_qp_index_offset of 0.
func chromaQP(qp int) int {
	if qp < 30 {
		return qp
	}
	return [...]int{29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39}[qp-30]
}
