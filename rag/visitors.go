package rag

import (
	_ "embed"
	"math"
	"strings"
	"sync"
)

// visitorsFile has what visitors ask of a place, any place, with what a passage says that answers.
//
//go:embed data/visitors.txt
var visitorsFile string

// visitors are the questions of one language that people ask of a place, as an embedder sees them.
// The one idea: whoever has heard the questions of other places knows two things about a new one.
// Whether it is of the kind that a place answers at all, and what a passage that answers it will be
// about, though it uses none of the same words.
type visitors struct {
	questions []Vector
	// answers are what a passage says that answers each of the questions.
	answers []Vector
	// others are everyday questions, which a place does not answer, and apart how near they are to those of visitors.
	others []Vector
	apart  spread
	// usual is how near the nearest passage of this place is to a question of visitors, on average,
	// in deviations of nearness.
	usual float64
}

// Measured with the sets of docs/knowledge.md, leaving out one place at a time; in deviations of
// how near everyday questions are to those of visitors.
const (
	// kindSharpness is how much the nearest questions count more than others when kinds are compared, and
	// answerSharpness when it comes to what is asked for.
	kindSharpness, answerSharpness = 0.8, 2.5
	// A question of visitors as far off as outlierZ tells nothing about what is asked for, and one as near as inlierZ
	// most.
	outlierZ, inlierZ = 2, 6.5
	// priorWeight is what an answer to be expected counts, at most, in the vector of a question.
	priorWeight = 0.2
	// maxKind keeps a question that every place is asked from being answered whatever the passages
	// say: this place may not say it. And minKind keeps one that no place is asked from being
	// refused when a passage says all of it.
	maxKind, minKind = 0.4, -0.7
	// usualNearness is what usual is at a place of about 60 passages in each language, and
	// maxCrowdPenalty bounds what a difference adds to the threshold.
	usualNearness, maxCrowdPenalty = 3.8, 0.05
	// crowdWeight is what a deviation of it adds.
	crowdWeight = 0.03
	// calibrationStride is of how many questions one is asked to find out what is usual.
	calibrationStride = 8
)

// kind says how much more a question is like those that visitors ask of a place than like everyday
// ones, from minKind to maxKind.
func (v *visitors) kind(near []float64, q Vector) float64 {
	others := make([]float64, len(v.others))
	for i, other := range v.others {
		others[i] = v.apart.of(Cosine(q, other))
	}
	return min(max(softest(near, kindSharpness)-softest(others, kindSharpness), minKind), maxKind)
}

// expect turns the vector of a question towards what a passage that answers it says.
func (v *visitors) expect(near []float64, q Vector) Vector {
	nearest := highest(near)
	share := priorWeight * min(max((nearest-outlierZ)/(inlierZ-outlierZ), 0), 1)
	if share == 0 {
		return q
	}
	answer := make(Vector, len(q))
	for i, x := range near {
		weight := float32(math.Exp(answerSharpness * (x - nearest)))
		if weight < leastWeight {
			continue
		}
		for j, y := range v.answers[i] {
			answer[j] += weight * y
		}
	}
	if !normalize(answer) {
		return q
	}
	for j, x := range q {
		answer[j] = x + float32(share)*answer[j]
	}
	if !normalize(answer) {
		return q
	}
	return answer
}

// leastWeight is what a question has to count to be looked at.
const leastWeight = 1e-3

// near returns how near each of the visitors' questions is, in deviations from how near everyday ones are to these.
func (v *visitors) near(q Vector) []float64 {
	near := make([]float64, len(v.questions))
	for i, question := range v.questions {
		near[i] = v.apart.of(Cosine(q, question))
	}
	return near
}

// measure finds out how near the everyday questions are to those of visitors. One pair in eight says so well enough.
func (v *visitors) measure() {
	var cosines []float64
	for i, question := range v.questions {
		for j := i % 8; j < len(v.others); j += 8 {
			cosines = append(cosines, Cosine(question, v.others[j]))
		}
	}
	v.apart = spreadOf(cosines)
}

