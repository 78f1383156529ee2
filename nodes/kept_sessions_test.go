package nodes

import (
	"testing"

	"annai/dialog"
)

// TestSessionOf: what a session is called in the store says again which it is.
func TestSessionOf(t *testing.T) {
	for _, s := range []dialog.Session{
		{ID: "kiosk-1"},
		{ID: "kiosk-1", Caller: "visitor kiosk"},
		{ID: "a/b", Caller: "203.0.113.5/32"},
		{ID: "desk", Owner: true},
		{ID: "desk", Owner: true, Caller: "owner phone"},
		{ID: "desk", Owner: true, OwnerName: "hanako", Caller: "owner phone"},
		{ID: "d/e", Owner: true, OwnerName: "hanako"},
	} {
		if got, ok := sessionOf(threadOf(s)); !ok || got != s {
			t.Errorf("sessionOf(%q) = %+v, %v, want %+v", threadOf(s), got, ok, s)
		}
	}
	for _, thread := range []string{"\x01seal", "\x01try 2026-11-19T10:00:00Z"} {
		if got, ok := sessionOf(thread); ok {
			t.Errorf("sessionOf(%q) = %+v, want none", thread, got)
		}
	}
}
