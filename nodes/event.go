package nodes

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/graph"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/rag"
	"annai/tools/calendar"
	"annai/tools/date"
)

// aheadDays is how far the calendar is read for a title that was asked for without a time.
const aheadDays = 90

// An eventWish is what the event node is to find.
type eventWish struct {
	Range display.Span `json:"range"`
	// Subject is the title of the event that is asked about, where the talk or the words say which one.
	Subject string `json:"subject,omitempty"`
	// Each are the titles of events of which the same is asked.
	Each []string `json:"each,omitempty"`
	// Compare are the titles of events that are compared.
	Compare []string `json:"compare,omitempty"`
	// Programme asks which events there are; Near are the titles of those that its words are near
	// to, best first.
	Programme bool     `json:"programme,omitempty"`
	Near      []string `json:"near,omitempty"`
	// Kind says that only those of Near are meant.
	Kind bool `json:"kind,omitempty"`
	// Named says that those of Near are named.
	Named bool `json:"named,omitempty"`
	// Text is the question in lower case, Rest are its content words.
	Text string   `json:"text,omitempty"`
	Rest []string `json:"rest,omitempty"`
	// Next says that only the next of those found is wanted.
	Next bool `json:"next,omitempty"`
	// Weekdays are the days of the week of those wished for within the range; 0 is any.
	Weekdays date.Weekdays `json:"weekdays,omitempty"`
	// Hours is the part of the day of those wished for, Edge 1 for the first and -1 for the last of
	// all found.
	Hours display.Hours `json:"hours,omitzero"`
	Edge  int           `json:"edge,omitempty"`
	// PastAsked keeps events that are over.
	PastAsked bool `json:"pastAsked,omitempty"`
	// Ahead looks beyond the range where it has nothing.
	Ahead bool `json:"ahead,omitempty"`
	// Skip is how many of the events found were told before.
	Skip int `json:"skip,omitempty"`
}

// eventState is the state of the event node's own graph.
type eventState struct {
	Ask       eventAsk          `json:"ask"`
	Calendar  calendarEvidence  `json:"calendar"`
	Knowledge knowledgeEvidence `json:"knowledge"`
	Draft     draft             `json:"draft"`
	Topic     topic             `json:"topic"`
}

var (
	eventSchema      = graph.NewSchema[eventState]()
	eventAskChannel  = graph.Last(eventSchema, "ask", func(s *eventState) *eventAsk { return &s.Ask })
	calendarChannel  = graph.Last(eventSchema, "calendar", func(s *eventState) *calendarEvidence { return &s.Calendar })
	knowledgeChannel = graph.Last(eventSchema, "knowledge", func(s *eventState) *knowledgeEvidence { return &s.Knowledge })
	eventDraft       = graph.Last(eventSchema, "draft", func(s *eventState) *draft { return &s.Draft })
	eventTopic       = graph.Last(eventSchema, "topic", func(s *eventState) *topic { return &s.Topic })
)

// eventAsk is what the event node takes from the state.
type eventAsk struct {
	Wish     eventWish    `json:"wish"`
	Text     string       `json:"text"`
	Language nlu.Language `json:"language"`
	Turn     turn         `json:"turn"`
	// Question is what is asked of the subject, Rest are its content words that are not in the
	// title, Asked the time that it names.
	Question talk.Question `json:"question,omitzero"`
	Rest     []string      `json:"rest,omitempty"`
	Asked    display.Span  `json:"asked,omitzero"`
	// Weekdays are the days of the week that it names by their names alone.
	Weekdays date.Weekdays `json:"weekdays,omitempty"`
	// Before is what was spoken of.
	Before topic `json:"before,omitzero"`
}

// calendarEvidence is what the calendars said. A failure is data.
type calendarEvidence struct {
	Status   status          `json:"status"`
	Events   []display.Entry `json:"events,omitempty"`
	Complete bool            `json:"complete"`
	// names are those in their titles, in lower case; not kept, and nil where they are to be found anew.
	names []string
}

// knowledgeEvidence is what the passages said. A failure is data.
type knowledgeEvidence struct {
	Status status    `json:"status"`
	Hits   []rag.Hit `json:"hits,omitempty"`
	// Rules are the passages on events as such, the nearest first; where there are none what was found.
	Rules []rag.Hit `json:"rules,omitempty"`
}

