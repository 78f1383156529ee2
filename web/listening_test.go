package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"annai/hearing"
)

// TestListening speaks to the kiosk with a headless Chromium, whose microphone hears beeps; the checks are in
// test/listening.test.mjs.
func TestListening(t *testing.T) {
	needNode(t)
	needChromium(t)
	server := httptest.NewServer(newFake())
	defer server.Close()
	run(t, "node", "test/listening.test.mjs", server.URL)
}

// What [fake.hear] can be told besides a text.
const (
	hearsNothing = "nothing" // there are no words in the sound
	hearsNever   = "never"   // it takes for ever
	hearsNot     = "not"     // it can't be heard
)

// hear says what is heard from now on.
func (f *fake) hear(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard = r.PathValue("what")
	w.WriteHeader(http.StatusNoContent)
}

// transcriptions hears what it was told to, and notes what it was sent.
func (f *fake) transcriptions(w http.ResponseWriter, r *http.Request) {
	file, _, err := r.FormFile("file")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sound, err := io.ReadAll(file)
	if err != nil {
		return
	}
	length, known := hearing.Length(sound)
	note, err := json.Marshal(map[string]any{
		"language": r.FormValue("language"), "wav": known, "seconds": length.Seconds(),
		"rate": float64(len(sound)-44) / 2 / length.Seconds(),
	})
	if err != nil {
		panic(err)
	}
	f.note(r, note)
	f.mu.Lock()
	heard := f.heard
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch heard {
	case hearsNever:
		<-r.Context().Done()
	case hearsNot:
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"error":{"message":"busy","type":"server_error","param":null,"code":"overloaded"}}`)
	case hearsNothing:
		_, _ = io.WriteString(w, `{"text":""}`)
	default:
		_ = json.NewEncoder(w).Encode(map[string]string{"text": heard})
	}
}
