package nodes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"annai/api"
	"annai/fault"
	"annai/graph"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/talk"
	"annai/venue"
)

// question is what the visitor is asked.
type question struct {
	// Kind is the node that asks.
	Kind    string   `json:"kind"`
	Text    string   `json:"question"`
	Options []string `json:"options,omitempty"`
	// Confirmation is what a yes is asked for, in parts.
	Confirmation *api.Confirmation `json:"confirmation,omitempty"`
}

// reply is what the visitor said to it: words, or the number of an option from 1.
type reply struct {
	Option int  `json:"option,omitempty"`
	Turn   turn `json:"turn"`

	// said is what is written of it to a thread.
	said graph.Update[State]
}

// clarify asks which meaning of a word is meant. What comes back is one of the meanings, or a new
// question; either way the router decides anew, and nothing is asked again.
func (c *Concierge) clarify(ctx context.Context, s State) (graph.Command[State], error) {
	r, answered, err := c.reply(ctx, s, c.question(s).Options)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if !answered {
		return graph.Command[State]{Interrupt: &graph.Interrupt{Question: c.question(s)}}, nil
	}
	next := s
	next.Turn = r.Turn
	between := len(s.Route.Between) > 0
	if between { // who names neither goes on with the likelier one
		next.Memory = s.Memory.Next(s.Turn.Query, s.Question, s.Route.Between[:1])
	}
	if next, err = c.readAs(ctx, next, r.Turn.Query); err != nil {
		return graph.Command[State]{}, err
	}
	became := asked{Done: true, Either: between}
	i := c.pick(s, r, next.Understanding)
	if i < 0 && !between && words.Chooses.In(r.Turn.Query) {
		if i, err = c.described(ctx, s, r); err != nil {
			return graph.Command[State]{}, err
		}
	}
	switch {
	case next.Understanding.Intent == nlu.Safety:
	case i >= 0 && between:
		became.Chosen, became.Other = true, s.otherEither(i)
		picked := c.of(s, s.Route.Between[i])
		next.Understanding, next.Question = picked.Understanding, picked.Question
	case i >= 0:
		became.Chosen = true
		if n := len(c.parts.Venue.Ambiguous[s.Route.Ambiguity].Readings); n == 2 {
			became.Other = c.meaning(s, n-1-i)
		}
		next, err = c.readAlone(ctx, next, c.meaning(s, i))
	case choosesOnly(next) || words.Chooses.In(r.Turn.Query): // best effort: what was asked, as it was asked
		next.Understanding, next.Question = s.Understanding, s.Question
	default:
		next.Language = answerLanguage(r.Turn, next.Understanding, seen{Language: s.Language})
	}
	return graph.Command[State]{Update: append(r.said, graph.Update[State]{
		turnChannel.Write(next.Turn), droppedChannel.Write(""), understoodChannel.Write(next.Understanding),
		languageChannel.Write(next.Language), questionChannel.Write(next.Question), askedChannel.Write(became),
	}...)}, err
}

// choosesOnly reports whether a reply asks nothing of its own.
func choosesOnly(s State) bool {
	return len(s.Understanding.Times) == 0 && (s.Question.Ask == nlu.AskNone || s.Question.Act == nlu.ActAnswers ||
		s.Question.Act == nlu.ActChanges || s.Question.AskFrom == talk.Inherited)
}

func (c *Concierge) question(s State) question {
	if len(s.Route.Between) > 0 {
		return s.either()
	}
	a := c.parts.Venue.Ambiguous[s.Route.Ambiguity]
	lang := string(s.Language)
	q := question{Kind: nodeClarify, Text: a.Question.In(lang)}
	for _, r := range a.Readings {
		q.Options = append(q.Options, r.Label.In(lang))
	}
	return q
}

// pick returns the reading that the reply means, or -1 where it means none of them.
func (c *Concierge) pick(s State, r reply, said nlu.Understanding) int {
	if len(s.Route.Between) > 0 {
		return s.pickEither(r, said)
	}
	readings := c.parts.Venue.Ambiguous[s.Route.Ambiguity].Readings
	switch n := place(r, said); {
	case n > 0 && n <= len(readings):
		return n - 1
	case n < 0 && -n <= len(readings):
		return len(readings) + n
	}
	best, length := -1, 0
	for i, reading := range readings {
		for _, word := range append([]string{reading.Label.JA, reading.Label.EN, reading.Means.JA, reading.Means.EN}, reading.Words...) {
			if word != "" && len(word) > length && text.ContainsWord(r.Turn.Query, word) {
				best, length = i, len(word)
			}
		}
	}
	if best < 0 {
		best = byTrait(r.Turn.Query, readings)
	}
	if best < 0 {
		best = byLabel(r.Turn.Query, readings)
	}
	return best
}

