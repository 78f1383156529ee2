package agenda_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/mem"
)

func agendaYear() civil.TimeRange { return civil.Days(day("2026-01-01"), day("2027-01-01"), tokyo) }

func as(e calendar.Event, change func(*calendar.Event)) calendar.Event {
	change(&e)
	return e
}

// march is what the table tests look at: Monday 2 to Sunday 8 March 2026.
func march() []calendar.Event {
	free := as(timed("Free", "2026-03-05 09:00", "2026-03-05 18:00", tokyo), func(e *calendar.Event) { e.Free = true })
	cancelled := as(timed("Cancelled", "2026-03-05 09:00", "2026-03-05 18:00", tokyo), func(e *calendar.Event) { e.Status = calendar.Cancelled })
	return []calendar.Event{
		timed("Standup", "2026-03-02 10:00", "2026-03-02 10:30", tokyo),
		timed("Review", "2026-03-02 10:15", "2026-03-02 11:00", tokyo),
		timed("Night", "2026-03-02 23:00", "2026-03-03 01:00", tokyo),
		allDay("Trip", "2026-03-06", "2026-03-07"),
		free, cancelled,
		timed("Instant", "2026-03-04 12:00", "2026-03-04 12:00", tokyo),
	}
}

// slots writes stretches as "02 10:00-11:00 titles" in their location.
func slots(all []agenda.Busy) []string {
	out := []string{}
	for _, b := range all {
		out = append(out, b.Start.Format("02 15:04")+"-"+b.End.Format("02 15:04")+" "+strings.Join(b.Titles, ","))
	}
	return out
}

func TestBusySlots(t *testing.T) {
	window := civil.Days(day("2026-03-02"), day("2026-03-09"), tokyo)
	want := []string{"02 10:00-02 11:00 Standup,Review", "02 23:00-03 01:00 Night", "06 00:00-08 00:00 Trip"}
	if diff := cmp.Diff(want, slots(agenda.BusySlots(march(), window))); diff != "" {
		t.Errorf("BusySlots (-want +got):\n%s", diff)
	}
	third := civil.Days(day("2026-03-03"), day("2026-03-04"), tokyo)
	if diff := cmp.Diff([]string{"03 00:00-03 01:00 Night"}, slots(agenda.BusySlots(march(), third))); diff != "" {
		t.Errorf("BusySlots of a day into which an event lasts (-want +got):\n%s", diff)
	}
	touching := []calendar.Event{
		timed("A", "2026-03-02 10:00", "2026-03-02 11:00", tokyo), timed("B", "2026-03-02 11:00", "2026-03-02 12:00", tokyo),
	}
	if diff := cmp.Diff([]string{"02 10:00-02 12:00 A,B"}, slots(agenda.BusySlots(touching, window))); diff != "" {
		t.Errorf("BusySlots of events that touch (-want +got):\n%s", diff)
	}
}

func TestAvailability(t *testing.T) {
	hours := func(from, to string) agenda.Hours { return agenda.Hours{From: clock(from), To: clock(to)} }
	week := func(q agenda.Question) agenda.Question {
		q.From, q.To = day("2026-03-02"), day("2026-03-08")
		return q
	}
	tests := []struct {
		name      string
		q         agenda.Question
		available bool
		busy      []string
		free      []string
	}{
		{"a day with events", agenda.Question{From: day("2026-03-02")}, false, []string{"Standup", "Review", "Night"}, nil},
		{"free and cancelled events only", agenda.Question{From: day("2026-03-05")}, true, nil, []string{"2026-03-05"}},
		{"an event of no length", agenda.Question{From: day("2026-03-04")}, true, nil, []string{"2026-03-04"}},
		{"the second day of an all-day event", agenda.Question{From: day("2026-03-07")}, false, []string{"Trip"}, nil},
		{"an event from the night before", agenda.Question{From: day("2026-03-03")}, false, []string{"Night"}, nil},
		{"hours between", agenda.Question{From: day("2026-03-02"), Hours: hours("11:00", "23:00")}, true, nil, []string{"2026-03-02"}},
		{"hours that touch", agenda.Question{From: day("2026-03-02"), Hours: hours("10:45", "11:30")}, false, []string{"Review"}, nil},
		{"hours to the end of the day", agenda.Question{From: day("2026-03-02"), Hours: hours("22:00", "24:00")}, false, []string{"Night"}, nil},
		{"hours of an all-day event", agenda.Question{From: day("2026-03-06"), Hours: hours("09:00", "10:00")}, false, []string{"Trip"}, nil},
		{"a week", week(agenda.Question{}), false, []string{"Standup", "Review", "Night", "Trip"}, []string{"2026-03-04", "2026-03-05", "2026-03-08"}},
		{
			"a week by working hours", week(agenda.Question{Policy: agenda.InWorkingHours}), false,
			[]string{"Standup", "Review", "Night", "Trip"},
			[]string{"2026-03-03", "2026-03-04", "2026-03-05", "2026-03-08"},
		},
		{
			"evenings of a week", week(agenda.Question{Hours: hours("18:00", "22:00")}), false,
			[]string{"Trip"},
			[]string{"2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-08"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := own(march()...).Availability(t.Context(), tt.q)
			if err != nil {
				t.Fatalf("Availability = %v, want an answer", err)
			}
			if got.Available != tt.available || !got.Known {
				t.Errorf("Availability: available %v, known %v, want available %v, known", got.Available, got.Known, tt.available)
			}
			if diff := cmp.Diff(append([]string{}, tt.busy...), titles(got.Busy)); diff != "" {
				t.Errorf("Busy (-want +got):\n%s", diff)
			}
			var free []string
			for _, d := range got.FreeDays {
				free = append(free, d.String())
			}
			if diff := cmp.Diff(tt.free, free); diff != "" {
				t.Errorf("FreeDays (-want +got):\n%s", diff)
			}
		})
	}
}

