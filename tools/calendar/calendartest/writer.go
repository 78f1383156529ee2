package calendartest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
)

// RunWriter checks a [calendar.Writer], as a reader too. newWriter returns one that holds exactly the seed, and that lets anybody at
// example.org be invited.
func RunWriter(t *testing.T, newWriter func(t *testing.T, seed []calendar.Event) calendar.Writer) {
	run(t, func(t *testing.T, seed []calendar.Event) calendar.Reader { return newWriter(t, seed) })
	for _, check := range []struct {
		name string
		do   func(t *testing.T, w calendar.Writer)
	}{
		{"get", get},
		{"create", create},
		{"create again", createAgain},
		{"create invalid", createInvalid},
		{"keys", keys},
		{"texts", texts},
		{"unknown zones", unknownZones},
		{"update one field", updateOne},
		{"update the time", updateWhen},
		{"update invalid", updateInvalid},
		{"update stale", updateStale},
		{"delete", remove},
		{"gone", gone},
		{"series", series},
		{"series over a change of the clock", seriesOverChange},
		{"series all day", seriesAllDay},
		{"update a series", updateSeries},
		{"move a series", moveSeries},
		{"instances", instances},
		{"delete a series", removeSeries},
		{"recurrence invalid", recurrenceInvalid},
		{"attendees", attendees},
		{"reminders", reminders},
		{"caller's lists", callersLists},
		{"concurrent creations", concurrentCreations},
		{"concurrent updates", concurrentUpdates},
	} {
		t.Run(check.name, func(t *testing.T) { check.do(t, newWriter(t, nil)) })
	}
}

func sample(t *testing.T) calendar.Event {
	t.Helper()
	start := time.Date(2026, 1, 15, 12, 0, 0, 0, Zone(t, "Asia/Tokyo"))
	return calendar.Event{
		Title: "Sample", Location: "Room A", Description: "As always.",
		Start: start, End: start.Add(90 * time.Minute), TimeZone: "Asia/Tokyo",
	}
}

func mustCreate(t *testing.T, w calendar.Writer, e calendar.Event) calendar.Event {
	t.Helper()
	got, err := w.Create(t.Context(), e)
	if err != nil {
		t.Fatalf("Create(%+v) = %v, want the event", e, err)
	}
	return got
}

func mustGet(t *testing.T, w calendar.Writer, id string) calendar.Event {
	t.Helper()
	got, err := w.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("Get(%s) = %v, want the event", id, err)
	}
	return got
}

func mustUpdate(t *testing.T, w calendar.Writer, id string, c calendar.Change, etag string) calendar.Event {
	t.Helper()
	got, err := w.Update(t.Context(), id, c, etag)
	if err != nil {
		t.Fatalf("Update(%s) = %v, want the event", id, err)
	}
	if diff := cmp.Diff(got, mustGet(t, w, id), anyInference); diff != "" {
		t.Errorf("Get(%s) after Update (-returned +got):\n%s", id, diff)
	}
	return got
}

// anyInference leaves out EndInferred: a back end may have the inferred end for the event's own from then on.
var anyInference = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".EndInferred" }, cmp.Ignore())

// contents leaves of an event what its owner entered.
func contents(e calendar.Event) calendar.Event {
	e.ETag, e.Created, e.Updated, e.EndInferred = "", time.Time{}, time.Time{}, false
	return e
}

// wantKind checks that a call fails as it is to.
func wantKind(t *testing.T, call string, want calendar.Kind, do func() error) {
	t.Helper()
	if err := do(); err == nil || calendar.KindOf(err) != want {
		t.Errorf("%s = %v, want kind %s", call, err, want)
	}
}

func getting(t *testing.T, w calendar.Writer, id string) func() error {
	return func() error {
		_, err := w.Get(t.Context(), id)
		return err //nolint:wrapcheck // a test looks at it
	}
}

func creating(t *testing.T, w calendar.Writer, e calendar.Event) func() error {
	return func() error {
		_, err := w.Create(t.Context(), e)
		return err //nolint:wrapcheck // a test looks at it
	}
}

func updating(t *testing.T, w calendar.Writer, id string, c calendar.Change, etag string) func() error {
	return func() error {
		_, err := w.Update(t.Context(), id, c, etag)
		return err //nolint:wrapcheck // a test looks at it
	}
}

func deleting(t *testing.T, w calendar.Writer, id, etag string) func() error {
	return func() error { return w.Delete(t.Context(), id, etag) } //nolint:wrapcheck // a test looks at it
}

