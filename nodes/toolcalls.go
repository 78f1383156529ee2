package nodes

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/grounding"
	"annai/internal/text"
	"annai/llm"
	"annai/nodes/display"
	"annai/nodes/owner"
	"annai/nodes/wording"
	"annai/prompts"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// Bounds of a talk with tools.
const (
	maxRounds      = 4    // requests to the model, the last of which has no tools
	maxCallsAtOnce = 3    // calls of one answer that are heard
	maxResult      = 4000 // runes of a result that are read
	toolShare      = 0.8  // of the turn's time
)

// The tools that a model may be offered. There are others under which callers of other kinds know
// the same.
var (
	dateTools   = []string{"get_current_datetime", "calculate_date", "list_dates_in_range"}
	wayTools    = []string{"places_resolve", "timezone_resolve", "directions_estimate"}
	ownReads    = []string{"list_events", "check_availability", "suggest_schedule"}
	toolCreates = "create_event"
	toolUpdates = "update_event"
	toolDeletes = "delete_event"
)

// A toolTalk is a question that a model answers with tools, for what rules do not read. What only
// reads is called; what writes becomes a plan, which is asked about. A date that nobody said and no
// tool has found is no date.
type toolTalk struct {
	c      *Concierge
	s      State
	now    time.Time
	caller tools.Caller
	offers []tools.Declaration

	messages []llm.Message
	called   []string // names and arguments of calls
	results  string   // all that tools answered
	known    dates
	evidence evidence
	use      wording.Use
	plan     owner.Plan
	// answering says that no tool is offered any more.
	answering bool
	read      bool // something of the calendar was read
}

// withTools answers with tools what the rules could not read. ok is false where that came to
// nothing, and the answer of the rules stands; the route says what happened all the same. A plan
// that is open is to be asked about.
func (c *Concierge) withTools(ctx context.Context, s *State, rules draft) (out draft, p owner.Plan, ok bool) {
	if c.parts.Model == nil || c.parts.Tools == nil || s.Turn.Before != "" {
		return rules, owner.Plan{}, false
	}
	began := c.opts.Now()
	t := c.toolTalk(*s)
	limited, cancel := c.budget(ctx, toolShare)
	defer cancel()
	text, failure := t.run(limited)
	if failure != "" && ctx.Err() == nil {
		c.opts.Log.LogAttrs(ctx, slog.LevelInfo, "tools led to nothing", slog.String("model", t.use.Name), slog.String("why", failure))
	}
	out = rules
	if failure == "" && !t.plan.Open() {
		out, failure = t.worded(ctx, rules, text)
	}
	t.use.Fallback = failure
	s.Route.Model, s.Route.ModelMS = joined(s.Route.Model, &t.use), s.Route.ModelMS+milliseconds(c.opts.Now().Sub(began))
	return out, t.plan, failure == ""
}

func (c *Concierge) toolTalk(s State) *toolTalk {
	lang := string(s.Language)
	t := &toolTalk{
		c: c, s: s, now: s.Turn.At.In(c.location(s.Turn)),
		caller: tools.Caller{Role: tools.Visitor, Language: lang, SessionID: s.Turn.SessionID, RequestID: s.Turn.RunID},
		use:    wording.Use{Name: c.parts.Model.Name(), Did: didTools},
	}
	owns := s.Turn.Owner && c.parts.Agenda != nil && s.Route.Node == nodeCalendar
	if owns {
		t.caller.Role, t.caller.Owner = tools.Owner, s.Turn.OwnerName
	}
	wanted := t.wanted(owns)
	for _, d := range c.parts.Tools.Offered(t.caller) {
		if slices.Contains(wanted, d.Name) {
			t.offers = append(t.offers, d)
		}
	}
	t.known = datesSaid(s.Understanding, t.now)
	question := prompts.ModelAsked{Today: c.nowWords(s), Question: text.OneLine(s.Understanding.Text, maxAsked)}
	t.messages = []llm.Message{
		{Role: llm.System, Text: prompts.ModelTools{Venue: c.parts.Venue.Name.In(lang), Owner: owns}.In(lang)},
		{Role: llm.User, Text: question.In(lang)},
	}
	t.evidence.Question = s.Understanding.Text
	return t
}