// A calendar that cannot be read may hold anything.
func TestUnknownIsNeverFree(t *testing.T) {
	a := withBroken()
	q := agenda.Question{From: day("2026-03-04"), To: day("2026-03-05")}
	if got, err := a.Availability(t.Context(), q); err != nil || got.Known || got.Available || got.FreeDays != nil {
		t.Errorf("Availability with a broken calendar = %+v, %v, want not known and nothing free", got, err)
	}
	s := agenda.SuggestQuestion{From: q.From, To: q.To, Duration: time.Hour}
	if got, err := a.Suggest(t.Context(), s); err != nil || got.Complete || got.Slots != nil {
		t.Errorf("Suggest with a broken calendar = %+v, %v, want not complete and no slots", got, err)
	}
	if got, err := a.Collisions(t.Context(), plans("x")[0], agenda.Ref{}); err != nil || got.Complete {
		t.Errorf("Collisions with a broken calendar = %+v, %v, want not complete", got, err)
	}
}

func TestBadQuestions(t *testing.T) {
	a := own()
	reversed := agenda.Hours{From: clock("18:00"), To: clock("09:00")}
	for name, q := range map[string]agenda.Question{
		"no day":             {},
		"reversed days":      {From: day("2026-03-05"), To: day("2026-03-04")},
		"more than a year":   {From: day("2026-03-05"), To: day("2027-03-06")},
		"reversed hours":     {From: day("2026-03-05"), Hours: reversed},
		"hours past the day": {From: day("2026-03-05"), Hours: agenda.Hours{To: agenda.Clock{Hour: 25}}},
		"an unknown policy":  {From: day("2026-03-05"), Policy: "whenever"},
	} {
		_, err := a.Availability(t.Context(), q)
		wantKind(t, "Availability("+name+")", err, calendar.Invalid)
	}
	for name, q := range map[string]agenda.SuggestQuestion{
		"reversed days":  {From: day("2026-03-05"), To: day("2026-03-04"), Duration: time.Hour},
		"no duration":    {From: day("2026-03-04"), To: day("2026-03-05")},
		"two days long":  {From: day("2026-03-04"), To: day("2026-03-05"), Duration: 48 * time.Hour},
		"reversed hours": {From: day("2026-03-04"), To: day("2026-03-05"), Duration: time.Hour, Hours: reversed},
	} {
		_, err := a.Suggest(t.Context(), q)
		wantKind(t, "Suggest("+name+")", err, calendar.Invalid)
	}
	for _, s := range []string{"", "9:00", "09:60", "24:01", "25:00", "0900", "09:00:00", "９:00"} {
		_, err := agenda.ParseClock(s)
		wantKind(t, "ParseClock("+s+")", err, calendar.Invalid)
	}
}

func times(all []civil.TimeRange) []string {
	out := []string{}
	for _, r := range all {
		out = append(out, r.Start.Format("02 15:04")+"-"+r.End.Format("15:04"))
	}
	return out
}

