package video_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/mem"
	"annai/tools/media"
	"annai/tools/media/mp4"
	"annai/tools/media/video"

	"github.com/google/go-cmp/cmp"
)

var tokyo = time.FixedZone("Asia/Tokyo", 9*60*60)

var discard = slog.New(slog.DiscardHandler)

func now() time.Time { return time.Date(2026, 1, 16, 8, 0, 0, 0, tokyo) }

// service is one that answers as a test says.
type service struct {
	film video.Film
	err  error
}

func (*service) Name() string { return "veo" }

func (s *service) Film(ctx context.Context, _ video.Day) (video.Film, error) {
	deadline, _ := ctx.Deadline()
	if errors.Is(s.err, context.DeadlineExceeded) { // it takes as long as it may
		if time.Until(deadline) > 40*time.Second {
			return video.Film{}, errors.New("no time is left for another film")
		}
		return video.Film{}, fmt.Errorf("wait: %w", fault.ErrUnavailable)
	}
	return s.film, s.err
}

// registry returns the tool alone, and the files that it makes.
func registry(t *testing.T, s video.Service) (*tools.Registry, *media.Files) {
	t.Helper()
	files, err := media.OpenFiles(t.Context(), "", now, media.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := tools.New(now, tools.Options{})
	err = video.Register(r, video.NewMaker(files, s, discard, media.NewTurns()), video.Options{
		Venue: map[string]string{"ja": "館", "en": "House"}, Location: tokyo,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, files
}

// answer is what the tool answers, less what differs.
type answer struct {
	VideoURL        string
	DurationSeconds int
	Format          string
	Language        string
	EventsShown     int
	Backend, Note   string
	ExpiresAt       time.Time
}

func call(t *testing.T, r *tools.Registry, lang, input string) (answer, error) {
	t.Helper()
	return callAs(t, r, tools.Operator, lang, input)
}

func callAs(t *testing.T, r *tools.Registry, role tools.Role, lang, input string) (answer, error) {
	t.Helper()
	caller := tools.Caller{Role: role, Language: lang}
	raw, err := r.Call(t.Context(), caller, "veo.create_day_preview", json.RawMessage(input))
	var got answer
	if err == nil {
		err = json.Unmarshal(raw, &got)
	}
	return got, err
}

// read opens the file at an address.
func read(t *testing.T, files *media.Files, address string) ([]byte, media.Kind) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	file, err := files.Open(path.Base(u.Path), u.Query().Get("expires"), u.Query().Get("signature"))
	if err != nil {
		t.Fatalf("open %s: %v", address, err)
	}
	data, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	return data, file.Kind
}

const oneEvent = `{"events": [{"title": "勉強会", "start": "2026-01-16T19:00:00+09:00"}], "date": "2026-01-16"`

func TestTool(t *testing.T) {
	r, files := registry(t, nil)
	// as GET /events gives them: one cancelled, one of another day, one in UTC, one of all day
	got, err := call(t, r, "ja", `{"date": "2026-01-16", "style": "documentary", "events": [
		{"id": "1", "title": "展示", "start": "2026-01-14", "end": "2026-01-18", "allDay": true, "location": "ロビー",
		 "description": "", "url": "", "calendarId": "public", "status": "confirmed"},
		{"id": "2", "title": "勉強会", "start": "2026-01-16T10:00:00Z", "end": "2026-01-16T12:00:00Z"},
		{"id": "3", "title": "中止の会", "start": "2026-01-16T10:00:00+09:00", "status": "cancelled"},
		{"id": "4", "title": "明日の会", "start": "2026-01-17T00:00:00+09:00"}
	]}`)
	if err != nil {
		t.Fatal(err)
	}
	data, kind := read(t, files, got.VideoURL)
	if lasts, err := mp4.Duration(data); err != nil || lasts != 16*time.Second || kind != media.MP4 {
		t.Errorf("the file lasts %v, %v, and is %s; want 16 s of MP4", lasts, err, kind)
	}
	got.VideoURL = ""
	want := answer{
		DurationSeconds: 16, Format: "mp4", Language: "ja", EventsShown: 2, Backend: "embedded",
		ExpiresAt: now().Add(24 * time.Hour),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestToolMakesGIFs(t *testing.T) {
	r, files := registry(t, &service{err: errors.New("a service makes no GIF")})
	got, err := call(t, r, "ja", oneEvent+`, "format": "gif", "language": "en", "shape": "landscape"}`)
	if err != nil || got.Format != "gif" || got.Language != "en" || got.DurationSeconds != 7 {
		t.Errorf("answer = %+v, %v, want a GIF of 7 s in English", got, err)
	}
	if got.Backend != "embedded" {
		t.Errorf("it was made by %s, want embedded", got.Backend)
	}
	if _, kind := read(t, files, got.VideoURL); kind != media.GIF {
		t.Errorf("the file is %s, want a GIF", kind)
	}
}

func TestToolRefuses(t *testing.T) {
	r, _ := registry(t, nil)
	event := func(fields string) string {
		first := `{"title": "x", "start": "2026-01-16"}`
		return `{"date": "2026-01-16", "events": [` + first + `, {"title": "x", ` + fields + `}]}`
	}
	for name, tt := range map[string]struct{ input, ja, en string }{
		"no events": {
			`{"events": [], "date": "2026-01-16"}`,
			"1月16日（金）に紹介できるイベントがありません", "no event to show on Friday, 16 January",
		},
		"none that day": {
			strings.Replace(oneEvent, `"date": "2026-01-16"`, `"date": "2026-01-17"`, 1) + "}",
			"1月17日（土）", "Saturday, 17 January",
		},
		"no date": {
			strings.Replace(oneEvent, `"date": "2026-01-16"`, `"date": "tomorrow"`, 1) + "}",
			"2026-01-16 の形", "like 2026-01-16",
		},
		"no time":       {event(`"start": "evening"`), "2番目のイベント", "event 2"},
		"no end":        {event(`"start": "2026-01-16T10:00:00Z", "end": "late"`), "2番目", "event 2"},
		"a reversed":    {event(`"start": "2026-01-16T10:00:00Z", "end": "2026-01-16T09:00:00Z"`), "2番目", "event 2"},
		"reversed days": {event(`"start": "2026-01-16", "end": "2026-01-15"`), "2番目", "event 2"},
		"too many": {
			`{"date": "2026-01-16", "events": [{"title": "x", "start": "2026-01-16"}` +
				strings.Repeat(`, {"title": "x", "start": "2026-01-16"}`, 100) + `]}`, "100件まで", "No more than 100",
		},
	} {
		for lang, want := range map[string]string{"ja": tt.ja, "en": tt.en} {
			_, err := call(t, r, lang, tt.input)
			if got := tools.Message(err, lang); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(got, want) {
				t.Errorf("%s: %v, said as %q, want %q", name, err, got, want)
			}
		}
	}
}

func TestToolAsksItsService(t *testing.T) {
	theirs := video.Film{Data: []byte("a film of theirs"), Format: video.MP4, Duration: 8 * time.Second}
	r, files := registry(t, &service{film: theirs})
	got, err := call(t, r, "en", oneEvent+"}")
	if err != nil || got.Backend != "veo" || got.DurationSeconds != 8 || got.EventsShown != 0 || got.Note != "" {
		t.Errorf("answer = %+v, %v, want 8 s of veo that show no event", got, err)
	}
	if data, _ := read(t, files, got.VideoURL); string(data) != string(theirs.Data) {
		t.Errorf("the file is %q, want that of the service", data)
	}
	got, err = callAs(t, r, tools.Visitor, "en", oneEvent+"}")
	if err != nil || got.Backend != "embedded" || got.Note != "" {
		t.Errorf("answer to a visitor = %+v, %v, want a film made here", got, err)
	}
	for _, failure := range []error{fault.ErrUnavailable, fault.ErrDenied, context.DeadlineExceeded} {
		r, _ := registry(t, &service{err: failure})
		got, err := call(t, r, "en", oneEvent+"}")
		said := strings.Contains(got.Note, "could not be used")
		if err != nil || got.Backend != "embedded" || got.EventsShown != 1 || !said {
			t.Errorf("answer after %v = %+v, %v, want a film made here that says so", failure, got, err)
		}
	}
}

// public is a calendar whose answer a test sets.
type public struct {
	calendar.Reader
	partial bool
	err     error
}

func (p *public) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	listing, err := p.Reader.Events(ctx, window)
	listing.Complete = !p.partial
	return listing, errors.Join(err, p.err)
}

// signal is told of each line of a log.
type signal chan struct{}

func (signal) Enabled(context.Context, slog.Level) bool { return true }

func (s signal) Handle(context.Context, slog.Record) error {
	s <- struct{}{}
	return nil
}

func (s signal) WithAttrs([]slog.Attr) slog.Handler { return s }

func (s signal) WithGroup(string) slog.Handler { return s }

func event(id, title string, hour int) calendar.Event {
	return calendar.Event{
		ID: id, Title: title, TimeZone: "Asia/Tokyo",
		Start: time.Date(2026, 1, 16, hour, 0, 0, 0, tokyo),
		End:   time.Date(2026, 1, 16, hour+1, 0, 0, 0, tokyo),
	}
}

func TestDaily(t *testing.T) {
	at := now()
	clock := func() time.Time { return at }
	own := mem.New("public", event("a", "朝の会", 10), event("b", "夜の会", 19))
	reader := &public{Reader: own}
	files, err := media.OpenFiles(t.Context(), "", clock, media.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	maker := video.NewMaker(files, &service{err: errors.New("a screen shows facts")}, discard, media.NewTurns())
	made := make(signal, 1)
	daily := video.NewDaily(reader, maker, clock, video.Options{Location: tokyo}, slog.New(made))
	film := func(want video.Status) video.Made {
		t.Helper()
		made, status, err := daily.Film(t.Context(), "ja", video.Landscape)
		if err != nil || status != want || (want == video.Ready) != (made.Address.URL != "") {
			t.Fatalf("Film = %+v, %s, %v, want %s", made, status, err, want)
		}
		return made
	}
	// run makes what was asked for
	run := func() {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { daily.Run(ctx); close(done) }()
		<-made
		cancel()
		<-done
	}

	film(video.Making)
	film(video.Making) // nobody makes it yet
	run()
	first := film(video.Ready)
	if first.Duration != 16*time.Second || first.Backend != "embedded" {
		t.Errorf("film = %+v, want 16 s that were made here", first)
	}
	if again := film(video.Ready); again != first {
		t.Errorf("film = %+v, want the one that there is", again)
	}

	if err := own.Delete(t.Context(), "b", ""); err != nil {
		t.Fatal(err)
	}
	film(video.Making) // the calendar has changed
	run()
	if second := film(video.Ready); second.Duration != 7*time.Second {
		t.Errorf("film = %+v, want 7 s for one event", second)
	}

	reader.partial = true
	film(video.Nothing)
	reader.partial, reader.err = false, fault.ErrUnavailable
	_, status, err := daily.Film(t.Context(), "ja", video.Landscape)
	if status != video.Nothing || !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Film without a calendar = %s, %v, want nothing and ErrUnavailable", status, err)
	}
	reader.err = nil
	at = at.Add(4 * time.Hour) // all is over
	film(video.Nothing)
	at = now().Add(23*time.Hour + 30*time.Minute) // the address ends soon, and it is another day
	film(video.Nothing)
}
