package agenda

import (
	"context"
	"slices"
	"strings"

	"annai/civil"
	"annai/tools/calendar"
)

// Find returns the events of the window whose title or place matches the words, the best match first and otherwise in the order of a
// listing. Cancelled events are left out. Capitals, width, and katakana or hiragana make no difference. Words that say nothing are kind
// [calendar.InvalidText]; the other errors are those of [Agenda.List].
func (a *Agenda) Find(ctx context.Context, window civil.TimeRange, words string) (calendar.Listing, error) {
	q := newQuery(words)
	if q.whole == "" {
		return calendar.Listing{}, &calendar.Failure{Kind: calendar.InvalidText}
	}
	listing, err := a.List(ctx, window)
	if err != nil {
		return calendar.Listing{}, err
	}
	type match struct {
		event calendar.Event
		score float64
	}
	var matches []match
	for _, e := range listing.Events {
		if score := q.score(e); score > 0 && e.Status != calendar.Cancelled {
			matches = append(matches, match{e, score})
		}
	}
	slices.SortStableFunc(matches, func(x, y match) int {
		switch {
		case x.score > y.score:
			return -1
		case x.score < y.score:
			return 1
		default:
			return 0
		}
	})
	listing.Events = nil
	for _, m := range matches {
		listing.Events = append(listing.Events, m.event)
	}
	return listing, nil
}

// A query is what is looked for, folded.
type query struct {
	whole string // without spaces
	words []string
}

func newQuery(words string) query {
	folded := fold(words)
	return query{whole: compact(folded), words: strings.Fields(folded)}
}

// alike is from which share of common pairs of letters two titles may be meant to be the same.
const alike = 0.5

// score says how well the event fits: 0 not at all, 1 it is called exactly that.
func (q query) score(e calendar.Event) float64 {
	title, place := compact(fold(e.Title)), compact(fold(e.Location))
	switch {
	case title == q.whole:
		return 1
	case strings.HasPrefix(title, q.whole):
		return 0.95
	case strings.Contains(title, q.whole):
		return 0.9
	case all(q.words, title):
		return 0.85
	case len([]rune(title)) > 1 && strings.Contains(q.whole, title):
		return 0.8
	case place != "" && strings.Contains(place, q.whole):
		return 0.7
	case all(q.words, title+" "+place):
		return 0.6
	}
	if d := dice(title, q.whole); d >= alike && q.alike(strings.Fields(fold(e.Title))) {
		return d / 2
	}
	return 0
}

// longestSmall is how long a word is that says nothing by itself: my, of.
const longestSmall = 2

// alike reports whether each of several words may be meant to be one of a title: a meeting with Jim is
// none with Janice.
func (q query) alike(title []string) bool {
	if len(q.words) < 2 || len(title) < 2 {
		return true
	}
	for _, word := range q.words {
		if len(word) <= longestSmall {
			continue
		}
		near := func(t string) bool { return strings.Contains(t, word) || dice(t, word) >= alike }
		if !slices.ContainsFunc(title, near) {
			return false
		}
	}
	return true
}

// all reports whether text has every word.
func all(words []string, text string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// dice returns how many pairs of neighbouring letters two texts share, from 0 to 1.
func dice(a, b string) float64 {
	pairs, n := map[[2]rune]int{}, 0
	each(a, func(p [2]rune) { pairs[p]++; n++ })
	shared := 0
	each(b, func(p [2]rune) {
		n++
		if pairs[p] > 0 {
			pairs[p]--
			shared++
		}
	})
	if n == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(n)
}

func each(text string, use func(pair [2]rune)) {
	letters := []rune(text)
	for i := 1; i < len(letters); i++ {
		use([2]rune{letters[i-1], letters[i]})
	}
}