// eventGraph is the graph inside the event node: both searches run at the same time, under the same
// deadline, and either may fail.
func (c *Concierge) eventGraph() (*graph.Graph[eventState], error) {
	g := graph.New(eventSchema)
	g.AddNode(nodeCalendarSearch, withProgress(c, c.searchCalendar))
	g.AddNode(nodeKnowledgeSearch, withProgress(c, c.searchEventPassages))
	g.AddNode(nodeMerge, withProgress(c, c.merge))
	g.AddEdge(graph.Start, nodeCalendarSearch)
	g.AddEdge(graph.Start, nodeKnowledgeSearch)
	g.AddJoin([]string{nodeCalendarSearch, nodeKnowledgeSearch}, nodeMerge)
	g.AddEdge(nodeMerge, graph.End)
	compiled, err := g.Compile(graph.Options{Name: nodeEvent, Now: c.opts.Now})
	if err != nil {
		return nil, fmt.Errorf("graph of the event node: %w", err)
	}
	return compiled, nil
}

func intoEvent(s State) graph.Update[eventState] {
	ask := eventAsk{Wish: s.Route.Event, Text: s.Understanding.Text, Language: s.Language, Turn: s.Turn, Before: s.Topic}
	if len(ask.Wish.Each) > 0 {
		ask.Question, ask.Rest = s.Question, restOf(s.Understanding, strings.Join(ask.Wish.Each, " "))
		ask.Asked, _ = display.SpanOf(outsideTitle(s.Understanding, s.Question.Subject.Title), s.Turn.At)
	}
	if ask.Wish.Programme {
		ask.Question = s.Question
	}
	if ask.Wish.Subject != "" {
		ask.Question, ask.Rest = s.Question, restOf(s.Understanding, ask.Wish.Subject)
		times := outsideTitle(s.Understanding, ask.Wish.Subject)
		ask.Asked, _ = display.SpanOf(times, s.Turn.At)
		if !slices.ContainsFunc(times, namesDay) {
			ask.Weekdays = weekdaysNamed(times)
		}
	}
	return graph.Update[eventState]{eventAskChannel.Write(ask)}
}

// upcoming are the next instances of the events with these titles, in the order of the titles.
func upcoming(events []display.Entry, titles []string, now time.Time) []display.Entry {
	var out []display.Entry
	for _, title := range titles {
		if all := instances(events, title); len(all) > 0 {
			e, _ := eventAnswer{eventContext: eventContext{now: now}, all: all}.chosen()
			out = append(out, e)
		}
	}
	return out
}

// outsideTitle are the times of an utterance that do not stand in the title that it names: 夜の灯台ツアー
// is not tonight.
func outsideTitle(u nlu.Understanding, title string) []datetime.Expression {
	low := strings.ToLower(u.Text)
	return slices.DeleteFunc(slices.Clone(u.Times), func(e datetime.Expression) bool {
		return slices.ContainsFunc(namesOfTitle(title), func(name string) bool {
			at := strings.Index(low, strings.ToLower(name))
			return at >= 0 && at <= e.Start && e.End <= at+len(name)
		})
	})
}

func outOfEvent(_ State, e eventState) graph.Update[State] {
	return graph.Update[State]{draftChannel.Write(e.Draft), topicChannel.Write(e.Topic)}
}

func (c *Concierge) searchCalendar(ctx context.Context, s eventState) (graph.Command[eventState], error) {
	found, err := c.readCalendar(ctx, s.Ask.Wish, c.location(s.Ask.Turn))
	if err != nil {
		return graph.Command[eventState]{}, err
	}
	return graph.Command[eventState]{Update: graph.Update[eventState]{calendarChannel.Write(found)}}, nil
}

// readCalendar reads the calendars. Its error is the end of the whole turn; a calendar that fails
// is a status. The events are those of all who look, and nobody may change them.
func (c *Concierge) readCalendar(ctx context.Context, wish eventWish, loc *time.Location) (calendarEvidence, error) {
	window := wish.Range.In(loc).TimeRange()
	if wish.Ahead {
		window.End = civil.DateOf(window.End).AddDays(aheadDays).In(loc)
	}
	if wish.asksRhythm() {
		window.Start = civil.DateOf(window.Start).AddDays(-daysBefore).In(loc)
	}
	search, cancel := context.WithTimeout(ctx, c.opts.SourceDeadline)
	defer cancel()
	listing, err := calendar.Lend(search, c.parts.Calendar, window)
	if err != nil {
		if ctx.Err() != nil {
			return calendarEvidence{}, fmt.Errorf("read calendar: %w", err)
		}
		c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "source failed", slog.String("source", sourceCalendar), slog.Any("err", err))
		return calendarEvidence{Status: statusError}, nil
	}
	for _, p := range listing.Problems {
		c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "calendar incomplete", slog.String("calendar", p.CalendarID), slog.Any("err", p.Err))
	}
	events, names := wish.entries(c.shown.of(listing))
	return calendarEvidence{Status: statusOK, Complete: listing.Complete, Events: events, names: names}, nil
}

