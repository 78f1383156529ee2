package owner

import (
	"cmp"
	"context"
	"slices"
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nlu/todo"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/date"
)

// Do is what the calendar node is to do. It is a closed set; empty: to say whose calendar it is.
type Do string

// The values of [Do].
const (
	DoList     Do = "list"
	DoNext     Do = "next" // the next entry from now on
	DoFind     Do = "find"
	DoFree     Do = "free"      // is that time free?
	DoFreeDays Do = "free_days" // which days are free?
	DoSuggest  Do = "suggest"   // times for something
	DoRecall   Do = "recall"    // a detail of what was told
	DoAfter    Do = "after"     // what comes after what was told
	DoPick     Do = "pick"      // one of the suggested times
	DoWrite    Do = "write"
	DoAlready  Do = "already" // a second yes
	DoTodo     Do = "todo"    // an order to the list of tasks
	DoCapture  Do = "capture" // what was given is to be added
)

// A Request is what the calendar node is to do.
type Request struct {
	Do    Do           `json:"do,omitempty"`
	Range display.Span `json:"range,omitzero"`
	// Words are what entries are searched for; Upcoming wants the next of them.
	Words    string `json:"words,omitempty"`
	Upcoming bool   `json:"upcoming,omitempty"`
	// Skip is how many of the entries found were told before.
	Skip int `json:"skip,omitempty"`
	// Item is the place, from 1, of the entry or suggestion that is meant among those told before;
	// -1 for one that is not there.
	Item int `json:"item,omitempty"`
	// Weekdays are the days of the week that are meant within the range, 0 for any; Part is the
	// part of each day.
	Weekdays date.Weekdays `json:"weekdays,omitempty"`
	Part     display.Hours `json:"part,omitzero"`
	// Amend says that what was written just before shall be otherwise.
	Amend bool `json:"amend,omitempty"`
	// Elsewhere says that it is looked for elsewhere if the calendar does not have it.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Told says that it is one of those told before, whichever.
	Told  bool      `json:"told,omitempty"`
	Field nlu.Field `json:"field,omitempty"`
	// Note asks for what is written beside the entry.
	Note bool `json:"note,omitempty"`
	// Todo is what is ordered of the list of tasks.
	Todo todo.Order `json:"todo,omitzero"`
	// Edit is what a suggested time is for, and People with whom.
	Edit   Edit     `json:"edit,omitzero"`
	People []string `json:"people,omitempty"`
}

// weeksAhead is in how many days a day of the week is looked for of which no week was named.
const weeksAhead = 35

// at takes over when it is, if any time is named.
func (w *Request) at(times []datetime.Expression, now time.Time) bool {
	when := datetime.Combine(times, now)
	s, ok := display.SpanOfDays(when.Days, now)
	if !ok && len(when.Weekdays) == 0 {
		return false
	}
	if !ok { // 毎週火曜: those of the next weeks
		s = spanOfDays(now, weeksAhead)
		s.Explicit = true
	}
	w.Range, w.Weekdays, w.Part = s, date.Of(when.Weekdays), display.HoursIn(when)
	return true
}

// meets reports whether a time is in the part of the days that is asked about.
func (w Request) meets(when civil.TimeRange) bool {
	if w.Weekdays == 0 && w.Part == (display.Hours{}) {
		return true
	}
	loc, last := when.Start.Location(), civil.DateOf(when.End)
	until := cmp.Or(w.Part.Until, display.Midnight)
	for day := civil.DateOf(when.Start); !day.After(last); day = day.AddDays(1) {
		hours := civil.TimeRange{Start: w.Part.From.On(day, loc), End: until.On(day, loc)}
		if w.on(day) && when.Overlaps(hours) {
			return true
		}
	}
	return false
}

