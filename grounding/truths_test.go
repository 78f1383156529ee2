package grounding_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/civil"
	"annai/grounding"
)

// A scene is an evidence, and the sentences that are true of it.
type scene struct {
	Name     string
	Evidence grounding.Evidence
	Checker  *grounding.Checker
}

// A sentence is one of a scene.
type sentence struct {
	Scene *scene
	Text  string
}

// venueNames and names are what a venue's settings say of its names, for scenes that bring none of
// their own.
var (
	venueNames = []string{"エンジニアカフェ", "Engineer Cafe", "Engineer Café"}
	names      = [][]string{
		{"天神", "Tenjin"},
		{"博多", "Hakata"},
		{"福岡", "Fukuoka"},
		{"中央区", "Chuo-ku", "Chuo"},
		{"空港線", "Kuko"},
		{"アクロス", "ACROS"},
		{"昭和通り", "Showa-dori"},
		{"赤煉瓦文化館", "Akarenga Culture Hall", "Akarenga"},
		{"cafe&bar saino", "saino", "サイノカフェ", "サイノ"},
		{"集中スペース", "Focus Space"},
		{"アンダースペース", "Under Space"},
		{"MTGスペース", "ミーティングスペース", "Meeting Space", "MTG Space"},
		{"MAKER'sスペース", "MAKER's Space"},
		{"P1S"},
		{"日本生命", "Nippon Life"},
		{"辰野金吾", "Tatsuno Kingo"},
		{"片岡安", "Kataoka Yasushi"},
	}
)

// sceneFiles hold the scenes. Those of the second are what the second set of held-back sentences is
// about.
var sceneFiles = []string{
	"testdata/scenes.json", "testdata/scenes_dev.json", "testdata/scenes_second.json", "testdata/scenes_ninth.json",
	"testdata/scenes_tenth.json", "testdata/scenes_eleventh.json",
}

// A sceneFile is a scene as it is written down.
type sceneFile struct {
	Name, Now string
	Venue     []string
	Names     [][]string
	Items     []struct {
		ID, Kind, Title, Start, End, Place, Price, Text, URL, Lang string
		AllDay                                                     bool
	}
}

// scenes reads the scenes once: nothing in them changes.
var scenes = sync.OnceValues(func() (map[string]*scene, error) {
	out := map[string]*scene{}
	for _, file := range sceneFiles {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var in []sceneFile
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i := range in {
			e, err := in[i].evidence()
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file, in[i].Name, err)
			}
			out[in[i].Name] = &scene{Name: in[i].Name, Evidence: e, Checker: grounding.New(e)}
		}
	}
	return out, nil
})

func loadScenes(t testing.TB) map[string]*scene {
	t.Helper()
	out, err := scenes()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (s *sceneFile) evidence() (grounding.Evidence, error) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		return grounding.Evidence{}, err
	}
	now, err := time.Parse(time.RFC3339, s.Now)
	if err != nil {
		return grounding.Evidence{}, err
	}
	e := grounding.Evidence{Now: now.In(tokyo), Venue: s.Venue, Names: s.Names}
	if s.Venue == nil {
		e.Venue, e.Names = venueNames, names
	}
	for _, i := range s.Items {
		item := grounding.Item{ID: i.ID, Kind: grounding.Kind(i.Kind), Title: i.Title, Place: i.Place, Price: i.Price, Text: i.Text, URL: i.URL, Lang: i.Lang, AllDay: i.AllDay}
		var first, last error
		switch {
		case i.AllDay:
			item.FirstDay, first = civil.ParseDate(i.Start)
			item.EndDay, last = civil.ParseDate(i.End)
		case i.Start != "":
			item.Start, first = time.Parse(time.RFC3339, i.Start)
			item.End, last = time.Parse(time.RFC3339, i.End)
		}
		if err := errors.Join(first, last); err != nil {
			return grounding.Evidence{}, err
		}
		e.Items = append(e.Items, item)
	}
	return e, nil
}

