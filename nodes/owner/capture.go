package owner

import (
	"context"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/nlu/flyer"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar/agenda"
)

// A Capture is what was read of a picture, a page or a text that an owner gave to be added. It is data,
// and small: what was read is kept, not what was given.
type Capture struct {
	// From is what was given, Reader what read it.
	From   CaptureFrom `json:"from"`
	Reader string      `json:"reader,omitempty"`
	// Read is what it says. Its times are those of the owner's location.
	Read flyer.Announcement `json:"read,omitzero"`
	// Link is the address of the page.
	Link string `json:"link,omitempty"`
	// Status is what a page says of the event: "cancelled", for one.
	Status string `json:"status,omitempty"`
	// Instant says that a page gave the start as an instant, whatever the zone of the place.
	Instant bool `json:"instant,omitempty"`
	// Zone is the zone of the place and There the time on the clocks there, where they show another
	// time than the owner's.
	Zone  string    `json:"zone,omitempty"`
	There time.Time `json:"there,omitzero"`
	// Way is how long it takes to get there from the venue; zero: not known.
	Way Way `json:"way,omitzero"`
	// Problem says, in the language of the talk, why nothing could be read. Then the rest is empty.
	Problem string `json:"problem,omitempty"`
	// Told says that what was read has been told to the owner.
	Told bool `json:"told,omitempty"`
}

// CaptureFrom is what an owner gave. It is a closed set.
type CaptureFrom string

// The values of [CaptureFrom].
const (
	FromPicture CaptureFrom = "picture"
	FromLink    CaptureFrom = "link"
	FromText    CaptureFrom = "text"
)

// A Way is how long it takes to a place.
type Way struct {
	Minutes  int  `json:"minutes"`
	Walking  bool `json:"walking,omitempty"`
	Estimate bool `json:"estimate,omitempty"`
}

// Missing are the fields that were not found: "title", "date", "time" and "place".
func (c Capture) Missing() []string {
	missing := []string{}
	for _, f := range []struct {
		name   string
		absent bool
	}{
		{"title", c.Read.Title.Text == ""},
		{"date", c.Read.When.Day.IsZero()},
		{"time", c.Read.When.Start == nil && c.Read.When.LastDay.IsZero()},
		{"place", c.Read.Place.Text == ""},
	} {
		if f.absent {
			missing = append(missing, f.name)
		}
	}
	return missing
}

// capture makes a plan of what was read, or says why nothing was.
func (d dialog) capture(ctx context.Context) (Result, error) {
	c := d.Turn.Capture
	if c.Problem != "" {
		out := Answer{Text: c.Problem, Suggestions: d.kinds("own_today", "own_week")}
		out.Facts = Facts{Nothing: true}
		return closed(out), nil
	}
	return d.reviewed(ctx, Plan{Do: ActionAdd, Key: d.Key, Edit: d.capturedEdit(c), Given: c})
}

// capturedEdit is an entry as it was read.
func (d dialog) capturedEdit(c *Capture) Edit {
	w := c.Read.When
	e := Edit{
		Title: valueOf(c.Read.Title.Text), Place: valueOf(c.Read.Place.Text), Day: w.Day, Weekday: w.Conflict,
		Afternoon: w.Afternoon,
	}
	note := prompts.CaptureNote{Link: c.Link}
	if w.Doors != nil && (w.Start == nil || *w.Doors != *w.Start) {
		note.Doors = MinuteWords(*w.Doors)
	}
	switch {
	case !w.LastDay.IsZero():
		e.AllDay, e.LastDay = true, w.LastDay
		if note.Hours = hoursWords(w); note.Hours != "" {
			e.Afternoon = false
		}
	case w.Start != nil:
		at := display.Clock(*w.Start)
		e.Clock = &at
		if w.End != nil {
			e.Length = time.Duration((*w.End-*w.Start+day)%day) * time.Minute
		}
	}
	e.Note = d.say(note)
	return e
}

// day is how many minutes a day has.
const day = 24 * 60

// MinuteWords are minutes from midnight as a time of day: 18:30.
func MinuteWords(minutes int) string {
	return time.Date(1, 1, 1, minutes/60, minutes%60, 0, 0, time.UTC).Format("15:04")
}

// hoursWords are the hours of each of several days.
func hoursWords(w flyer.When) string {
	switch {
	case w.Start == nil:
		return ""
	case w.End == nil:
		return MinuteWords(*w.Start)
	}
	return MinuteWords(*w.Start) + "-" + MinuteWords(*w.End)
}