func TestSuggest(t *testing.T) {
	newYork := zone("America/New_York")
	q := func(from, to string, minutes int, hours ...string) agenda.SuggestQuestion {
		s := agenda.SuggestQuestion{From: day(from), To: day(to), Duration: time.Duration(minutes) * time.Minute}
		if len(hours) == 2 {
			s.Hours = agenda.Hours{From: clock(hours[0]), To: clock(hours[1])}
		}
		return s
	}
	full := []calendar.Event{timed("Full", "2026-03-04 09:00", "2026-03-04 18:00", tokyo)}
	tests := []struct {
		name   string
		loc    *time.Location
		now    time.Time
		events []calendar.Event
		q      agenda.SuggestQuestion
		want   []string
	}{
		{
			"one day, from now on", tokyo, monday, march(), q("2026-03-02", "2026-03-02", 60),
			[]string{"02 11:00-12:00", "02 12:00-13:00", "02 13:00-14:00", "02 14:00-15:00", "02 15:00-16:00"},
		},
		{
			"now is rounded up to the grid", tokyo, monday, nil, q("2026-03-02", "2026-03-02", 200),
			[]string{"02 10:15-13:35", "02 13:45-17:05"},
		},
		{
			"spread over the week, not on the trip", tokyo, monday, march(), q("2026-03-02", "2026-03-08", 60),
			[]string{"02 11:00-12:00", "03 09:00-10:00", "04 09:00-10:00", "05 09:00-10:00", "08 09:00-10:00"},
		},
		{"full", tokyo, monday, full, q("2026-03-04", "2026-03-04", 15), []string{}},
		{"in the past", tokyo, monday, nil, q("2026-02-02", "2026-02-08", 60), []string{}},
		{"longer than the hours", tokyo, monday, nil, q("2026-03-04", "2026-03-04", 600), []string{}},
		{"exactly the hours", tokyo, monday, nil, q("2026-03-04", "2026-03-04", 540), []string{"04 09:00-18:00"}},
		{
			"hours off the grid, an end off the grid", tokyo, monday,
			[]calendar.Event{timed("Odd", "2026-03-04 10:00", "2026-03-04 10:50", tokyo)},
			q("2026-03-04", "2026-03-04", 45, "09:10", "12:00"),
			[]string{"04 09:15-10:00", "04 11:00-11:45"},
		},
		{
			"an event from the night before ends in the hours", tokyo, monday, march(), q("2026-03-03", "2026-03-03", 30, "00:00", "02:00"),
			[]string{"03 01:00-01:30", "03 01:30-02:00"},
		},
		{
			"the hour that spring leaves out", newYork, at("2026-03-07 12:00", newYork), nil, q("2026-03-08", "2026-03-08", 60, "00:00", "04:00"),
			[]string{"08 00:00-01:00", "08 01:00-03:00", "08 03:00-04:00"},
		},
		{
			"the hour that autumn has twice", newYork, at("2026-10-31 12:00", newYork), nil, q("2026-11-01", "2026-11-01", 60, "00:00", "03:00"),
			[]string{"01 00:00-01:00", "01 01:00-01:00", "01 01:00-02:00", "01 02:00-03:00"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := in(tt.loc, tt.now, mem.New("inner", tt.events...)).Suggest(t.Context(), tt.q)
			if err != nil || !got.Complete {
				t.Fatalf("Suggest = %+v, %v, want slots", got, err)
			}
			if diff := cmp.Diff(tt.want, times(got.Slots)); diff != "" {
				t.Errorf("Slots (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAvailabilityOnDaysOfClockChange(t *testing.T) {
	newYork := zone("America/New_York")
	gap := timed("Gap", "2026-03-08 01:30", "2026-03-08 03:30", newYork)
	a := in(newYork, at("2026-03-07 12:00", newYork), mem.New("inner", gap))
	for hours, want := range map[[2]string]bool{{"00:00", "01:30"}: true, {"02:15", "02:45"}: false, {"03:30", "24:00"}: true} {
		q := agenda.Question{From: day("2026-03-08"), Hours: agenda.Hours{From: clock(hours[0]), To: clock(hours[1])}}
		if got, err := a.Availability(t.Context(), q); err != nil || got.Available != want {
			t.Errorf("Availability(%v) = %v, %v, want %v", hours, got.Available, err, want)
		}
	}
}

func TestCollisions(t *testing.T) {
	plan := timed("Review", "2026-03-02 10:20", "2026-03-02 10:40", tokyo)
	plan.ID = ""
	tests := []struct {
		name                 string
		plan                 calendar.Event
		except               agenda.Ref
		overlaps, duplicates []string
	}{
		{"overlaps one, and may be the other", plan, agenda.Ref{}, []string{"Standup"}, []string{"Review"}},
		{"but itself", plan, agenda.Ref{CalendarID: "own", ID: "id-Review"}, []string{"Standup"}, []string{}},
		{"but the same id elsewhere", plan, agenda.Ref{CalendarID: "other", ID: "id-Review"}, []string{"Standup"}, []string{"Review"}},
		{"another title", as(plan, func(e *calendar.Event) { e.Title = "Tea" }), agenda.Ref{}, []string{"Standup", "Review"}, []string{}},
		{"takes no time", as(plan, func(e *calendar.Event) { e.Title, e.Free = "Tea", true }), agenda.Ref{}, []string{}, []string{}},
		{"free and cancelled are no matter", timed("Tea", "2026-03-05 12:00", "2026-03-05 13:00", tokyo), agenda.Ref{}, []string{}, []string{}},
		{"just after", timed("Tea", "2026-03-02 11:00", "2026-03-02 12:00", tokyo), agenda.Ref{}, []string{}, []string{}},
		{"the same later that day", timed("ｒｅｖｉｅｗ！", "2026-03-02 16:00", "2026-03-02 17:00", tokyo), agenda.Ref{}, []string{}, []string{"Review"}},
		{"over midnight", timed("Late", "2026-03-03 00:30", "2026-03-03 02:00", tokyo), agenda.Ref{}, []string{"Night"}, []string{}},
		{"all day", allDay("Off", "2026-03-02", "2026-03-03"), agenda.Ref{}, []string{"Standup", "Review", "Night"}, []string{}},
		{"on an all-day event", timed("Call", "2026-03-07 12:00", "2026-03-07 13:00", tokyo), agenda.Ref{}, []string{"Trip"}, []string{}},
		{"without an end", as(plan, func(e *calendar.Event) { e.Title, e.End = "Tea", time.Time{} }), agenda.Ref{}, []string{"Standup", "Review"}, []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := own(march()...).Collisions(t.Context(), tt.plan, tt.except)
			if err != nil || !got.Complete {
				t.Fatalf("Collisions = %+v, %v, want a complete answer", got, err)
			}
			if diff := cmp.Diff([][]string{tt.overlaps, tt.duplicates}, [][]string{titles(got.Overlaps), titles(got.Duplicates)}); diff != "" {
				t.Errorf("overlaps and duplicates (-want +got):\n%s", diff)
			}
		})
	}
	_, err := own().Collisions(t.Context(), calendar.Event{Title: "x"}, agenda.Ref{})
	wantKind(t, "Collisions of no start", err, calendar.Invalid)
}

func TestCollisionsOfASeries(t *testing.T) {
	series := timed("Class", "2026-03-04 10:00", "2026-03-04 11:00", tokyo)
	series.Recurrence = []string{"RRULE:FREQ=WEEKLY"}
	events := []calendar.Event{
		timed("April", "2026-04-01 10:30", "2026-04-01 12:00", tokyo),
		timed("Thursday", "2026-04-02 10:30", "2026-04-02 12:00", tokyo),
		as(timed("Class", "2026-05-06 18:00", "2026-05-06 19:00", tokyo), func(e *calendar.Event) { e.ID = "other" }),
		as(timed("Class", "2026-03-11 10:00", "2026-03-11 11:00", tokyo), func(e *calendar.Event) { e.SeriesID = "id-Class" }),
		timed("After a year", "2027-03-10 10:00", "2027-03-10 11:00", tokyo),
	}
	got, err := own(events...).Collisions(t.Context(), series, agenda.Ref{})
	if err != nil || !got.Complete {
		t.Fatalf("Collisions = %+v, %v, want a complete answer", got, err)
	}
	if diff := cmp.Diff([][]string{{"April"}, {"Class"}}, [][]string{titles(got.Overlaps), titles(got.Duplicates)}); diff != "" {
		t.Errorf("overlaps and duplicates (-want +got):\n%s", diff)
	}
	series.Recurrence = []string{"RRULE:FREQ=HOURLY;INTERVAL=2"}
	got, err = own().Collisions(t.Context(), series, agenda.Ref{})
	if err != nil || got.Complete {
		t.Errorf("Collisions of thousands of instances = %+v, %v, want not complete", got, err)
	}
	series.Recurrence = []string{"RRULE:FREQ=SOMETIMES"}
	_, err = own().Collisions(t.Context(), series, agenda.Ref{})
	wantKind(t, "Collisions of a rule that is none", err, calendar.Invalid)
}
