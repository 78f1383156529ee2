package nodes

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/nlu"
	"annai/nodes/display"
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

func TestTitleHalf(t *testing.T) {
	for title, want := range map[string][2]string{
		"夜の灯台ツアー / Lighthouse by Night":                {"夜の灯台ツアー", "Lighthouse by Night"},
		"Morning Yoga / 朝ヨガ":                           {"朝ヨガ", "Morning Yoga"},
		"React / Vue 入門 / Introduction to React / Vue": {"React / Vue 入門", "Introduction to React / Vue"},
		"もくもく会 (Mokumoku Night)":                       {"もくもく会 (Mokumoku Night)", "もくもく会 (Mokumoku Night)"},
		"CI/CD入門":                                      {"CI/CD入門", "CI/CD入門"},
		"Go / Rust":                                    {"Go / Rust", "Go / Rust"},
		"朝の部 / 夜の部":                                    {"朝の部 / 夜の部", "朝の部 / 夜の部"},
		"朝ヨガ / Yoga / Pilates":                         {"朝ヨガ / Yoga / Pilates", "朝ヨガ / Yoga / Pilates"},
		" / Yoga":                                      {" / Yoga", " / Yoga"},
	} {
		if got := [2]string{display.TitleHalf(title, nlu.Japanese), display.TitleHalf(title, nlu.English)}; got != want {
			t.Errorf("titleHalf(%q) = %q, want %q", title, got, want)
		}
	}
}

// TestTitlesAreKept has names read once a minute, and nobody wait for somebody else who reads them. Names that can't be read are those of before.
func TestTitlesAreKept(t *testing.T) {
	var kept titles
	now := time.Date(2025, 1, 14, 10, 0, 0, 0, time.UTC)
	reads := 0
	for _, step := range []struct {
		after time.Duration
		there string
		ok    bool
		want  string
		reads int
	}{
		{0, "first", true, "first", 1},
		{time.Minute - 1, "second", true, "first", 1},
		{time.Minute, "", false, "first", 2},
		{2*time.Minute - 1, "third", true, "first", 2},
		{2 * time.Minute, "fourth", true, "fourth", 3},
	} {
		at := now.Add(step.after)
		got := kept.all(at, func() ([]name, bool) {
			reads++
			kept.all(at, func() ([]name, bool) { t.Error("two read at a time"); return nil, true })
			return []name{{text: step.there}}, step.ok
		})
		if len(got) != 1 || got[0].text != step.want || reads != step.reads {
			t.Errorf(
				"all() after %v = %v with %d reads, want %q with %d",
				step.after,
				got,
				reads,
				step.want,
				step.reads,
			)
		}
	}
}
