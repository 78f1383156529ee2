package nodes

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestNamesOfTitle(t *testing.T) {
	for title, want := range map[string][]string{
		"LT会 ⚡ (Lightning Talks Night)": {"LT会", "Lightning Talks Night"},
		"【満席】TypeScript勉強会":             {"満席", "TypeScript勉強会"},
		"朝ヨガ / Morning Yoga":            {"朝ヨガ", "Morning Yoga"},
		"コーヒー":                          {"コーヒー"},
		"🎉🎉":                            nil,
	} {
		if diff := cmp.Diff(want, namesOfTitle(title)); diff != "" {
			t.Errorf("namesOfTitle(%q) (-want +got):\n%s", title, diff)
		}
	}
}

// TestTitlesAreKept has names read once a minute, and nobody wait for somebody else who reads them.
func TestTitlesAreKept(t *testing.T) {
	var kept titles
	now := time.Date(2025, 1, 14, 10, 0, 0, 0, time.UTC)
	reads := 0
	ask := func(at time.Time, name string) []string {
		got, err := kept.all(at, func() ([]string, error) {
			reads++
			meanwhile, err := kept.all(at, func() ([]string, error) { t.Error("two read at a time"); return nil, nil })
			if err != nil || len(meanwhile) > 1 {
				t.Errorf("all() meanwhile = %q, %v", meanwhile, err)
			}
			return []string{name}, nil
		})
		if err != nil {
			t.Fatalf("all(): %v", err)
		}
		return got
	}
	for _, step := range []struct {
		after       time.Duration
		there, want string
		reads       int
	}{{0, "first", "first", 1}, {time.Minute - 1, "second", "first", 1}, {time.Minute, "third", "third", 2}} {
		got := ask(now.Add(step.after), step.there)
		if len(got) != 1 || got[0] != step.want || reads != step.reads {
			t.Errorf("all() after %v = %q with %d reads, want %q with %d", step.after, got, reads, step.want, step.reads)
		}
	}
}
