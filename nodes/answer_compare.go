package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/tools/calendar"
)

// A compareAnswer compares events: by what is asked, which one it is, and then what each of them has.
type compareAnswer struct {
	eventContext

	text   string // the question in lower case
	events []display.Entry
}

// answer words the conclusion first. It also says what to remember.
func (a compareAnswer) answer() (draft, topic) {
	d := draft{Facts: facts{Calendar: statusOK, Knowledge: statusEmpty, Events: len(a.events), Partial: !a.calendar.Complete}}
	d.Cards = a.eventContext.cards(a.events)
	var parts []string
	next := topic{Node: nodeEvent, Range: a.wish.Range, Items: a.events, Total: len(a.events)}
	if row, ok := a.compared(); ok {
		if i, known := a.pick(row); known {
			p := prompts.AnswerChoice{By: row.By, Pick: string(row.Pick)}
			if i >= 0 {
				p.Title = a.name(a.events[i])
				next.Focus = i + 1
			}
			parts = append(parts, a.say(p))
		}
	}
	for _, e := range a.events {
		parts = append(parts, a.one(e))
	}
	d.Text = display.JoinSentences(parts, a.lang)
	d.Spoken = display.Sentences(d.Text)
	return d, next
}

func (a compareAnswer) name(e display.Entry) string {
	return eventAnswer{eventContext: a.eventContext}.name(e)
}

func (a compareAnswer) one(e display.Entry) string {
	w := eventAnswer{eventContext: a.eventContext}
	if e.Cancelled() {
		return a.say(prompts.AnswerCancelled{
			Title: a.name(e), When: w.when(e), Only: a.calendar.Complete, Postponed: e.Notice == calendar.Postponed,
		})
	}
	p := prompts.AnswerCompared{Title: a.name(e), When: w.when(e)}
	if !e.AllDay && !e.EndInferred {
		p.Length = writtenLength(a.length(e), a.lang)
	}
	found, _ := stating(display.NoBrackets(e.In(a.lang).Description), nlu.AskHowMuch, nil)
	p.Text = display.JoinSentences(found, a.lang)
	return a.say(p)
}

func (a compareAnswer) length(e display.Entry) time.Duration {
	span := e.Span(a.now.Location())
	return span.End.Sub(span.Start)
}

// compared is by what the question compares.
func (a compareAnswer) compared() (words.CompareRow, bool) { return comparedBy(a.text) }

// compares reports whether a question compares: it asks for the difference, or for the one that has
// more or less of something.
func compares(q talk.Question, text string) bool {
	_, ok := comparedBy(text)
	return ok || q.Ask == nlu.AskCompare
}

// comparedBy is by what a text in lower case compares.
func comparedBy(said string) (words.CompareRow, bool) {
	for _, row := range words.Comparisons() {
		if slices.ContainsFunc(row.Words, func(w string) bool { return text.ContainsWord(said, w) }) {
			return row, true
		}
	}
	return words.CompareRow{}, false
}

// pick is the place of the event that a comparison asks for, -1 where they are alike. known is
// false where one of them does not say it.
func (a compareAnswer) pick(row words.CompareRow) (place int, known bool) {
	values := make([]int64, len(a.events))
	for i, e := range a.events {
		if e.Cancelled() {
			return 0, false
		}
		switch row.By {
		case words.ByLength:
			if e.AllDay || e.EndInferred {
				return 0, false
			}
			values[i] = int64(a.length(e))
		case words.ByStart:
			values[i] = e.Span(a.now.Location()).Start.Unix()
		case words.BySeats:
			return 0, false
		default:
			yen, ok := priceOf(e.In(a.lang).Description)
			if !ok {
				return 0, false
			}
			values[i] = int64(yen)
		}
	}
	least, most := slices.Min(values), slices.Max(values)
	switch {
	case row.Pick == '0' && (least > 0 || most == 0):
		return 0, false
	case least == most:
		return -1, true
	case row.Pick == '+':
		return slices.Index(values, most), true
	}
	return slices.Index(values, least), true
}

// priceOf is the first amount in yen that a description names, 0 where it says that something is
// free; ok is false where it does neither.
func priceOf(description string) (yen int, ok bool) {
	low := strings.ToLower(description)
	for i, r := range low {
		if r < '0' || r > '9' || i > 0 && isAmount(low[i-1]) {
			continue
		}
		end := i
		for end < len(low) && isAmount(low[end]) {
			end++
		}
		if rest := low[end:]; isYen(strings.TrimSpace(rest)) {
			return digits(low[i:end]), true
		}
	}
	for _, row := range words.Filters() {
		if row.Name == words.FilterFree && mentions(low, row.Event) {
			return 0, true
		}
	}
	return 0, false
}

func isYen(behind string) bool {
	return strings.HasPrefix(behind, words.Yen) || strings.HasPrefix(behind, "yen")
}

func isAmount(b byte) bool { return '0' <= b && b <= '9' || b == ',' }

// comparedEvents are the titles that are compared: those that the question names, or else those
// that the talk has in view, or was about.
func comparedEvents(s State, named []string) []string {
	if named = namedApart(named, s.Understanding.Keywords); len(named) >= 2 {
		return named[:2]
	}
	var out []string
	add := func(title string) {
		if title != "" && !slices.Contains(out, title) && len(out) < maxCompared {
			out = append(out, title)
		}
	}
	for _, title := range named {
		add(title)
	}
	for _, subject := range s.Memory.InView {
		if subject.Kind == "event" && len(named) == 0 {
			add(subject.Title)
		}
	}
	for _, subject := range s.Memory.Subjects {
		if subject.Kind == "event" && len(out) < 2 {
			add(subject.Title)
		}
	}
	return out
}

// namedApart are the titles that have a word of the question which none before them has, where these are two or more:
// in "the dumpling thing or the Peruvian cooking class" no other cooking class is named.
func namedApart(titles, keywords []string) []string {
	left := contentWords(keywords)
	var out []string
	for _, title := range titles {
		low, before := strings.ToLower(title), len(left)
		left = slices.DeleteFunc(left, func(w string) bool { return text.ContainsWord(low, strings.ToLower(w)) })
		if len(left) < before {
			out = append(out, title)
		}
	}
	if len(out) < 2 {
		return titles
	}
	return out
}

// maxCompared is how many things are compared at once.
const maxCompared = 4