// place is the place of an option that a reply names, from 1, or from -1 for the last; 0 where it names none.
func place(r reply, said nlu.Understanding) int {
	return cmp.Or(r.Option, said.Reference.Ordinal, nlu.BareNumber(r.Turn.Query))
}

// byTrait returns the reading whose label alone says what a reply says in other words, or -1: ただの方
// is 無料のMTGスペース.
func byTrait(reply string, readings []venue.Reading) int {
	for _, row := range words.Comparisons() {
		if !mentions(strings.ToLower(reply), row.Words) {
			continue
		}
		i := onlyOne(readings, func(r venue.Reading) bool {
			return mentions(r.Label.JA, row.Words) || mentions(strings.ToLower(r.Label.EN), row.Words)
		})
		if i >= 0 {
			return i
		}
	}
	return -1
}

// byLabel returns the reading whose label alone has a word of the reply, or -1: "the free one".
func byLabel(reply string, readings []venue.Reading) int {
	best := -1
	for word := range strings.FieldsFuncSeq(strings.ToLower(reply), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for i, reading := range readings {
			if len(word) < 4 || !text.ContainsWord(reading.Label.EN, word) {
				continue
			}
			others := slices.ContainsFunc(readings, func(o venue.Reading) bool {
				return o.Label.EN != reading.Label.EN && text.ContainsWord(o.Label.EN, word)
			})
			switch {
			case others:
			case best >= 0 && best != i:
				return -1
			default:
				best = i
			}
		}
	}
	return best
}

// meaning is the question with the ambiguous word replaced by the reading that was chosen.
func (c *Concierge) meaning(s State, i int) string {
	a := c.parts.Venue.Ambiguous[s.Route.Ambiguity]
	means := a.Readings[i].Means.In(string(s.Understanding.Language))
	if text, ok := exchanged(s.Turn.Query, a.Words, means); ok {
		return text
	}
	return s.Turn.Query + " " + means
}

// exchanged is a text with what is meant in place of the word for it that stands there.
func exchanged(text string, words []string, means string) (string, bool) {
	for _, word := range words {
		if at := wholeWord(text, word); at >= 0 {
			return text[:at] + means + text[at+len(word):], true
		}
	}
	return text, false
}

// plainMeaning is a text with what is meant in place of an ambiguous word, where other words make one reading plain:
// 2階の会議室の料金は？ for 会議室の料金は？.
func (c *Concierge) plainMeaning(said string, lang nlu.Language) string {
	for _, a := range c.parts.Venue.Ambiguous {
		var plain []string
		for _, r := range a.Readings {
			if plainly(said, r) {
				plain = append(plain, r.Means.In(string(lang)))
			}
		}
		if len(plain) == 1 && !text.ContainsWord(said, plain[0]) {
			said, _ = exchanged(said, a.Words, plain[0])
		}
	}
	return said
}

// ambiguous returns the ambiguity that the text raises: a word that stands alone, with nothing that
// makes a reading plain.
func (c *Concierge) ambiguous(text string) (int, bool) {
	for i, a := range c.parts.Venue.Ambiguous {
		if stands(text, a.Words) && !plainReading(text, a) {
			return i, true
		}
	}
	return 0, false
}

func stands(text string, words []string) bool {
	for _, w := range words {
		if wholeWord(text, w) >= 0 {
			return true
		}
	}
	return false
}

func plainReading(text string, a venue.Ambiguity) bool {
	return slices.ContainsFunc(a.Readings, func(r venue.Reading) bool { return plainly(text, r) })
}

// plainly reports whether the text has a word that makes the reading plain.
func plainly(said string, r venue.Reading) bool {
	return slices.ContainsFunc(r.Words, func(w string) bool { return text.ContainsWord(said, w) })
}

// wholeWord returns where the word stands in the text with letters of another script around it, or
// -1, whatever the case.
func wholeWord(in, word string) int { return text.IndexWord(in, word, text.InWord) }

// readReply reads the value of a [Resume]: a number of an option, or words.
func readReply(value json.RawMessage, options int) (words string, option int, err error) {
	if json.Unmarshal(value, &words) == nil && strings.TrimSpace(words) != "" {
		return strings.TrimSpace(words), 0, nil
	}
	if json.Unmarshal(value, &option) == nil && option >= 1 && option <= options {
		return "", option, nil
	}
	return "", 0, fmt.Errorf("the answer is neither words nor the number of one of %d options: %w", options, fault.ErrInvalid)
}
