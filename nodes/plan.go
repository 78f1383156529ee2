package nodes

import (
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// A plan is what shall be written into the owner's calendar, and waits for a yes. It is data: it survives a restart, and whoever carries it out
// twice does the same thing twice.
type plan struct {
	Do planKind `json:"do,omitempty"`
	// Key is the id of what is created, made when the plan was, so that a yes that arrives twice creates one entry.
	Key string `json:"key,omitempty"`
	// Edit is what a new entry is, or what becomes of the old ones.
	Edit edit `json:"edit,omitzero"`
	// Repeat says that it recurs; Days are the days of several entries that follow no rule.
	Repeat repeat       `json:"repeat,omitzero"`
	Days   []civil.Date `json:"days,omitempty"`
	// Others are further days that the words may mean: the other Tuesdays of next month.
	Others []civil.Date `json:"others,omitempty"`
	// Targets are the entries that are changed or deleted, as they were read.
	Targets []own `json:"targets,omitempty"`
	// LeftOut says that others were meant too, in calendars that are only read.
	LeftOut bool `json:"leftOut,omitempty"`
	// Choices are those that may be meant; one of them is to be chosen.
	Choices []own `json:"choices,omitempty"`
	// Listed are the choices of which one was taken: another may be meant after all.
	Listed []own `json:"listed,omitempty"`
	// Search says that the last answer names the entry that is meant, which is still to be found.
	Search bool `json:"search,omitempty"`
	// Words are those that the entry was searched by.
	Words string `json:"words,omitempty"`
	// Part is the part that shall be changed where it was not said to what: place, title or time.
	Part string `json:"part,omitempty"`
	// Zone is where its times of day are meant.
	Zone string `json:"zone,omitempty"`
	// Remind says that a reminder is wished for, Lead how long before. When one comes is a setting of the calendar.
	Remind bool          `json:"remind,omitempty"`
	Lead   time.Duration `json:"lead,omitempty"`
	// People are those it is with. Nobody is mailed.
	People []string `json:"people,omitempty"`
	// Offered says that nobody asked for it: it came up in the talk.
	Offered bool `json:"offered,omitempty"`
	// Await is what is asked, AskedAt when. Changed says that somebody else changed a target meanwhile.
	Await   await     `json:"await,omitempty"`
	AskedAt time.Time `json:"askedAt,omitzero"`
	Changed bool      `json:"changed,omitempty"`
	// Unsure says that it was agreed to and carried out, and that nobody knows whether it was done.
	Unsure bool `json:"unsure,omitempty"`
	// Except says that some of the dates of a plan that recurs shall be left out, which is not done.
	Except bool `json:"except,omitempty"`
	// Puzzled says that the last answer was not understood.
	Puzzled bool `json:"puzzled,omitempty"`
}

// planKind is what a plan does. It is a closed set; empty: there is no plan.
type planKind string

const (
	planAdd    planKind = "add"
	planChange planKind = "change"
	planRemove planKind = "remove"
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

// patience is how long a plan waits for its yes.
const patience = 10 * time.Minute

// planKept is how long a session with a plan is remembered, so that who says yes too late is told so.
const planKept = 2 * patience

// dropped is what a plan that is left would have done, to be said; nothing where nobody knows whether it did.
func (p plan) dropped() planKind {
	if p.Unsure {
		return ""
	}
	return p.Do
}

func (p plan) open() bool { return p.Do != "" }

// lapsed reports whether the plan waited too long.
func (p plan) lapsed(now time.Time) bool { return now.Sub(p.AskedAt) > patience }

// own is an entry of the owner's calendar, and what names it there.
type own struct {
	entry

	Ref agenda.Ref `json:"ref"`
	// Series is the id of the series that it is one of.
	Series string `json:"series,omitempty"`
	// Whole is when the first of the series is, where Ref names the series.
	Whole *calendar.When `json:"whole,omitempty"`
	// Mailed are the people who would hear of a change; nobody is told who they are.
	Mailed int `json:"mailed,omitempty"`
}

func owned(e calendar.Event) own {
	return own{entry: tame(e), Ref: agenda.RefOf(e), Series: e.SeriesID, Mailed: len(e.Attendees)}
}

func ownedAll(events []calendar.Event) []own {
	out := make([]own, 0, len(events))
	for _, e := range events {
		out = append(out, owned(e))
	}
	return out
}

func entriesOf(list []own) []entry {
	out := make([]entry, 0, len(list))
	for _, o := range list {
		out = append(out, o.entry)
	}
	return out
}

// when is the time of an entry as a calendar has it.
func (e entry) when() calendar.When {
	return calendar.When{AllDay: e.AllDay, Start: e.Start, End: e.End, FirstDay: e.FirstDay, EndDay: e.EndDay}
}

// at returns the entry at another time.
func (e entry) at(w calendar.When) entry {
	e.AllDay, e.Start, e.End, e.FirstDay, e.EndDay, e.EndInferred = w.AllDay, w.Start, w.End, w.FirstDay, w.EndDay, false
	return e
}

// entry is what a new entry of the plan is, as it is shown. missing is what is still to be said.
func (p plan) entry(loc *time.Location) (e entry, missing await) {
	w, missing := p.Edit.when(calendar.When{}, loc)
	return entry{Title: p.Edit.Title, Location: p.Edit.Place, Description: p.Edit.Note}.at(w), missing
}

// events are the entries that the plan creates.
func (p plan) events(loc *time.Location) []calendar.Event {
	e, _ := p.entry(loc)
	first := calendar.Event{
		ID: p.Key, Title: e.Title, Location: e.Location, Description: e.Description, TimeZone: p.Zone,
		AllDay: e.AllDay, Start: e.Start, End: e.End, FirstDay: e.FirstDay, EndDay: e.EndDay,
	}
	if !p.Repeat.isZero() {
		first.Recurrence = p.Repeat.lines(first, loc)
		return []calendar.Event{first}
	}
	if len(p.Days) == 0 {
		return []calendar.Event{first}
	}
	var all []calendar.Event
	for _, d := range p.Days {
		one := p.Edit
		one.Day = d
		w, _ := one.when(calendar.When{}, loc)
		next := first
		next.ID = agenda.KeyFor(p.Key, d.String())
		next.AllDay, next.Start, next.End, next.FirstDay, next.EndDay = w.AllDay, w.Start, w.End, w.FirstDay, w.EndDay
		all = append(all, next)
	}
	return all
}

// after is the target as the plan makes it.
func (p plan) after(o own, loc *time.Location) own {
	if p.Edit.Title != "" {
		o.Title = p.Edit.Title
	}
	if p.Edit.Place != "" {
		o.Location = p.Edit.Place
	}
	if p.Edit.Note != "" {
		o.Description = p.Edit.Note
	}
	if w, missing := p.Edit.when(o.when(), loc); p.Edit.timed() && missing == "" {
		o.entry = o.at(w)
	}
	return o
}

// base is the time that a change of the target starts from.
func (o own) base() calendar.When {
	if o.Whole != nil {
		return *o.Whole
	}
	return o.when()
}

// change is what the plan does to a target.
func (p plan) change(o own, loc *time.Location) calendar.Change {
	var c calendar.Change
	for _, f := range []struct {
		to   **string
		from string
	}{{&c.Title, p.Edit.Title}, {&c.Location, p.Edit.Place}, {&c.Description, p.Edit.Note}} {
		if f.from != "" {
			*f.to = &f.from
		}
	}
	if p.Edit.timed() {
		if w, missing := p.Edit.when(o.base(), loc); missing == "" {
			c.When = &w
		}
	}
	return c
}

// past reports whether what the plan makes is over already.
func past(e entry, now time.Time) bool { return ended(e.span(now.Location()), now) }

// languageOf is the language in which to answer an answer: "OK" is in none.
func languageOf(r reply, said nlu.Understanding, before nlu.Language) nlu.Language {
	if okay(r.Turn.Query) && r.Turn.Language == "" {
		return before
	}
	return answerLanguage(r.Turn, said, seen{Language: before})
}
