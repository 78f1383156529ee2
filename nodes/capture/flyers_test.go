package capture

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/internal/text"
	"annai/nlu/flyer"
	"annai/nodes/owner"
	"annai/tools"
	"annai/tools/media/ocr"
)

// read is when the flyers are read: on Monday, November 16th, 2026.
var read = time.Date(2026, 11, 16, 10, 0, 0, 0, time.FixedZone("Asia/Tokyo", 9*60*60))

// width is how many pixels a flyer is wide: a phone has four times as many, but also more to do.
const width = 1000

// angles are those at which the flyers are photographed, in degrees.
var angles = []float64{1.5, -2, 0.8, -1.2, 2}

// TestFlyers has twelve flyers printed, photographed and read, and counts of how many title, date, time and place are
// right. What the flyers say was written before what reads them. The one that is wrong is 11-candle: Tesseract reads a
// rare kanji of its place as another.
func TestFlyers(t *testing.T) {
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("tesseract is not here: scripts/setup installs it")
	}
	files, err := filepath.Glob("testdata/flyers/*.txt")
	if err != nil || len(files) != 12 {
		t.Fatalf("%d flyers, %v, want 12", len(files), err)
	}
	r := New(tools.New(time.Now, tools.Options{}), Options{Letters: []ocr.Reader{&ocr.System{}}})
	right, todos := 0, 0
	for n, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f := parseFlyer(string(data))
		photo := asJPEG(t, photographed(f.printed(width), angles[n%len(angles)], uint64(n)))
		c, err := r.Read(t.Context(), tools.Caller{Role: tools.Owner}, Source{Picture: photo}, read)
		if err != nil {
			t.Errorf("%s: Read = %v", file, err)
			continue
		}
		wrong := f.wrong(c.Read)
		if len(wrong) == 0 {
			right++
		}
		if due := f.want["todo"]; due != "" && len(c.Read.Todos) > 0 && c.Read.Todos[0].Due.String() == due {
			todos++
		}
		t.Logf("%s: %s", filepath.Base(file), strings.Join(append([]string{"wrong:"}, wrong...), " "))
		if c.From != owner.FromPicture || !strings.HasPrefix(c.Reader, "tesseract ") {
			t.Errorf("%s was read as a %s by %s", file, c.From, c.Reader)
		}
	}
	t.Logf("right: %d of 12; deadlines right: %d of 4", right, todos)
	if right < 10 || todos < 3 {
		t.Errorf("%d of 12 flyers and %d of 4 deadlines were read right, want 10 and 3", right, todos)
	}
}

// wrong are the fields that were not read as they are.
func (f flyerCase) wrong(a flyer.Announcement) []string {
	var out []string
	check := func(name, got string, right bool) {
		if !right {
			out = append(out, fmt.Sprintf("%s %q, want %q;", name, got, f.want[name]))
		}
	}
	title, headline := squeezed(f.want["title"]), f.want["headline"]
	if headline == "" {
		headline = f.want["title"]
	}
	got := squeezed(a.Title.Text)
	check("title", a.Title.Text, strings.Contains(got, title) && strings.Contains(squeezed(headline), got))
	place := squeezed(a.Place.Text)
	named := strings.Contains(place, squeezed(f.want["place"])) && strings.Contains(squeezed(f.body), place)
	check("place", a.Place.Text, named)
	w := a.When
	check("day", w.Day.String(), w.Day.String() == f.want["day"])
	if f.want["until"] != "" || !w.LastDay.IsZero() {
		check("until", w.LastDay.String(), w.LastDay.String() == f.want["until"])
	}
	for name, m := range map[string]*int{"start": w.Start, "end": w.End} {
		clock := ""
		if m != nil {
			clock = owner.MinuteWords(*m)
		}
		if f.want[name] != "" || name == "end" {
			check(name, clock, clock == f.want[name])
		}
	}
	return out
}

// squeezed is a text without blanks, in one width and case.
func squeezed(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(strings.Map(text.FoldRune, text.Fold(s))), ""), "〜", "~")
}