// Decide reads what an owner says. The reason names what it hangs on, of what was told before; it
// is empty for what stands by itself. ok is false for what is not about their own calendar.
func (c *Calendar) Decide(ctx context.Context, t Turn) (r Request, reason string, ok bool) {
	u := t.Understanding
	if t.Capture != nil {
		return Request{Do: DoCapture}, "", true
	}
	if r, reason, ok := c.decideTodo(ctx, t); ok {
		return r, reason, true
	}
	if r, reason, ok := t.follow(); ok {
		return r, reason, true
	}
	switch {
	case t.isOwn():
		r = RequestOf(u, t.Now)
		if r.Do == DoList && r.Range.IsZero() && !isGeneric(u.Topic) {
			if r.Words = searchWords(c.entryNamed(ctx, t)); r.Words != "" {
				r.Do = DoFind
			}
		}
		return r, "", true
	case t.mayBeOwn():
		r = Request{Do: DoFind, Words: searchWords(u.Topic), Field: u.Reference.Field, Elsewhere: true}
		if cmd := commandOf(u); cmd.Title.Text != "" {
			r.Words, r.Note = searchWords(cmd.Title.Text), cmd.NoteAsked
		}
		r.at(u.Times, t.Now)
		return r, "", true
	}
	switch u.Intent {
	case nlu.Info, nlu.Unclear, nlu.OutOfScope, nlu.SmallTalk, nlu.CallStaff, nlu.Event, nlu.DateCalc:
		if title := c.entryNamed(ctx, t); title != "" {
			return t.ofEntry(title)
		}
	default:
	}
	return Request{}, "", false
}

// mayBeOwn reports whether a question when or where something is, of which nobody knows what it is,
// may be about an entry of the owner's.
func (t Turn) mayBeOwn() bool {
	u := t.Understanding
	if t.NamesVenue {
		return false
	}
	if cmd := commandOf(u); cmd.NoteAsked && cmd.Title.Text != "" {
		return true
	}
	asks := u.Reference.Field == nlu.FieldTime || u.Reference.Field == nlu.FieldPlace
	return u.Intent == nlu.Info && asks && u.Confidence <= 0.5 && len(u.Keywords) > 0
}

// isOwn reports whether an owner's words are about their own calendar.
func (t Turn) isOwn() bool {
	u := t.Understanding
	public := words.Public.In(u.Text) || t.NamesVenue
	switch u.Intent {
	case nlu.Calendar:
		return true
	case nlu.Event, nlu.Info, nlu.Unclear, nlu.OutOfScope, nlu.DateCalc, nlu.SmallTalk:
		cmd := ordered(u)
		switch {
		case !public && cmd.Suggest && cmd.Duration > 0, !t.NamesVenue && words.Mine.In(u.Text):
			return true
		case u.Intent == nlu.Event:
			return !public && words.OwnPlans.In(u.Text)
		case cmd.Operation == slots.Query:
			return asksOwn(u, cmd)
		}
		return !isQuestion(u.Text) && ordersOwn(u, cmd)
	default:
		return false
	}
}

// ordersOwn reports whether words are an order to the calendar, though nobody takes them for one.
func ordersOwn(u nlu.Understanding, cmd slots.Command) bool {
	sure := cmd.Confidence >= sureOfCommand
	timed := len(cmd.Times) > 0 || cmd.Frequency.Text != ""
	switch cmd.Operation {
	case slots.Update:
		return !orderedEdit(cmd, u, time.Time{}).empty()
	case slots.Delete:
		return sure && words.OrderRemove.In(u.Text)
	case slots.Create:
		names := cmd.Title.Text != "" && timed || cmd.Duration > 0 && (cmd.Title.Text != "" || timed)
		return sure && names && words.OrderAdd.In(u.Text)
	case slots.Query:
	}
	return false
}

// asksOwn reports whether a question that nobody takes for one to the calendar is one: for free
// time, for times that suit, or for a day.
func asksOwn(u nlu.Understanding, cmd slots.Command) bool {
	if cmd.Free && words.FreeTime.In(u.Text) {
		return true
	}
	if cmd.Confidence < sureOfQuery || len(u.Times) == 0 {
		return false
	}
	return cmd.Suggest || u.Intent == nlu.Info && len(u.Keywords) == 0 && u.Reference.Field == nlu.FieldNone
}

// How sure it must be that words which nobody takes for a matter of the calendar are an order to
// it, or a question.
const (
	sureOfCommand = 0.75
	sureOfQuery   = 0.9
)

