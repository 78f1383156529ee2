package nodes

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"annai/civil"
	"annai/internal/kana"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/rag"
	"annai/venue"
)

// A NewIndex makes a retriever over passages that finds the nearest ones, however far they are.
type NewIndex func(ctx context.Context, passages []rag.Passage) (rag.Retriever, error)

// programme is what the calendars have, as something that can be searched by meaning and by words.
// It is kept for a short while, so that not every question reads the calendars.
type programme struct {
	reading sync.Mutex
	mu      sync.Mutex
	until   time.Time
	key     string
	index   rag.Retriever
	heard   *kana.Index
	ends    map[string]time.Time // of the last of the events with a title
}

const (
	// programmeKept is how long what was read of the calendars is good for finding what a question
	// is about, and programmeAgain how long it is done without where they could not be read.
	programmeKept  = time.Minute
	programmeAgain = 10 * time.Second
	// programmeShare is what part of the time for a source reading them may take: all answers wait for it.
	programmeShare = 4
)

// How far the calendar is read for an event that is asked about, in days.
const (
	daysBefore = 31
	daysAhead  = 92
)

// around is the time within which an event that is asked about may be.
func around(now time.Time) display.Span {
	today := civil.DateOf(now)
	window := civil.Days(today.AddDays(-daysBefore), today.AddDays(daysAhead), now.Location())
	return display.Span{Start: window.Start, End: window.End, Explicit: true}
}

// eventsAbout returns the events that a text may be about, best first, by title. None is no error;
// neither are calendars that can't be read, which is said by who answers about events.
func (c *Concierge) eventsAbout(ctx context.Context, text string, lang nlu.Language, now time.Time) ([]rag.Hit, error) {
	return c.subjectsAbout(ctx, text, lang, now, categoryEvent)
}

// subjectsAbout returns the events, or the parts of the venue, that a text may be about, best first.
func (c *Concierge) subjectsAbout(
	ctx context.Context, text string, lang nlu.Language, now time.Time, category string,
) ([]rag.Hit, error) {
	index, err := c.programmeIndex(ctx, now)
	if err != nil || index == nil {
		return nil, err
	}
	hits, err := index.Search(ctx, rag.Query{
		Text: text, Lang: string(lang), Categories: []string{category}, Limit: maxNear,
	})
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("search the programme: %w", err)
	}
	return hits, nil
}

// maxNear is how many events are compared with a question.
const maxNear = 32

