package server

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"annai/api"
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
