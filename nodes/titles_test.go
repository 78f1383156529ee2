package nodes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/api"
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

// TestReadTitles writes a title that is in Japanese alone in Latin letters too, once in the text
// and on its card.
func TestReadTitles(t *testing.T) {
	c := &Concierge{opts: Options{Reading: func(title string) string {
		return map[string]string{"冬のもくもく会": "Fuyu no Mokumoku Kai"}[title]
	}}}
	r := api.QueryResponse{
		Text: "[happy]- 冬のもくもく会\n- 朝ヨガ (Morning Yoga)\n- 無題\n- Rust Night\n冬のもくもく会",
		Cards: []api.Card{
			{Type: "event", Title: "冬のもくもく会"},
			{Type: "event", Title: "朝ヨガ (Morning Yoga)"},
			{Type: "event", Title: "無題"},
			{Type: "event", Title: "Rust Night"},
			{Type: "passage", Title: "冬のもくもく会"},
		},
	}
	c.readTitles(&r)
	want := "[happy]- 冬のもくもく会 (Fuyu no Mokumoku Kai)\n- 朝ヨガ (Morning Yoga)\n- 無題\n- Rust Night\n冬のもくもく会"
	if r.Text != want {
		t.Errorf("text %q, want %q", r.Text, want)
	}
	for i, reading := range []string{"Fuyu no Mokumoku Kai", "", "", "", ""} {
		if r.Cards[i].Reading != reading {
			t.Errorf("card %d is read %q, want %q", i, r.Cards[i].Reading, reading)
		}
	}
}
