//go:build !novoice

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/internal/config"
	"annai/venue"
	"annai/voice"
)

// TestVoices has the voices in the program speak what they are for, in both languages and in one sentence.
func TestVoices(t *testing.T) {
	t.Parallel()
	s, err := openVoice(config.Config{Voice: config.Voice{Engine: config.VoiceEmbedded, Speed: 1}}, &venue.Venue{
		Reading: map[string]string{"煉瓦亭": "レンガ"},
	}, time.Now, discard)
	if err != nil {
		t.Fatal(err)
	}
	s.open()
	for _, c := range []struct {
		text, language, mouth string
		least, most           time.Duration
	}{
		{"煉瓦亭", "ja", "eNa", 300 * time.Millisecond, 900 * time.Millisecond},
		{"We are open.", "en", "", 500 * time.Millisecond, 1500 * time.Millisecond},
		{"今夜は、Winter Mokumoku Nightです。", "ja", "", 1800 * time.Millisecond, 4500 * time.Millisecond},
		{"…", "ja", "", 0, 0},
	} {
		speech, err := s.cache.Speak(t.Context(), c.text, c.language)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if long := speech.Length(); long < c.least || long > c.most {
			t.Errorf("%s lasts %v, want %v to %v", c.text, long, c.least, c.most)
		}
		shapes := ""
		for _, v := range speech.Mouth {
			shapes += strings.ReplaceAll(v.Shape, "n", "N")
		}
		if c.mouth != "" && shapes != c.mouth {
			t.Errorf("%s has the mouth %s, want %s", c.text, shapes, c.mouth)
		}
	}
	if !strings.Contains(s.credit(), "Mei") || !strings.Contains(s.credit(), "CC BY 3.0") {
		t.Errorf("credit is %q", s.credit())
	}
}

// TestVoiceServices has services speak before the embedded voices, and these where a service fails.
func TestVoiceServices(t *testing.T) {
	t.Parallel()
	broken := false
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case broken:
			w.WriteHeader(http.StatusInternalServerError)
		case r.URL.Path == "/audio_query":
			_ = json.NewEncoder(w).Encode(map[string]any{"accent_phrases": []any{}})
		case r.URL.Path == "/speakers":
			_, _ = io.WriteString(w, `[{"name":"ずんだもん","styles":[{"id":3}]}]`)
		default:
			_, _ = w.Write(voice.Speech{Samples: make([]int16, 7*voice.Rate)}.WAV()) // as no other lasts
		}
	}))
	defer service.Close()
	for _, engine := range []string{config.VoiceVoicevox, config.VoiceOpenAI} {
		var log strings.Builder
		s, err := openVoice(config.Config{Voice: config.Voice{
			Engine: engine, URL: service.URL, Name: "3", Model: "tts-1", Speed: 1,
		}}, &venue.Venue{}, time.Now, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		broken = false
		speech, err := s.cache.Speak(t.Context(), "はい。", "ja")
		if err != nil || speech.Length() != 7*time.Second || speech.Spare {
			t.Errorf("%s: speech of %v, %v", engine, speech.Length(), err)
		}
		if want := "VOICEVOX:ずんだもん"; engine == config.VoiceVoicevox && !strings.HasPrefix(s.credit(), want) {
			t.Errorf("%s: credit is %q, want %s", engine, s.credit(), want)
		}
		broken = true
		speech, err = s.cache.Speak(t.Context(), "いいえ。", "ja")
		if err != nil || speech.Length() > 2*time.Second || len(speech.Samples) == 0 || !speech.Spare {
			t.Errorf("%s, broken: speech of %v, spare %v, %v", engine, speech.Length(), speech.Spare, err)
		}
		if !strings.Contains(log.String(), "voice failed") {
			t.Errorf("%s, broken: the log says %q", engine, log.String())
		}
	}
}

// TestHeardElsewhere hears a sentence at a server that did not say it, and takes the answer along from there.
func TestHeardElsewhere(t *testing.T) {
	t.Parallel()
	_, address := postgresSchema(t)
	args := []string{"--postgres", address, "--public-url", "https://guide.example"}
	here, elsewhere := start(t, args...), start(t, args...)
	body := strings.NewReader(`{"query":"こんにちは","stream":true,"sessionId":"s"}`)
	response, err := http.Post(here.url+"/query", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	sound := regexp.MustCompile(`"audio":"(/speech/[^"]+)"`).FindSubmatch(said)
	if sound == nil {
		t.Fatalf("%s, want a sentence that can be heard", said)
	}
	for path, want := range map[string]int{string(sound[1]): http.StatusOK, "/speech/nobody.wav": http.StatusNotFound} {
		response, err := http.Get(elsewhere.url + path)
		if err != nil {
			t.Fatal(err)
		}
		heard, err := io.ReadAll(response.Body)
		if err := errors.Join(err, response.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != want || want == http.StatusOK && len(heard) < 10_000 {
			t.Errorf("GET %s elsewhere = %s, %d bytes, want %d", path, response.Status, len(heard), want)
		}
	}
	run := regexp.MustCompile(`"runId":"([^"]+)"`).FindSubmatch(said)
	wish := fmt.Sprintf(`{"sessionId":"s","runId":%q}`, run[1])
	response, err = http.Post(elsewhere.url+"/handovers", "application/json", strings.NewReader(wish))
	if err != nil {
		t.Fatal(err)
	}
	var page api.HandoverResponse
	if err := errors.Join(json.NewDecoder(response.Body).Decode(&page), response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	path := strings.TrimPrefix(page.URL, "https://guide.example")
	for _, want := range []int{http.StatusOK, http.StatusGone} {
		response, err := http.Get(elsewhere.url + path)
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil || path == "" || response.StatusCode != want {
			t.Errorf("GET %s elsewhere = %s, %v, want %d", path, response.Status, err, want)
		}
		session := elsewhere.url + "/sessions/s"
		ended, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, session, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if response, err = http.DefaultClient.Do(ended); err != nil || response.Body.Close() != nil {
			t.Fatal(err)
		}
	}
}
