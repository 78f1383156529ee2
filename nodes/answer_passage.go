package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/rag"
)

// A passageAnswer answers a question from the passages that are nearest to it.
type passageAnswer struct {
	wish     infoWish
	question talk.Question
	rest     []string
	lang     nlu.Language
	staff    string
	hits     []rag.Hit
}

// What a passage gains in the order of candidates: for being about the subject, and for stating the
// kind of answer.
const (
	ofSubjectBonus = 0.5
	statesBonus    = 0.12
)

// nearest is the margin from which a passage is told at all, as what comes nearest.
const nearest = -0.45

// faintly is the margin from which a passage that does not state what is asked is told as the nearest.
const faintly = -0.2

// answerFromPassages is the info node for a question that was read in its talk.
func (c *Concierge) answerFromPassages(
	ctx context.Context,
	s State,
	w infoWish,
	now time.Time,
) (draft, topic, error) {
	said := w.Text
	if len(w.Parts) > 0 && s.Question.SubjectFrom == talk.Inherited { // the text may leave out what it is about
		said = text.OneLine(subjectOfParts(c.parts.Venue, w.Parts).In(s.Language)+" "+said, maxQuestion)
	}
	found, err := c.readKnowledge(ctx, rag.Query{
		Text: said, Lang: string(s.Language), On: civil.DateOf(now), Limit: maxHits, Near: true,
	})
	if err != nil {
		return draft{}, topic{}, err
	}
	if d, next, ok := c.answerWalk(s, w, found); ok {
		return d, next, nil
	}
	staff := c.parts.Venue.Staff.Where.In(string(s.Language))
	a := passageAnswer{
		wish: w, question: s.Question, rest: s.Understanding.Keywords, lang: s.Language, staff: staff, hits: found.Hits,
	}
	best, ok := a.best()
	if !w.Near || !ok || best.Margin < 0 || !a.stated(best) {
		if d, next, ok, err := c.answerFromParts(ctx, s, w, found, now); ok || err != nil {
			return d, next, err
		}
	}
	d := draft{Suggestions: c.starters(s.Language), Facts: facts{Knowledge: found.Status}}
	next := topic{Node: nodeInfo, Question: w.Text}
	if found.Status == statusError {
		d.Facts.Nothing, d.Text = true, prompts.InfoFailed{Staff: staff}.In(string(s.Language))
	} else {
		told := a.answer(&d)
		if !d.Facts.Unknown {
			d.Evidence = c.passageEvidence(s, slices.DeleteFunc(found.Hits, func(h rag.Hit) bool { return !slices.Contains(told, h.Passage.ID) }))
		}
	}
	if len(w.Parts) > 0 {
		d.About = []talk.Subject{subjectOfParts(c.parts.Venue, w.Parts)}
		if more, err := c.hoursOfVenue(ctx, s, w, now); err == nil && d.Facts.Unknown && more.Text != "" {
			more.About = d.About
			d = more
		}
	}
	return d, next, nil
}

// answer words what the best passage states, or says that nothing states it, with what comes
// nearest. It returns the passages told.
func (a passageAnswer) answer(d *draft) []string {
	h, ok := a.best()
	if !ok {
		d.Facts.Unknown, d.Facts.Knowledge = true, statusEmpty
		d.Text = prompts.InfoUnknown{Staff: a.staff, About: a.wish.Thing}.In(string(a.lang))
		return nil
	}
	if !a.stated(h) {
		_, heading, _ := cutLast(h.Passage.Title, rag.TitleSeparator)
		if !a.question.Meant() && h.Margin < faintly { // it is about something else
			d.Facts.Unknown, d.Facts.Knowledge = true, statusEmpty
			d.Text = prompts.InfoUnknown{Staff: a.staff, About: a.wish.Thing}.In(string(a.lang))
			return nil
		}
		if in := nlu.Language(h.Passage.Lang); in != a.lang && in != "" {
			quotePassages(d, []rag.Hit{h}, a.lang)
			d.Facts.Unknown = true
			*d = d.with(prompts.AnswerUnstated{Staff: a.staff}.In(string(a.lang)))
			return []string{h.Passage.ID}
		}
		text := display.JoinSentences(
			display.Sentences(display.NoBrackets(h.Passage.Text)),
			nlu.Language(h.Passage.Lang),
		)
		d.Text = prompts.AnswerUnstated{
			Title: display.InLang(a.lang, "「"+heading+"」", heading),
			Text:  text,
			Staff: a.staff,
		}.In(
			string(a.lang),
		)
		d.Passages, d.Cards = append(d.Passages, passage(h)), append(d.Cards, passageCard(h))
		d.Facts.Unknown, d.Facts.Knowledge = true, statusOK
		d.Spoken = display.Sentences(d.Text)
		return []string{h.Passage.ID}
	}
	chosen := []rag.Hit{h}
	if !numbered(h.Passage.Title, a.wish.Text) {
		chosen = siblings(h, a.hits)
	}
	quotePassages(d, chosen, a.lang)
	var ids []string
	for _, h := range chosen {
		ids = append(ids, h.Passage.ID)
	}
	return ids
}

