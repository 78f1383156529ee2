package network

import (
	"encoding/binary"
	"math"

	"annai/internal/encoder"
	"annai/internal/matrix"
	"annai/internal/unigram"
)

// The sizes of what points.
const (
	point        = 128 // width of a row
	pointHeads   = 4   // that look at a candidate
	pointWidth   = point / pointHeads
	pointInner   = 256
	pointHidden  = 64
	pointPooled  = 320 // mean, greatest, flags and cosine, filled up to what a matrix takes
	pointFlags   = 3
	pointTitle   = 14 // pieces of a title that are read
	pointText    = 56 // and of the text behind it
	pointLongest = 1 + pointTitle + pointText + 1
	pointKinds   = 2 // event, and passage or part
)

// A Candidate is something that an utterance may be about.
type Candidate struct {
	// Title is what it is called, and Text what is written of it, in either language.
	Title, Text string
	// Event says that it is an event, and no passage.
	Event bool
	// Last says that the question before was about it, Earlier that an older one was, and Shown that
	// the last answer listed it.
	Last, Earlier, Shown bool
}

// A Pointing is how likely an utterance is about each of some candidates; what is missing to 1 is how
// likely it is about none of them. InTalk sees the talk and what was spoken of, Alone nothing but the
// words.
type Pointing struct{ InTalk, Alone []float64 }

// An Utterance is what was computed of one that was read, which [Network.Point] begins with. It never
// changes.
type Utterance struct {
	text          text
	vector        []float32
	inTalk, alone view
	bare          bool // there was no talk
}

// A view is a row of [point] values per piece of an utterance, and what it weighs that it is about none of
// some candidates.
type view struct {
	rows []float32
	none float32
}

// pointer are the weights of what points.
type pointer struct {
	row, whole, keys            matrix.Matrix // of a candidate; keys with values
	own, query, attended        matrix.Matrix
	widen, narrow               matrix.Matrix
	hidden, score, none         matrix.Matrix
	rowsNorm, looksNorm         norm
	norm, endNorm               norm
	titles, kinds, exact, flags []float32
	scale                       float32
}

func newPointer(c *container) pointer {
	linear := func(name string, in, out int) matrix.Matrix { return encoder.NewMatrix(c.File, "point."+name, in, out) }
	normal := func(name string) norm {
		return norm{gain: c.Floats("point."+name+".g", point), shift: c.Floats("point."+name+".b", point)}
	}
	floats := func(name string, rows int) []float32 { return c.Floats("point."+name, rows*point) }
	p := pointer{
		row: linear("row", encoder.Features, point), whole: linear("whole", encoder.Dimension, point),
		keys: linear("kv", point, 2*point), own: linear("own", dimension, point),
		query: linear("q", point, point), attended: linear("o", point, point),
		widen: linear("fi", point, pointInner), narrow: linear("fo", pointInner, point),
		hidden: linear("hidden", pointPooled, pointHidden), score: linear("score", pointHidden, matrix.TileColumns),
		none: linear("none", inside, matrix.TileColumns), rowsNorm: normal("rows"), looksNorm: normal("looks"),
		norm: normal("fn"), endNorm: normal("end"), titles: floats("title", 2), kinds: floats("kind", pointKinds),
		exact: floats("exact", 1), flags: floats("flag", pointFlags),
	}
	if scale := c.Floats("point.scale", 1); len(scale) == 1 {
		p.scale = scale[0]
	}
	return p
}

// view keeps of a reading what points, after decide.
func (n *Network) view(own int, s *scratch) view {
	v := view{rows: make([]float32, own*point)}
	p := &n.weights.point
	p.own.Apply(n.multiply, s.y, dimension, own, v.rows, point)
	var none [matrix.TileColumns]float32
	p.none.Apply(n.multiply, s.inside, 0, 1, none[:], 0)
	v.none = none[0]
	return v
}