// wanted are the tools that fit what was said: those that write only where the words order it, so
// that nothing that is read can.
func (t *toolTalk) wanted(owns bool) []string {
	wanted := slices.Concat(dateTools, wayTools)
	if !owns {
		return wanted
	}
	wanted = append(wanted, ownReads...)
	if t.c.parts.Checkpointer == nil { // nobody could be asked
		return wanted
	}
	if _, ok := t.c.parts.Agenda.For(t.caller.Owner).Writable(); !ok {
		return wanted
	}
	switch owner.Ordered(t.s.Understanding) {
	case owner.ActionRemove:
		wanted = append(wanted, toolDeletes)
	case owner.ActionChange:
		wanted = append(wanted, toolUpdates)
	case owner.ActionAdd:
		wanted = append(wanted, toolCreates)
	case owner.ActionTodoAdd, owner.ActionTodoTick, owner.ActionTodoRemove: // tasks are not the model's
	}
	return wanted
}

// run asks the model until it answers in words, or wants something written. It returns why it came
// to nothing, if it did.
func (t *toolTalk) run(ctx context.Context) (text, failure string) {
	for round := range maxRounds {
		r := llm.Request{Messages: t.messages, MaxTokens: wording.MaxTokens}
		if !t.answering && round < maxRounds-1 {
			r.Tools = t.offered()
		}
		answer, err := llm.Collect(t.c.parts.Model.Stream(ctx, r))
		if err != nil {
			return "", wording.FailureOf(err)
		}
		t.use.Name = answer.End.Model
		switch {
		case len(answer.Calls) == 0 && answer.End.Stop == llm.Length:
			return "", wording.FellForLength
		case len(answer.Calls) == 0:
			return answer.Text, ""
		case len(r.Tools) == 0: // it calls what it was not offered
			return "", wording.FellForNonsense
		}
		if t.answer(ctx, answer); t.plan.Open() {
			return "", ""
		}
	}
	return "", wording.FellForNonsense
}

// offered are the tools of the next request: a tool that answered is not offered again, because
// some models would call it for ever.
func (t *toolTalk) offered() []llm.Tool {
	var out []llm.Tool
	for _, d := range t.offers {
		if !slices.Contains(t.use.Tools, d.Name) {
			out = append(out, llm.Tool{Name: d.Name, Description: d.Description, Schema: d.InputSchema})
		}
	}
	return out
}

// answer calls what the model asks for, and adds what came of it to the messages.
func (t *toolTalk) answer(ctx context.Context, a llm.Answer) {
	calls := a.Calls[:min(len(a.Calls), maxCallsAtOnce)]
	t.messages = append(t.messages, llm.Message{Role: llm.Assistant, Text: a.Text, Calls: calls})
	for _, call := range calls {
		text := t.call(ctx, call)
		if t.plan.Open() {
			return
		}
		t.messages = append(t.messages, llm.Message{Role: llm.Result, Text: text, CallID: call.ID, Tool: call.Name})
	}
	t.answering = t.answering || t.read && !t.writes()
}

// writes reports whether something that writes is offered.
func (t *toolTalk) writes() bool {
	return slices.ContainsFunc(t.offers, func(d tools.Declaration) bool { return !d.Annotations.ReadOnly })
}

// call does one call, and returns what the model is told of it.
func (t *toolTalk) call(ctx context.Context, call llm.ToolCall) string {
	lang := string(t.s.Language)
	i := slices.IndexFunc(t.offers, func(d tools.Declaration) bool { return d.Name == call.Name })
	key := call.Name + string(call.Arguments)
	switch {
	case i < 0:
		return prompts.ModelRefusal{Kind: "unknown"}.In(lang)
	case slices.Contains(t.called, key):
		t.answering = true
		return prompts.ModelRefusal{Kind: "repeated"}.In(lang)
	}
	t.called = append(t.called, key)
	writes := !t.offers[i].Annotations.ReadOnly
	if !t.known.all(call.Arguments, t.now.Location(), writes) {
		return prompts.ModelRefusal{Kind: "dates"}.In(lang)
	}
	t.use.Tools = append(t.use.Tools, call.Name)
	if writes {
		return t.write(ctx, call)
	}
	result, err := t.c.parts.Tools.Call(ctx, t.caller, call.Name, call.Arguments)
	if err != nil {
		return prompts.ModelResult{Text: tools.Message(err, lang)}.In(lang)
	}
	t.read = t.read || slices.Contains(ownReads, call.Name)
	t.learn(result)
	return prompts.ModelResult{Text: display.NoBrackets(text.OneLine(string(result), maxResult))}.In(lang)
}

