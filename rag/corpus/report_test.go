package corpus_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/rag"
	"annai/rag/corpus"
	"annai/rag/documents"
	"annai/rag/markdown"
)

var names = corpus.ReportOptions{
	Today: civil.Date{Year: 2026, Month: time.November, Day: 21},
	Venue: []string{"エンジニアカフェ", "Engineer Cafe"},
	Names: [][]string{
		{"cafe&bar saino", "cafe&bar saino", "cafe&bar saino", "サイノカフェ"},
		{"Second-floor meeting rooms (paid)", "2階の会議室（有料）", "second-floor meeting room", "2階の会議室"},
		{"Meeting Space in the basement (free)", "地下1階のMTGスペース（無料）", "Meeting Space", "MTGスペース"},
	},
}

// demo are the passages of the demonstration venue.
func demo(t *testing.T) []rag.Passage {
	t.Helper()
	passages, problems := markdown.Load(os.DirFS("../../venue/demo"), []string{"knowledge"})
	if len(problems) > 0 || len(passages) == 0 {
		t.Fatalf("the demo venue has %d passages, problems %v", len(passages), problems)
	}
	return passages
}

func report(t *testing.T, passages []rag.Passage, opts corpus.ReportOptions) []corpus.Finding {
	t.Helper()
	found, err := corpus.Report(t.Context(), passages, opts)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What the demonstration venue says is right and complete: nothing may be found in it.
func TestDemoIsClean(t *testing.T) {
	for _, f := range report(t, demo(t), names) {
		if f.Kind == corpus.Expired { // a programme of last winter is there to be left out
			continue
		}
		t.Errorf("Report(demo venue): %s %v %s", f.Kind, f.Passages, f.Text)
	}
}

// Other venues that say the same in both languages: next to nothing may be found against itself there.
func TestFalseAlarms(t *testing.T) {
	for _, name := range []string{"library", "observatory"} {
		passages, _ := markdown.Load(os.DirFS("../testdata"), []string{name})
		alarms := 0
		for _, f := range report(t, passages, corpus.ReportOptions{}) {
			if f.Kind == corpus.Contradiction {
				alarms++
				t.Logf("%v %s", f.Passages, f.Text)
			}
		}
		if len(passages) == 0 || alarms*50 > len(passages) {
			t.Errorf("Report(%s): %d contradictions in %d passages, want at most one in 50", name, alarms,
				len(passages))
		}
	}
}

// A contradicted is a line of the table of facts that sources contradict, and which passages must
// be found against each other: those of the leaflet by language and heading, and the documents that
// they are against.
type contradicted struct {
	topic   string
	ja, en  string // the numbers of the leaflet's sections
	against string // a document of the demo venue
}

// table has the topics of the table in the notes about the demo venue.
var table = []contradicted{
	{"opening on Sundays and holidays", "0", "0", "hours"},
	{"saino closing", "1", "1", "saino"},
	{"saino closed days", "2", "2", "saino"},
	{"AED", "3", "3", "leaflet"},
	{"bicycles", "4", "4", "access"},
	{"food on 1F", "5", "5", "food"},
	{"registration", "6", "6", "membership"},
	{"meeting room by phone", "7", "7", "rooms"},
	{"CNC mill", "8", "8", "makers"},
	{"meeting-room desk", "9", "9", "rooms"},
}

func TestContradictionsOfTheDemoVenue(t *testing.T) {
	leaflet, problems := markdown.Load(os.DirFS("testdata"), []string{"leaflet"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	found := report(t, append(demo(t), leaflet...), names)
	for _, line := range table {
		for lang, section := range map[string]string{"ja": line.ja, "en": line.en} {
			id := "leaflet/leaflet." + lang + ".md#" + section
			if !slices.ContainsFunc(found, func(f corpus.Finding) bool {
				return f.Kind == corpus.Contradiction && isBetween(f, id, "/"+line.against+".")
			}) {
				t.Errorf("%s: nothing found between %s and a passage of %s", line.topic, id, line.against)
			}
		}
	}
	for _, f := range found {
		if f.Kind == corpus.Contradiction {
			t.Logf("%v %s", f.Passages, f.Text)
		}
	}
}

// isBetween reports whether a finding is between the passage of that id and a passage of the other document.
func isBetween(f corpus.Finding, id, other string) bool {
	return slices.Contains(f.Passages, id) &&
		slices.ContainsFunc(f.Passages, func(p string) bool { return p != id && strings.Contains(p, other) })
}

// The table in the notes about the demo venue is the one that is tested here.
func TestTableOfContradictions(t *testing.T) {
	const notes = "../../../shared/design/demo-venue.md"
	f, err := os.Open(notes)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: no %s", notes)
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var topics []string
	inTable := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "## ") {
			inTable = strings.Contains(lines.Text(), "contradict")
		}
		if cells := strings.Split(lines.Text(), "|"); inTable && len(cells) > 2 &&
			!strings.HasPrefix(strings.TrimSpace(cells[1]), "---") {
			topics = append(topics, strings.TrimSpace(cells[1]))
		}
	}
	want := []string{"topic"}
	for _, line := range table {
		want = append(want, line.topic)
	}
	if diff := cmp.Diff(want, topics); diff != "" {
		t.Errorf("topics of the table (-here +notes):\n%s", diff)
	}
}

func TestReport(t *testing.T) {
	csv := "text,title,lang,pair,updatedAt,validUntil\n" +
		"Tea is 300 yen.,Tea,en,tea,2026-11-01,\n" +
		"お茶は350円です。,お茶,ja,tea,2026-11-01,\n" +
		"The flower show is in hall two.,Flowers,en,,2026-11-01,2026-10-31\n" +
		"The dome has forty seats for visitors.,Dome,en,,2025-11-01,\n" +
		"The Dome has forty  seats for visitors.,Dome again,en,,2026-11-01,\n" +
		"犬は入れません。ご了承ください。ほかの動物も入れません。,犬,en,,2026-11-01,\n" +
		"Cats may come in.,Cats,en,,2027-01-01,\n"
	var rows []rag.Passage
	d, problems := documents.Read(t.Context(), "a.csv", []byte(csv), documents.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, s := range d.Sections {
		for _, p := range s.Passages {
			p.Pair = s.Pair
			rows = append(rows, p)
		}
	}
	var got []string
	for _, f := range report(t, rows, names) {
		got = append(got, fmt.Sprintf("%s %s: %s", f.Kind, strings.Join(f.Passages, " "), f.Text))
	}
	want := []string{
		"contradiction a.csv#0 a.csv#1: price: 300 yen in one language, 350 yen in the other",
		"out of date a.csv#2: valid until 2026-10-31, which is past",
		"out of date a.csv#3: last checked on 2025-11-01, 385 days ago",
		"out of date a.csv#6: updatedAt is 2027-01-01, which is yet to come",
		"wrong language a.csv#5: its lang is en, and its text looks like ja",
		"duplicate a.csv#3 a.csv#4: both say: The Dome has forty seats for visitors.",
		`no translation a.csv#2: "Flowers" has no passage of its pair in Japanese`,
		`no translation a.csv#3: "Dome" has no passage of its pair in Japanese`,
		`no translation a.csv#4: "Dome again" has no passage of its pair in Japanese`,
		`no translation a.csv#5: "犬" has no passage of its pair in Japanese`,
		`no translation a.csv#6: "Cats" has no passage of its pair in Japanese`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Report (-want +got):\n%s", diff)
	}
}
