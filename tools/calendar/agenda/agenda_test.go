package agenda_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/mem"
)

var tokyo = zone("Asia/Tokyo")

func zone(name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return loc
}

func day(s string) civil.Date {
	d, err := civil.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

func clock(s string) agenda.Clock {
	c, err := agenda.ParseClock(s)
	if err != nil {
		panic(err)
	}
	return c
}

// at reads "2026-03-02 14:00" in loc.
func at(s string, loc *time.Location) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04", s, loc)
	if err != nil {
		panic(err)
	}
	return t
}

// timed is an event called title from start to end in loc; its id is made of the title.
func timed(title, start, end string, loc *time.Location) calendar.Event {
	return calendar.Event{ID: "id-" + title, Title: title, Start: at(start, loc), End: at(end, loc), TimeZone: loc.String()}
}

func allDay(title, first, last string) calendar.Event {
	return calendar.Event{ID: "id-" + title, Title: title, AllDay: true, FirstDay: day(first), EndDay: day(last).AddDays(1)}
}

// monday is the clock of these tests: 2026-03-02, a Monday, at 10:07.
var monday = at("2026-03-02 10:07", tokyo)

// own returns an agenda of one writable calendar in Tokyo with the events.
func own(events ...calendar.Event) *agenda.Agenda {
	return in(tokyo, monday, mem.New("inner", events...))
}

func in(loc *time.Location, now time.Time, w calendar.Writer) *agenda.Agenda {
	a, err := agenda.New([]agenda.Calendar{{ID: "own", Writer: w}}, agenda.Options{Location: loc, Now: func() time.Time { return now }})
	if err != nil {
		panic(err)
	}
	return a
}

// withBroken returns an agenda of a calendar with the events and one that cannot be read.
func withBroken(events ...calendar.Event) *agenda.Agenda {
	a, err := agenda.New([]agenda.Calendar{
		{ID: "own", Writer: mem.New("inner", events...)},
		{ID: "down", Reader: mem.Broken{}},
	}, agenda.Options{Location: tokyo, Now: func() time.Time { return monday }})
	if err != nil {
		panic(err)
	}
	return a
}

func titles(events []calendar.Event) []string {
	all := []string{}
	for _, e := range events {
		all = append(all, e.Title)
	}
	return all
}

func wantKind(t *testing.T, call string, err error, want calendar.Kind) {
	t.Helper()
	if err == nil || calendar.KindOf(err) != want {
		t.Errorf("%s = %v, want kind %s", call, err, want)
	}
}

func TestNew(t *testing.T) {
	now := func() time.Time { return monday }
	w := mem.New("w")
	tests := []struct {
		name      string
		calendars []agenda.Calendar
		opts      agenda.Options
	}{
		{"no calendar", nil, agenda.Options{Now: now}},
		{"no clock", []agenda.Calendar{{ID: "a", Writer: w}}, agenda.Options{}},
		{"no id", []agenda.Calendar{{Writer: w}}, agenda.Options{Now: now}},
		{"no reader", []agenda.Calendar{{ID: "a"}}, agenda.Options{Now: now}},
		{"the same id twice", []agenda.Calendar{{ID: "a", Writer: w}, {ID: "a", Writer: w}}, agenda.Options{Now: now}},
	}
	for _, tt := range tests {
		if _, err := agenda.New(tt.calendars, tt.opts); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("New(%s) = %v, want ErrInvalid", tt.name, err)
		}
	}
	a, err := agenda.New([]agenda.Calendar{
		{ID: "feed", Reader: mem.New("f")}, {ID: "own", Writer: w}, {ID: "more", Writer: w},
	}, agenda.Options{Now: now})
	if err != nil {
		t.Fatalf("New = %v, want an agenda", err)
	}
	if c, ok := a.Writable(); !ok || c.ID != "own" {
		t.Errorf("Writable() = %q, %v, want the first with a writer", c.ID, ok)
	}
}

func TestListSeesEverything(t *testing.T) {
	secret := timed("Secret", "2026-03-02 12:00", "2026-03-02 13:00", tokyo)
	secret.Visibility = calendar.Private
	a := own(secret)
	window := a.Days(day("2026-03-02"), day("2026-03-02"))
	got, err := a.List(t.Context(), window)
	if err != nil || len(got.Events) != 1 || got.Events[0].Title != "Secret" || got.Events[0].CalendarID != "own" {
		t.Errorf("List = %+v, %v, want the private event, of calendar own", got.Events, err)
	}
	if _, err := a.List(t.Context(), civil.TimeRange{}); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("List(no window) = %v, want ErrInvalid", err)
	}
	if _, err := a.ListOf(t.Context(), "other", window); calendar.KindOf(err) != calendar.NoCalendar {
		t.Errorf("ListOf(other) = %v, want kind NoCalendar", err)
	}
	got, err = withBroken(secret).List(t.Context(), window)
	if err != nil || got.Complete || len(got.Events) != 1 {
		t.Errorf("List with a broken calendar = %d events, complete %v, %v, want one and not complete", len(got.Events), got.Complete, err)
	}
}

