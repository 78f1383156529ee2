package slots

import (
	"math/bits"
	"sync"

	"annai/nlu/datetime"
)

// A reading is a text cut into tokens, with all that features and rules look at.
type reading struct {
	text   string
	lang   string
	words  *wordClasses
	tokens []token
	runs   []run
	times  []datetime.Expression
	// all are the classes of all tokens, frame those of them that carry a command, as a small number.
	all   classes
	frame uint32

	// Room that is used again.
	features featurer
	from     []uint8
	cut      []bool
	whole    []int
}

// run is a run of tokens of one script without a gap.
type run struct {
	first, end int
	shape      shape
	hash       uint32
}

// readings are readings whose room is free.
var readings = sync.Pool{New: func() any { return new(reading) }}

func read(text, lang string, times []datetime.Expression) *reading {
	r := readings.Get().(*reading)
	r.text, r.lang, r.words, r.times = text, lang, wordsOf(lang), times
	r.tokens = tokenize(text, lang, r.tokens[:0])
	markTimes(r.tokens, times)
	r.words.mark(r.tokens)
	r.cutRuns()
	r.all, r.frame = 0, 0
	for _, t := range r.tokens {
		r.all |= t.classes
	}
	for n, c := range r.words.verbs {
		if r.all&c != 0 {
			r.frame |= 1 << n
		}
	}
	return r
}

// done gives the room of a reading back, which must not be used any more.
func (r *reading) done() {
	r.text, r.times = "", nil
	readings.Put(r)
}

// cutRuns groups the tokens of one script that stand together.
func (r *reading) cutRuns() {
	r.runs = r.runs[:0]
	for i := range r.tokens {
		t := &r.tokens[i]
		n := len(r.runs)
		if n > 0 && !t.gap && r.runs[n-1].shape == t.shape {
			r.runs[n-1].end++
			r.runs[n-1].hash = mix(r.runs[n-1].hash, t.hash)
			t.run = n - 1
			continue
		}
		r.runs = append(r.runs, run{i, i + 1, t.shape, t.hash})
		t.run = n
	}
}

// piece is the text of tokens [i, j).
func (r *reading) piece(i, j int) Piece {
	start, end := r.tokens[i].start, r.tokens[j-1].end
	return Piece{r.text[start:end], start, end}
}

// word is the text of token i.
func (r *reading) word(i int) string { return r.text[r.tokens[i].start:r.tokens[i].end] }

// edge stands for what is before the first and behind the last token.
var edge = token{hash: 0x5bd1e995}

func (r *reading) at(i int) *token {
	if i < 0 || i >= len(r.tokens) {
		return &edge
	}
	return &r.tokens[i]
}

func (r *reading) runAt(i int) run {
	if i < 0 || i >= len(r.runs) {
		return run{hash: edge.hash}
	}
	return r.runs[i]
}

// outsideTimes returns the nearest token from i in a direction that is in no temporal expression.
func (r *reading) outsideTimes(i, step int) int {
	for i += step; i >= 0 && i < len(r.tokens) && r.tokens[i].time != 0; i += step {
	}
	return i
}

// mix makes one hash of two.
func mix(a, b uint32) uint32 {
	h := (a ^ b*0x9E3779B1) * 0x85EBCA6B
	return h ^ h>>15
}

func bit(c classes) int { return bits.TrailingZeros64(uint64(c)) }

// A featurer collects features, each as the hash of the template it is of and of what fills it.
type featurer struct {
	hashes []uint32
	// explain notes the template of every feature in templates.
	explain   bool
	templates []template
	seen      []uint32 // for once
}

func (f *featurer) push(t template, h uint32) {
	f.hashes = append(f.hashes, h)
	if f.explain {
		f.templates = append(f.templates, t)
	}
}

func (f *featurer) add(t template, a uint32) { f.push(t, mix(uint32(t)*0x01000193, a)) }

func (f *featurer) add2(t template, a, b uint32) { f.push(t, mix(mix(uint32(t)*0x01000193, a), b)) }

func (f *featurer) add3(t template, a, b, c uint32) {
	f.push(t, mix(mix(mix(uint32(t)*0x01000193, a), b), c))
}

// classes adds a feature for each of a set of classes.
func (f *featurer) classes(t template, set classes) {
	for c := set; c != 0; c &= c - 1 {
		f.add(t, uint32(bit(c)))
	}
}

// token adds the features of token i.
func (f *featurer) token(r *reading, i int) {
	f.add(tAlways, 0)
	f.neighbours(r, i)
	f.temporal(r, i)
	f.wordClasses(r, i)
	f.frame(r, i)
	if r.lang == Japanese {
		f.characters(r, i)
		f.run(r, i)
	} else {
		f.english(r, i)
	}
}

// neighbours are the tokens around.
func (f *featurer) neighbours(r *reading, i int) {
	p2, p1, t, n1, n2 := r.at(i-2), r.at(i-1), r.at(i), r.at(i+1), r.at(i+2)
	f.add(tToken, t.hash)
	f.add(tBefore1, p1.hash)
	f.add(tBehind1, n1.hash)
	f.add(tBefore2, p2.hash)
	f.add(tBehind2, n2.hash)
	f.add2(tPairBefore, p1.hash, t.hash)
	f.add2(tPairBehind, t.hash, n1.hash)
	f.add2(tTwoBefore, p2.hash, p1.hash)
	f.add2(tTwoBehind, n1.hash, n2.hash)
	f.add2(tAround, p1.hash, n1.hash)
	f.add(tBefore3, r.at(i-3).hash)
	f.add(tBehind3, r.at(i+3).hash)
	f.add(tShape, uint32(t.shape))
	f.add3(tShapes3, uint32(p1.shape), uint32(t.shape), uint32(n1.shape))
}