// Point says which of some candidates an utterance is about.
func (n *Network) Point(u *Utterance, candidates []Candidate) Pointing {
	s := n.memory.Get().(*scratch)
	defer n.memory.Put(s)
	inTalk, alone := make([]float64, len(candidates)), make([]float64, len(candidates))
	for i, c := range candidates {
		e := n.encoded(c, s)
		alone[i] = n.pointed(u, u.alone, e, [pointFlags]bool{}, s)
		if flags := [...]bool{c.Last, c.Earlier, c.Shown}; u.bare && flags == [pointFlags]bool{} {
			inTalk[i] = alone[i]
		} else {
			inTalk[i] = n.pointed(u, u.inTalk, e, flags, s)
		}
	}
	shares(inTalk, float64(u.inTalk.none))
	shares(alone, float64(u.alone.none))
	return Pointing{InTalk: inTalk, Alone: alone}
}

// shares makes probabilities of what candidates weigh beside none of them.
func shares(weights []float64, none float64) {
	highest := none
	for _, w := range weights {
		highest = max(highest, w)
	}
	sum := math.Exp(none - highest)
	for i, w := range weights {
		weights[i] = math.Exp(w - highest)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
}

// encoded is what is computed of a candidate by itself.
type encoded struct {
	text   text
	rows   int       // its vector and its pieces
	vector []float32 // of length 8
	keys   []float32 // a panel of [matrix.TileColumns] rows after another, of each head that looks
	values []float32 // a panel of as many columns after another
}

// encoded computes a candidate, or takes what is known of it.
func (n *Network) encoded(c Candidate, s *scratch) encoded {
	title := first(n.pieces(firstPart(c.Title)), pointTitle)
	ids := append([]int32{unigram.Begin}, title...)
	ids = append(ids, first(n.pieces(firstPart(c.Text)), pointText)...)
	ids = append(ids, unigram.End)
	kind := 1
	if c.Event {
		kind = 0
	}
	e := encoded{text: text{ids: ids}, rows: 1 + len(ids)}
	key := string(binary.LittleEndian.AppendUint16([]byte{byte(kind)}, uint16(len(title)))) + keyOf(ids)
	all, ok := n.candidates.values(key)
	if !ok {
		all = n.encode(ids, 1+len(title), kind, s)
		n.candidates.put(key, all)
	}
	size := e.blocks() * matrix.TileColumns * point
	e.vector, e.keys, e.values = all[:encoder.Dimension], all[encoder.Dimension:][:size], all[encoder.Dimension+size:]
	return e
}

// blocks is how many panels of rows there are.
func (e *encoded) blocks() int { return (e.rows + matrix.TileColumns - 1) / matrix.TileColumns }

// encode computes the vector, the panels of keys and those of values of a candidate, one behind the other.
func (n *Network) encode(ids []int32, title, kind int, s *scratch) []float32 {
	w, p := &n.weights, &n.weights.point
	w.encoder.Features(n.multiply, n.vocabulary, ids, s.text)
	out := make([]float32, encoder.Dimension)
	s.pooledVector(w, n.multiply, len(ids), out)
	x, rows := s.x[:(1+len(ids))*point], 1+len(ids)
	p.whole.Apply(n.multiply, out, 0, 1, x, 0)
	p.row.Apply(n.multiply, s.text.F, encoder.Features, len(ids), x[point:], point)
	for t := range rows {
		row := x[t*point:][:point]
		if t > 0 && t <= title {
			matrix.Add(row, p.titles[point:])
		} else if t > 0 {
			matrix.Add(row, p.titles[:point])
		}
		matrix.Add(row, p.kinds[kind*point:])
		matrix.Normalize(row, p.rowsNorm.gain, p.rowsNorm.shift, n.about.Epsilon)
	}
	keys := s.keys[:rows*2*point]
	p.keys.Apply(n.multiply, x, point, rows, keys, 2*point)
	return append(out, panels(keys, rows)...)
}

// panels sorts keys and values as tiles read them.
func panels(keys []float32, rows int) []float32 {
	blocks := (rows + matrix.TileColumns - 1) / matrix.TileColumns
	out := make([]float32, blocks*matrix.TileColumns*point, blocks*matrix.TileColumns*point+rows*point)
	for h := range pointHeads {
		for t := range rows {
			panel := out[(h*blocks+t/matrix.TileColumns)*pointWidth*matrix.TileColumns:]
			for i, k := range keys[t*2*point+h*pointWidth:][:pointWidth] {
				panel[i*matrix.TileColumns+t%matrix.TileColumns] = k
			}
		}
	}
	for at := 0; at < point; at += matrix.TileColumns {
		for t := range rows {
			out = append(out, keys[t*2*point+point+at:][:matrix.TileColumns]...)
		}
	}
	return out
}

// pointed is what it weighs that an utterance is about a candidate.
func (n *Network) pointed(u *Utterance, v view, e encoded, flags [pointFlags]bool, s *scratch) float64 {
	p, own := &n.weights.point, len(u.text.ids)
	x, y := s.x[:own*point], s.y[:own*point]
	copy(x, v.rows)
	for t, id := range u.text.ids {
		row := x[t*point:][:point]
		if n.matches(id, e.text) {
			matrix.Add(row, p.exact)
		}
		for i, on := range flags {
			if on {
				matrix.Add(row, p.flags[i*point:])
			}
		}
	}
	n.normalizeRows(&p.looksNorm, x, y)
	p.query.Apply(n.multiply, y, point, own, s.query, point)
	for h := range pointHeads {
		n.look(s, e, h, own)
	}
	p.attended.Apply(n.multiply, s.attended, point, own, y, point)
	matrix.Add(x, y)
	n.normalizeRows(&p.norm, x, y)
	p.widen.Apply(n.multiply, y, point, own, s.inner, pointInner)
	activate(s.inner[:own*pointInner])
	p.narrow.Apply(n.multiply, s.inner, pointInner, own, y, point)
	matrix.Add(x, y)
	n.normalizeRows(&p.endNorm, x, y)
	return n.weigh(u, e, flags, y)
}

func (n *Network) normalizeRows(with *norm, x, y []float32) {
	copy(y, x)
	for at := 0; at < len(y); at += point {
		matrix.Normalize(y[at:][:point], with.gain, with.shift, n.about.Epsilon)
	}
}

// look lets the pieces of an utterance look at a candidate, with one of the heads.
func (n *Network) look(s *scratch, e encoded, h, own int) {
	blocks := e.blocks()
	for b := range blocks {
		panel := e.keys[(h*blocks+b)*pointWidth*matrix.TileColumns:][:pointWidth*matrix.TileColumns]
		n.product(s, s.query[h*pointWidth:], point, own, panel, pointWidth, s.scores[b*matrix.TileColumns:], columns)
	}
	scale := float32(1 / math.Sqrt(pointWidth))
	for t := range own {
		softmax(s.scores[t*columns:][:e.rows], scale)
	}
	for at := h * pointWidth; at < (h+1)*pointWidth; at += matrix.TileColumns {
		values := e.values[at*e.rows:][:matrix.TileColumns*e.rows]
		n.product(s, s.scores, columns, own, values, e.rows, s.attended[at:], point)
	}
}

// weigh pools what became of the pieces of an utterance.
func (n *Network) weigh(u *Utterance, e encoded, flags [pointFlags]bool, rows []float32) float64 {
	var pooled [pointPooled]float32
	var hidden [pointHidden]float32
	var score [matrix.TileColumns]float32
	mean, greatest, own := pooled[:point], pooled[point:2*point], len(u.text.ids)
	copy(greatest, rows)
	for t := range own {
		row := rows[t*point:][:point]
		matrix.Add(mean, row)
		for i, x := range row {
			greatest[i] = max(greatest[i], x)
		}
	}
	for i := range mean {
		mean[i] /= float32(own)
	}
	for i, on := range flags {
		if on {
			pooled[2*point+i] = 1
		}
	}
	cosine := float32(0)
	for i, x := range u.vector {
		cosine += x * e.vector[i]
	}
	cosine /= sentenceLength * sentenceLength
	pooled[2*point+pointFlags] = cosine
	p := &n.weights.point
	p.hidden.Apply(n.multiply, pooled[:], 0, 1, hidden[:], 0)
	activate(hidden[:])
	p.score.Apply(n.multiply, hidden[:], 0, 1, score[:], 0)
	return float64(score[0] + p.scale*cosine)
}

// pooledVector writes the vector of a text whose features were computed last.
func (s *scratch) pooledVector(w *weights, multiply matrix.Tile, pieces int, to []float32) {
	clear(s.sum)
	for t := range pieces {
		matrix.Add(s.sum, s.text.F[t*encoder.Features:][:encoder.Features])
	}
	w.encoder.Vector(multiply, s.sum, pieces, sentenceLength, to)
}
