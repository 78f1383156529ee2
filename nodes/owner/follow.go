package owner

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nlu/words"
	"annai/nodes/display"
)

// A followUp is what was said right after something was told of the calendar.
type followUp struct {
	Turn

	cmd slots.Command
	// ordinal is the item that is meant, from 1 or from the end; 0 for none.
	ordinal int
	// when is when it is asked about, if timed.
	when  Request
	timed bool
}

// sureOfFollowUp is how sure it must be that words behind what was told are an order.
const sureOfFollowUp = 0.4

// follow reads what hangs on what was told of the calendar.
func (t Turn) follow() (r Request, reason string, ok bool) {
	u, m := t.Understanding, t.Memory
	if m.Request.Do == "" || m.Request.Do == DoTodo {
		return Request{}, "", false
	}
	f := followUp{Turn: t, cmd: ordered(u), ordinal: cmp.Or(u.Reference.Ordinal, nlu.BareNumber(u.Text))}
	f.timed = f.when.at(u.Times, t.Now)
	if r, reason, ok := f.onResult(); ok {
		return r, reason, true
	}
	switch {
	case len(m.Events) > 0 && !f.timed && words.Afterwards.In(u.Text):
		return Request{Do: DoAfter}, "comes then", true
	case f.orders():
		r, ok := f.order()
		return r, "told before", ok
	case u.Reference.More && !f.timed && m.Offset+len(m.Events) < m.Total:
		r = m.Request
		r.Skip = m.Offset + len(m.Events)
		return r, "more", true
	case f.timed && u.LeavesOut() && f.ordinal == 0:
		return m.Request.atAnother(f.when, u.Times), "other time", true
	case f.timed || len(m.Events) == 0 || u.Write:
		return Request{}, "", false
	}
	r, ok = f.detail()
	return r, "item", ok
}

// onResult reads what hangs on times that were suggested, or on what was just written.
func (f followUp) onResult() (r Request, reason string, ok bool) {
	u, m := f.Understanding, f.Memory
	item, suggestion := f.slot()
	switch {
	case m.Wrote != "" && u.Intent == nlu.Affirm:
		return Request{Do: DoAlready}, "second yes", true
	case suggestion:
		return Request{Do: DoPick, Item: item}, "picks suggestion", true
	case f.amends():
		return Request{Do: DoWrite, Item: 1, Amend: true}, "amends written", true
	case f.atOtherHour():
		r := m.Request
		r.Do, r.Edit.Clock = DoPick, readTimes(u.Times, f.Now).edit.Clock
		return r, "picks hour", true
	case f.onSuggestions() && f.timed && len(u.Keywords) == 0 && !u.Write:
		return m.Request.atAnother(f.when, u.Times), "other suggestions", true
	}
	return Request{}, "", false
}

// onSuggestions reports whether times were suggested, and nothing else is asked: what is planned,
// or whether there is room.
func (f followUp) onSuggestions() bool {
	free := f.cmd.Free && f.cmd.Duration == 0 || f.Understanding.Owner && !f.cmd.Suggest
	return len(f.Memory.Slots) > 0 && !(f.cmd.Operation == slots.Query && free)
}

// atOtherHour reports whether an hour is picked that was not suggested, on the only day that was
// asked about.
func (f followUp) atOtherHour() bool {
	said := readTimes(f.Understanding.Times, f.Now)
	e := said.edit
	return f.onSuggestions() && f.timed && e.Clock != nil && e.Guessed && said.within == (civil.TimeRange{}) &&
		!f.Memory.day(f.Now.Location()).IsZero() && !isQuestion(f.Understanding.Text)
}

// day is the only day of what was asked, or zero.
func (m Memory) day(loc *time.Location) civil.Date {
	s := m.Range.In(loc)
	if day := civil.DateOf(s.Start); !m.Range.IsZero() && day == s.LastDate() {
		return day
	}
	return civil.Date{}
}

// amends reports whether what was just written is corrected: "actually, make it 4 pm".
func (f followUp) amends() bool {
	u, cmd, part := f.Understanding, f.cmd, readPart(f.Understanding)
	if f.Memory.Wrote == "" || len(f.Memory.Events) != 1 || isQuestion(u.Text) {
		return false
	}
	if rest, denied := words.Denial.Begin(strings.ToLower(u.Text)); denied && cmd.Title.Text != "" && !part.ordered {
		cmd = commandBehind(u, rest)
	}
	creates := u.Write && cmd.Operation == slots.Create
	corrects := words.Correcting.In(u.Text) || part != partSaid{}
	if creates || !corrects || !isGeneric(cmd.Title.Text) {
		return false
	}
	e, _ := corrected(Plan{Do: ActionChange}, u, f.Now)
	return !e.empty()
}

