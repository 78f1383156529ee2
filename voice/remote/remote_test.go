package remote

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/fault"
	"annai/voice"
)

// second is a second of sound, as a file.
var second = voice.Speech{Samples: make([]int16, voice.Rate)}.WAV()

// query of "はい、ん" as VOICEVOX answers it, shortened.
const answer = `{"accent_phrases":[{"moras":[
 {"text":"ハ","consonant":"h","consonant_length":0.1,"vowel":"a","vowel_length":0.2,"pitch":5.5},
 {"text":"イ","consonant":null,"consonant_length":null,"vowel":"i","vowel_length":0.2,"pitch":5.1}],
 "accent":1,"pause_mora":{"text":"、","consonant":null,"consonant_length":null,
  "vowel":"pau","vowel_length":0.3,"pitch":0}},
 {"moras":[{"text":"ン","consonant":null,"consonant_length":null,"vowel":"N","vowel_length":1,"pitch":5}],
  "accent":1,"pause_mora":null}],
 "speedScale":1.0,"prePhonemeLength":0.1,"postPhonemeLength":0.1,"outputSamplingRate":44100,
 "outputStereo":true,"kana":"ハ'イ、ン"}`

func TestVoicevox(t *testing.T) {
	var sent map[string]any
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/speakers" {
			_, _ = io.WriteString(w, `[{"name":"誰か","styles":[{"id":2}]},
				{"name":"ずんだもん","styles":[{"id":1},{"id":3}]}]`)
			return
		}
		if r.Method != http.MethodPost || r.FormValue("speaker") != "3" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		switch r.URL.Path {
		case "/audio_query":
			if r.FormValue("text") != "はい、ん" {
				t.Errorf("asked for %q", r.FormValue("text"))
			}
			_, _ = io.WriteString(w, answer)
		case "/synthesis":
			if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
				t.Error(err)
			}
			_, _ = w.Write(second)
		}
	}))
	defer s.Close()
	speaker, credit := Voicevox(Options{URL: s.URL, Voice: "3", Speed: 1.5})
	speech, err := speaker.Speak(t.Context(), "はい、ん", "ja")
	if err != nil || speech.Length() != time.Second {
		t.Fatalf("Speak lasts %v, %v", speech.Length(), err)
	}
	want := []api.Viseme{
		{MS: 0}, {MS: 50, Shape: "a"}, {MS: 200, Shape: "i"}, {MS: 300}, {MS: 450, Shape: "n"}, {MS: 950},
	}
	if diff := cmp.Diff(want, speech.Mouth); diff != "" {
		t.Error(diff)
	}
	if got := credit(); got != "VOICEVOX:ずんだもん" {
		t.Errorf("credit is %q", got)
	}
	for key, want := range map[string]any{
		"speedScale": 1.5, "outputSamplingRate": 24000.0, "outputStereo": false, "kana": "ハ'イ、ン",
	} {
		if sent[key] != want {
			t.Errorf("%s = %v was sent, want %v", key, sent[key], want)
		}
	}
}

func TestOpenAI(t *testing.T) {
	var sent map[string]any
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/audio/speech" || r.Header.Get("Authorization") != "Bearer k" {
			t.Errorf("%s with %q", r.URL, r.Header.Get("Authorization"))
		}
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			t.Error(err)
		}
		_, _ = w.Write(second)
	}))
	defer s.Close()
	speaker := OpenAI(Options{URL: s.URL + "/v1", Key: "k", Voice: "af_heart", Model: "kokoro", Speed: 1})
	speech, err := speaker.Speak(t.Context(), "Hello", "en")
	if err != nil || speech.Length() != time.Second {
		t.Fatalf("Speak lasts %v, %v", speech.Length(), err)
	}
	want := map[string]any{
		"model": "kokoro", "voice": "af_heart", "input": "Hello", "response_format": "wav", "speed": 1.0,
	}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Error(diff)
	}
}

// TestHostile has whatever is no sound be a failure for which another voice can speak.
func TestHostile(t *testing.T) {
	for name, handle := range map[string]http.HandlerFunc{
		"refuses": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) },
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/inside", http.StatusFound)
		},
		"is a page": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"is empty":  func(http.ResponseWriter, *http.Request) {},
		"has null":  func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "null") },
		"is huge": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, maxSound+2))
		},
		"lengths": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"prePhonemeLength":1e300,"accent_phrases":[
				{"moras":[{"vowel":"a","vowel_length":-1}]}]}`)
		},
	} {
		s := httptest.NewServer(handle)
		voicevox, credit := Voicevox(Options{URL: s.URL})
		services := map[string]voice.Speaker{"voicevox": voicevox, "openai": OpenAI(Options{URL: s.URL})}
		for kind, speaker := range services {
			if _, err := speaker.Speak(t.Context(), "はい", "ja"); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("%s that %s: %v, want ErrUnavailable", kind, name, err)
			}
		}
		s.Close()
		_, err := voicevox.Speak(t.Context(), "はい", "ja")
		if !errors.Is(err, fault.ErrUnavailable) || credit() != "VOICEVOX" {
			t.Errorf("a service that is gone: %v, credit %s", err, credit())
		}
	}
}
