package nodes

import (
	"context"
	"math"
	"slices"

	"annai/api"
	"annai/graph"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
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

// respond makes the answer of what a node found, whichever node it was.
func (c *Concierge) respond(ctx context.Context, s State) (graph.Command[State], error) {
	if err := brokenOff(ctx); err != nil { // a model was asked on the way here
		return graph.Command[State]{}, err
	}
	d := s.Draft
	if s.Route.Node == nodeRespond {
		d = c.manners(s)
	}
	if s.Route.Foreign != "" {
		d = c.foreign(s)
	}
	d, err := c.withSecond(ctx, s, d)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if d, err = c.withOther(ctx, s, d); err != nil {
		return graph.Command[State]{}, err
	}
	if d, err = c.word(ctx, s, d); err != nil {
		return graph.Command[State]{}, err
	}
	after := remembered(s, d)
	return graph.Command[State]{Update: graph.Update[State]{
		answerChannel.Write(c.finish(s, d)), draftChannel.Write(draft{}), seenChannel.Write(after.Seen), memoryChannel.Write(after.Memory),
	}}, nil
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
	m := moodOf(d.Facts)
	agent := agents[s.Route.Node]
	r := api.QueryResponse{
		Text: "[" + m.face() + "]" + display.NoBrackets(d.Text), Emotion: string(m), AgentName: agent.name, Language: string(s.Language),
		Speech: speech(d, s.Language, m), VRM: m.vrm(d.Facts.Gesture),
		Cards: orEmpty(d.Cards), Suggestions: without(orEmpty(offered(s, d)), s.Turn.Query),
		SessionID: s.Turn.SessionID, RunID: s.Turn.RunID,
	}
	r.Metadata = api.Metadata{
		Confidence: confidence(d.Facts), Category: agent.category, Sources: sources(d.Facts),
		ProcessingInfo: api.ProcessingInfo{
			Route: s.Route.Node, RoutedBy: s.Route.By, Reason: s.Route.Reason, ContextInherited: s.Route.Inherited,
			TimingsMS: map[string]float64{"router": s.Route.MS},
		},
		SourceStatus: map[string]string{
			sourceCalendar: string(orDisabled(d.Facts.Calendar)), sourceKnowledge: string(orDisabled(d.Facts.Knowledge)),
		},
		TimeRange: d.Range, Passages: d.Passages,
		AgentName: agent.name, Language: string(s.Language), RequestID: s.Turn.RequestID, Demo: c.parts.Venue.Demo,
	}
	r.Metadata.ProcessingInfo.Understood = understood(s.Question)
	if use := joined(s.Route.Model, d.Model); use != nil {
		r.Metadata.ProcessingInfo.Model = use
		r.Metadata.ProcessingInfo.TimingsMS["model"] = s.Route.ModelMS + d.ModelMS
	}
	return r
}

// with returns the draft with a remark behind it.
func (d draft) with(remark string) draft {
	if d.Spoken == nil {
		d.Spoken = display.Sentences(d.Text)
	}
	d.Text, d.Spoken = display.JoinParts(d.Text, remark), append(slices.Clone(d.Spoken), remark)
	return d
}

// speech is what is said, sentence by sentence, all with the face of the answer.
func speech(d draft, lang nlu.Language, m mood) []api.Sentence {
	lines := d.Spoken
	if lines == nil {
		lines = display.Sentences(d.Text)
	}
	out := make([]api.Sentence, 0, len(lines))
	for _, line := range lines {
		for _, sentence := range display.Sentences(line) {
			if sentence = spoken(sentence, lang); sentence != "" {
				out = append(out, api.Sentence{Text: sentence, Emotion: m.face()})
			}
		}
	}
	return out
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

// orEmpty makes a list that JSON writes as [] and not as null, without repetitions. offered are the
// suggestions of a draft, and before them the question about what the turn may have been about
// instead.
func offered(s State, d draft) []string {
	other := s.Question.AskOther(s.Language)
	if other == "" || len(d.Suggestions) == 0 || s.Route.Node != nodeEvent && s.Route.Node != nodeInfo {
		return d.Suggestions
	}
	return append([]string{other}, d.Suggestions[:min(len(d.Suggestions), maxOffered-1)]...)
}

// maxOffered is how many suggestions an answer has beside such a question, with it.
const maxOffered = 4

func orEmpty[T comparable](list []T) []T {
	out := make([]T, 0, len(list))
	for _, v := range list {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// manners answers what needs no evidence: greetings, thanks, safety, and what is not a venue's
// business.
func (c *Concierge) manners(s State) draft {
	venue := c.parts.Venue
	lang := string(s.Language)
	name, staff := venue.Name.In(lang), venue.Staff.Where.In(lang)
	d := draft{Suggestions: c.starters(s.Language), Facts: facts{Gesture: "explain"}}
	switch s.Route.Say {
	case nlu.Safety:
		return draft{
			Text:  safetyWords(s.Understanding.Safety, venue, lang),
			Facts: facts{Grave: true, Gesture: "alert"},
		}
	case nlu.Greeting:
		d.Text = prompts.Greeting{Part: partOfDay(s.Turn.At.In(c.location(s.Turn)).Hour()), Venue: name}.In(lang)
		d.Facts.Gesture = "wave"
	case nlu.Thanks:
		if s.Seen.Alarm != "" {
			d.Text, d.Facts.Gesture, d.Suggestions = prompts.Relief{}.In(lang), "bow", nil
			break
		}
		d.Text, d.Facts.Gesture = prompts.Thanks{}.In(lang), "bow"
	case nlu.Farewell:
		d.Text, d.Facts.Gesture, d.Suggestions = prompts.Farewell{}.In(lang), "wave", nil
	case nlu.Identity:
		d.Text = prompts.Identity{Venue: name, Speak: s.Route.Speak}.In(lang)
	case nlu.SmallTalk:
		d.Text = prompts.SmallTalk{}.In(lang)
	case nlu.CallStaff:
		d.Text = prompts.Staff{Staff: staff, Phone: venue.Staff.Phone, Complaint: s.Understanding.Complaint}.In(lang)
		d.Facts.Gesture, d.Facts.Sorry = "point", s.Understanding.Complaint
	case nlu.OutOfScope:
		d.Text = prompts.OutOfScope{Venue: name}.In(lang)
	case nlu.Affirm:
		d.Text = prompts.Affirm{}.In(lang)
		if s.Question.Act == nlu.ActChats {
			d.Text = prompts.Chat{}.In(lang)
		}
	case nlu.Deny:
		d.Text = prompts.Deny{}.In(lang)
	case nlu.Unclear, nlu.Event, nlu.Calendar, nlu.DateCalc, nlu.Info:
		d.Text, d.Facts.Asking = prompts.Unclear{}.In(lang), true
		if s.Question.NoItem {
			d.Text = prompts.EventNoItem{Count: len(s.Memory.InView)}.In(lang)
		}
	}
	return d
}

// starters are the venue's own first questions.
func (c *Concierge) starters(lang nlu.Language) []string {
	var out []string
	for _, t := range c.parts.Venue.Suggestions {
		out = append(out, t.In(string(lang)))
		if len(out) == 3 {
			break
		}
	}
	return out
}

func partOfDay(hour int) string {
	switch {
	case hour >= 4 && hour < 11:
		return "morning"
	case hour >= 18 || hour < 4:
		return "evening"
	}
	return "day"
}

// understood is a question as it crosses the wire; nil for one that was not read.
func understood(q talk.Question) *api.Understood {
	if q.Act == "" {
		return nil
	}
	return &api.Understood{
		Question: q.Text, Act: string(q.Act), Ask: string(q.Ask), Second: string(q.Second), About: string(q.About), Subject: q.Subject.Title,
		When: q.When, AskFrom: string(q.AskFrom), SubjectFrom: string(q.SubjectFrom), WhenFrom: string(q.WhenFrom), Confidence: q.Confidence,
	}
}
