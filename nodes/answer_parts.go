package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/rag"
)

// A partsAnswer answers a question about one part of the venue, or about several that share a name or
// are compared.
type partsAnswer struct {
	one   partAnswer
	parts []partAnswer
}

// answer words what the parts say; ok is false where none of them says it.
func (a partsAnswer) answer() (text, spoken []string, ok bool) {
	if a.compared() {
		return a.compare()
	}
	for _, ask := range []nlu.Ask{a.one.question.Ask, a.one.question.Second} {
		if ask == "" || ask == nlu.AskNone && len(text) > 0 {
			continue
		}
		for _, p := range a.parts {
			said := slices.DeleteFunc(p.bestFor(ask), func(s string) bool {
				return s == "" || slices.Contains(text, s)
			})
			text = append(text, said...)
			if short := p.short(ask); len(said) > 0 && len(short) > 0 {
				spoken = append(spoken, short...)
			} else {
				spoken = append(spoken, said...)
			}
		}
		if len(text) == 0 && ask == a.one.question.Ask {
			return nil, nil, false
		}
	}
	return text, spoken, len(text) > 0
}

// maxPartSentences is how many sentences of an answer about parts are spoken.
const maxPartSentences = 4

// answerFromParts answers from the venue's parts; ok is false where they do not say what is asked, or a
// passage says it of more words of the question.
func (c *Concierge) answerFromParts(
	ctx context.Context, s State, w infoWish, near knowledgeEvidence, now time.Time,
) (d draft, next topic, ok bool, err error) {
	a, err := c.partsAnswer(ctx, s, w, now)
	if err != nil || len(a.parts) == 0 {
		return d, next, false, err
	}
	text, spoken, ok := a.answer()
	if !ok || a.saysLess(text, near.Hits) {
		return d, next, false, nil
	}
	d = draft{
		Text: display.JoinSentences(text, s.Language), Spoken: spoken, Suggestions: c.starters(s.Language),
		Facts: facts{Knowledge: statusOK}, About: a.about(),
	}
	if near.Status == statusError { // the parts are known all the same
		d.Facts.Knowledge = statusError
	}
	if len(spoken) > maxPartSentences {
		d.Spoken = append(spoken[:maxSpoken:maxSpoken], prompts.InfoOnScreen{}.In(string(s.Language)))
	}
	for _, p := range a.parts {
		d.Cards = append(d.Cards, p.card())
	}
	return d, topic{Node: nodeInfo, Question: w.Text, Range: a.one.asked}, true, nil
}

// partsAnswer is the answer to a question, with what it says besides the names of parts.
func (c *Concierge) partsAnswer(ctx context.Context, s State, w infoWish, now time.Time) (partsAnswer, error) {
	v := c.parts.Venue
	one := partAnswer{venue: v, question: s.Question, now: now, lang: s.Language, text: strings.ToLower(w.Text)}
	if said := strings.ToLower(s.Turn.Query); s.Question.AskFrom == talk.Inherited && s.Question.Act == nlu.ActAsks {
		if ask := surelyAsked(said, one.question.Ask); ask != one.question.Ask {
			one.question.Ask, one.text = ask, said
		} else {
			one.text += " " + said // of which the question may have only a half
		}
	} else {
		one.question.Ask = surelyAsked(one.text, one.question.Ask)
	}
	var names []string
	for _, id := range w.Parts {
		if p := v.Part(id); p != nil {
			names = append(names, p.Names("")...)
		}
	}
	slices.SortFunc(names, func(x, y string) int { return len(y) - len(x) })
	for _, name := range append(names, v.Name.JA, v.Name.EN) {
		if name != "" {
			one.text = strings.ReplaceAll(one.text, strings.ToLower(name), " ")
		}
	}
	u := s.Understanding
	one.times = datetime.Parse(one.text, now) // of "room 1 in the morning" the morning
	one.asked, _ = display.SpanOf(one.times, now)
	low := strings.ToLower(strings.Join(names, " ") + " " + v.Name.JA + " " + v.Name.EN)
	one.rest = slices.DeleteFunc(slices.Clone(u.Keywords), func(word string) bool {
		return strings.Contains(low, word)
	})
	out := partsAnswer{one: one}
	for _, id := range w.Parts {
		p := one
		if p.part = v.Part(id); p.part == nil {
			continue
		}
		if one.question.Ask == nlu.AskMayI || s.Question.Ask == nlu.AskConfirm {
			act, may, ok, err := c.actAsked(ctx, p.part, strings.TrimSpace(p.text), u.Language)
			if err != nil {
				return out, err
			}
			if ok {
				p.act, p.mayAct = &act, may
			}
		}
		out.parts = append(out.parts, p)
	}
	return out, nil
}

// surelyAsked is the kind of answer that the words of a text in lower case ask for where they can
// ask for one only; else ask.
func surelyAsked(text string, ask nlu.Ask) nlu.Ask {
	var sure []nlu.Ask
	for _, row := range words.Sure() {
		if mentions(text, row.Words) {
			sure = append(sure, nlu.Ask(row.Ask))
		}
	}
	if len(sure) != 1 || slices.Contains(sure, ask) {
		return ask
	}
	return sure[0]
}

// saysLess reports whether a passage that is near has a word of the question that the answer does
// not have.
func (a partsAnswer) saysLess(text []string, near []rag.Hit) bool {
	ask := a.one.question.Ask
	besides := a.one.besides(ask)
	if len(besides) == 0 || mentions(strings.Join(text, " "), besides) {
		return false
	}
	return slices.ContainsFunc(near[:min(len(near), nearPassages)], func(h rag.Hit) bool {
		return h.Margin >= 0 && h.Passage.Lang == string(a.one.lang) &&
			mentions(h.Passage.Title+" "+h.Passage.Text, besides)
	})
}

// nearPassages is how many passages are looked at for one that says more than a part does.
const nearPassages = 3

// about are the parts as subjects: those that are compared each by itself, those that share a name
// as one.
func (a partsAnswer) about() []talk.Subject {
	var ids []string
	var each []talk.Subject
	for _, p := range a.parts {
		ids = append(ids, p.part.ID)
		each = append(each, subjectOfParts(a.one.venue, []string{p.part.ID}))
	}
	if a.compared() {
		return each
	}
	return []talk.Subject{subjectOfParts(a.one.venue, ids)}
}