func get(t *testing.T, w calendar.Writer) {
	made := mustCreate(t, w, sample(t))
	got := mustGet(t, w, made.ID)
	if diff := cmp.Diff(made, got, anyInference); diff != "" {
		t.Errorf("Get (-created +got):\n%s", diff)
	}
	listed := read(t, w, window(made.Start, time.Hour)).Events
	if len(listed) != 1 || !cmp.Equal(listed[0], got) {
		t.Errorf("Events = %+v, want what Get says: %+v", listed, got)
	}
	wantKind(t, "Get(nobody)", calendar.NotFound, getting(t, w, "abcde12345"))
}

func create(t *testing.T, w calendar.Writer) {
	e := sample(t)
	first, second := mustCreate(t, w, e), mustCreate(t, w, e)
	if first.ID == "" || first.ID == second.ID {
		t.Errorf("Create twice without id = %q and %q, want two ids", first.ID, second.ID)
	}
	if first.ETag == "" || first.CalendarID == "" || first.Source == "" || first.Status != calendar.Confirmed || first.Visibility == "" {
		t.Errorf("Create = %+v, want etag, calendar, source, status and visibility filled", first)
	}
	if !first.Same(e) {
		t.Errorf("Create = %+v, want the same as %+v", first, e)
	}
	e.End = time.Time{}
	endless := mustCreate(t, w, e)
	if !endless.End.Equal(e.Start.Add(time.Hour)) || !endless.EndInferred {
		t.Errorf("Create without end: End = %s (inferred %v), want an hour, inferred", endless.End, endless.EndInferred)
	}
	day := mustCreate(t, w, calendar.Event{Title: "Day", AllDay: true, FirstDay: civil.Date{Year: 2026, Month: 1, Day: 15}})
	if day.EndDay.String() != "2026-01-16" || !day.EndInferred || !day.Start.IsZero() {
		t.Errorf("Create all-day without end: EndDay = %s (inferred %v), Start = %s, want the next day, inferred, and no time",
			day.EndDay, day.EndInferred, day.Start)
	}
	got := read(t, w, window(e.Start, time.Hour))
	if len(got.Events) != 4 {
		t.Errorf("Events after four creations = %v, want four", ids(got.Events))
	}
}

func createAgain(t *testing.T, w calendar.Writer) {
	e := sample(t)
	e.ID = "draft7abc"
	first := mustCreate(t, w, e)
	if first.ID != e.ID {
		t.Errorf("Create with id %q = id %q, want the caller's", e.ID, first.ID)
	}
	if again := mustCreate(t, w, e); !cmp.Equal(again, first, anyInference) {
		t.Errorf("Create again = %+v, want what is there: %+v", again, first)
	}
	for name, change := range map[string]func(*calendar.Event){
		"title":       func(e *calendar.Event) { e.Title = "Another" },
		"description": func(e *calendar.Event) { e.Description = "" },
		"location":    func(e *calendar.Event) { e.Location = "Room B" },
		"start":       func(e *calendar.Event) { e.Start = e.Start.Add(time.Minute) },
		"end":         func(e *calendar.Event) { e.End = e.End.Add(time.Minute) },
		"recurrence":  func(e *calendar.Event) { e.Recurrence = []string{"RRULE:FREQ=DAILY;COUNT=2"} },
		"attendees":   func(e *calendar.Event) { e.Attendees = []string{"guest@example.org"} },
		"all day": func(e *calendar.Event) {
			*e = calendar.Event{ID: e.ID, Title: e.Title, AllDay: true, FirstDay: civil.DateOf(e.Start)}
		},
	} {
		other := e
		change(&other)
		wantKind(t, "Create again with another "+name, calendar.Exists, creating(t, w, other))
	}
	if got := read(t, w, window(e.Start, time.Hour)); len(got.Events) != 1 || !cmp.Equal(got.Events[0], first, anyInference) {
		t.Errorf("Events = %+v, want the first creation only", got.Events)
	}
}

func createInvalid(t *testing.T, w calendar.Writer) {
	noTitle, noStart, reversed := sample(t), sample(t), sample(t)
	noTitle.Title = " "
	noStart.Start = time.Time{}
	reversed.End = reversed.Start.Add(-time.Minute)
	first := civil.Date{Year: 2026, Month: 1, Day: 15}
	for name, e := range map[string]calendar.Event{
		"no title": noTitle, "no start": noStart, "end before start": reversed,
		"no first day":         {Title: "Day", AllDay: true},
		"end before first day": {Title: "Day", AllDay: true, FirstDay: first, EndDay: first.AddDays(-1)},
		"end on the first day": {Title: "Day", AllDay: true, FirstDay: first, EndDay: first},
		"after the year 9999":  {Title: "Day", AllDay: true, FirstDay: first, EndDay: civil.Date{Year: 10000, Month: 1, Day: 1}},
	} {
		if err := creating(t, w, e)(); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Create(%s) = %v, want ErrInvalid", name, err)
		}
	}
	wantNothing(t, w)
}

