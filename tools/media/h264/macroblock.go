package h264

// corners are the places of the sixteen 4 x 4 blocks of a macroblock in the order in which they
// are written: by quarters, figure 6-10.
var corners = [16][2]int{
	{0, 0},
	{4, 0},
	{0, 4},
	{4, 4},
	{8, 0},
	{12, 0},
	{8, 4},
	{12, 4},
	{0, 8},
	{4, 8},
	{0, 12},
	{4, 12},
	{8, 8},
	{12, 8},
	{8, 12},
	{12, 12},
}

// codedPatternInter is the codeNum of a coded_block_pattern with Inter prediction, Table 9-4 (a).
var codedPatternInter = [48]int{
	0, 2, 3, 7, 4, 8, 17, 13, 5, 18, 9, 14, 10, 15, 16, 11, 1, 32, 33, 36, 34, 37, 44, 40,
	35, 45, 38, 41, 39, 42, 43, 19, 6, 24, 25, 20, 26, 21, 46, 28, 27, 47, 22, 29, 23, 30, 31, 12,
}

// A chromaBlocks is what is written of one chroma component of a macroblock.
type chromaBlocks struct {
	dc     [4]int32
	ac     [4][16]int32
	hasDC  bool
	hasAC  bool
	blocks [4]block
}

// chromaPattern is the upper part of a coded_block_pattern: 0 for nothing, 1 for DC, 2 for AC too.
func chromaPattern(cb, cr *chromaBlocks) int {
	switch {
	case cb.hasAC || cr.hasAC:
		return 2
	case cb.hasDC || cr.hasDC:
		return 1
	default:
		return 0
	}
}

// chroma transforms and quantizes one component of the macroblock whose chroma samples begin at
// x, y.
func (e *Encoder) chroma(component, x, y int, prediction []uint8, stride int, inter bool) *chromaBlocks {
	c := &e.chromaOf[component-1]
	*c = chromaBlocks{}
	var dc [4]int32
	for i := range 4 {
		dx, dy := i%2*4, i/2*4
		b := e.source[component].residual(x+dx, y+dy, prediction[dy*stride+dx:], stride)
		b.forward()
		dc[i] = b[0]
		var any bool
		c.ac[i], any = e.chromaQuantizer.quantize(&b, 1, inter)
		c.hasAC = c.hasAC || any
		c.blocks[i] = b
	}
	levels, scaled := e.chromaQuantizer.quantizeChromaDC(dc, inter)
	c.dc, c.hasDC = levels, levels != [4]int32{}
	for i := range c.blocks {
		c.blocks[i][0] = scaled[i]
	}
	return c
}

// rebuildChroma sets the samples of one chroma component to what a decoder will see.
func (e *Encoder) rebuildChroma(component, x, y int, prediction []uint8, stride int) {
	c := &e.chromaOf[component-1]
	for i := range 4 {
		dx, dy := i%2*4, i/2*4
		c.blocks[i].inverse()
		e.decoded[component].reconstruct(x+dx, y+dy, prediction[dy*stride+dx:], stride, &c.blocks[i])
	}
}

// writeChroma appends both components, clause 7.3.5.3, and counts their coefficients.
func (e *Encoder) writeChroma(x, y, pattern int) {
	for i := range e.chromaOf {
		if pattern > 0 {
			e.bits.residual(e.chromaOf[i].dc[:], chromaDC)
		}
	}
	for i := range e.chromaOf {
		p := e.decoded[i+1]
		for j := range 4 {
			bx, by, total := x+j%2*4, y+j/2*4, 0
			if pattern == 2 {
				total = e.bits.residual(e.chromaOf[i].ac[j][1:], p.context(bx, by))
			}
			p.count(bx, by, total)
		}
	}
}

// best returns the prediction that is nearest to the source of some components, and the number of
// its mode.
func (e *Encoder) best(modes *[4]predictor, first, last, x, y, size int, out *[2][]uint8) (mode int) {
	least := -1
	for m, predict := range modes {
		if !usable(modes, m, x, y) {
			continue
		}
		cost := 0
		for c := first; c <= last; c++ {
			try := e.trial[c-first][:size*size]
			predict(e.decoded[c], x, y, size, try)
			cost += e.source[c].distance(x, y, size, try)
		}
		if least < 0 || cost < least {
			least, mode = cost, m
			for i := range last - first + 1 {
				copy(out[i], e.trial[i][:size*size])
			}
		}
	}
	return mode
}