// programmeIndex is the index of the events, read anew where it is old. While somebody reads it,
// others take the old one.
func (c *Concierge) programmeIndex(ctx context.Context, now time.Time) (rag.Retriever, error) {
	p := &c.programme
	p.mu.Lock()
	index, old := p.index, p.until.IsZero() || !c.opts.Now().Before(p.until)
	p.mu.Unlock()
	if !old || index != nil && !p.reading.TryLock() {
		return index, nil
	}
	if index == nil {
		p.reading.Lock()
	}
	defer p.reading.Unlock()
	soon, cancel := context.WithTimeout(ctx, c.opts.SourceDeadline/programmeShare)
	defer cancel()
	found, err := c.readCalendar(soon, eventWish{Range: around(now)}, now.Location())
	failed := err != nil || found.Status != statusOK
	kept := programmeKept
	if failed { // whether the calendars can be read is said by who answers about events
		kept = programmeAgain
	}
	if failed && index != nil { // what was there before is good enough to find what is meant
		p.mu.Lock()
		defer p.mu.Unlock()
		p.until = c.opts.Now().Add(kept)
		return index, nil
	}
	events := passagesOf(found.Events)
	passages := append(partPassages(c.parts.Venue), events...)
	key, heard := keyOf(passages), p.heard
	if key != p.key || heard == nil {
		heard = heardTitles(events)
	}
	if len(passages) == 0 {
		index = nil
	} else if key != p.key || index == nil { // it serves others too, whether whoever asked waits for it or not
		if index, err = c.parts.Index(context.WithoutCancel(ctx), passages); err != nil {
			c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "programme not indexed", slog.Any("err", err))
			p.mu.Lock()
			defer p.mu.Unlock()
			p.until = c.opts.Now().Add(programmeAgain)
			return p.index, nil
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.index, p.heard, p.key, p.until = index, heard, key, c.opts.Now().Add(kept)
	p.ends = endsOf(found.Events, now.Location())
	return index, nil
}

// endsOf is when the last of the events with each title ends.
func endsOf(events []display.Entry, loc *time.Location) map[string]time.Time {
	out := map[string]time.Time{}
	for _, e := range events {
		if end := e.Span(loc).End; end.After(out[e.Title]) {
			out[e.Title] = end
		}
	}
	return out
}

func keyOf(passages []rag.Passage) string {
	var b strings.Builder
	for _, p := range passages {
		b.WriteString(p.ID + "\x00" + p.Text + "\x00")
	}
	return b.String()
}

// passagesOf are the events as passages, one in each language; Pair is the title as the calendar
// has it.
func passagesOf(events []display.Entry) []rag.Passage {
	out := make([]rag.Passage, 0, len(events))
	seen := map[string]bool{}
	for _, e := range events {
		if e.Title == "" || seen[e.Title] {
			continue
		}
		seen[e.Title] = true
		for _, lang := range []nlu.Language{nlu.Japanese, nlu.English} {
			own := e.In(lang)
			out = append(out, rag.Passage{
				ID: string(lang) + ":" + e.Title, Pair: e.Title, Category: categoryEvent, Lang: string(lang),
				Title: titleIn(e.Title, lang),
				Text:  strings.TrimSpace(own.Description + " " + own.Location),
			})
		}
	}
	return out
}

// titleIn is a title as it is said in a language: the half of it where it has two, as 蚤の市 / Flea
// Market.
func titleIn(title string, lang nlu.Language) string {
	return display.SpokenTitle(display.TitleHalf(title, lang), lang)
}

// found is what a question may be about.
type found struct {
	events   []rag.Hit
	parts    []rag.Hit
	passages knowledgeEvidence
	ends     map[string]time.Time // of the last of the events with a title
	now      time.Time
	venue    *venue.Venue
	// parts that the words name, and where they name none that which they are nearest to.
	partsNamed, partNear talk.Subject
}

// lookFor finds what a question may be about, among the events and the passages.
func (c *Concierge) lookFor(ctx context.Context, s State, text string, now time.Time) (f found, err error) {
	text = c.asWritten(ctx, c.plainMeaning(text, s.Language), now)
	if f.events, err = c.eventsAbout(ctx, text, s.Language, now); err != nil {
		return found{}, err
	}
	c.programme.mu.Lock()
	f.ends, f.now, f.venue = c.programme.ends, now, c.parts.Venue
	c.programme.mu.Unlock()
	if f.parts, err = c.subjectsAbout(ctx, text, s.Language, now, categoryPart); err != nil {
		return found{}, err
	}
	if ids := partsNamed(c.parts.Venue, text); len(ids) > 0 {
		f.partsNamed = subjectOfParts(c.parts.Venue, ids)
	} else if len(f.parts) > 0 {
		f.partNear = subjectOfParts(c.parts.Venue, []string{f.parts[0].Passage.Document})
	}
	if s.Unread {
		f.passages.Status = statusError
		return f, nil
	}
	f.passages, err = c.readKnowledge(ctx, rag.Query{
		Text: text, Lang: string(s.Language), On: civil.DateOf(now), Limit: maxNear, Near: true,
	})
	return f, err
}

// candidates are what the words come near to, with how near the question before and the utterance
// behind what was spoken of came to each, and whether it states the kind of answer.
func (f found) candidates(before, joint found, ask nlu.Ask) []talk.Candidate {
	earlier, together := before.scores(), joint.scores()
	var out []talk.Candidate
	for _, h := range f.events {
		c := candidateOf(h, earlier, together)
		c.Subject, c.Strength = talk.Subject{Kind: talk.Event, Title: h.Passage.Pair}, h.Score-eventScore
		c.States = slices.Contains(ofEvery, ask) || statesText(h.Passage.Text, ask)
		c.Over = !f.ends[h.Passage.Pair].After(f.now)
		out = append(out, c)
	}
	for _, h := range f.passages.Hits {
		_, title, _ := cutLast(h.Passage.Title, rag.TitleSeparator)
		c := candidateOf(h, earlier, together)
		c.Subject, c.Strength = talk.Subject{Kind: talk.Passage, ID: h.Passage.ID, Title: title}, h.Margin
		c.Title = title
		c.States = statesText(h.Passage.Text, ask)
		out = append(out, c)
	}
	return append(out, f.partCandidates(before, joint)...)
}

// candidateOf is a hit as a candidate, with the scores of other questions.
func candidateOf(h rag.Hit, before, joint map[string]float64) talk.Candidate {
	key := keyOfHit(h)
	return talk.Candidate{
		Title: h.Passage.Title, Text: h.Passage.Text, Score: h.Score, Before: before[key], Joint: joint[key],
		Cosine: h.Cosine, Words: h.BM25,
	}
}

// scores are those of what was found.
func (f found) scores() map[string]float64 {
	out := map[string]float64{}
	for _, hits := range [][]rag.Hit{f.events, f.passages.Hits} {
		for _, h := range hits {
			out[keyOfHit(h)] = h.Score
		}
	}
	return out
}

// ofEvery are the kinds of answers that the fields of every event state.
var ofEvery = []nlu.Ask{nlu.AskWhen, nlu.AskUntilWhen, nlu.AskWhere, nlu.AskHowLong, nlu.AskStillOn, nlu.AskNext}

func statesText(text string, ask nlu.Ask) bool {
	_, ok := states(text, ask)
	return ok
}

// scoreOf is that of the best hit.
func scoreOf(hits []rag.Hit) float64 {
	if len(hits) == 0 {
		return 0
	}
	return hits[0].Score
}

// clearlyNearer is by how much nearer an event comes that is meant, and not a part that is named beside
// it: メインホールのもくもく会は何時から.
const clearlyNearer = 0.25

// namesEvent reports whether an event is meant rather than a part that is named.
func (f found) namesEvent() bool {
	return scoreOf(f.events) >= max(eventScore, scoreOf(f.parts)+clearlyNearer)
}

// keyOfHit is the same for a passage and its translation.
func keyOfHit(h rag.Hit) string { return cmp.Or(h.Passage.Pair, h.Passage.ID) }

// strongest is what the words come nearest to.
func (f found) strongest() talk.Candidate {
	best := talk.Candidate{Strength: -1}
	for _, c := range f.candidates(found{}, found{}, nlu.AskNone) {
		if c.Score > best.Score {
			best = c
		}
	}
	return best
}

// event is the event that is meant, if one is rather than what a passage is about.
func (f found) event(q talk.Question) (title string, ok bool) {
	if q.Subject.Kind == talk.Event {
		return q.Subject.Title, true
	}
	for _, h := range f.events {
		if q.Subject.Title == h.Passage.Pair {
			return h.Passage.Pair, true
		}
	}
	if q.Subject.Kind == talk.Passage || q.Subject.Title != "" || len(f.events) == 0 {
		return "", false
	}
	best := f.events[0]
	if f.strongest().Subject.Kind == talk.Part {
		return "", false
	}
	if len(f.passages.Hits) > 0 && f.passages.Hits[0].Score >= best.Score {
		return "", false
	}
	return best.Passage.Pair, best.Score >= eventScore
}

// alike are the titles of several events that a question for a kind of events is equally near to,
// 料理教室はありますか？, or that have all that it names in their titles: 来週の勉強会を教えて.
func (f found) alike(q talk.Question, named []string) []string {
	if q.SubjectFrom == talk.Inherited || q.Subject.Kind == talk.Passage || len(f.named(q.Text)) == 1 {
		return nil
	}
	if q.Ask == nlu.AskIsThere || q.Ask == nlu.AskWhatIs {
		if titles := f.titled(contentWords(named)); len(titles) > 1 {
			return titles
		}
	}
	if q.Ask != nlu.AskIsThere || len(f.events) < 2 || f.events[0].Score < eventScore {
		return nil
	}
	var out []string
	for _, h := range f.events {
		if h.BM25 > 0 && h.Score >= alikeScore*f.events[0].Score {
			out = append(out, h.Passage.Pair)
		}
	}
	return out
}

// titled are the titles of the events that have all of some words in them.
func (f found) titled(words []string) []string {
	var out []string
	for _, h := range f.events {
		low := strings.ToLower(h.Passage.Pair)
		lacks := func(w string) bool { return !strings.Contains(low, w) }
		if len(words) > 0 && !slices.ContainsFunc(words, lacks) && !slices.Contains(out, h.Passage.Pair) {
			out = append(out, h.Passage.Pair)
		}
	}
	return out
}

// alikeScore is the part of the best score from which two events are equally near to a question.
const alikeScore = 0.85

// named are the titles of the events that a text has the names of, or words that come as near as names.
func (f found) named(text string) []string {
	var out []string
	low := strings.ToLower(text)
	for _, h := range f.events {
		title := h.Passage.Pair
		if (inText(low, title) || h.BM25 > 0 && h.Score >= comparedScore) && !slices.Contains(out, title) {
			out = append(out, title)
		}
	}
	return out
}

// inText reports whether a text in lower case has one of the names in a title.
func inText(low, title string) bool {
	return slices.ContainsFunc(namesOfTitle(title), func(name string) bool {
		return strings.Contains(low, strings.ToLower(name))
	})
}

// comparedScore is the score from which an event is taken for one of several that a question names.
const comparedScore = 0.3

// eventScore is the score from which an event is taken for what a question is about, where no
// passage comes nearer.
const eventScore = 0.5

// instances are the events with a title, in the order of their times.
func instances(events []display.Entry, title string) []display.Entry {
	var out []display.Entry
	for i := range events {
		if events[i].Title == title {
			out = append(out, events[i])
		}
	}
	return out
}