func (c *Concierge) searchEventPassages(ctx context.Context, s eventState) (graph.Command[eventState], error) {
	loc := c.location(s.Ask.Turn)
	on := civil.DateOf(s.Ask.Turn.At.In(loc))
	query := rag.Query{Text: s.Ask.Text, Lang: string(s.Ask.Language), On: on, Limit: 5}
	if s.Ask.Wish.Subject == "" {
		query.Categories = []string{categoryEvents}
		if first := civil.DateOf(s.Ask.Wish.Range.Start.In(loc)); first.After(on) {
			query.On = first
		}
	}
	found, err := c.readKnowledge(ctx, query)
	if err != nil {
		return graph.Command[eventState]{}, err
	}
	if found.Status == statusError {
		return graph.Command[eventState]{Update: graph.Update[eventState]{knowledgeChannel.Write(found)}}, nil
	}
	query.Categories, query.Limit, query.Near = []string{categoryEvents}, maxNear, true
	rules, err := c.readKnowledge(ctx, query)
	if err != nil {
		return graph.Command[eventState]{}, err
	}
	if found.Rules = rules.Hits; len(found.Rules) == 0 {
		found.Rules = found.Hits
	}
	return graph.Command[eventState]{Update: graph.Update[eventState]{knowledgeChannel.Write(found)}}, nil
}

// readKnowledge searches the passages. Its error is the end of the whole turn; a search that fails
// is a status.
func (c *Concierge) readKnowledge(ctx context.Context, q rag.Query) (knowledgeEvidence, error) {
	search, cancel := context.WithTimeout(ctx, c.opts.SourceDeadline)
	defer cancel()
	hits, err := c.parts.Knowledge.Search(search, q)
	if err != nil {
		if ctx.Err() != nil {
			return knowledgeEvidence{}, fmt.Errorf("search knowledge: %w", err)
		}
		c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "source failed", slog.String("source", sourceKnowledge), slog.Any("err", err))
		return knowledgeEvidence{Status: statusError}, nil
	}
	found := knowledgeEvidence{Status: statusEmpty, Hits: hits}
	if len(hits) > 0 {
		found.Status = statusOK
	}
	for i := range found.Hits {
		p := &found.Hits[i].Passage
		p.Title, p.Text = text.OneLine(p.Title, display.MaxTitle), text.OneLine(p.Text, display.MaxPassage)
	}
	return found, nil
}

func (c *Concierge) merge(_ context.Context, s eventState) (graph.Command[eventState], error) {
	now := s.Ask.Turn.At.In(c.location(s.Ask.Turn))
	w := s.Ask.Wish
	t := eventContext{
		venue: c.parts.Venue, wish: w, lang: s.Ask.Language, now: now, spec: s.Ask.Turn.Spec,
		calendar: s.Calendar, knowledge: s.Knowledge,
	}
	t.wish.Range = w.Range.In(now.Location())
	d, next := t.tell(s.Ask)
	if len(d.Suggestions) == 0 {
		d.Suggestions = c.starters(s.Ask.Language)
	}
	if c.parts.Model != nil && (w.Programme || w.Subject != "") {
		d.Evidence = t.evidence(d, next, s.Ask.Text)
	}
	return graph.Command[eventState]{Update: graph.Update[eventState]{eventDraft.Write(d), eventTopic.Write(next)}}, nil
}

// tell answers about one event, about several that are compared, the same about each of several, or
// which events there are. It says what to remember of it.
func (t eventContext) tell(ask eventAsk) (draft, topic) {
	w := ask.Wish
	if all := instances(t.calendar.Events, w.Subject); w.Subject != "" && len(all) > 0 {
		a := eventAnswer{eventContext: t, question: ask.Question, rest: ask.Rest, all: all, weekdays: ask.Weekdays}
		if !ask.Asked.IsZero() {
			a.asked = ask.Asked.In(t.now.Location())
		}
		d, told := a.answer()
		return d, ask.Before.on(told, t.wish.Range)
	}
	if events := upcoming(t.calendar.Events, w.Compare, t.now); len(events) > 1 {
		return compareAnswer{eventContext: t, text: strings.ToLower(ask.Text), events: events}.answer()
	}
	if len(w.Each) > 0 {
		return t.answerEach(ask)
	}
	a := programmeAnswer{eventContext: t, question: ask.Question, text: w.Text, rest: w.Rest, near: w.Near}
	d, next := a.answer()
	d.Suggestions = t.suggest(next)
	return d, next
}

// on is the topic of a talk that goes on with one event: the list that has it stays in view.
func (t topic) on(e display.Entry, s display.Span) topic {
	same := func(o display.Entry) bool {
		return o.Title == e.Title && o.Start.Equal(e.Start) && o.FirstDay == e.FirstDay
	}
	if i := slices.IndexFunc(t.Items, same); t.Node == nodeEvent && t.Wish.Programme && i >= 0 {
		t.Focus = i + 1
		return t
	}
	return topic{Node: nodeEvent, Range: s, Items: []display.Entry{e}, Total: 1, Focus: 1}
}
