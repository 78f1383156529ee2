package owner

import (
	"context"
	"strings"
	"unicode/utf8"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/slots"
	"annai/nlu/words"
)

// leastTitle is how many letters a title has at least that is looked for in what is said.
const leastTitle = 2

// entryNamed is the longest title of an entry around today that the words name. It is empty for none,
// and where it can't be looked.
func (c *Calendar) entryNamed(ctx context.Context, t Turn) string {
	u := t.Understanding
	if t.NamesVenue || words.Public.In(u.Text) || len(u.Keywords) == 0 {
		return ""
	}
	d := c.dialog(t, Request{})
	today := civil.DateOf(t.Now)
	found, err := d.look(ctx, d.days(today.AddDays(-searchBehind), searchBehind+searchAhead), "")
	if err != nil {
		d.warn(ctx, err)
		return ""
	}
	best := ""
	for _, o := range found.events {
		title := strings.TrimSpace(o.Title)
		if utf8.RuneCountInString(title) < leastTitle || len(title) <= len(best) || o.Cancelled() {
			continue
		}
		if text.IndexWord(u.Text, title, text.InWord) >= 0 || namesPart(title, u.Keywords) {
			best = title
		}
	}
	return best
}

// namesPart reports whether all that is named are words of a title: ヨガ, of ヨガ教室.
func namesPart(title string, keywords []string) bool {
	for _, word := range keywords {
		if utf8.RuneCountInString(word) < leastTitle || !text.ContainsWord(title, word) {
			return false
		}
	}
	return len(keywords) > 0
}

// ofEntry is what words want of an entry that they name. ok is false for words that neither order
// anything nor ask for what an entry says.
func (t Turn) ofEntry(title string) (r Request, reason string, ok bool) {
	u := t.Understanding
	cmd := ordered(u)
	orders := cmd.Operation == slots.Update || cmd.Operation == slots.Delete
	asks := u.Reference.Field == nlu.FieldTime || u.Reference.Field == nlu.FieldPlace
	switch {
	case orders && cmd.Confidence > sureOfFollowUp && !isQuestion(u.Text):
		return Request{Do: DoWrite}, "names entry", true
	case asks, cmd.NoteAsked, u.StillOn:
		r = Request{Do: DoFind, Words: searchWords(title), Field: u.Reference.Field, Elsewhere: true}
		r.Note = cmd.NoteAsked
		r.at(u.Times, t.Now)
		return r, "names entry", true
	}
	return Request{}, "", false
}
