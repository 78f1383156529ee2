package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"annai/server"
	"annai/server/door"
	"annai/server/openai"
	"annai/voice"
)

// bytesSpoken speaks a sample per byte, whose value says the language.
type bytesSpoken struct{}

func (bytesSpoken) Speak(_ context.Context, text, language string) (voice.Speech, error) {
	s := voice.Speech{Samples: make([]int16, len(text))}
	for i := range s.Samples {
		s.Samples[i] = int16(language[0])
	}
	return s, nil
}

func TestSpeech(t *testing.T) {
	now := func() time.Time { return monday }
	f := newFixture(t, &fake{}, settings{
		door: openai.Options{Voice: voice.NewCache(bytesSpoken{}, voice.CacheOptions{Now: now})},
		server: server.Options{
			KeyElsewhere: true, KeyRate: door.Rate{Count: 15, Per: time.Hour},
		},
		guarded: true,
	})
	bearer := []string{"Authorization", "Bearer " + askKey}
	w := f.post(t, "/v1/audio/speech", `{"model":"tts-1","voice":"alloy","input":"Hi.","speed":"1.0"}`, bearer...)
	want, kind := string(voice.Speech{Samples: []int16{'e', 'e', 'e'}}.WAV()), w.Header.Get("Content-Type")
	if body := text(t, w); w.StatusCode != http.StatusOK || body != want || kind != "audio/wav" {
		t.Errorf("speech = %s %q of %s", w.Status, body, kind)
	}
	w = f.post(t, "/v1/audio/speech", `{"input":"はい","response_format":"pcm"}`, bearer...)
	if body := text(t, w); w.StatusCode != http.StatusOK || body != strings.Repeat("j\x00", 6) {
		t.Errorf("pcm = %s %q", w.Status, body)
	}
	for body, param := range map[string]string{
		`{"input":"Hi.","response_format":"mp3"}`:                           "response_format",
		`{"input":"Hi.","stream_format":"sse"}`:                             "stream_format",
		`{"input":"Hi.","speed":2}`:                                         "speed",
		`{"input":""}`:                                                      "input",
		fmt.Sprintf(`{"input":"%s"}`, strings.Repeat("x", voice.MaxText+1)): "input",
	} {
		w := f.post(t, "/v1/audio/speech", body, bearer...)
		if e := failure(t, w); w.StatusCode != http.StatusBadRequest || e.Param != param {
			t.Errorf("%.60s = %s %+v, want a refusal of %s", body, w.Status, e, param)
		}
	}
	w = f.post(t, "/v1/audio/speech", `{"input":"Hi."}`, "X-Forwarded-For", "203.0.113.5")
	if w.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a key = %s", w.Status)
	}
	long := fmt.Sprintf(`{"input":"%s"}`, strings.Repeat("x", voice.MaxText))
	if w := f.post(t, "/v1/audio/speech", long, bearer...); w.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a long text after some short ones = %s, want 429", w.Status)
	}
}

func TestMute(t *testing.T) {
	f := newFixture(t, &fake{}, settings{})
	w := f.post(t, "/v1/audio/speech", `{"input":"Hi."}`)
	if e := failure(t, w); w.StatusCode != http.StatusNotFound || !strings.Contains(e.Message, "does not speak") {
		t.Errorf("speech = %s %+v", w.Status, e)
	}
}

// failure reads a failure in OpenAI's shape.
func failure(t testing.TB, w got) (e struct{ Message, Type, Param, Code string }) {
	t.Helper()
	var body struct{ Error any }
	body.Error = &e
	if err := json.Unmarshal([]byte(text(t, w)), &body); err != nil {
		t.Fatal(err)
	}
	return e
}
