package agenda_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/mem"
)

func TestCreateGetUpdateDelete(t *testing.T) {
	a := own()
	plan := calendar.Event{Title: "Lunch", Start: at("2026-03-02 12:00", tokyo)}
	plan.ID = agenda.KeyFor("plan")
	made, err := a.Create(t.Context(), plan)
	if err != nil || made.ID != plan.ID || made.CalendarID != "own" || made.TimeZone != "Asia/Tokyo" || made.End.Sub(made.Start) != time.Hour {
		t.Fatalf("Create = %+v, %v, want the event with its key, calendar, zone and an hour", made, err)
	}
	if again, err := a.Create(t.Context(), plan); err != nil || again.ETag != made.ETag {
		t.Errorf("Create again = %+v, %v, want what is there", again, err)
	}
	title := "Dinner"
	changed, err := a.Update(t.Context(), agenda.RefOf(made), calendar.Change{Title: &title})
	if err != nil || changed.Title != "Dinner" || changed.CalendarID != "own" {
		t.Errorf("Update = %+v, %v, want Dinner", changed, err)
	}
	if got, err := a.Get(t.Context(), agenda.RefOf(made)); err != nil || got.Title != "Dinner" {
		t.Errorf("Get = %+v, %v, want Dinner", got, err)
	}
	wantKind(t, "Delete with the old etag", a.Delete(t.Context(), agenda.RefOf(made)), calendar.Stale)
	if err := a.Delete(t.Context(), agenda.RefOf(changed)); err != nil {
		t.Errorf("Delete = %v, want nil", err)
	}
	wantKind(t, "Delete again", a.Delete(t.Context(), agenda.RefOf(changed)), calendar.Gone)
	_, err = a.Update(t.Context(), agenda.RefOf(changed), calendar.Change{})
	wantKind(t, "Update of nothing", err, calendar.Invalid)
}

func TestWritesToTheRightCalendar(t *testing.T) {
	second := mem.New("second")
	a, err := agenda.New([]agenda.Calendar{
		{ID: "feed", Reader: mem.New("feed")}, {ID: "own", Writer: mem.New("own")}, {ID: "club", Writer: second},
	}, agenda.Options{Location: tokyo, Now: func() time.Time { return monday }})
	if err != nil {
		t.Fatal(err)
	}
	plan := timed("Lunch", "2026-03-02 12:00", "2026-03-02 13:00", tokyo)
	plan.ID, plan.CalendarID = "", "club"
	made, err := a.Create(t.Context(), plan)
	if err != nil || made.CalendarID != "club" {
		t.Fatalf("Create in club = %+v, %v, want it there", made, err)
	}
	if _, err := second.Get(t.Context(), made.ID); err != nil {
		t.Errorf("Get from the second calendar = %v, want the event", err)
	}
	for id, want := range map[string]calendar.Kind{"feed": calendar.Forbidden, "nobody": calendar.NoCalendar} {
		plan.CalendarID = id
		_, err := a.Create(t.Context(), plan)
		wantKind(t, "Create in "+id, err, want)
		_, err = a.Get(t.Context(), agenda.Ref{CalendarID: id, ID: made.ID})
		wantKind(t, "Get from "+id, err, want)
		wantKind(t, "Delete from "+id, a.Delete(t.Context(), agenda.Ref{CalendarID: id, ID: made.ID}), want)
	}
}

// A PATCH whose answer was lost has changed the etag: trying it again must not be told as somebody else's change.
func TestUpdateThatWasDoneAlready(t *testing.T) {
	w := mem.New("inner", timed("Lunch", "2026-03-02 12:00", "2026-03-02 13:00", tokyo))
	lost := failing{Writer: w, update: func() error { return &calendar.Failure{Kind: calendar.Unavailable} }}
	before, err := w.Get(t.Context(), "id-Lunch")
	if err != nil {
		t.Fatal(err)
	}
	title, other := "Dinner", "Tea"
	_, err = in(tokyo, monday, lost).Update(t.Context(), agenda.RefOf(calendar.Event{ID: before.ID, ETag: before.ETag}), calendar.Change{Title: &title})
	wantKind(t, "Update with a lost answer", err, calendar.Unavailable)
	ref := agenda.Ref{ID: before.ID, ETag: before.ETag}
	if got, err := in(tokyo, monday, w).Update(t.Context(), ref, calendar.Change{Title: &title}); err != nil || got.Title != title {
		t.Errorf("Update again = %+v, %v, want Dinner", got, err)
	}
	_, err = in(tokyo, monday, w).Update(t.Context(), ref, calendar.Change{Title: &other})
	wantKind(t, "Update to something else with the old etag", err, calendar.Stale)
}