func loadTruths(t testing.TB, file string) []sentence {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	scenes := loadScenes(t)
	var out []sentence
	var in *scene
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			if in = scenes[name]; in == nil {
				t.Fatalf("%s: no scene %q", file, name)
			}
			continue
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, sentence{in, line})
		}
	}
	return out
}

// tunedFiles are the true sentences that the checker was tuned on; heldFile those that were looked
// at once, freeFile those in freer wording that nothing was tuned on.
var tunedFiles = []string{"testdata/true_held.txt", "testdata/true_second.txt", "testdata/true_fresh.txt", "testdata/true_last.txt", "testdata/true_tuned.txt", "testdata/true_more.txt", "testdata/true_third.txt", "testdata/true_fourth.txt", "testdata/true_fifth.txt", "testdata/true_sixth.txt", "testdata/true_seventh.txt", "testdata/true_eighth.txt"}

// freerFiles are those in freer wording that the checker was tuned on, with evidence mostly in one
// language only.
var freerFiles = []string{"testdata/true_free.txt", "testdata/true_eleventh.txt"}

const (
	heldFile   = "testdata/true_unseen.txt"
	freeFile   = "testdata/true_ninth.txt"
	placesFile = "testdata/true_tenth.txt"
)

// loadTuned are all sentences that the checker was tuned on.
func loadTuned(t testing.TB) []sentence {
	t.Helper()
	return loadAll(t, tunedFiles)
}

func loadAll(t testing.TB, files []string) []sentence {
	t.Helper()
	var out []sentence
	for _, file := range files {
		out = append(out, loadTruths(t, file)...)
	}
	return out
}

// TestTrueSentencesPass bounds how many true sentences are refused.
func TestTrueSentencesPass(t *testing.T) {
	for _, set := range []struct {
		name   string
		truths []sentence
		most   float64
		show   bool
	}{
		{"tuned", loadTuned(t), 0.03, true},
		{"held", loadTruths(t, heldFile), 0.07, false},
		{"freer", loadAll(t, freerFiles), 0.07, true},
		{"places", loadTruths(t, placesFile), 0.10, false},
		{"free", loadTruths(t, freeFile), 0.07, false},
	} {
		refused, of := 0, map[string][2]int{}
		for _, s := range set.truths {
			n := of[languages(s)]
			n[1]++
			if v := s.Scene.Checker.Check(s.Text); !v.OK {
				refused++
				n[0]++
				if set.show {
					t.Logf("%s: %s: refused: %s", s.Scene.Name, s.Text, v.Reason)
				}
			}
			of[languages(s)] = n
		}
		share := float64(refused) / float64(len(set.truths))
		t.Logf("%s: %d of %d true sentences refused (%.1f %%), by language and that of the evidence %v", set.name, refused, len(set.truths), 100*share, of)
		if share > set.most {
			t.Errorf("%s: %.1f %% of the true sentences refused, want at most %.1f %%", set.name, 100*share, 100*set.most)
		}
	}
}

// languages are that of a sentence, and after "of" that of the evidence if all of it is in the
// other one.
func languages(s sentence) string {
	own, texts := language(s.Text), map[string]bool{}
	for _, it := range s.Scene.Evidence.Items {
		texts[language(it.Title+it.Text+it.Place)] = true
	}
	if len(texts) == 1 && !texts[own] {
		return own + " of the other"
	}
	return own
}

func language(text string) string {
	if japanese(text) {
		return "ja"
	}
	return "en"
}

// TestLiesFail has false sentences made by hand of right parts, and what no answer may hold. What
// is false by a word only, with no value, name or denial to hold it against, is not caught and not
// among them.
func TestLiesFail(t *testing.T) {
	for _, s := range loadTruths(t, "testdata/lies.txt") {
		if v := s.Scene.Checker.Check(s.Text); v.OK {
			t.Errorf("Check(%q) in %s passed with %v", s.Text, s.Scene.Name, v.Uses)
		}
	}
}