// intra appends a macroblock of type I_16x16 whose luma samples begin at x, y.
func (e *Encoder) intra(x, y int) {
	luma := [2][]uint8{e.predicted[0][:]}
	mode := e.best(&lumaModes, 0, 0, x, y, 16, &luma)
	var dc block
	var ac [16][16]int32
	var blocks [16]block
	hasAC := false
	for i, corner := range corners {
		dx, dy := corner[0], corner[1]
		b := e.source[0].residual(x+dx, y+dy, luma[0][dy*16+dx:], 16)
		b.forward()
		dc[dy+dx/4] = b[0]
		var any bool
		ac[i], any = e.quantizer.quantize(&b, 1, false)
		hasAC = hasAC || any
		blocks[i] = b
	}
	levels := e.quantizer.quantizeDC(&dc)
	for i, corner := range corners {
		dx, dy := corner[0], corner[1]
		blocks[i][0] = dc[dy+dx/4]
		blocks[i].inverse()
		e.decoded[0].reconstruct(x+dx, y+dy, luma[0][dy*16+dx:], 16, &blocks[i])
	}

	cx, cy := x/2, y/2
	chroma := [2][]uint8{e.predicted[1][:64], e.predicted[2][:64]}
	chromaMode := e.best(&chromaModes, 1, 2, cx, cy, 8, &chroma)
	pattern := chromaPattern(e.chroma(1, cx, cy, chroma[0], 8, false), e.chroma(2, cx, cy, chroma[1], 8, false))
	e.rebuildChroma(1, cx, cy, chroma[0], 8)
	e.rebuildChroma(2, cx, cy, chroma[1], 8)

	// macroblock_layer, clause 7.3.5; mb_type by Table 7-11
	kind := 1 + mode + 4*pattern
	if hasAC {
		kind += 12
	}
	e.bits.ue(kind)
	e.bits.ue(chromaMode)
	e.bits.se(0) // mb_qp_delta
	e.bits.residual(levels[:], e.decoded[0].context(x, y))
	for i, corner := range corners {
		bx, by, total := x+corner[0], y+corner[1], 0
		if hasAC {
			total = e.bits.residual(ac[i][1:], e.decoded[0].context(bx, by))
		}
		e.decoded[0].count(bx, by, total)
	}
	e.writeChroma(cx, cy, pattern)
}

// inter appends a macroblock that stays where it was in the last picture, of type P_L0_16x16 with
// what has changed, and reports whether it has; what has not is left to be skipped.
func (e *Encoder) inter(x, y, skipped int) (written bool) {
	cx, cy := x/2, y/2
	if e.unchanged(x, y) {
		e.clear(x, y)
		return false
	}
	luma := e.decoded[0]
	var levels [16][16]int32
	var blocks [16]block
	pattern := 0
	for i, corner := range corners {
		bx, by := x+corner[0], y+corner[1]
		b := e.source[0].residual(bx, by, luma.pix[by*luma.stride+bx:], luma.stride)
		b.forward()
		var any bool
		levels[i], any = e.quantizer.quantize(&b, 0, true)
		if any {
			pattern |= 1 << (i / 4)
		}
		blocks[i] = b
	}
	at := cy*e.decoded[1].stride + cx
	cb := e.chroma(1, cx, cy, e.decoded[1].pix[at:], e.decoded[1].stride, true)
	cr := e.chroma(2, cx, cy, e.decoded[2].pix[at:], e.decoded[2].stride, true)
	chroma := chromaPattern(cb, cr)
	pattern |= chroma << 4
	if pattern == 0 {
		e.clear(x, y)
		return false
	}
	e.bits.ue(skipped)
	e.bits.ue(0) // mb_type P_L0_16x16
	e.bits.se(0) // mvd_l0: all vectors of the picture are zero
	e.bits.se(0)
	e.bits.ue(codedPatternInter[pattern])
	e.bits.se(0) // mb_qp_delta
	for i, corner := range corners {
		bx, by, total := x+corner[0], y+corner[1], 0
		if pattern>>(i/4)&1 == 1 {
			total = e.bits.residual(levels[i][:], luma.context(bx, by))
		}
		luma.count(bx, by, total)
		blocks[i].inverse()
		luma.reconstruct(bx, by, luma.pix[by*luma.stride+bx:], luma.stride, &blocks[i])
	}
	e.writeChroma(cx, cy, chroma)
	e.rebuildChroma(1, cx, cy, e.decoded[1].pix[at:], e.decoded[1].stride)
	e.rebuildChroma(2, cx, cy, e.decoded[2].pix[at:], e.decoded[2].stride)
	return true
}

// unchanged reports whether a macroblock looks as in the last picture.
func (e *Encoder) unchanged(x, y int) bool {
	const tolerance = 1
	return e.source[0].close(e.decoded[0], x, y, 16, tolerance) &&
		e.source[1].close(e.decoded[1], x/2, y/2, 8, tolerance) &&
		e.source[2].close(e.decoded[2], x/2, y/2, 8, tolerance)
}

// clear notes that a macroblock has no coefficients.
func (e *Encoder) clear(x, y int) {
	for c, size := range [3]int{16, 8, 8} {
		p := e.decoded[c]
		px, py := x*size/16, y*size/16
		fill(p.counts[py/4*p.perRow+px/4:], size/4, size/4, p.perRow, 0)
	}
}
