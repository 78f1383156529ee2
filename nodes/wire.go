package nodes

import (
	"math"
	"slices"
	"strings"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/nodes/wording"
	"annai/prompts"
)

// agents says under which name and category a node's answers go out.
var agents = map[string]struct{ name, category string }{
	nodeEvent:    {"EventAgent", "events"},
	nodeCalendar: {"CalendarAgent", "calendar"},
	nodeDate:     {"DateAgent", "dates"},
	nodeInfo:     {"InfoAgent", "info"},
	nodeClarify:  {"InfoAgent", "info"},
	nodeConfirm:  {"CalendarAgent", "calendar"},
	nodeCommit:   {"CalendarAgent", "calendar"},
	nodeVerify:   {"CalendarAgent", "calendar"},
	nodeRespond:  {"InfoAgent", "info"},
}

// finish is the one place that chooses the face of an answer, puts the tag before its text and
// makes what is spoken of it.
func (c *Concierge) finish(s State, d draft) api.QueryResponse {
	if s.Turn.Before != "" {
		first := draft{Text: s.Turn.Before}.with(d.Text)
		if d.Spoken != nil {
			first.Spoken = append(display.Sentences(s.Turn.Before), d.Spoken...)
		}
		d.Text, d.Spoken = first.Text, first.Spoken
	}
	if s.Dropped != "" && !d.Facts.Grave {
		d = d.with(prompts.NoteDropped{Do: string(s.Dropped)}.In(string(s.Language)))
	}
	if card, ok := c.mapCard(s, d); ok {
		d.Cards = append([]display.Card{card}, d.Cards...)
	}
	m := emotionOf(d.Facts)
	agent := agents[s.Route.Node]
	r := api.QueryResponse{
		Text: "[" + m.Face() + "]" + display.NoBrackets(d.Text), Emotion: string(m),
		AgentName: agent.name, Language: string(s.Language),
		Speech: speech(d, s.Language, m), VRM: m.VRM(d.Facts.Gesture),
		Cards: c.cardsOnWire(d.Cards), Suggestions: without(orEmpty(offered(s, d)), s.Turn.Query),
		SessionID: s.Turn.SessionID, RunID: s.Turn.RunID, Offer: offerOf(s), Capture: captureOnWire(s.Turn.Capture),
	}
	r.Metadata = api.Metadata{
		Confidence: confidence(d.Facts), Category: agent.category, Sources: sources(d.Facts),
		ProcessingInfo: api.ProcessingInfo{
			Route: s.Route.Node, RoutedBy: s.Route.By, Reason: s.Route.Reason, ContextInherited: s.Route.Inherited,
			TimingsMS: map[string]float64{"router": s.Route.MS},
		},
		SourceStatus: map[string]string{
			sourceCalendar:  string(orDisabled(d.Facts.Calendar)),
			sourceKnowledge: string(orDisabled(d.Facts.Knowledge)),
		},
		TimeRange: rangeOnWire(d.Range), Passages: passagesOnWire(d.Passages),
		AgentName: agent.name, Language: string(s.Language), RequestID: s.Turn.RequestID, Demo: c.parts.Venue.Demo,
	}
	if s.Language == nlu.English && !s.Turn.Spec && c.opts.Reading != nil {
		c.readTitles(&r)
	}
	r.Metadata.ProcessingInfo.Understood = understood(s.Question)
	if use := joined(s.Route.Model, d.Model); use != nil {
		r.Metadata.ProcessingInfo.Model = useOnWire(*use)
		r.Metadata.ProcessingInfo.TimingsMS["model"] = s.Route.ModelMS + d.ModelMS
	}
	return r
}

// offerOf is what a front end may do for who speaks: whoever wants a person may have one called.
func offerOf(s State) string {
	if s.Route.Node == nodeRespond && s.Route.Say == nlu.CallStaff {
		return api.OfferStaff
	}
	return ""
}

// readTitles writes Japanese titles of events in Latin letters too, where they stand first in an
// English answer and on their cards. They are spoken in Japanese.
func (c *Concierge) readTitles(r *api.QueryResponse) {
	for i := range r.Cards {
		card := &r.Cards[i]
		inBoth := display.SpokenTitle(card.Title, nlu.English) != card.Title
		if card.Type != "event" || !text.HasJapanese(card.Title) || inBoth {
			continue
		}
		if card.Reading = c.opts.Reading(card.Title); card.Reading == "" {
			continue
		}
		shown := display.NoBrackets(card.Title)
		r.Text = strings.Replace(r.Text, shown, shown+" ("+card.Reading+")", 1)
	}
}

