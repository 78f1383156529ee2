package slots

// pick cuts words that name one of some times which were proposed: 2番目で|打ち合わせを入れて, "use |the second one
// for| the review".
func (i *interpreter) pick() {
	for n := range i.r.tokens {
		if from, to := i.pickAt(n); from < to {
			i.mark(from, to)
			return
		}
	}
}

// pickAt is where such words begin and end that have token n in them; from is to where there are none.
func (i *interpreter) pickAt(n int) (from, to int) {
	if i.r.lang == Japanese {
		if length := i.whole.at(n, i.f.pickEnd); length > 0 && n > 0 && i.r.tokens[n-1].time != 0 {
			return n, n + length
		}
		length := i.whole.at(n, i.f.pick)
		if length == 0 || n == 0 || !i.isNumber(n-1) || n > 1 && !i.r.tokens[n-1].stop {
			return n, n
		}
		return n - 1, n + length
	}
	if length := i.whole.at(n, i.f.pick); length > 0 {
		return n, n + length
	}
	length := i.whole.at(n, i.f.numbered)
	if length == 0 || n+length >= len(i.r.tokens) || !i.isNumber(n+length) {
		return n, n
	}
	to = n + length + 1
	return n, to + i.whole.at(to, i.f.pickEnd)
}

// isNumber reports whether token n is a number and no part of a time.
func (i *interpreter) isNumber(n int) bool {
	t := i.r.tokens[n]
	return t.time == 0 && (t.shape == shapeDigits || t.classes&i.r.words.number != 0)
}
