package nodes

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/internal/civil"
	"annai/internal/text"
	"annai/nodes/display"
)

// titles are the names of the events that the calendars have ahead: who says one of them speaks of
// that event, whatever else the words may be taken for. They are kept for a short while, so that
// not every question reads the calendars.
type titles struct {
	reading sync.Mutex
	mu      sync.Mutex
	names   []name // longest first
	until   time.Time
}

// A name is one of an event as it is written, and in lower case. about is what such an event is
// about, if its name says so: はんだ付け of はんだ付け入門ワークショップ.
type name struct{ text, low, about string }

const (
	// titlesKept is how long names are good.
	titlesKept = time.Minute
	// titlesShare is what part of the time for a source reading them may take: other answers wait for it.
	titlesShare = 4
	// minTitle is how many runes a name has at least; a shorter one is a word that may mean anything.
	minTitle = 3
)

// titled returns the longest name of an event ahead that an utterance has in it, or "". Where the
// calendars can't be read, or not soon, the names of before are good; whether they can is said by
// who answers about events.
func (c *Concierge) titled(ctx context.Context, s State) (string, error) {
	if len(s.Understanding.Keywords) == 0 {
		return "", nil
	}
	names := c.titles.all(c.opts.Now(), func() ([]name, bool) {
		loc := c.location(s.Turn)
		today := civil.DateOf(s.Turn.At.In(loc))
		soon, cancel := context.WithTimeout(ctx, c.opts.SourceDeadline/titlesShare)
		defer cancel()
		found, err := c.readCalendar(soon, eventWish{Range: display.Span{Start: today.In(loc), End: today.AddDays(1).In(loc)}, Ahead: true}, loc)
		return c.namesOfEvents(found.Events), err == nil && found.Status == statusOK
	})
	if ctx.Err() != nil {
		return "", fmt.Errorf("read titles: %w", ctx.Err())
	}
	said := strings.ToLower(s.Understanding.Text)
	for _, n := range names {
		if strings.Contains(said, n.low) && text.ContainsWord(said, n.low) {
			return n.text, nil
		}
	}
	if wantsToTry.MatchString(said) {
		for _, n := range names {
			if n.about != "" && text.ContainsWord(said, n.about) {
				return n.text, nil
			}
		}
	}
	return "", nil
}

var (
	// wantsToTry finds a wish to do something, for which there may be an event, or the question
	// when there is one.
	wantsToTry = regexp.MustCompile(`みたい|したい|やりたい|体験|習い|習え|学び|学べ|始めたい|興味|参加|入門|次の|次回|次は|いつ|\b(?:when's the|when is the|next|try|trying|learn|learning|interested in|get into|join|take part|start)\b`)
	// behindSubject is where the name of an event goes on behind what it is about.
	behindSubject = regexp.MustCompile(`(?:入門|ワークショップ|勉強会|もくもく|ハンズオン|ミートアップ|セミナー|講座|教室|体験|会|の夕べ| for | with |workshop|meetup|class|study group|night|hands-on|seminar).*$`)
)

// minSubject is how many runes what an event is about has at least: less stands within much else.
const minSubject = 4

// aboutOf is what an event of that name, in lower case, is about; "" where the name does not begin
// with it.
func aboutOf(low string) string {
	subject := strings.TrimSpace(behindSubject.ReplaceAllString(low, ""))
	if subject == low || utf8.RuneCountInString(subject) < minSubject || strings.Contains(subject, " ") || strings.Contains(subject, "week") {
		return ""
	}
	return subject
}

// all returns the names, read anew where they are old, if they can be. While somebody reads them
// the others take the old ones.
func (t *titles) all(now time.Time, read func() (names []name, ok bool)) []name {
	t.mu.Lock()
	names, old := t.names, !now.Before(t.until)
	t.mu.Unlock()
	if !old || !t.reading.TryLock() {
		return names
	}
	defer t.reading.Unlock()
	if read, ok := read(); ok {
		names = read
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names, t.until = names, now.Add(titlesKept)
	return names
}

// namesOfEvents are the names of events, longest first: those that are long enough and no name of
// the venue.
func (c *Concierge) namesOfEvents(events []display.Entry) []name {
	var out []name
	for _, e := range events {
		for _, text := range namesOfTitle(e.Title) {
			if utf8.RuneCountInString(text) >= minTitle && !c.namesVenue(text) {
				out = append(out, name{text, strings.ToLower(text), aboutOf(strings.ToLower(text))})
			}
		}
	}
	slices.SortFunc(out, func(a, b name) int {
		if d := utf8.RuneCountInString(b.text) - utf8.RuneCountInString(a.text); d != 0 {
			return d
		}
		return strings.Compare(a.text, b.text)
	})
	return slices.Compact(out)
}

// namesOfTitle are the names in a title: both halves of one in two languages, without pictures and
// brackets.
func namesOfTitle(title string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune("()（）/／|｜「」『』【】〔〕[]", r) }) {
		name := strings.TrimFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != 'ー' })
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}