func (c *Concierge) cardsOnWire(list []display.Card) []api.Card {
	out := make([]api.Card, 0, len(list))
	for _, card := range list {
		shown := api.Card{
			Type: card.Type, Title: card.Title, Start: card.Start, End: card.End, AllDay: card.AllDay,
			Location: card.Location, Description: card.Description, URL: card.URL, When: card.When,
			Status: card.Status, Notice: card.Notice,
		}
		if card.Picture != "" && c.opts.Picture != nil {
			shown.Picture = c.opts.Picture(card.Picture)
		}
		for _, row := range card.Rows {
			shown.Rows = append(shown.Rows, api.Field(row))
		}
		for _, point := range card.Points {
			shown.Points = append(shown.Points, api.MapPoint(point))
		}
		out = append(out, shown)
	}
	return out
}

func confirmationOnWire(c display.Confirmation) *api.Confirmation {
	out := &api.Confirmation{Do: c.Do, Intro: c.Intro, Ask: c.Ask, Warnings: c.Warnings, Notes: c.Notes}
	for _, f := range c.Fields {
		out.Fields = append(out.Fields, api.Field(f))
	}
	return out
}

func passagesOnWire(list []display.Passage) []api.Passage {
	var out []api.Passage
	for _, p := range list {
		out = append(out, api.Passage(p))
	}
	return out
}

func rangeOnWire(s display.Span) *api.TimeRange {
	if s.IsZero() {
		return nil
	}
	return &api.TimeRange{
		Name: string(s.Name), Start: s.Start.Format(time.RFC3339), End: s.End.Format(time.RFC3339),
		Explicit: s.Explicit,
	}
}

func useOnWire(u wording.Use) *api.ModelUse {
	out := &api.ModelUse{
		Name: u.Name, Did: u.Did, Kept: u.Kept, Replaced: u.Replaced, Dropped: u.Dropped,
		Fallback: u.Fallback, Tools: u.Tools,
	}
	for _, b := range u.Sentences {
		out.Sentences = append(out.Sentences, api.ModelSentence{Became: b.What, Why: b.Why})
	}
	return out
}

// speech is what is said, sentence by sentence, all with the face of the answer.
func speech(d draft, lang nlu.Language, m dialog.Emotion) []api.Sentence {
	lines := d.Spoken
	if lines == nil {
		lines = display.Sentences(d.Text)
	}
	out := make([]api.Sentence, 0, len(lines))
	for _, line := range lines {
		for _, sentence := range display.Sentences(line) {
			if sentence = spoken(sentence, lang); sentence != "" {
				out = append(out, api.Sentence{Text: sentence, Emotion: m.Face()})
			}
		}
	}
	return out
}

// emotionOf decides the face from the evidence alone.
func emotionOf(f facts) dialog.Emotion {
	switch {
	case f.Grave:
		return dialog.Neutral
	case f.Asking, f.Changed:
		return dialog.Surprised
	case f.Unknown, f.Sorry:
		return dialog.Apologetic
	case f.Events > 0:
		return dialog.Excited
	case f.Nothing:
		return dialog.Apologetic
	}
	return dialog.Helpful
}

// confidence is 0.8 with evidence from a calendar and 0.7 otherwise, minus 0.1 per source that
// failed and 0.05 when the range was assumed.
func confidence(f facts) float64 {
	c := 0.7
	if f.Events > 0 {
		c = 0.8
	}
	if f.Calendar == statusError || f.Partial {
		c -= 0.1
	}
	if f.Knowledge == statusError {
		c -= 0.1
	}
	if f.Assumed {
		c -= 0.05
	}
	return math.Round(c*100) / 100
}

// sources lists what contributed evidence.
func sources(f facts) []string {
	out := []string{}
	if f.Calendar == statusOK {
		out = append(out, sourceCalendar)
	}
	if f.Knowledge == statusOK {
		out = append(out, sourceKnowledge)
	}
	return out
}

func orDisabled(s status) status {
	if s == "" {
		return statusDisabled
	}
	return s
}

// offered are the suggestions of a draft, and before them the question about what the turn may have
// been about instead.
func offered(s State, d draft) []string {
	other := s.Question.AskOther(s.Language)
	if other == "" || len(d.Suggestions) == 0 || s.Route.Node != nodeEvent && s.Route.Node != nodeInfo {
		return d.Suggestions
	}
	return append([]string{other}, d.Suggestions[:min(len(d.Suggestions), maxOffered-1)]...)
}

// maxOffered is how many suggestions an answer has beside such a question, with it.
const maxOffered = 4

// orEmpty makes a list that JSON writes as [] and not as null, without repetitions.
func orEmpty[T comparable](list []T) []T {
	out := make([]T, 0, len(list))
	for _, v := range list {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// understood is a question as it crosses the wire; nil for one that was not read.
func understood(q talk.Question) *api.Understood {
	if q.Act == "" {
		return nil
	}
	return &api.Understood{
		Question: q.Text, Act: string(q.Act), Ask: string(q.Ask), Second: string(q.Second), About: string(q.About),
		Subject: q.Subject.Title, When: q.When, AskFrom: string(q.AskFrom), SubjectFrom: string(q.SubjectFrom),
		WhenFrom: string(q.WhenFrom), Confidence: q.Confidence,
	}
}