// temporal is where the token stands in temporal expressions, and what is beside them.
func (f *featurer) temporal(r *reading, i int) {
	p1, t, n1 := r.at(i-1), r.at(i), r.at(i+1)
	time := uint32(t.time)
	f.add(tTime, time)
	f.add2(tTimesAround, uint32(p1.time), uint32(n1.time))
	f.add3(tTimes3, uint32(p1.time), time, uint32(n1.time))
	f.add2(tTimeToken, time, t.hash)
	f.add2(tTimeBehind, time, n1.hash)
	f.add2(tTimeBefore, time, p1.hash)
	left, right := r.at(r.outsideTimes(i, -1)), r.at(r.outsideTimes(i, 1))
	f.add(tLeft, left.hash)
	f.add(tRight, right.hash)
	f.add2(tLeftToken, left.hash, t.hash)
	f.add2(tTokenRight, t.hash, right.hash)
	f.add2(tLeftRight, left.hash, right.hash)
	f.classes(tLeftClass, left.classes)
	f.classes(tRightClass, right.classes)
	for c := t.classes; c != 0; c &= c - 1 {
		f.add2(tClassLeft, uint32(bit(c)), left.hash)
		f.add2(tClassRight, uint32(bit(c)), right.hash)
	}
}

// wordClasses are the classes of the token and of those around.
func (f *featurer) wordClasses(r *reading, i int) {
	p1, t, n1 := r.at(i-1), r.at(i), r.at(i+1)
	for c := t.classes; c != 0; c &= c - 1 {
		n := uint32(bit(c))
		pos := uint32(t.begins>>n&1 | t.ends>>n&1<<1)
		f.add2(tClass, n, pos)
		f.add3(tClassBehind, n, pos, n1.hash)
		f.add3(tClassBefore, n, pos, p1.hash)
		f.add2(tClassFrame, n, r.frame)
		if t.time != 0 {
			f.add3(tClassTime, n, pos, uint32(t.time))
		}
	}
	f.classes(tClassBefore1, p1.classes)
	f.classes(tClassBehind1, n1.classes)
	f.classes(tClassBefore2, r.at(i-2).classes)
	f.classes(tClassBehind2, r.at(i+2).classes)
}

// frame is the command that the token stands in: its verbs, its ends, its length.
func (f *featurer) frame(r *reading, i int) {
	t, n := r.at(i), len(r.tokens)
	f.add2(tFrameTime, r.frame, uint32(t.time))
	f.add2(tFrameToken, r.frame, t.hash)
	f.add2(tFirstToken, r.tokens[0].hash, t.hash)
	f.add2(tFirst2Token, mix(r.tokens[0].hash, r.at(1).hash), t.hash)
	f.add2(tLastToken, r.tokens[n-1].hash, t.hash)
	f.add2(tLengthToken, uint32(min(n/4, 5)), t.hash)
	switch i {
	case 0, 1:
		f.add(tPosition, uint32(i))
	case n - 1:
		f.add(tPosition, 2)
	}
}

// characters are longer pieces of Japanese text beside it.
func (f *featurer) characters(r *reading, i int) {
	p3, p2, p1, t, n1, n2, n3 := r.at(i-3), r.at(i-2), r.at(i-1), r.at(i), r.at(i+1), r.at(i+2), r.at(i+3)
	f.add3(tNext3, n1.hash, n2.hash, n3.hash)
	f.add3(tLast3, p3.hash, p2.hash, p1.hash)
	f.add2(tShapes5, uint32(p2.shape)<<8|uint32(p1.shape), uint32(t.shape)<<16|uint32(n1.shape)<<8|uint32(n2.shape))
}

// run is the run of one script that a character is part of, mostly a word, with what stands beside it: a particle.
func (f *featurer) run(r *reading, i int) {
	t := r.at(i)
	own, before, behind := r.runs[t.run], r.runAt(t.run-1), r.runAt(t.run+1)
	pos := uint32(own.shape) << 2
	if i == own.first {
		pos |= 1
	}
	if i == own.end-1 {
		pos |= 2
	}
	next := r.at(own.end)
	f.add2(tRun, own.hash, pos)
	f.add2(tRunBehind, pos, behind.hash)
	f.add2(tRunBefore, pos, before.hash)
	f.add2(tRunLength, pos, uint32(min(own.end-own.first, 6)))
	f.add2(tRunNext, pos, next.hash)
	f.add2(tRunNext2, pos, mix(next.hash, r.at(own.end+1).hash))
	f.add2(tRunPair, own.hash, behind.hash)
}

// english are pieces of the word.
func (f *featurer) english(r *reading, i int) {
	t := r.at(i)
	word := r.text[t.start:t.end]
	for n := 2; n <= 4 && n <= len(word); n++ {
		f.add2(tPrefix, uint32(n), hashText(word[:n]))
		f.add2(tSuffix, uint32(n), hashText(word[len(word)-n:]))
	}
}