// hoursOfVenue answers when a part is open that has no hours of its own: when the venue is. It is empty
// where something else is asked.
func (c *Concierge) hoursOfVenue(ctx context.Context, s State, w infoWish, now time.Time) (draft, error) {
	ask := s.Question.Ask
	if ask != nlu.AskIsOpen && ask != nlu.AskUntilWhen && ask != nlu.AskWhen || len(c.parts.Venue.Hours.Weekly) == 0 {
		return draft{}, nil
	}
	a, err := c.partsAnswer(ctx, s, w, now)
	if err != nil || len(a.parts) == 0 || len(a.parts[0].part.Hours.Weekly) > 0 {
		return draft{}, err
	}
	text := a.parts[0].withVenue(w)
	return draft{
		Text: display.JoinSentences(
			text,
			s.Language,
		), Suggestions: c.starters(s.Language), Facts: facts{Knowledge: statusOK},
	}, nil
}

// best is the passage that answers best: that about the subject where it states the kind of answer, and no
// other heading alone has the words of the question; else the nearest one, of those about the subject and
// those that state the kind of answer before others.
func (a passageAnswer) best() (rag.Hit, bool) {
	said := contentWords(strings.Fields(a.question.Text))
	headed := func(h rag.Hit) bool { return mentions(h.Passage.Title, said) }
	someHeaded := slices.ContainsFunc(a.hits, headed)
	answers := func(h rag.Hit) bool {
		return a.about(h) && statesText(h.Passage.Text, a.ask()) && (headed(h) || !someHeaded)
	}
	if i := slices.IndexFunc(a.hits, answers); i >= 0 {
		return a.hits[i], a.hits[i].Margin >= nearest || a.question.Meant()
	}
	points := func(h rag.Hit) float64 {
		p := h.Score
		if a.about(h) {
			p += ofSubjectBonus
		}
		if statesText(h.Passage.Text, a.ask()) {
			p += statesBonus
		}
		return p
	}
	if len(a.hits) == 0 {
		return rag.Hit{}, false
	}
	best := slices.MaxFunc(a.hits, func(x, y rag.Hit) int {
		switch px, py := points(x), points(y); {
		case px < py:
			return -1
		case px > py:
			return 1
		}
		return 0
	})
	return best, best.Margin >= nearest || a.about(best) && a.question.Meant()
}

// about reports whether a passage is that of the subject.
func (a passageAnswer) about(h rag.Hit) bool {
	s := a.question.Subject
	_, heading, _ := cutLast(h.Passage.Title, rag.TitleSeparator)
	return s.ID != "" && s.ID == h.Passage.ID || s.Title != "" && s.Title == heading
}

// stated reports whether a passage states what is asked: it has a sentence of that kind that shares
// a word with the question, or comes as near as an answer does. What its words name by themselves
// and comes as near is told whatever its words are.
func (a passageAnswer) stated(h rag.Hit) bool {
	if a.question.Act == nlu.ActAdds || words.ThisPlace.In(a.question.Text) {
		return true
	}
	_, heading, _ := cutLast(h.Passage.Title, rag.TitleSeparator)
	title, ask := strings.ToLower(heading), words.AskWords()
	rest := slices.DeleteFunc(
		slices.Clone(a.rest),
		func(w string) bool { return ask[w] != nil || strings.Contains(title, w) },
	)
	heads := len(contentWords(rest)) == 0 && a.about(h) && a.question.SubjectFrom == talk.Said
	if heads && !asksAnything(strings.ToLower(a.question.Text)) { // it says the heading, and no more
		return true
	}
	found, shared := stating(h.Passage.Text, a.ask(), rest)
	if len(found) == 0 || !shared && a.elsewhere(rest) {
		return false
	}
	meant := len(contentWords(rest)) == 0 || byItself(a.ask()) && a.question.Meant()
	return shared || h.Margin >= 0 || meant && a.about(h)
}

// strange is how likely the words of an utterance are about nothing that is known where a passage that has
// none of them says nothing to it. It was chosen at the annotated places, with a reader that had learnt
// nothing of them.
const strange = 0.2

// elsewhere reports whether a question names something that nothing known has: 離乳食は売ってます？ of the
// nursing room.
func (a passageAnswer) elsewhere(rest []string) bool {
	return a.question.Strange >= strange && len(contentWords(rest)) > 0
}

// ask is the kind of answer that is looked for.
func (a passageAnswer) ask() nlu.Ask { return detailAsked(a.question) }