// Where no calendar can be read, the failure is the one that they have in common.
func TestListFailsAsItsCalendars(t *testing.T) {
	broken := func(kind calendar.Kind) agenda.Calendar {
		return agenda.Calendar{ID: "broken-" + string(kind), Reader: mem.Broken{Err: &calendar.Failure{Kind: kind, RetryAfter: time.Minute}}}
	}
	window := civil.Days(day("2026-03-02"), day("2026-03-03"), tokyo)
	for _, tt := range []struct {
		calendars []agenda.Calendar
		want      calendar.Kind
	}{
		{[]agenda.Calendar{broken(calendar.Auth)}, calendar.Auth},
		{[]agenda.Calendar{broken(calendar.RateLimited), broken(calendar.Quota)}, calendar.Unavailable},
		{[]agenda.Calendar{{ID: "down", Reader: mem.Broken{}}}, calendar.Unavailable},
	} {
		a, err := agenda.New(tt.calendars, agenda.Options{Now: func() time.Time { return monday }})
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.List(t.Context(), window)
		wantKind(t, "List of "+tt.calendars[0].ID, err, tt.want)
		var f *calendar.Failure
		if !errors.As(err, &f) || tt.want == calendar.Auth && f.RetryAfter != time.Minute {
			t.Errorf("List of %s = %+v, want a failure that says how long to wait", tt.calendars[0].ID, f)
		}
	}
}

func TestFind(t *testing.T) {
	cancelled := timed("歯医者 旧", "2026-03-03 09:00", "2026-03-03 10:00", tokyo)
	cancelled.Status = calendar.Cancelled
	placed := timed("Lunch", "2026-03-03 12:00", "2026-03-03 13:00", tokyo)
	placed.Location = "ｾﾝﾀｰ街"
	a := own(
		timed("定例ミーティングの準備", "2026-03-02 12:00", "2026-03-02 13:00", tokyo),
		timed("ミーティング", "2026-03-04 12:00", "2026-03-04 13:00", tokyo),
		timed("ミーティング 営業部", "2026-03-05 12:00", "2026-03-05 13:00", tokyo),
		timed("歯医者", "2026-03-06 12:00", "2026-03-06 13:00", tokyo),
		timed("Weekly Design Review", "2026-03-06 14:00", "2026-03-06 15:00", tokyo),
		placed, cancelled,
	)
	tests := []struct {
		words string
		want  []string
	}{
		{"ミーティング", []string{"ミーティング", "ミーティング 営業部", "定例ミーティングの準備"}},
		{"ﾐｰﾃｨﾝｸﾞ", []string{"ミーティング", "ミーティング 営業部", "定例ミーティングの準備"}},
		{"みーてぃんぐ", []string{"ミーティング", "ミーティング 営業部", "定例ミーティングの準備"}},
		{"営業部 ミーティング", []string{"ミーティング 営業部", "ミーティング", "定例ミーティングの準備"}},
		{"歯医者の予約", []string{"歯医者"}},
		{"センター街", []string{"Lunch"}},
		{"design REVIEW", []string{"Weekly Design Review"}},
		{"ＤＥＳＩＧＮ", []string{"Weekly Design Review"}},
		{"wekly design reviw", []string{"Weekly Design Review"}},
		{"weekly budget review", []string{}},
		{"my weekly desgn review", []string{"Weekly Design Review"}},
		{"swimming", []string{}},
	}
	window := a.Days(day("2026-03-01"), day("2026-03-31"))
	for _, tt := range tests {
		got, err := a.Find(t.Context(), window, tt.words)
		if err != nil {
			t.Errorf("Find(%q) = %v, want a listing", tt.words, err)
		}
		if diff := cmp.Diff(tt.want, titles(got.Events)); diff != "" {
			t.Errorf("Find(%q) (-want +got):\n%s", tt.words, diff)
		}
	}
	_, err := a.Find(t.Context(), window, "、。 ")
	wantKind(t, "Find(、。)", err, calendar.InvalidText)
	if got, err := withBroken().Find(t.Context(), window, "x"); err != nil || got.Complete {
		t.Errorf("Find with a broken calendar = complete %v, %v, want not complete", got.Complete, err)
	}
}

func TestKeyFor(t *testing.T) {
	a, b := agenda.KeyFor("owner", "12"), agenda.KeyFor("owner1", "2")
	if a == b || a != agenda.KeyFor("owner", "12") || len(a) != 26 {
		t.Errorf("KeyFor = %q and %q, want two of 26 letters, the same each time", a, b)
	}
	if err := calendar.CheckKey(a); err != nil {
		t.Errorf("CheckKey(%q) = %v, want nil", a, err)
	}
}

// failing is a calendar whose writes fail as told.
type failing struct {
	calendar.Writer
	create func(e calendar.Event) error
	update func() error
	delete func(id string) error
}

func (f failing) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	if f.create != nil {
		if err := f.create(e); err != nil {
			return calendar.Event{}, err
		}
	}
	return f.Writer.Create(ctx, e)
}

func (f failing) Update(ctx context.Context, id string, c calendar.Change, etag string) (calendar.Event, error) {
	e, err := f.Writer.Update(ctx, id, c, etag)
	if err == nil && f.update != nil {
		return calendar.Event{}, f.update()
	}
	return e, err
}

func (f failing) Delete(ctx context.Context, id, etag string) error {
	if f.delete != nil {
		if err := f.delete(id); err != nil {
			return err
		}
	}
	return f.Writer.Delete(ctx, id, etag)
}