func plans(titles ...string) []calendar.Event {
	var all []calendar.Event
	for i, title := range titles {
		all = append(all, calendar.Event{ID: agenda.KeyFor(title), Title: title, Start: monday.AddDate(0, 0, 7*i)})
	}
	return all
}

func stored(t *testing.T, w calendar.Reader) []string {
	t.Helper()
	got, err := in(tokyo, monday, w.(calendar.Writer)).List(t.Context(), agendaYear())
	if err != nil {
		t.Fatal(err)
	}
	return titles(got.Events)
}

func TestCreateAll(t *testing.T) {
	broken := &calendar.Failure{Kind: calendar.Quota}
	ambiguous := &calendar.Failure{Kind: calendar.Ambiguous}
	tests := []struct {
		name                string
		failing             func(w calendar.Writer) failing
		created, undone     []string
		left                []string
		want                calendar.Kind
		inTheCalendarAtLast []string
	}{
		{
			"all", func(w calendar.Writer) failing { return failing{Writer: w} },
			[]string{"1", "2", "3"},
			[]string{},
			[]string{},
			"",
			[]string{"1", "2", "3"},
		},
		{
			"the third fails", func(w calendar.Writer) failing {
				return failing{Writer: w, create: func(e calendar.Event) error {
					if e.Title == "3" {
						return broken
					}
					return nil
				}}
			},
			[]string{},
			[]string{"1", "2"},
			[]string{},
			calendar.Quota,
			[]string{},
		},
		{
			"the third fails and the first cannot be deleted", func(w calendar.Writer) failing {
				return failing{Writer: w, create: func(e calendar.Event) error {
					if e.Title == "3" {
						return broken
					}
					return nil
				}, delete: func(id string) error {
					if id == agenda.KeyFor("1") {
						return broken
					}
					return nil
				}}
			},
			[]string{},
			[]string{"2"},
			[]string{"1"},
			calendar.Quota,
			[]string{"1"},
		},
		{
			"the second is done, but nobody knows", func(w calendar.Writer) failing {
				return failing{Writer: w, create: func(e calendar.Event) error {
					if e.Title != "2" {
						return nil
					}
					if _, err := w.Create(context.Background(), e); err != nil {
						return err
					}
					return ambiguous
				}}
			},
			[]string{},
			[]string{"1"},
			[]string{},
			calendar.Ambiguous,
			[]string{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := mem.New("inner")
			report, err := in(tokyo, monday, tt.failing(w)).CreateAll(t.Context(), plans("1", "2", "3"))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || calendar.KindOf(err) != tt.want) {
				t.Errorf("CreateAll = %v, want kind %q", err, tt.want)
			}
			got := [][]string{titles(report.Created), titles(report.Undone), titles(report.Left), stored(t, w)}
			if diff := cmp.Diff([][]string{tt.created, tt.undone, tt.left, tt.inTheCalendarAtLast}, got); diff != "" {
				t.Errorf("created, undone, left, and in the calendar (-want +got):\n%s", diff)
			}
			if (report.Failed != nil) != (tt.want != "") {
				t.Errorf("Failed = %v, want it named if and only if one failed", report.Failed)
			}
		})
	}
}

func TestCreateAllWritesNothingThatIsWrong(t *testing.T) {
	w := mem.New("inner")
	a := in(tokyo, monday, w)
	bad := plans("1", "2")
	bad[1].Title = " "
	_, err := a.CreateAll(t.Context(), bad)
	wantKind(t, "CreateAll with a blank title", err, calendar.InvalidText)
	_, err = a.CreateAll(t.Context(), nil)
	wantKind(t, "CreateAll of nothing", err, calendar.Invalid)
	_, err = a.CreateAll(t.Context(), make([]calendar.Event, agenda.MaxTogether+1))
	wantKind(t, "CreateAll of too many", err, calendar.Invalid)
	if got := stored(t, w); len(got) != 0 {
		t.Errorf("in the calendar = %v, want nothing", got)
	}
}

// What was cut off is finished by the same call.
func TestCreateAllAgain(t *testing.T) {
	w := mem.New("inner")
	a := in(tokyo, monday, w)
	all := plans("1", "2", "3")
	if _, err := a.Create(t.Context(), all[0]); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if report, err := a.CreateAll(t.Context(), all); err != nil || len(report.Created) != 3 {
			t.Errorf("CreateAll = %+v, %v, want three", report, err)
		}
	}
	if diff := cmp.Diff([]string{"1", "2", "3"}, stored(t, w)); diff != "" {
		t.Errorf("in the calendar (-want +got):\n%s", diff)
	}
}
