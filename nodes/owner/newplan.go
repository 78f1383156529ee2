package owner

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"annai/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
)

// NewPlan is the plan of a new entry that somebody else has read.
func NewPlan(t Turn, e Edit) Plan {
	return Plan{Do: ActionAdd, Key: t.Key, Edit: e, Offered: !words.OrderAdd.In(t.Understanding.Text)}
}

// newPlan is the plan of a new entry. ok is false where how often it recurs is not understood.
func (d dialog) newPlan(cmd slots.Command, u nlu.Understanding) (p Plan, out Answer, ok bool) {
	said := editOf(cmd, d.now)
	p = Plan{
		Do: ActionAdd, Key: d.Key, Edit: said.edit, People: peopleOf(cmd), Remind: cmd.Remind,
		More: cmd.More, Offered: !cmd.Remind && !words.OrderAdd.In(u.Text),
	}
	p.Edit.Title = display.Capital(newTitle(said.edit.Title), d.lang)
	if day := d.dayBefore(); p.Edit.Guessed && !day.IsZero() {
		p.Edit.Day, p.Edit.Guessed = day, false
	}
	if cmd.Remind {
		p.Edit.Lead = cmd.Lead
	}
	if p.Edit.Title == "" && cmd.Operation == slots.Query {
		p.Edit.Title = reportedTitle(u, cmd)
	}
	if words.AllDay.In(u.Text) {
		p.Edit = p.Edit.then(Edit{AllDay: true, LastDay: p.Edit.LastDay})
	}
	if len(said.days) > 1 && !p.Edit.AllDay {
		p.Days = said.days
	}
	if cmd.Frequency.Text == "" {
		p.Others = d.otherDays(cmd.Times, p.Edit.Day)
		return p, Answer{}, true
	}
	if p, ok = d.recurring(p, said, cmd); !ok {
		return Plan{}, Answer{Text: d.say(prompts.CalendarRule{}), Facts: Facts{Asking: true}}, false
	}
	return p, Answer{}, true
}

// otherDays are the days behind the one that was taken which the words may mean as well.
func (d dialog) otherDays(times []datetime.Expression, taken civil.Date) []civil.Date {
	when := datetime.Combine(times, d.now)
	s, ok := display.SpanOfDays(when.Days, d.now)
	if !ok || len(when.Weekdays) != 1 || taken.IsZero() {
		return nil
	}
	var others []civil.Date
	for day := taken.AddDays(7); !day.After(s.LastDate()) && len(others) < maxItems; day = day.AddDays(7) {
		others = append(others, day)
	}
	return others
}

// recurring is the plan of an entry that recurs. ok is false for no rule that is understood.
func (d dialog) recurring(p Plan, said timesSaid, cmd slots.Command) (next Plan, ok bool) {
	frequency := cmd.Frequency.Text
	onWorkday := func(e datetime.Expression) bool { return words.Workdays.In(e.Text) }
	if i := slices.IndexFunc(cmd.Times, onWorkday); i >= 0 { // 平日は毎朝9時に
		frequency = cmd.Times[i].Text + " " + frequency
		others := slices.Delete(slices.Clone(cmd.Times), i, i+1)
		said = editOf(slots.Command{Times: others, Duration: cmd.Duration}, d.now)
		p.Edit.AllDay, p.Edit.LastDay = false, civil.Date{}
	}
	r, clock, ok := repeatOf(frequency, d.Understanding.Text, said, d.now)
	if !ok {
		return Plan{}, false
	}
	if said.edit.AllDay && !said.from.IsZero() { // from one day to another, and not one entry of that length
		p.Edit.AllDay, p.Edit.LastDay = false, civil.Date{}
	}
	p.Repeat, p.Days = r, nil
	if words.Except.In(d.Understanding.Text) {
		title, _, _ := words.TitleEnd.Cut(p.Edit.Title)
		p.Except, p.Edit.Title = true, strings.TrimSpace(title)
	}
	if _, start, end := words.HowMany.Number(p.Edit.Title); end > 0 {
		p.Edit.Title = strings.TrimSpace(p.Edit.Title[:start] + p.Edit.Title[end:])
	}
	if clock.Clock != nil || p.Edit.Clock == nil {
		p.Edit.Clock, p.Edit.Afternoon = clock.Clock, clock.Afternoon
	}
	p.Edit.Length = cmp.Or(p.Edit.Length, clock.Length)
	p.Edit.Day, p.Edit.Guessed, p.Edit.Weekday = clock.Day, false, false
	return p, true
}

// dayBefore is the one day that the owner looked at just before, from tomorrow on: what is added
// then without a day is for it.
func (d dialog) dayBefore() civil.Date {
	look := d.Memory.Request
	if look.Do != DoFree && look.Do != DoList {
		return civil.Date{}
	}
	if day := d.Memory.day(d.now.Location()); day.After(civil.DateOf(d.now)) {
		return day
	}
	return civil.Date{}
}

// newTitle is the title of a new entry: nothing where only an entry as such is named.
func newTitle(title string) string {
	if isGeneric(title) {
		return ""
	}
	return title
}

// picked makes a plan of one of the times that were suggested.
func (d dialog) picked(ctx context.Context) (Result, error) {
	list := d.Memory.Slots
	if at := d.request.Edit.Clock; at != nil {
		e := d.request.Edit
		e.Day = d.Memory.day(d.now.Location())
		e.Title = display.Capital(e.Title, d.lang)
		return d.reviewed(ctx, Plan{Do: ActionAdd, Key: d.Key, Edit: e, People: d.request.People})
	}
	if d.request.Item < 1 || d.request.Item > len(list) {
		return answered(d.noSuchItem(len(list)), d.Memory), nil
	}
	look := d.Memory.Request
	start := list[d.request.Item-1].Start.In(d.now.Location())
	e := look.Edit
	e.Day, e.Clock = civil.DateOf(start), display.ClockOf(start)
	e.Length = list[d.request.Item-1].End.Sub(list[d.request.Item-1].Start)
	said := editOf(commandOf(d.Understanding), d.now).edit
	// "The second one works" names nothing.
	names := d.Understanding.Write || e.Title == "" && len(d.Understanding.Keywords) > 0
	if title := newTitle(said.Title); title != "" && names {
		e.Title = title
	}
	e.Place, e.Note = cmp.Or(said.Place, e.Place), cmp.Or(said.Note, e.Note)
	e.Title = display.Capital(e.Title, d.lang)
	return d.reviewed(ctx, Plan{Do: ActionAdd, Key: d.Key, Edit: e, People: look.People})
}
