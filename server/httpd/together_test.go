package httpd

import (
	"testing"
	"time"

	"annai/server/door"
)

// What was given elsewhere is missing here, also where nobody has asked here for long.
func TestOwed(t *testing.T) {
	l := NewLimiter[string](door.Rate{Count: 4, Per: time.Minute})
	now := time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)
	if err := l.Take("a", now, 1); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	l.owe("a", now, 3)
	if err := l.Take("a", now, 1); err != nil {
		t.Errorf("the last of four = %v", err)
	}
	if l.Take("a", now, 1) == nil {
		t.Error("a fifth was given")
	}
	if err := l.Take("a", now.Add(15*time.Second), 1); err != nil {
		t.Errorf("one that has come back = %v", err)
	}
}
