package server

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/tools/media"
	"annai/tools/media/video"
)

// told is a log that says when it is told something.
type told chan struct{}

func (told) Enabled(context.Context, slog.Level) bool { return true }

func (t told) Handle(context.Context, slog.Record) error {
	t <- struct{}{}
	return nil
}

func (t told) WithAttrs([]slog.Attr) slog.Handler { return t }

func (t told) WithGroup(string) slog.Handler { return t }

func TestPreview(t *testing.T) {
	day := noon.AddDate(0, 0, 1) // on which the fixture's calendar has an event
	now := func() time.Time { return day }
	files, err := media.OpenFiles(t.Context(), "", now, media.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, Options{})
	ask := func(query string) api.PreviewResponse {
		t.Helper()
		return decode[api.PreviewResponse](t, f.do(t, "GET", "/preview"+query, ""))
	}
	if got := ask(""); got != (api.PreviewResponse{Status: "off"}) {
		t.Errorf("GET /preview of a server without films = %+v, want off", got)
	}

	made := make(told, 1)
	maker := video.NewMaker(files, nil, slog.New(made), media.NewTurns())
	f.parts.Files = files
	f.parts.Preview = video.NewDaily(f.calendar, maker, now, video.Options{Location: tokyo}, slog.New(made))
	for _, query := range []string{"?language=fr", "?shape=round"} {
		checkEnvelope(t, f.do(t, "GET", "/preview"+query, ""), http.StatusBadRequest, api.CodeInvalid)
	}
	if got := ask("?shape=landscape&language=en"); got != (api.PreviewResponse{Status: "making"}) {
		t.Errorf("GET /preview = %+v, want making", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { f.parts.Preview.Run(ctx); close(done) }()
	<-made
	cancel()
	<-done
	got := ask("?shape=landscape&language=en")
	if got.Status != "ready" || got.DurationSeconds != 7 || !strings.HasPrefix(got.VideoURL, "/media/") {
		t.Fatalf("GET /preview = %+v, want a film of 7 s", got)
	}
	if w := f.do(t, "GET", got.VideoURL, ""); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "video/mp4" {
		t.Errorf("GET %s: %d, %s, want an MP4", got.VideoURL, w.Code, w.Header().Get("Content-Type"))
	}
	day = noon.AddDate(0, 1, 0)
	if got := ask("?shape=landscape&language=en"); got != (api.PreviewResponse{Status: "nothing"}) {
		t.Errorf("GET /preview of a day without events = %+v, want nothing", got)
	}
}
