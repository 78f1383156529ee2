package owner

import (
	"cmp"
	"time"

	"annai/civil"
	"annai/nodes/display"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// A Plan is what shall be written into the owner's calendar, and waits for a yes. It is data: it
// survives a restart, and whoever carries it out twice does the same thing twice.
type Plan struct {
	Do Action `json:"do,omitempty"`
	// Key is the id of what is created, so that a yes that arrives twice creates one entry.
	Key string `json:"key,omitempty"`
	// Edit is what a new entry is, or what becomes of the old ones.
	Edit Edit `json:"edit,omitzero"`
	// Repeat says that it recurs; Days are the days of several entries that follow no rule.
	Repeat repeat       `json:"repeat,omitzero"`
	Days   []civil.Date `json:"days,omitempty"`
	// Others are further days that the words may mean: the other Tuesdays of next month.
	Others []civil.Date `json:"others,omitempty"`
	// Targets are the entries that are changed or deleted, as they were read.
	Targets []Event `json:"targets,omitempty"`
	// Todos are the tasks that it is about, Asked those one of which is to be chosen.
	Todos []Todo `json:"todos,omitempty"`
	Asked []Todo `json:"asked,omitempty"`
	// LeftOut says that others were meant too, in calendars that are only read.
	LeftOut bool `json:"leftOut,omitempty"`
	// Choices are those that may be meant; one of them is to be chosen.
	Choices []Event `json:"choices,omitempty"`
	// Listed are the choices of which one was taken: another may be meant after all.
	Listed []Event `json:"listed,omitempty"`
	// Search says that the last answer names the entry that is meant, which is still to be found.
	Search bool `json:"search,omitempty"`
	// Words are those that the entry was searched by.
	Words string `json:"words,omitempty"`
	// Part is the part that shall be changed where it was not said to what: place, title or time.
	Part string `json:"part,omitempty"`
	// Zone is where its times of day are meant.
	Zone string `json:"zone,omitempty"`
	// Remind says that a reminder is wanted; how long before says Edit.Lead where the calendar can,
	// and Lead where it can't.
	Remind bool          `json:"remind,omitempty"`
	Lead   time.Duration `json:"lead,omitempty"`
	// People are those it is with. Nobody is mailed.
	People []string `json:"people,omitempty"`
	// Offered says that nobody asked for it: it came up in the talk.
	Offered bool `json:"offered,omitempty"`
	// Given is what it was read of. Nil: the owner said it.
	Given *Capture `json:"given,omitempty"`
	// Await is what is asked, AskedAt when. Changed: somebody else changed a target meanwhile.
	Await   await     `json:"await,omitempty"`
	AskedAt time.Time `json:"askedAt,omitzero"`
	Changed bool      `json:"changed,omitempty"`
	// Unsure says that it was agreed to and carried out, and that nobody knows whether it was done.
	Unsure bool `json:"unsure,omitempty"`
	// Except says that some dates of what recurs shall be left out, which is not done.
	Except bool `json:"except,omitempty"`
	// More says that another order was given in the same breath, of which nothing is done.
	More bool `json:"more,omitempty"`
	// Puzzled says that the last answer was not understood.
	Puzzled bool `json:"puzzled,omitempty"`
}

// Action is what a plan does. It is a closed set; empty: there is no plan.
type Action string

// The values of [Action].
const (
	ActionAdd    Action = "add"
	ActionChange Action = "change"
	ActionRemove Action = "remove"
)

// await is what a plan waits for. It is a closed set.
type await string

const (
	awaitYes    await = "yes"    // a yes
	awaitTitle  await = "title"  // what it is
	awaitTime   await = "time"   // when it is
	awaitClock  await = "clock"  // at what time of day
	awaitTarget await = "target" // which entry
	awaitChoice await = "choice" // which of the entries that were listed
	awaitEdit   await = "edit"   // what is to change
)

// planTTL is how long a plan waits for its yes.
const planTTL = 10 * time.Minute

// PlanKept is how long a session with a plan is remembered, for who says yes too late.
const PlanKept = 2 * planTTL

// dropped is what a plan that is left would have done; nothing where nobody knows if it did.
func (p Plan) dropped() Action {
	if p.Unsure {
		return ""
	}
	return p.Do
}

// Open reports whether there is a plan.
func (p Plan) Open() bool { return p.Do != "" }

// lapsed reports whether the plan waited too long.
func (p Plan) lapsed(now time.Time) bool { return now.Sub(p.AskedAt) > planTTL }

// Offers reports whether the question about the plan is answered with one of its suggestions.
func (p Plan) Offers() bool { return p.Await == awaitYes || p.Await == awaitChoice }

// An Event is an entry of the owner's calendar, and what names it there.
type Event struct {
	display.Entry

	Ref agenda.Ref `json:"ref"`
	// Series is the id of the series that it is one of.
	Series string `json:"series,omitempty"`
	// Whole is when the first of the series is, where Ref names the series.
	Whole *calendar.When `json:"whole,omitempty"`
	// Mailed are the people who would hear of a change; nobody is told who they are.
	Mailed int `json:"mailed,omitempty"`
}

// EventOf makes an event of the owner's calendar one that may be shown and remembered.
func EventOf(e calendar.Event) Event {
	return Event{Entry: display.EntryOf(e), Ref: agenda.RefOf(e), Series: e.SeriesID, Mailed: len(e.Attendees)}
}

func eventsOf(events []calendar.Event) []Event {
	out := make([]Event, 0, len(events))
	for _, e := range events {
		out = append(out, EventOf(e))
	}
	return out
}

func (o Event) cancelled() bool { return o.Cancelled() }

// when is the time of an entry as a calendar has it.
func (o Event) when() calendar.When {
	return calendar.When{AllDay: o.AllDay, Start: o.Start, End: o.End, FirstDay: o.FirstDay, EndDay: o.EndDay}
}

// base is the time that a change of the entry starts from: of a series that of the first.
func (o Event) base() calendar.When {
	if o.Whole != nil {
		return *o.Whole
	}
	return o.when()
}

// day is the day on which an entry begins.
func (o Event) day(loc *time.Location) civil.Date { return firstDay(o.when(), loc) }

// at returns the entry at another time.
func (o Event) at(w calendar.When) Event {
	o.AllDay, o.Start, o.End, o.FirstDay, o.EndDay = w.AllDay, w.Start, w.End, w.FirstDay, w.EndDay
	o.EndInferred = false
	return o
}

// event is an entry as it is to be written, with its times in a zone.
func (o Event) event(id, zone string) calendar.Event {
	return calendar.Event{
		ID: id, Title: o.Title, Location: o.Location, Description: o.Description, TimeZone: zone,
		AllDay: o.AllDay, Start: o.Start, End: o.End, FirstDay: o.FirstDay, EndDay: o.EndDay,
	}
}

// Objects are the ids of what the plan is about; of what it creates, the one that theirs are made of.
func (p Plan) Objects() (ids []string) {
	for _, t := range p.Targets {
		ids = append(ids, t.Ref.ID)
	}
	for _, t := range p.Todos {
		if t.ID != "" {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		ids = append(ids, p.Key)
	}
	return ids
}

// new is what a new entry of the plan is, on a day that was named; the zero day is that of the
// plan. missing is what is still to be said.
func (p Plan) new(day civil.Date, loc *time.Location) (o Event, missing await) {
	e := p.Edit
	if !day.IsZero() {
		e.Day = day
	}
	w, missing := e.when(calendar.When{}, loc)
	return Event{Entry: display.Entry{Title: e.Title, Location: e.Place, Description: e.Note}}.at(w), missing
}

// events are the entries that the plan creates.
func (p Plan) events(loc *time.Location) []calendar.Event {
	if p.Repeat.isZero() && len(p.Days) > 0 {
		var all []calendar.Event
		for _, day := range p.Days {
			o, _ := p.new(day, loc)
			e := o.event(agenda.KeyFor(p.Key, day.String()), p.Zone)
			e.Reminders = p.Edit.reminders()
			all = append(all, e)
		}
		return all
	}
	o, _ := p.new(civil.Date{}, loc)
	e := o.event(p.Key, p.Zone)
	e.Reminders = p.Edit.reminders()
	if !p.Repeat.isZero() {
		e.Recurrence = p.Repeat.lines(e, loc)
	}
	return []calendar.Event{e}
}

// change is what the plan does to an entry that was at base.
func (p Plan) change(base calendar.When, loc *time.Location) calendar.Change {
	said := func(value string) *string {
		if value == "" {
			return nil
		}
		return &value
	}
	c := calendar.Change{
		Title: said(p.Edit.Title), Location: said(p.Edit.Place), Description: said(p.Edit.Note),
		Reminders: p.Edit.reminders(),
	}
	if w, missing := p.Edit.when(base, loc); p.Edit.timed() && missing == "" {
		c.When = &w
	}
	return c
}

// after is an entry as the plan makes it.
func (p Plan) after(o Event, loc *time.Location) Event {
	o.Title, o.Location = cmp.Or(p.Edit.Title, o.Title), cmp.Or(p.Edit.Place, o.Location)
	o.Description = cmp.Or(p.Edit.Note, o.Description)
	if c := p.change(o.when(), loc); c.When != nil {
		o = o.at(*c.When)
	}
	return o
}