// wantNothing checks that nothing was written around the sample.
func wantNothing(t *testing.T, w calendar.Writer) {
	t.Helper()
	if got := read(t, w, window(sample(t).Start.AddDate(0, 0, -3), 7*24*time.Hour)); len(got.Events) != 0 || !got.Complete {
		t.Errorf("Events = %+v (complete %v), want nothing written", got.Events, got.Complete)
	}
}

func keys(t *testing.T, w calendar.Writer) {
	e := sample(t)
	for _, id := range []string{"abcd", "a b c d", "abcdw", "ABCDE", "abc-de", "abc/de", "日本語日本語", strings.Repeat("a", 1025)} {
		e.ID = id
		wantKind(t, fmt.Sprintf("Create(id %.20q)", id), calendar.Invalid, creating(t, w, e))
	}
	wantNothing(t, w)
	for _, id := range []string{"abcde", "0123456789", strings.Repeat("v", 1024)} {
		e.ID = id
		if got := mustCreate(t, w, e); got.ID != id {
			t.Errorf("Create(id %.20q) = id %.20q, want the caller's", id, got.ID)
		}
	}
}

func texts(t *testing.T, w calendar.Writer) {
	for name, change := range map[string]func(*calendar.Event){
		"a title of 10,000 characters":        func(e *calendar.Event) { e.Title = strings.Repeat("長", 10_000) },
		"a title one too long":                func(e *calendar.Event) { e.Title = strings.Repeat("長", calendar.MaxTitle+1) },
		"a line break in the title":           func(e *calendar.Event) { e.Title = "one\ntwo" },
		"a control character in the title":    func(e *calendar.Event) { e.Title = "one\x07two" },
		"a title that is no UTF-8":            func(e *calendar.Event) { e.Title = "one\xfftwo" },
		"a location one too long":             func(e *calendar.Event) { e.Location = strings.Repeat("所", calendar.MaxLocation+1) },
		"a control character in the location": func(e *calendar.Event) { e.Location = "one\x1b[2Jtwo" },
		"a description one too long":          func(e *calendar.Event) { e.Description = strings.Repeat("文", calendar.MaxDescription+1) },
		"a zero in the description":           func(e *calendar.Event) { e.Description = "one\x00two" },
	} {
		e := sample(t)
		change(&e)
		wantKind(t, "Create("+name+")", calendar.InvalidText, creating(t, w, e))
	}
	wantNothing(t, w)
	e := sample(t)
	e.Title, e.Location = strings.Repeat("長", calendar.MaxTitle), strings.Repeat("所", calendar.MaxLocation)
	e.Description = "一行目\n\t二行目" + strings.Repeat("文", calendar.MaxDescription-8)
	if got := mustGet(t, w, mustCreate(t, w, e).ID); !got.Same(e) {
		t.Errorf("an event with the longest texts = %+v, want it as it was created", got)
	}
}

func unknownZones(t *testing.T, w calendar.Writer) {
	const nowhere = "Nowhere/Else"
	e := sample(t)
	e.TimeZone = nowhere
	wantKind(t, "Create(zone Nowhere/Else)", calendar.Invalid, creating(t, w, e))
	wantNothing(t, w)
	made := mustCreate(t, w, sample(t))
	when := made.When()
	when.TimeZone = nowhere
	wantKind(t, "Update(zone Nowhere/Else)", calendar.Invalid, updating(t, w, made.ID, calendar.Change{When: &when}, ""))
	if got := mustGet(t, w, made.ID); !cmp.Equal(got, made, anyInference) {
		t.Errorf("Get after an update that was refused = %+v, want nothing written: %+v", got, made)
	}
}

// changeOf is a change of the texts that are given.
func changeOf(title, description, location *string) calendar.Change {
	return calendar.Change{Title: title, Description: description, Location: location}
}