// RequestOf is what words that stand by themselves ask of the calendar.
func RequestOf(u nlu.Understanding, now time.Time) Request {
	cmd := ordered(u)
	w := Request{Do: DoList, Field: u.Reference.Field, Note: cmd.NoteAsked}
	w.at(u.Times, now)
	if !cmd.Suggest && possible(u, w) {
		w.Do, w.Field = w.free(), nlu.FieldNone
		return w
	}
	if s, ok := suggestionFor(cmd, now); ok && cmd.Operation == slots.Create {
		return s
	}
	if writes(u, cmd, w, now) {
		return Request{Do: DoWrite}
	}
	nextWeek := func(e datetime.Expression) bool { return words.NextTime.In(e.Text) }
	if w.Range.IsZero() && words.MyDay.In(u.Text) {
		w.Range = today(now)
	}
	w.Upcoming = words.Upcoming.In(u.Text) && (w.Range.IsZero() || !slices.ContainsFunc(u.Times, nextWeek))
	return w.lookup(u, cmd, now)
}

// writes reports whether words have something written, or tell of something to be written.
func writes(u nlu.Understanding, cmd slots.Command, w Request, now time.Time) bool {
	switch cmd.Operation {
	case slots.Create:
		over := !w.Range.IsZero() && !w.Range.End.After(now)
		if over && !words.OrderAdd.In(u.Text) { // told of, not planned
			return false
		}
	case slots.Query:
		return reportsPlan(u, cmd)
	case slots.Update, slots.Delete:
	}
	return u.Write || cmd.Remind || !isQuestion(u.Text)
}

// lookup is a request with what is looked for: free time, times that suit, or entries.
func (w Request) lookup(u nlu.Understanding, cmd slots.Command, now time.Time) Request {
	title := searchWords(cmd.Title.Text)
	days := words.FreeDays.In(u.Text)
	suits := cmd.Suggest && (!cmd.Free || u.Write && title != "") && !days
	switch {
	case suits, (cmd.Free || title == "") && cmd.Duration > 0 && !w.Range.Clock:
		return suggestion(cmd, w, now)
	case cmd.Free || days:
		w.Do, w.Field = w.free(), nlu.FieldNone
		if days || w.Range.IsZero() && words.AskingWhen.In(u.Text) {
			w.Do = DoFreeDays
		}
		if w.Do == DoFreeDays && words.Workdays.In(u.Text) {
			w.Weekdays = date.WorkingDays
		}
	case !isGeneric(title):
		w.Do, w.Words = DoFind, title
	case w.Upcoming:
		w.Do = DoNext
	}
	return w
}

// free asks whether the time is free, or which days are where there are several.
func (w Request) free() Do {
	if !w.Range.IsZero() && !w.Range.Clock && w.Range.OneDay().IsZero() {
		return DoFreeDays
	}
	return DoFree
}

// possible reports whether it is asked whether something can be at a time of day: 明日10時から会議できる？
func possible(u nlu.Understanding, w Request) bool {
	return (w.Range.Clock || w.Part != display.Hours{}) && isQuestion(u.Text) && words.Possible.In(u.Text)
}

// reportsPlan reports whether words that were taken for a question tell of a plan at a time of day: "I
// have a dentist appointment on the 28th at 9".
func reportsPlan(u nlu.Understanding, cmd slots.Command) bool {
	if isQuestion(u.Text) || cmd.Free || cmd.Suggest || u.PastAsked || words.Looking.In(u.Text) {
		return false
	}
	if words.Proposing.In(u.Text) && len(cmd.Times) > 0 {
		return true
	}
	atClock := func(e datetime.Expression) bool { return e.Kind == datetime.KindTime && e.Hours == datetime.Hours{} }
	if reportedTitle(u, cmd) == "" || !slices.ContainsFunc(cmd.Times, atClock) {
		return false
	}
	return cmd.Title.Text == "" || words.Telling.In(u.Text)
}

// reportedTitle is what somebody tells of: the title, or else what stands behind the time.
func reportedTitle(u nlu.Understanding, cmd slots.Command) string {
	if cmd.Title.Text != "" || len(cmd.Times) == 0 {
		return newTitle(valueOf(cmd.Title.Text))
	}
	last := cmd.Times[len(cmd.Times)-1]
	rest := words.Particle.Trim(u.Text[min(last.End, len(u.Text)):])
	if words.OwnPlans.In(rest) || isGeneric(rest) || isQuestion(rest) {
		return ""
	}
	return valueOf(rest)
}

