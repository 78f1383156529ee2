package openai_test

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/hearing"
	"annai/server"
	"annai/server/door"
	"annai/server/openai"
	"annai/voice"
)

// hearer hears what it is told to, and keeps what it was asked.
type hearer struct {
	text string
	err  error
	got  hearing.Speech
}

func (h *hearer) Hear(_ context.Context, s hearing.Speech) (string, error) {
	h.got = s
	return h.text, h.err
}

// aForm is a form with a file and fields, as pairs of name and value.
func aForm(t testing.TB, file []byte, fields ...string) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if file != nil {
		part, err := w.CreateFormFile("file", "../a question.wav")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write(file)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

const transcriptions = "/v1/audio/transcriptions"

func TestTranscriptions(t *testing.T) {
	h := &hearer{text: "駐車場はありますか？"}
	f := newFixture(t, &fake{}, settings{door: openai.Options{Hearing: h}})
	second := voice.Speech{Samples: make([]int16, voice.Rate)}.WAV()
	for format, want := range map[string]string{
		"":             `{"text":"駐車場はありますか？"}`,
		"json":         `{"text":"駐車場はありますか？"}`,
		"text":         "駐車場はありますか？\n",
		"verbose_json": `{"task":"transcribe","language":"japanese","duration":1,"text":"駐車場はありますか？","segments":[]}`,
	} {
		body, kind := aForm(t, second, "model", "whisper-1", "language", "ja-JP", "prompt", "車",
			"response_format", format, "x", "y")
		w := f.post(t, transcriptions, body, "Content-Type", kind)
		if got := text(t, w); w.StatusCode != http.StatusOK || got != want {
			t.Errorf("%q = %s %s, want %s", format, w.Status, got, want)
		}
		if cached := w.Header.Get("Cache-Control"); cached != "no-store" {
			t.Errorf("%q may be kept: %s", format, cached)
		}
	}
	wanted := hearing.Speech{File: second, Name: "aquestion.wav", Language: "ja", Prompt: "車"}
	if diff := cmp.Diff(wanted, h.got); diff != "" {
		t.Errorf("the recogniser was asked (-want +got):\n%s", diff)
	}
	h.text = ""
	body, kind := aForm(t, second)
	w := f.post(t, transcriptions, body, "Content-Type", kind)
	if text(t, w) != `{"text":""}` || h.got.Language != "" {
		t.Errorf("silence = %s in %q", w.Status, h.got.Language)
	}
	if log := f.logged(); strings.Contains(log, "駐車場") {
		t.Errorf("the log has what was said: %s", log)
	}
}

func TestTranscriptionsRefused(t *testing.T) {
	h := &hearer{}
	f := newFixture(t, &fake{}, settings{
		door:    openai.Options{Hearing: h},
		server:  server.Options{KeyElsewhere: true, KeyRate: door.Rate{Count: 12, Per: time.Hour}},
		guarded: true,
	})
	bearer := []string{"Authorization", "Bearer " + askKey}
	sound := []byte("sound")
	for _, c := range []struct {
		name    string
		file    []byte
		fields  []string
		heard   error
		status  int
		message string
	}{
		{"no file", nil, []string{"model", "whisper-1"}, nil, 400, "Missing required parameter: 'file'."},
		{"an empty file", []byte{}, nil, nil, 400, "empty"},
		{"subtitles", sound, []string{"response_format", "srt"}, nil, 400, "'srt'"},
		{"a stream", sound, []string{"stream", "true"}, nil, 400, "leave stream out"},
		{"no language", sound, []string{"language", "日本語"}, nil, 400, "code"},
		{"a long field", sound, []string{"prompt", strings.Repeat("x", 5000)}, nil, 400, "too long"},
		{"a service that is gone", sound, []string{"language", "ja"}, fault.ErrUnavailable, 503, "聞き取れません"},
		{"a service that is gone", sound, []string{"language", "en"}, fault.ErrUnavailable, 503, "can't hear"},
		{"a crowd", sound, nil, hearing.ErrBusy, 503, "busy"},
		{"no sound", sound, nil, fmt.Errorf("x: %w", fault.ErrInvalid), 400, "Could you say it again"},
	} {
		h.err = c.heard
		body, kind := aForm(t, c.file, c.fields...)
		headers := append(bearer, "Content-Type", kind, "Accept-Language", "en")
		w := f.post(t, transcriptions, body, headers...)
		if e := failure(t, w); w.StatusCode != c.status || !strings.Contains(e.Message, c.message) {
			t.Errorf("%s = %s %+v, want %d, %s", c.name, w.Status, e, c.status, c.message)
		}
	}
	if w := f.post(t, transcriptions, `{}`, bearer...); w.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("JSON = %s", w.Status)
	}
	body, kind := aForm(t, make([]byte, 400_000))
	w := f.post(t, transcriptions, body, "Content-Type", kind, "X-Forwarded-For", "203.0.113.5")
	if w.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a key = %s", w.Status)
	}
	w = f.post(t, transcriptions, body, append(bearer, "Content-Type", kind)...)
	if w.StatusCode != http.StatusTooManyRequests {
		t.Errorf("much sound after much else = %s, want 429", w.Status)
	}
}

func TestNoHearing(t *testing.T) {
	f := newFixture(t, &fake{}, settings{})
	body, kind := aForm(t, []byte("sound"), "language", "ja")
	w := f.post(t, transcriptions, body, "Content-Type", kind)
	if e := failure(t, w); w.StatusCode != http.StatusNotFound || !strings.Contains(e.Message, "文字で") {
		t.Errorf("transcriptions = %s %+v", w.Status, e)
	}
}
