package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/voice"
)

// fakeVoice speaks a sample per byte. It knows the mouth before, of Japanese alone.
type fakeVoice struct{ spoken int }

func (f *fakeVoice) Speak(_ context.Context, text, _ string) (voice.Speech, error) {
	f.spoken++
	if strings.Contains(text, "gone") {
		return voice.Speech{}, fmt.Errorf("voice: %w", fault.ErrUnavailable)
	}
	return voice.Speech{
		Samples: make([]int16, len(text)), Mouth: []api.Viseme{{MS: 0, Shape: "a"}},
		Spare: strings.Contains(text, "spare"),
	}, nil
}

func (f *fakeVoice) Mouth(_, language string) ([]api.Viseme, time.Duration, error) {
	if language != "ja" {
		return nil, 0, fault.ErrUnavailable
	}
	return []api.Viseme{{MS: 0, Shape: "a"}}, 0, nil
}

func TestSpeech(t *testing.T) {
	f := newFixture(t, Options{})
	f.parts.VoiceCredit = func() string { return "VOICE: somebody" }
	speaker := &fakeVoice{}
	f.parts.Voice = voice.NewCache(speaker, voice.CacheOptions{Now: func() time.Time { return noon }})
	c := loadContract(t, f)
	said := []string{"Hello.", "spare", "gone"}
	language := "en"
	f.concierge.ask = func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
		_ = yield(dialog.Started{RunStarted: api.RunStarted{Language: language}}, nil)
		for i, text := range said {
			_ = yield(dialog.Sentence{SpokenSentence: api.SpokenSentence{Index: i, Text: text, Emotion: "happy"}}, nil)
		}
		_ = yield(dialog.Final{QueryResponse: api.QueryResponse{Language: language}}, nil)
	}
	tell := func() (sentences []api.SpokenSentence) {
		w := f.do(t, "POST", "/query", `{"query": "hi", "stream": true}`)
		for _, e := range readEvents(t, w.Body.String()) {
			if e.Name != api.EventSentence {
				continue
			}
			var s api.SpokenSentence
			if err := json.Unmarshal([]byte(e.Data), &s); err != nil {
				t.Fatal(err)
			}
			sentences = append(sentences, s)
		}
		return sentences
	}
	first := tell()
	audio := first[0].Audio
	if len(first) != 3 || first[0].Mouth != nil || !strings.HasPrefix(audio, "/speech/") || speaker.spoken > 0 {
		t.Fatalf("said %+v, spoken %d times; want an address and no sound yet", first, speaker.spoken)
	}
	ask := func(path string, headers ...string) (int, string, http.Header) {
		t.Helper()
		w := f.do(t, "GET", path, "", headers...)
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		c.check(t, "/speech/{name}", r, "", w)
		return w.Code, w.Body.String(), w.Header()
	}
	status, body, h := ask(audio)
	if status != http.StatusOK || body != string(voice.Speech{Samples: make([]int16, 6)}.WAV()) {
		t.Errorf("GET = %d with %d bytes", status, len(body))
	}
	if got := h.Get("Cache-Control"); !strings.Contains(got, "immutable") || h.Get("Content-Type") != "audio/wav" {
		t.Errorf("GET has %v", h)
	}
	status, body, _ = ask(audio, "Range", "bytes=0-3")
	if status != http.StatusPartialContent || body != "RIFF" {
		t.Errorf("GET of a part = %d %q", status, body)
	}
	_, body, _ = ask(strings.Replace(audio, ".wav", ".json", 1))
	want := fmt.Sprintf(`{"audio":"%s","ms":0,"mouth":[[0,"a"]]}`+"\n", audio)
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	if again := tell(); again[0].Audio != audio || len(again[0].Mouth) != 1 || speaker.spoken != 1 {
		t.Errorf("said again %+v, spoken %d times; want the same address, and the mouth", again[0], speaker.spoken)
	}
	if _, _, h := ask(first[1].Audio); h.Get("Cache-Control") != "no-store" {
		t.Errorf("another voice than the wanted one has %v", h)
	}
	if status, _, _ := ask(first[2].Audio); status != http.StatusServiceUnavailable {
		t.Errorf("GET of what can't be spoken = %d, want 503", status)
	}
	for _, path := range []string{"/speech/never.wav", "/speech/x", audio + ".mp3"} {
		if status, _, _ := ask(path); status != http.StatusNotFound {
			t.Errorf("GET %s = %d, want 404", path, status)
		}
	}
	language = "ja"
	if said := tell(); len(said[0].Mouth) != 1 {
		t.Errorf("said %+v, want the mouth before the sound", said[0])
	}
	v := decode[api.VenueResponse](t, f.do(t, "GET", "/venue", ""))
	if v.Voice == nil || v.Voice.Credit != "VOICE: somebody" {
		t.Errorf("the venue's voice is %+v", v.Voice)
	}
}

// TestMute has a server without a voice say nothing of one.
func TestMute(t *testing.T) {
	f := newFixture(t, Options{})
	w := f.do(t, "POST", "/query", `{"query": "hi", "stream": true}`)
	if body := w.Body.String(); strings.Contains(body, `"audio"`) || !strings.Contains(body, "event: sentence") {
		t.Errorf("the stream is %s", body)
	}
	checkEnvelope(t, f.do(t, "GET", "/speech/x.wav", ""), http.StatusNotFound, api.CodeNotFound)
	if body := f.do(t, "GET", "/venue", "").Body.String(); strings.Contains(body, "voice") {
		t.Errorf("the venue is %s", body)
	}
}