// calibrate estimates how near the nearest passage is by chance, by asking some of the questions: among many
// passages one is always near.
func (v *visitors) calibrate(m *meaning, e *everyday) {
	nearest := make([]float64, (len(v.questions)+calibrationStride-1)/calibrationStride)
	_ = share(len(nearest), func(i int) error { // which never fails
		q := v.questions[i*calibrationStride]
		q = v.expect(v.near(q), q)
		nearest[i] = math.Inf(-1)
		for n := range e.passages {
			cosine, _ := m.cosine(q, int32(n))
			nearest[i] = max(nearest[i], e.nearness(cosine, int32(n)))
		}
		return nil
	})
	v.usual = spreadOf(nearest).mean
}

// crowd is what the number and kind of passages add to the threshold or take from it.
func (v *visitors) crowd() float64 {
	return min(max(crowdWeight*(v.usual-usualNearness), -maxCrowdPenalty), maxCrowdPenalty)
}

// softest is the mean of values of which the higher count the more, the sharper it is.
func softest(values []float64, sharpness float64) float64 {
	top, sum := highest(values), 0.0
	for _, x := range values {
		sum += math.Exp(sharpness * (x - top))
	}
	return top + math.Log(sum/float64(len(values)))/sharpness
}

func highest(values []float64) float64 {
	top := math.Inf(-1)
	for _, x := range values {
		top = max(top, x)
	}
	return top
}

// A common text is embedded beside the passages of every place.
type commonText struct {
	// text and also are what its vector is the middle of: a question and its subject, or a statement in both languages.
	text, also string
	role       role
	lang       string // of a question
	concern    int    // what a visitor's question, or a statement, is about
}

type role int

const (
	everydayQuestion role = iota
	visitorsQuestion
	statement
)

// commonTexts returns the texts of the two files, in order.
var commonTexts = sync.OnceValue(func() []commonText {
	texts := questionTexts(nil, backgroundFile, everydayQuestion)
	return questionTexts(texts, visitorsFile, visitorsQuestion)
})

// questionTexts appends the questions of a file, and the statements in it: "japanese = english" a
// line, a statement before the questions about it, which begin with "?", with "|" between them.
func questionTexts(to []commonText, file string, of role) []commonText {
	table := ownSynonyms()
	concern := -1
	for _, line := range dataLines(file) {
		questions, asked := strings.CutPrefix(line, "?")
		ja, en, _ := strings.Cut(questions, " = ")
		if of == visitorsQuestion && !asked {
			concern++
			to = append(to, commonText{text: ja, also: en, role: statement, concern: concern})
			continue
		}
		for _, texts := range []string{ja, en} {
			for text := range strings.SplitSeq(texts, "|") {
				text = strings.TrimSpace(text)
				c := commonText{text: text, role: of, lang: languageOf(text), concern: concern}
				if subject := table.subject(text); subject != text {
					c.also = subject
				}
				to = append(to, c)
			}
		}
	}
	return to
}

// commonPieces returns what is to be embedded of the common texts.
func commonPieces() []piece {
	var pieces []piece
	for _, c := range commonTexts() {
		pieces = append(pieces, piece{passage: ofNoPassage, text: c.text, also: c.also})
	}
	return pieces
}

// experience is what is made of the common texts: the everyday questions and those of visitors, by language.
func experience(pieces []piece) (map[string]*everyday, map[string]*visitors) {
	answers := map[int]Vector{}
	for i, c := range commonTexts() {
		if c.role == statement {
			answers[c.concern] = pieces[i].vector
		}
	}
	background, asked := map[string]*everyday{}, map[string]*visitors{}
	for i, c := range commonTexts() {
		vector := pieces[i].vector
		if vector == nil || c.role == statement {
			continue
		}
		if background[c.lang] == nil {
			background[c.lang], asked[c.lang] = new(everyday), new(visitors)
		}
		switch answer := answers[c.concern]; {
		case c.role == everydayQuestion:
			background[c.lang].vectors = append(background[c.lang].vectors, vector)
			asked[c.lang].others = background[c.lang].vectors
		case answer != nil:
			asked[c.lang].questions = append(asked[c.lang].questions, vector)
			asked[c.lang].answers = append(asked[c.lang].answers, answer)
		}
	}
	for _, v := range asked {
		v.measure()
	}
	return background, asked
}
