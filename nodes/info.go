package nodes

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/graph"
	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/prompts"
	"annai/rag"
	"annai/tools/date"
)

// An infoWish is what the info node is to find.
type infoWish struct {
	// Hours is what is asked about opening hours, which are computed; empty for everything else,
	// which is looked up.
	Hours hoursKind    `json:"hours,omitempty"`
	Range display.Span `json:"range,omitzero"`
	// Weekdays are the days of the week that are named; OneWeekday says that one is by its name alone.
	Weekdays   date.Weekdays `json:"weekdays,omitempty"`
	OneWeekday bool          `json:"oneWeekday,omitempty"`
	// Text is what to look up.
	Text string `json:"text"`
	// Thing is what this is about where two things are asked for at once: that nothing is known of
	// it is said by its name.
	Thing string `json:"thing,omitempty"`
	// Parts are the ids of the parts of the venue that this is about.
	Parts []string `json:"parts,omitempty"`
	// Near says that these were not named: a passage that states what is asked goes before them.
	Near bool `json:"near,omitempty"`
	// Beside is what a question for the hours of the venue names that nothing known has: that these are those
	// of the venue is said.
	Beside string `json:"beside,omitempty"`
	// Doubtful says that it may be no business of the venue: if nothing is found, that is said.
	Doubtful bool `json:"doubtful,omitempty"`
}

// infoWishOf is what the utterance asks of the venue.
func (c *Concierge) infoWishOf(s State, now time.Time) infoWish {
	u := s.Understanding
	w := infoWish{
		Text: text.OneLine(u.Text, maxQuestion), Weekdays: weekdaysNamed(u.Times), OneWeekday: oneWeekday(u.Times),
	}
	w.Range, _ = display.SpanOf(u.Times, now)
	w.Hours = c.hoursAsked(u, w.Range, now)
	if w.Hours == "" {
		w.Parts = partsNamed(c.parts.Venue, u.Text)
	}
	return w
}

// maxQuestion is how many runes of a question are remembered.
const maxQuestion = 200

// infoNode answers from the venue's rules where it is about opening hours, else from its parts and
// its passages.
func (c *Concierge) infoNode(ctx context.Context, s State) (graph.Command[State], error) {
	w := s.Route.Info
	d, next, err := c.inform(ctx, s, w, s.Turn.At.In(c.location(s.Turn)))
	if err != nil {
		return graph.Command[State]{}, err
	}
	switch {
	case d.Facts.Unknown && complains(s):
		return instead(s, nlu.CallStaff), nil
	case w.Doubtful && d.Facts.Unknown:
		return instead(s, nlu.OutOfScope), nil
	}
	return graph.Command[State]{Update: graph.Update[State]{draftChannel.Write(d), topicChannel.Write(next)}}, nil
}

// inform finds what was asked of the venue, and says what to remember of it.
func (c *Concierge) inform(ctx context.Context, s State, w infoWish, now time.Time) (draft, topic, error) {
	if w.Hours == "" {
		return c.answerFromPassages(ctx, s, w, now)
	}
	if !w.Range.IsZero() {
		w.Range = w.Range.In(now.Location())
	}
	next := topic{Node: nodeInfo, Hours: w.Hours, Question: w.Text, Range: w.Range}
	d := opening{venue: c.parts.Venue, wish: w, now: now, lang: s.Language}.tell()
	if w.Beside != "" {
		lang := string(s.Language)
		first := prompts.HoursOfVenue{Asked: display.NoBrackets(w.Beside), Venue: c.parts.Venue.Name.In(lang)}
		d.Text = display.JoinParts(first.In(lang), d.Text)
	}
	return d, next, nil
}

// instead leads to what is said without any evidence.
func instead(s State, say nlu.Intent) graph.Command[State] {
	r := s.Route
	r.Node, r.Info, r.Say = nodeRespond, infoWish{}, say
	return graph.Command[State]{Update: graph.Update[State]{routeChannel.Write(r), topicChannel.Write(s.Topic)}}
}

// maxHits is how many passages are asked for, maxTogether how many are quoted together.
const (
	maxHits     = 12
	maxTogether = 3
)

// numbered reports whether the question names the number of the title's thing: 会議室1, meeting room 1.
func numbered(title, question string) bool {
	title, question = strings.ToLower(title), strings.ToLower(question)
	runes := []rune(title)
	for i, r := range runes {
		if i >= 2 && unicode.IsDigit(r) && strings.Contains(question, string(runes[i-2:i+1])) {
			return true
		}
	}
	return false
}

// siblings are the hits whose titles are that of h but for a number, in the order of their titles.
func siblings(h rag.Hit, hits []rag.Hit) []rag.Hit {
	title := withoutDigits(h.Passage.Title)
	var out []rag.Hit
	for _, other := range hits {
		if other.Passage.ID == h.Passage.ID ||
			title != h.Passage.Title && other.Passage.Document == h.Passage.Document &&
				other.Passage.Lang == h.Passage.Lang && withoutDigits(other.Passage.Title) == title {
			out = append(out, other)
		}
	}
	slices.SortFunc(out, func(a, b rag.Hit) int { return strings.Compare(a.Passage.Title, b.Passage.Title) })
	if len(out) > maxTogether {
		return []rag.Hit{h}
	}
	return out
}

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// quotePassages says passages, and in which language they are if that is another one.
func quotePassages(d *draft, hits []rag.Hit, lang nlu.Language) {
	in := nlu.Language(hits[0].Passage.Lang)
	var paragraphs []string
	written := 0
	for _, h := range hits {
		text := display.Sentences(h.Passage.Text)
		written += len(text)
		paragraphs = append(paragraphs, display.JoinSentences(text, in))
		d.Spoken = append(d.Spoken, text[:min(len(text), max(1, maxSpoken/len(hits)))]...)
		d.Passages = append(d.Passages, passage(h))
		d.Cards = append(d.Cards, passageCard(h))
	}
	d.Text = strings.Join(paragraphs, "\n\n")
	if len(d.Spoken) < written {
		d.Spoken = append(d.Spoken, prompts.InfoOnScreen{}.In(string(lang)))
	}
	if in != lang && in != "" {
		note := prompts.InfoOtherLanguage{}.In(string(lang))
		d.Text = display.JoinParts(note, d.Text)
		d.Spoken = append([]string{note}, d.Spoken...)
	}
	d.Facts.Knowledge = statusOK
}

// without leaves out the question that was just asked.
func without(list []string, asked string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == asked })
}
