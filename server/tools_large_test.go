package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/api"
	"annai/server/door"
	"annai/server/keys"
	"annai/tools"
)

// TestLargeInput holds that a tool may take more than others, and how many of such inputs are held.
func TestLargeInput(t *testing.T) {
	r := tools.New(func() time.Time { return noon }, tools.Options{})
	add := func(name string, most int64) error {
		return tools.Add(r, tools.Tool[echoed, echoed]{
			Spec: tools.Spec{
				Name: name, Class: tools.Read, Timeout: time.Minute, MaxInput: most,
				Description: map[string]string{"ja": "言う", "en": "say"}, Roles: []tools.Role{tools.Visitor},
			},
			Do: func(_ context.Context, _ tools.Caller, in echoed) (echoed, error) { return in, nil },
		})
	}
	if err := errors.Join(add("large_echo", 200<<10), add("echo", 0)); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, Options{})
	f.parts.Tools = r
	body := func(size int) string { return `{"text":"` + strings.Repeat("a", size) + `"}` }
	for _, test := range []struct {
		path   string
		size   int
		status int
		code   string
	}{
		{"/tools/large_echo", 100 << 10, http.StatusOK, ""},
		{"/tools/large.echo", 100 << 10, http.StatusOK, ""},
		{"/tools/large_echo", 200 << 10, http.StatusRequestEntityTooLarge, api.CodeTooLarge},
		{"/tools/echo", 100 << 10, http.StatusRequestEntityTooLarge, api.CodeTooLarge},
		{"/tools/nothing", 100 << 10, http.StatusRequestEntityTooLarge, api.CodeTooLarge},
	} {
		w := f.do(t, "POST", test.path, body(test.size))
		if w.Code != test.status || w.Code == http.StatusOK && w.Body.Len() < test.size {
			t.Errorf("POST %s with %d bytes = %d %.80s, want %d", test.path, test.size, w.Code, w.Body, test.status)
		}
		if test.code != "" {
			checkEnvelope(t, w, test.status, test.code)
		}
	}
	for range maxLargeInputs {
		f.largeInputs <- struct{}{}
	}
	w := f.do(t, "POST", "/tools/large_echo", body(100<<10))
	checkEnvelope(t, w, http.StatusServiceUnavailable, api.CodeOverloaded)
	if w := f.do(t, "POST", "/tools/large_echo", body(100)); w.Code != http.StatusOK {
		t.Errorf("a small input while large ones are held = %d, want 200", w.Code)
	}
}

// slowReader takes an answer only once it is told to.
type slowReader struct {
	*httptest.ResponseRecorder
	written, read chan bool
}

func (s slowReader) Write(p []byte) (int, error) {
	s.written <- true
	<-s.read
	return s.ResponseRecorder.Write(p)
}

// TestLargeInputOfASlowReader: who does not read the answer to a large input keeps nobody else from sending one.
func TestLargeInputOfASlowReader(t *testing.T) {
	f := newFixture(t, Options{})
	f.parts.Tools = largeEcho(t, 0)
	large := `{"text":"` + strings.Repeat("a", 100<<10) + `"}`
	w := slowReader{httptest.NewRecorder(), make(chan bool), make(chan bool)}
	var slow sync.WaitGroup
	slow.Go(func() {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/tools/large_echo", strings.NewReader(large))
		r.Host, r.RemoteAddr = "localhost:8080", "127.0.0.1:40000"
		r.Header.Set("Content-Type", "application/json")
		f.Handler().ServeHTTP(w, r)
	})
	<-w.written
	if n := len(f.largeInputs); n != 0 {
		t.Errorf("%d places are taken by who does not read, want none", n)
	}
	close(w.read)
	slow.Wait()
}

// TestKeptOfASlowReader: who does not read what is kept for when the server can't be reached keeps nobody from it.
func TestKeptOfASlowReader(t *testing.T) {
	f := setup{more: func(p *Parts) {
		p.Rehearse = func(context.Context, string, string) (api.QueryResponse, error) {
			return api.QueryResponse{}, nil
		}
	}}.fixture(t)
	w := slowReader{httptest.NewRecorder(), make(chan bool), make(chan bool)}
	var slow sync.WaitGroup
	slow.Go(func() {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/kept", http.NoBody)
		r.Host, r.RemoteAddr = "localhost:8080", "127.0.0.1:40000"
		f.Handler().ServeHTTP(w, r)
	})
	<-w.written
	k := f.kept["ja"]
	if k.mu.TryLock() {
		k.mu.Unlock()
	} else {
		t.Error("what is kept is locked by who does not read it")
	}
	close(w.read)
	slow.Wait()
}

// TestWorkIsCharged: a tool that is much work counts as many requests.
func TestWorkIsCharged(t *testing.T) {
	f := setup{
		options: Options{AddressRate: door.Rate{Count: 5, Per: time.Minute}}, keys: keys.Settings{Ask: askKey},
	}.fixture(t)
	f.parts.Tools = largeEcho(t, 3)
	for i, want := range []int{http.StatusOK, http.StatusTooManyRequests} {
		w := f.do(t, "POST", "/tools/large.echo", `{"text":"a"}`, "X-Api-Key", askKey)
		if w.Code != want {
			t.Errorf("call %d of a tool that is three requests, of five = %d, want %d", i+1, w.Code, want)
		}
	}
}

// largeEcho is a registry with one tool, which takes 200 KiB and counts as so many requests.
func largeEcho(t *testing.T, requests int) *tools.Registry {
	t.Helper()
	r := tools.New(func() time.Time { return noon }, tools.Options{})
	err := tools.Add(r, tools.Tool[echoed, echoed]{
		Spec: tools.Spec{
			Name: "large_echo", Class: tools.Read, Timeout: time.Minute, MaxInput: 200 << 10, Requests: requests,
			Description: map[string]string{"ja": "言う", "en": "say"}, Roles: []tools.Role{tools.Visitor},
		},
		Do: func(_ context.Context, _ tools.Caller, in echoed) (echoed, error) { return in, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