func updateOne(t *testing.T, w calendar.Writer) {
	e := sample(t)
	e.Attendees = []string{"guest@example.org"}
	now := mustCreate(t, w, e)
	changed, nothing := "Changed", ""
	later := now.When()
	later.Start, later.End = now.Start.Add(time.Hour), now.End.Add(2*time.Hour)
	for _, c := range []calendar.Change{
		changeOf(&changed, nil, nil),
		changeOf(nil, &changed, nil),
		changeOf(nil, nil, &changed),
		changeOf(nil, &nothing, nil),
		changeOf(nil, nil, &nothing),
		{When: &later},
	} {
		want := now.With(c)
		after := mustUpdate(t, w, now.ID, c, now.ETag)
		if after.ETag == now.ETag {
			t.Errorf("Update(%+v): ETag is still %s, want another", c, after.ETag)
		}
		if diff := cmp.Diff(contents(want), contents(after)); diff != "" {
			t.Errorf("Update(%+v) (-want +got):\n%s", c, diff)
		}
		now = after
	}
	if got := read(t, w, window(later.Start, time.Hour)).Events; len(got) != 1 || !cmp.Equal(contents(got[0]), contents(now)) {
		t.Errorf("Events after all = %+v, want %+v", got, now)
	}
}

func updateWhen(t *testing.T, w calendar.Writer) {
	e := mustCreate(t, w, sample(t))
	first := civil.Date{Year: 2026, Month: 2, Day: 3}
	newYork := time.Date(2026, 3, 10, 9, 0, 0, 0, Zone(t, "America/New_York"))
	for name, when := range map[string]calendar.When{
		"all day":             {AllDay: true, FirstDay: first, EndDay: first.AddDays(2)},
		"all day without end": {AllDay: true, FirstDay: first},
		"timed without end":   {Start: e.Start, TimeZone: e.TimeZone},
		"in another zone":     {Start: newYork, End: newYork.Add(time.Hour), TimeZone: "America/New_York"},
		"a moment":            {Start: e.Start, End: e.Start, TimeZone: e.TimeZone},
	} {
		want := e.With(calendar.Change{When: &when})
		for _, from := range []calendar.When{{AllDay: true, FirstDay: first.AddDays(9)}, e.When()} { // from both to both
			mustUpdate(t, w, e.ID, calendar.Change{When: &from}, "")
			got := mustUpdate(t, w, e.ID, calendar.Change{When: &when}, "")
			if !got.Same(want) || got.AllDay != want.AllDay || got.Start.IsZero() != got.AllDay || got.FirstDay.IsZero() == got.AllDay {
				t.Errorf("Update(%s) from %+v = %+v, want %+v", name, from, got.When(), want.When())
			}
			if !got.AllDay && (got.TimeZone != when.TimeZone || got.Start.Location().String() != when.TimeZone) {
				t.Errorf("Update(%s): zone %s, location of Start %s, want %s", name, got.TimeZone, got.Start.Location(), when.TimeZone)
			}
			at := got.Span(Zone(t, "Asia/Tokyo"))
			if listed := read(t, w, window(at.Start, time.Minute)).Events; len(listed) != 1 || listed[0].ID != e.ID {
				t.Errorf("Events at the start after Update(%s) = %v, want the event", name, ids(listed))
			}
		}
	}
}

func updateInvalid(t *testing.T, w calendar.Writer) {
	e := mustCreate(t, w, sample(t))
	nothing, blank, long, odd := "", " ", strings.Repeat("長", 10_000), "one\x07two"
	for name, c := range map[string]calendar.Change{
		"no title": changeOf(&nothing, nil, nil), "a blank title": changeOf(&blank, nil, nil), "a long title": changeOf(&long, nil, nil),
		"a control character": changeOf(nil, &odd, nil), "a long location": changeOf(nil, nil, &long),
	} {
		wantKind(t, "Update("+name+")", calendar.InvalidText, updating(t, w, e.ID, c, ""))
	}
	title := "Never"
	for name, when := range map[string]calendar.When{
		"no start":             {},
		"no first day":         {AllDay: true},
		"an end before start":  {Start: e.Start, End: e.Start.Add(-time.Second), TimeZone: e.TimeZone},
		"an end on that day":   {AllDay: true, FirstDay: civil.DateOf(e.Start), EndDay: civil.DateOf(e.Start)},
		"the days in reverse":  {AllDay: true, FirstDay: civil.DateOf(e.Start), EndDay: civil.DateOf(e.Start).AddDays(-5)},
		"an end without start": {End: e.End, TimeZone: e.TimeZone},
	} {
		wantKind(t, "Update("+name+")", calendar.Invalid, updating(t, w, e.ID, calendar.Change{Title: &title, When: &when}, ""))
	}
	if got := mustGet(t, w, e.ID); !cmp.Equal(got, e, anyInference) {
		t.Errorf("Get after updates that were refused = %+v, want nothing written: %+v", got, e)
	}
	wantKind(t, "Update(nobody)", calendar.NotFound, updating(t, w, "abcde12345", changeOf(&title, nil, nil), ""))
}

