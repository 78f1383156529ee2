package restjson

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"annai/fault"
)

// A redirect is not followed, wherever it leads.
func TestRedirect(t *testing.T) {
	followed := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/inside" {
			followed = true
			_, _ = io.WriteString(w, `{}`)
			return
		}
		http.Redirect(w, r, "/inside", http.StatusFound)
	}))
	defer s.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	err = Do(NewClient(), request, &out)
	var refused *Refusal
	if !errors.As(err, &refused) || refused.Status != http.StatusFound || followed {
		t.Errorf("Do = %v, followed %t; want a refusal of 302", err, followed)
	}
}

func TestKind(t *testing.T) {
	for status, want := range map[int]error{
		400: fault.ErrDenied, 401: fault.ErrDenied, 403: fault.ErrDenied, 404: fault.ErrNotFound,
		408: fault.ErrUnavailable, 429: fault.ErrUnavailable, 500: fault.ErrUnavailable, 302: fault.ErrUnavailable,
	} {
		if got := Kind(status); !errors.Is(got, want) {
			t.Errorf("Kind(%d) = %v, want %v", status, got, want)
		}
	}
}
