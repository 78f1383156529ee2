package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/hearing"
)

var speech = hearing.Speech{File: []byte("RIFF"), Name: "speech.wav", Language: "ja", Prompt: "駐車場"}

func TestOpenAI(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, header, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		sound, err := io.ReadAll(file)
		if err != nil || string(sound) != "RIFF" || header.Filename != "speech.wav" {
			t.Errorf("the file is %q of %s, %v", sound, header.Filename, err)
		}
		for name, want := range map[string]string{
			"model": "large-v3", "language": "ja", "prompt": "駐車場", "response_format": "json", "temperature": "0",
		} {
			if got := r.FormValue(name); got != want {
				t.Errorf("%s = %q, want %q", name, got, want)
			}
		}
		if key := r.Header.Get("Authorization"); r.URL.Path != "/v1/audio/transcriptions" || key != "Bearer sk-x" {
			t.Errorf("asked at %s with %q", r.URL.Path, key)
		}
		_, _ = io.WriteString(w, `{"text":"はい","usage":{"type":"duration","seconds":1}}`)
	}))
	defer service.Close()
	for _, above := range []string{"/v1", "/v1/", "/v1/audio/transcriptions"} {
		address := service.URL + above
		text, err := OpenAI(Options{URL: address, Key: "sk-x", Model: "large-v3"}).Hear(t.Context(), speech)
		if err != nil || text != "はい" {
			t.Errorf("Hear at %s = %q, %v", address, text, err)
		}
	}
}

// TestServiceFails has every way in which a service does not hear tell what kind it is, and never what was answered.
func TestServiceFails(t *testing.T) {
	const secret = "what it says of itself"
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		want   error
	}{
		"is down":            {answer(http.StatusBadGateway, secret), fault.ErrUnavailable},
		"knows no key":       {answer(http.StatusUnauthorized, secret), fault.ErrUnavailable},
		"has enough":         {answer(http.StatusTooManyRequests, secret), fault.ErrUnavailable},
		"reads no such file": {answer(http.StatusBadRequest, secret), fault.ErrInvalid},
		"sends a page":       {answer(http.StatusOK, "<html>"+secret), fault.ErrUnavailable},
		"sends no text":      {answer(http.StatusOK, `{"error":"`+secret+`"}`), fault.ErrUnavailable},
		"sends a book": {
			answer(http.StatusOK, `{"text":"`+strings.Repeat("x", maxText+1)+`"}`), fault.ErrUnavailable,
		},
		"sends too much": {answer(http.StatusOK, strings.Repeat(" ", maxAnswer+1)), fault.ErrUnavailable},
		"leads elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, fault.ErrUnavailable},
		"hangs": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then is seen that the client goes away
			<-r.Context().Done()
		}, context.DeadlineExceeded},
	} {
		s := httptest.NewServer(c.handle)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err := OpenAI(Options{URL: s.URL}).Hear(ctx, speech)
		if !errors.Is(err, c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("a service that %s: %v, want %v", name, err, c.want)
		}
		cancel()
		s.Close()
		if _, err := OpenAI(Options{URL: s.URL}).Hear(t.Context(), speech); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("a service that is gone: %v, want ErrUnavailable", err)
		}
	}
}
