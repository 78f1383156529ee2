package h264

// chromaDC is nC of the chroma DC coefficients.
const chromaDC = -1

// residual appends a block of quantized coefficients in the order of their scan:
// residual_block_cavlc, clause 7.3.5.3.2. It holds 4, 15 or 16; nC is the number of coefficients
// that the blocks around have. It returns how many are not zero.
func (w *bitWriter) residual(coefficients []int32, nC int) int {
	// levels and runs go from the last coefficient that is not zero to the first; a run is the
	// zeros right before its level
	var levels, runs [16]int32
	total, zeros := 0, int32(0)
	for i := len(coefficients) - 1; i >= 0; i-- {
		switch {
		case coefficients[i] != 0:
			levels[total] = coefficients[i]
			total++
		case total > 0:
			runs[total-1]++
			zeros++
		}
	}
	ones := 0
	for ones < min(total, 3) && (levels[ones] == 1 || levels[ones] == -1) {
		ones++
	}
	w.word(coeffTokenWord(total, ones, nC))
	if total == 0 {
		return 0
	}
	for _, level := range levels[:ones] {
		w.flag(level < 0)
	}
	w.levels(levels[ones:total], total, ones)
	if total < len(coefficients) {
		table := totalZeros
		if nC == chromaDC {
			table = totalZerosChromaDC
		}
		w.word(table[total-1][zeros])
	}
	for _, run := range runs[:total-1] {
		if zeros == 0 {
			break
		}
		w.word(runBefore[min(zeros, 7)-1][run])
		zeros -= run
	}
	return total
}

func (w *bitWriter) word(word codeWord) { w.put(word.bits, word.size) }

// coeffTokenWord is the code word of coeff_token, Table 9-5.
func coeffTokenWord(total, ones, nC int) codeWord {
	switch {
	case nC >= 8 && total == 0:
		return codeWord{bits: 3, size: 6}
	case nC >= 8:
		return codeWord{bits: uint32((total-1)<<2 | ones), size: 6}
	case nC >= 4:
		return coeffToken[2][total][ones]
	case nC >= 2:
		return coeffToken[1][total][ones]
	case nC >= 0:
		return coeffToken[0][total][ones]
	default:
		return coeffToken[3][total][ones]
	}
}

// levels appends the levels after the trailing ones, clause 9.2.2.1: a prefix in unary, and a
// suffix that grows with the levels.
func (w *bitWriter) levels(levels []int32, total, ones int) {
	suffix := 0
	if total > 10 && ones < 3 {
		suffix = 1
	}
	for i, level := range levels {
		code := int(2*level - 2)
		if level < 0 {
			code = int(-2*level - 1)
		}
		size := code // of the level without its sign, for the suffix of the next
		if i == 0 && ones < 3 {
			code -= 2 // it is not a trailing one
		}
		w.level(code, suffix)
		suffix = max(suffix, 1)
		if size/2+1 > 3<<(suffix-1) && suffix < 6 {
			suffix++
		}
	}
}

// level appends level_prefix and level_suffix of a levelCode.
func (w *bitWriter) level(code, suffix int) {
	switch {
	case suffix == 0 && code >= 14 && code < 30:
		w.put(1, 15) // prefix 14 has a suffix of 4 bits here
		w.put(uint32(code-14), 4)
	case suffix == 0 && code < 14, code < 15<<suffix && suffix > 0:
		w.put(1, code>>suffix+1)
		w.put(uint32(code), suffix)
	default:
		w.put(1, 16) // prefix 15 has a suffix of 12 bits
		if suffix == 0 {
			code -= 15
		}
		w.put(uint32(code-15<<suffix), 12)
	}
}