// tellMissing puts before a question for what was not found what was.
func (d dialog) tellMissing(r *Result) {
	c := r.Plan.Given
	if c == nil || r.Plan.Await == awaitYes {
		return
	}
	var said []string
	if !c.Told {
		read := prompts.CaptureRead{From: string(c.From), Title: d.titleRead(c)}
		read.Place = display.NoBrackets(c.Read.Place.Text)
		if day := c.Read.When.Day; !day.IsZero() {
			read.When = d.day(day)
		} else if start := c.Read.When.Start; start != nil {
			read.When = MinuteWords(*start)
		}
		if read.Title+read.When+read.Place != "" {
			said = append(said, d.say(read))
		}
	}
	said = append(said, d.say(prompts.CaptureMissing{Kind: string(r.Plan.Await)}))
	told := *c
	told.Told = true
	r.Plan.Given = &told
	out := &r.Answer
	out.Spoken = slices.Concat(said, spokenOf(*out))
	out.Text = display.JoinParts(strings.Join(said, "\n"), out.Text)
}

func (d dialog) titleRead(c *Capture) string {
	return display.NoBrackets(display.Title(display.Entry{Title: c.Read.Title.Text}, d.lang))
}

// captureChecks are the remarks to a plan that was read: what to look at, and what else was found.
func (d dialog) captureChecks(p Plan) []string {
	c := p.Given
	if c == nil {
		return nil
	}
	var out []string
	add := func(holds bool, p prompts.CaptureCheck) {
		if holds {
			out = append(out, d.say(p))
		}
	}
	add(c.Status != "" && c.Status != "scheduled", prompts.CaptureCheck{Kind: c.Status})
	add(c.From == FromPicture, prompts.CaptureCheck{Kind: string(FromPicture)})
	add(p.Edit.Place == "", prompts.CaptureCheck{Kind: "place"})
	add(p.Edit.Clock != nil && p.Edit.Length == 0, prompts.CaptureCheck{Kind: "end"})
	if asRead := d.capturedEdit(c); !c.There.IsZero() && p.Edit.sameStart(asRead) {
		there := display.WrittenInstant(c.There, d.now, d.lang)
		add(true, prompts.CaptureCheck{Kind: "zone", When: there, Zone: c.Zone})
	}
	samePlace := p.Edit.Place == valueOf(c.Read.Place.Text)
	way := prompts.CaptureCheck{
		Kind: "way", Minutes: c.Way.Minutes, Walking: c.Way.Walking, Estimate: c.Way.Estimate,
	}
	add(c.Way.Minutes > 0 && samePlace, way)
	for _, t := range d.dueTodos(c) {
		add(t.Kind != flyer.Bring, prompts.CaptureCheck{Kind: string(t.Kind), When: d.day(t.Due)})
	}
	return out
}

// sameStart reports whether two edits begin at one instant.
func (e Edit) sameStart(o Edit) bool {
	return e.Day == o.Day && e.Shift == o.Shift && e.Clock != nil && o.Clock != nil && *e.Clock == *o.Clock
}

// dueTodos are those of what was read that are still to be done.
func (d dialog) dueTodos(c *Capture) []flyer.Todo {
	var out []flyer.Todo
	for _, t := range c.Read.Todos {
		if t.Due.IsZero() || !t.Due.Before(civil.DateOf(d.now)) {
			out = append(out, t)
		}
	}
	return out
}

// suggestTodos asks, once an entry that was read is written, whether what is to be done for it shall go to
// the list of tasks. ok is false where there is nothing, or no list.
func (d dialog) suggestTodos(p Plan, done Result) (r Result, ok bool) {
	if p.Given == nil || d.opts.Tasks == nil || p.Do != ActionAdd || len(done.Memory.Events) != 1 {
		return Result{}, false
	}
	entry := done.Memory.Events[0]
	about := strings.TrimSpace(entry.Title + " (" + d.when(entry) + ")\n" + p.Given.Link)
	next := Plan{Do: ActionTodoAdd, Key: agenda.KeyFor(p.Key, "todo"), Offered: true}
	for _, t := range d.dueTodos(p.Given) {
		todo := Todo{
			Title: valueOf(d.say(prompts.CaptureTodo{Kind: string(t.Kind), Title: d.title(entry), What: t.What})),
			Due:   t.Due, Note: about,
		}
		if t.Kind == flyer.Bring {
			todo.Due = entry.day(d.now.Location())
		}
		next.Todos = append(next.Todos, todo)
	}
	if len(next.Todos) == 0 {
		return Result{}, false
	}
	r = d.reviewTodo(next)
	r.Memory = done.Memory
	r.Answer.Cards, r.Answer.Facts.Events = done.Answer.Cards, done.Answer.Facts.Events
	r.Answer.Spoken = slices.Concat(spokenOf(done.Answer), spokenOf(r.Answer))
	r.Answer.Text = display.JoinParts(done.Answer.Text, r.Answer.Text)
	return r, true
}

// spokenOf is what is said of an answer.
func spokenOf(a Answer) []string {
	if a.Spoken == nil {
		return display.Sentences(a.Text)
	}
	return a.Spoken
}