// orders reports whether something that was told may be ordered to be changed or deleted.
func (f followUp) orders() bool {
	writes := f.cmd.Operation == slots.Delete || f.cmd.Operation == slots.Update
	return len(f.Memory.Events) > 0 && writes && f.cmd.Confidence > sureOfFollowUp && !isQuestion(f.Understanding.Text)
}

// order says which of the entries told an order is about. ok is false for one about others.
func (f followUp) order() (r Request, ok bool) {
	m, cmd := f.Memory, f.cmd
	item, meant := f.item()
	nameless := isGeneric(cmd.Title.Text) && len(cmd.Times) == 0 && !cmd.All
	switch {
	case meant, f.Understanding.Reference.That && len(cmd.Times) == 0:
		return Request{Do: DoWrite, Item: item, Told: true}, true
	case nameless && (cmd.Operation == slots.Update || m.Wrote != "" && len(m.Events) == 1):
		return Request{Do: DoWrite, Item: m.Focus, Told: true}, true
	}
	return Request{}, false
}

// detail reads a question for a detail of an entry that was told.
func (f followUp) detail() (Request, bool) {
	item, meant := f.item()
	only := f.cmd.Title.Text == "" && len(f.Memory.Events) == 1
	ref := f.Understanding.Reference
	switch {
	case f.cmd.NoteAsked && (meant || only):
		return Request{Do: DoRecall, Item: max(item, 1), Note: true}, true
	case meant && (f.ordinal != 0 || ref.Field != nlu.FieldNone || ref.That || ref.Other):
		return Request{Do: DoRecall, Item: item, Field: ref.Field}, true
	}
	return Request{}, false
}

// atAnother is a request that was made before, for another time: for free time, or else for a list.
func (w Request) atAnother(when Request, times []datetime.Expression) Request {
	bare := !slices.ContainsFunc(times, func(e datetime.Expression) bool { return !e.NoDay })
	if w.Do == DoSuggest && bare && when.Range.Clock { // another part of the same days
		w.Part = clockHours(when.Range)
		if len(times) == 1 {
			w.Part.Words = display.HoursWords(times[0].Part)
		}
		return w
	}
	switch w.Do {
	case DoFree, DoFreeDays:
		when.Do = when.free()
	case DoSuggest:
		when.Do, when.Edit, when.People = w.Do, w.Edit, w.People
	default:
		when.Do = DoList
	}
	return when
}

// placed is the place, from 1, that an ordinal means among n; -1 if there is none, 0 for no ordinal.
func placed(ordinal, n int) int {
	switch {
	case ordinal > n, ordinal < -n:
		return -1
	case ordinal < 0:
		return n + 1 + ordinal
	}
	return ordinal
}

// item says which of the entries told is meant: its place, 0 for none in particular, -1 for one
// that is not there.
func (f followUp) item() (item int, meant bool) {
	m, cmd, ref := f.Memory, f.cmd, f.Understanding.Reference
	n := len(m.Events)
	if item := placed(f.ordinal, n); item != 0 {
		return item, true
	}
	if ref.Other && n > 1 {
		return m.Focus%n + 1, true
	}
	if !isGeneric(cmd.Title.Text) {
		if m.Wrote != "" { // nothing was listed
			return 0, false
		}
		if i, ok := onlyOne(m.Events, func(o Event) bool { return text.ContainsWord(o.Title, cmd.Title.Text) }); ok {
			return i + 1, true
		}
		return 0, false
	}
	changes := cmd.Operation == slots.Update
	detail := ref.Field != nlu.FieldNone && !f.NamesOther
	switch {
	case len(cmd.Times) > 0 && !changes:
		return 0, false
	case !ref.That && !detail && (!changes || changeOf(cmd, time.Time{}).empty()):
		return 0, false
	case n == 1:
		return 1, true
	}
	return m.Focus, m.Focus > 0 || detail
}

// slot says which of the suggested times is meant: its place, or -1 for one that is not there.
func (f followUp) slot() (item int, meant bool) {
	list := f.Memory.Slots
	if !f.onSuggestions() {
		return 0, false
	}
	if item := placed(f.ordinal, len(list)); item != 0 {
		return item, true
	}
	said := readTimes(f.Understanding.Times, f.Now)
	e := said.edit
	nothing := e.Day.IsZero() && e.Clock == nil
	if nothing || said.within != (civil.TimeRange{}) || isQuestion(f.Understanding.Text) {
		return 0, false
	}
	for _, near := range []bool{false, true} {
		for i, r := range list {
			start := r.Start.In(f.Now.Location())
			if onDay(e, civil.DateOf(start), near) && (e.Clock == nil || *e.Clock == *display.ClockOf(start)) {
				return i + 1, true
			}
		}
	}
	return 0, false
}

// onDay reports whether a day is the one that was said, or with near the same weekday later.
func onDay(e Edit, day civil.Date, near bool) bool {
	said := e.Day
	switch {
	case said.IsZero(), e.Guessed, said == day:
		return true
	}
	return near && said.Weekday() == day.Weekday() && said.Before(day)
}