// isGeneric reports whether words say no more than that it is an entry: none is searched by them.
func isGeneric(title string) bool {
	title = words.Particle.Trim(title)
	for rest, ok := words.Article.Begin(title); ok; rest, ok = words.Article.Begin(title) {
		title = rest
	}
	return title == "" || words.Generic.In(title)
}

// suggestionFor takes an order for something in a week, without a day, for one that asks for a time.
func suggestionFor(cmd slots.Command, now time.Time) (Request, bool) {
	said := editOf(cmd, now)
	e, within := said.edit, said.within
	inDay := !e.Day.IsZero() && !e.Guessed && civil.DateOf(within.Start) == e.Day
	exact := within == (civil.TimeRange{}) || !e.Day.IsZero() && !inDay || e.AllDay
	var w Request
	switch {
	case exact && !cmd.Suggest, e.Clock != nil, cmd.Frequency.Text != "":
	case w.at(cmd.Times, now) && !w.Range.Past:
		return suggestion(cmd, w, now), true
	}
	return Request{}, false
}

// suggestion asks for times for what a command names, at a time that is named.
func suggestion(cmd slots.Command, at Request, now time.Time) Request {
	e := editOf(cmd, now).edit
	w := Request{
		Do: DoSuggest, Range: at.Range, Weekdays: at.Weekdays, Part: at.Part, People: peopleOf(cmd),
		Edit: Edit{Title: newTitle(e.Title), Place: e.Place, Length: e.Length},
	}
	if w.Range.IsZero() {
		w.Range = spanOfDays(now, 7)
	}
	if w.Edit.Length <= 0 {
		w.Edit.Length = calendar.DefaultLength
	}
	return w
}

// spanOfDays is the span of so many days from today on.
func spanOfDays(now time.Time, n int) display.Span {
	days := civil.Days(civil.DateOf(now), civil.DateOf(now).AddDays(n), now.Location())
	return display.Span{Name: datetime.Range, Start: days.Start, End: days.End}
}

// on reports whether a day of the week is asked about.
func (w Request) on(day civil.Date) bool { return w.Weekdays == 0 || w.Weekdays.Has(day.Weekday()) }

// agendaHours are a part of the day as the agenda takes it.
func agendaHours(h display.Hours) agenda.Hours {
	if h == (display.Hours{}) {
		return agenda.WholeDay
	}
	clock := func(m display.Clock) agenda.Clock { return agenda.Clock{Hour: int(m) / 60, Minute: int(m) % 60} }
	return agenda.Hours{From: clock(h.From), To: clock(h.Until)}
}

// earliest is the hour before which nobody meets: the morning begins at midnight, and an hour is
// looked for from working hours on.
const earliest = 6

// meetingHours are the hours of each day in which a time is looked for; zero for those that are usual.
func (w Request) meetingHours() agenda.Hours {
	h := w.Part
	if h == (display.Hours{}) && w.Range.Clock {
		h = clockHours(w.Range)
	}
	if h == (display.Hours{}) {
		return agenda.Hours{}
	}
	hours, usual := agendaHours(h), agenda.WorkingHours.From
	if hours.From.Hour < earliest && hours.To.Hour > usual.Hour {
		hours.From = usual
	}
	return hours
}

// clockHours are the hours of the day that a span is; one that ends on another day ends at midnight.
func clockHours(s display.Span) display.Hours {
	h := display.Hours{From: *display.ClockOf(s.Start), Until: *display.ClockOf(s.End)}
	if civil.DateOf(s.End) != civil.DateOf(s.Start) {
		h.Until = display.Midnight
	}
	return h
}

func peopleOf(cmd slots.Command) []string {
	var out []string
	for _, p := range cmd.People {
		out = append(out, searchWords(p.Text))
	}
	return out
}

// Ordered is what an utterance orders to be done to the calendar. It is empty for a question.
func Ordered(u nlu.Understanding) Action {
	if isQuestion(u.Text) && !u.Write {
		return ""
	}
	switch cmd := commandOf(u); {
	case cmd.Operation == slots.Delete || words.OrderRemove.In(u.Text):
		return ActionRemove
	case cmd.Operation == slots.Update || words.OrderChange.In(u.Text):
		return ActionChange
	case cmd.Operation == slots.Create || u.Write || words.OrderAdd.In(u.Text):
		return ActionAdd
	}
	return ""
}