// learn takes what a tool answered into the evidence.
func (t *toolTalk) learn(result json.RawMessage) {
	t.results += string(result)
	t.known.add(string(result), t.now.Location())
	found := evidenceOf(result, len(t.evidence.Items), t.now.Location())
	t.evidence.Items = append(t.evidence.Items, found.Items...)
	t.evidence.Lines = append(t.evidence.Lines, found.Lines...)
}

// worded is the answer in the model's words, as far as the results of the tools bear them.
func (t *toolTalk) worded(ctx context.Context, rules draft, text string) (out draft, failure string) {
	base := draft{Suggestions: rules.Suggestions, Evidence: &t.evidence}
	w := t.c.answer(ctx, t.s, base, false)
	w.HearText(text)
	heard := w.Use()
	t.use.Kept, t.use.Replaced, t.use.Dropped, t.use.Sentences = heard.Kept, heard.Replaced, heard.Dropped, heard.Sentences
	if !w.Claims() {
		return rules, wording.FellForNothing
	}
	out = base.worded(w, t.s.Language)
	out.Evidence = nil
	if t.read {
		out.Facts.Calendar = statusOK
		for _, item := range t.evidence.Items {
			if item.Kind == grounding.Event && w.Uses(item.ID) {
				out.Facts.Events++
			}
		}
	}
	return out, ""
}

// write makes a plan of a call that writes. What it can't be made of is told to the model.
func (t *toolTalk) write(ctx context.Context, call llm.ToolCall) string {
	lang := string(t.s.Language)
	in, err := readWrite(call.Arguments, t.now.Location())
	if err != nil {
		return prompts.ModelResult{Text: tools.Message(err, lang)}.In(lang)
	}
	if call.Name == toolCreates {
		t.plan = owner.NewPlan(t.c.ownerTurn(t.s), in.edit)
		return ""
	}
	target, ok := t.target(ctx, in.EventID)
	switch {
	case !ok:
		return prompts.ModelResult{Text: calendar.NotFound.Message(lang)}.In(lang)
	case call.Name == toolDeletes:
		t.plan = owner.Plan{Do: owner.ActionRemove, Targets: []owner.Event{target}}
	default:
		t.plan = owner.Plan{Do: owner.ActionChange, Targets: []owner.Event{target}, Edit: in.edit}
	}
	return ""
}

// target is an entry that a tool has listed.
func (t *toolTalk) target(ctx context.Context, id string) (owner.Event, bool) {
	quoted, _ := json.Marshal(id) // strings always encode
	if id == "" || !strings.Contains(t.results, string(quoted)) {
		return owner.Event{}, false
	}
	mine := t.c.parts.Agenda.For(t.caller.Owner)
	for _, cal := range mine.Calendars() {
		if e, err := mine.Get(ctx, agenda.Ref{CalendarID: cal.ID, ID: id}); err == nil {
			return owner.EventOf(e), true
		}
	}
	return owner.Event{}, false
}

// written is what a call to write says.
type written struct {
	EventID     string `json:"event_id"`
	Title       string `json:"title"`
	Start       string `json:"start"`
	End         string `json:"end"`
	Location    string `json:"location"`
	Description string `json:"description"`

	edit owner.Edit
}

// readWrite reads a call to write as an edit.
func readWrite(arguments json.RawMessage, loc *time.Location) (written, error) {
	var in written
	if err := json.Unmarshal(arguments, &in); err != nil {
		return written{}, &tools.InputError{Problems: []tools.Problem{{Kind: tools.NotJSON}}}
	}
	in.edit = owner.Edit{Title: text.OneLine(in.Title, owner.MaxSaid), Place: text.OneLine(in.Location, owner.MaxSaid), Note: text.OneLine(in.Description, owner.MaxSaid)}
	start, clocked, ok := readMoment(in.Start, loc)
	if !ok {
		return in, nil
	}
	in.edit.Day = civil.DateOf(start)
	last, lastClocked, ended := readMoment(in.End, loc)
	switch {
	case !clocked:
		in.edit.AllDay = true
		if ended && !lastClocked && last.After(start) {
			in.edit.LastDay = civil.DateOf(last)
		}
	default:
		in.edit.Clock = display.ClockOf(start)
		if ended && lastClocked && last.After(start) {
			in.edit.Length = last.Sub(start)
		}
	}
	return in, nil
}