func updateStale(t *testing.T, w calendar.Writer) {
	first := mustCreate(t, w, sample(t))
	secondTitle, late := "Second", "Too late"
	second := mustUpdate(t, w, first.ID, changeOf(&secondTitle, nil, nil), first.ETag)
	wantKind(t, "Update with an old etag", calendar.Stale, updating(t, w, first.ID, changeOf(&late, nil, nil), first.ETag))
	wantKind(t, "Delete with an old etag", calendar.Stale, deleting(t, w, first.ID, first.ETag))
	if got := mustGet(t, w, first.ID); !cmp.Equal(got, second, anyInference) {
		t.Errorf("Get after writes that were refused = %+v, want nothing written: %+v", got, second)
	}
	mustUpdate(t, w, first.ID, changeOf(&late, nil, nil), second.ETag)
	if err := w.Delete(t.Context(), first.ID, ""); err != nil {
		t.Errorf("Delete without etag = %v, want it done", err)
	}
}

func remove(t *testing.T, w calendar.Writer) {
	e, other := mustCreate(t, w, sample(t)), mustCreate(t, w, sample(t))
	if err := w.Delete(t.Context(), e.ID, e.ETag); err != nil {
		t.Fatalf("Delete(%s) = %v, want nil", e.ID, err)
	}
	if got := read(t, w, window(e.Start, time.Hour)); len(got.Events) != 1 || got.Events[0].ID != other.ID {
		t.Errorf("Events after Delete = %v, want the other event only", ids(got.Events))
	}
	wantKind(t, "Delete(nobody)", calendar.NotFound, deleting(t, w, "abcde12345", ""))
}

func gone(t *testing.T, w calendar.Writer) {
	e := sample(t)
	e.ID = "once0once0"
	made := mustCreate(t, w, e)
	if err := w.Delete(t.Context(), e.ID, ""); err != nil {
		t.Fatalf("Delete(%s) = %v, want nil", e.ID, err)
	}
	title := "Again"
	other := e
	other.Title = title
	wantKind(t, "Delete again", calendar.Gone, deleting(t, w, e.ID, ""))
	wantKind(t, "Delete again with its etag", calendar.Gone, deleting(t, w, e.ID, made.ETag))
	wantKind(t, "Get of a deleted event", calendar.Gone, getting(t, w, e.ID))
	wantKind(t, "Update of a deleted event", calendar.Gone, updating(t, w, e.ID, changeOf(&title, nil, nil), ""))
	wantKind(t, "Create of a deleted event", calendar.Gone, creating(t, w, e))
	wantKind(t, "Create of another under the id of a deleted event", calendar.Gone, creating(t, w, other))
	wantNothing(t, w)
}

func concurrentCreations(t *testing.T, w calendar.Writer) {
	const writers = 8
	e := sample(t)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			keyed := e
			keyed.ID = fmt.Sprintf("abcde%d", i/2) // each key is used by two writers
			if _, err := w.Create(t.Context(), keyed); err != nil {
				t.Errorf("Create(%s) = %v, want the event", keyed.ID, err)
			}
		})
	}
	all.Wait()
	if got := read(t, w, window(e.Start, time.Hour)); len(got.Events) != writers/2 {
		t.Errorf("Events after %d creations with %d keys = %v, want one each", writers, writers/2, ids(got.Events))
	}
}

func concurrentUpdates(t *testing.T, w calendar.Writer) {
	e := mustCreate(t, w, sample(t))
	var all sync.WaitGroup
	done := make([]error, 6)
	for i := range done {
		all.Go(func() {
			title := fmt.Sprintf("Writer %d", i)
			_, done[i] = w.Update(t.Context(), e.ID, changeOf(&title, nil, nil), e.ETag)
		})
	}
	all.Wait()
	won := -1
	for i, err := range done {
		switch {
		case err == nil && won < 0:
			won = i
		case err == nil:
			t.Errorf("Update by writers %d and %d with one etag were both done, want one", won, i)
		case calendar.KindOf(err) != calendar.Stale:
			t.Errorf("Update by writer %d = %v, want it done or kind %s", i, err, calendar.Stale)
		}
	}
	if got := mustGet(t, w, e.ID); got.Title != fmt.Sprintf("Writer %d", won) {
		t.Errorf("Get = title %q, want that of writer %d", got.Title, won)
	}
}
