package nodes

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/graph"
	"annai/internal/civil"
	"annai/nlu"
	"annai/prompts"
	"annai/rag"
)

// An infoWish is what the info node is to find.
type infoWish struct {
	// Hours is what is asked about opening hours, which are computed; empty for everything else, which is looked up.
	Hours hoursKind `json:"hours,omitempty"`
	Range span      `json:"range,omitzero"`
	// Text is what to look up. Question is what to remember as the question, if it is something else.
	Text     string `json:"text"`
	Question string `json:"question,omitempty"`
	// Skip are passages that were quoted before.
	Skip []string `json:"skip,omitempty"`
}

// infoWishOf is what the utterance asks of the venue.
func (c *Concierge) infoWishOf(u nlu.Understanding, now time.Time) infoWish {
	w := infoWish{Text: oneLine(u.Text, maxQuestion)}
	w.Range, _ = spanOf(u.Times, now)
	w.Hours = c.hoursAsked(u, w.Range, now)
	return w
}

// infoNode answers from the venue's rules where it is about opening hours, else from its passages.
func (c *Concierge) infoNode(ctx context.Context, s State) (graph.Command[State], error) {
	now := s.Turn.At.In(c.location(s.Turn))
	w := s.Route.Info
	next := topic{Node: nodeInfo, Hours: w.Hours, Question: w.Question}
	if next.Question == "" {
		next.Question = w.Text
	}
	var found knowledgeEvidence
	if w.Hours == "" || w.Hours == hoursClosed && w.Range.isZero() {
		var err error
		if found, err = c.readKnowledge(ctx, c.infoQuery(s, w, now)); err != nil {
			return graph.Command[State]{}, err
		}
	}
	var d draft
	if w.Hours == "" {
		d, next.Passages = c.tellPassages(s, found)
	} else {
		if !w.Range.isZero() {
			w.Range = w.Range.in(now.Location())
		}
		d = opening{venue: c.parts.Venue, wish: w, now: now, lang: s.Language, rules: found}.tell()
	}
	return graph.Command[State]{Update: graph.Update[State]{draftChannel.Write(d), topicChannel.Write(next)}}, nil
}

func (c *Concierge) infoQuery(s State, w infoWish, now time.Time) rag.Query {
	q := rag.Query{Text: w.Text, Lang: string(s.Language), On: civil.DateOf(now), Limit: 3 + len(w.Skip)}
	if means := c.settled(w.Text, string(s.Understanding.Language)); means != "" && !containsFold(w.Text, means) {
		q.Text += " " + means
	}
	if w.Hours == hoursClosed {
		q.Categories = []string{"hours"}
	}
	if strings.TrimSpace(q.Text) == "" {
		q.Text = c.parts.Venue.Name.In(string(s.Language))
	}
	return q
}

// tellPassages quotes the best passage, or says that nothing is known, or that it could not be looked up.
func (c *Concierge) tellPassages(s State, found knowledgeEvidence) (draft, []string) {
	lang := string(s.Language)
	staff := c.parts.Venue.Staff.Where.In(lang)
	d := draft{Suggestions: c.starters(s.Language), Facts: facts{Knowledge: found.Status}}
	if found.Status == statusError {
		d.Facts.Nothing = true
		d.Text = prompts.InfoFailed{Staff: staff}.In(lang)
		return d, nil
	}
	skip := s.Route.Info.Skip
	hits := slices.DeleteFunc(slices.Clone(found.Hits), func(h rag.Hit) bool { return slices.Contains(skip, h.Passage.ID) })
	switch {
	case len(hits) > 0:
		h := preferred(hits, lang)
		quotePassage(&d, h, s.Language)
		return d, append(slices.Clip(skip), h.Passage.ID)
	case len(skip) > 0:
		d.Facts.Knowledge = statusEmpty
		d.Text = prompts.InfoNoMore{Staff: staff}.In(lang)
		return d, skip
	}
	d.Facts.Unknown = true
	d.Text = prompts.InfoUnknown{Staff: staff}.In(lang)
	return d, nil
}

// closeEnough is how near a passage in the language of the answer must come to the best one to be taken instead.
const closeEnough = 0.85

// preferred is the best hit, or one nearly as good in the language of the answer.
func preferred(hits []rag.Hit, lang string) rag.Hit {
	for _, h := range hits {
		if h.Passage.Lang == lang && h.Score >= closeEnough*hits[0].Score {
			return h
		}
	}
	return hits[0]
}

// quotePassage says a passage, and in which language it is if that is another one.
func quotePassage(d *draft, h rag.Hit, lang nlu.Language) {
	text := sentences(h.Passage.Text)
	in := nlu.Language(h.Passage.Lang)
	d.Text = joinSentences(text, in)
	d.Spoken = text[:min(len(text), maxSpoken)]
	if in != lang && in != "" {
		note := prompts.InfoOtherLanguage{}.In(string(lang))
		d.Text = joinParts(note, d.Text)
		d.Spoken = append([]string{note}, d.Spoken...)
	}
	d.Passages = append(d.Passages, passage(h))
	d.Cards = append(d.Cards, passageCard(h))
	d.Facts.Knowledge = statusOK
}

// without leaves out the question that was just asked.
func without(list []string, asked string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == asked })
}
