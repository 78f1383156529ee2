package ocr

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/tools/media/canvas"
)

// page is a picture of lines, turned by an angle.
func page(degrees float64, lines ...string) *image.Gray {
	const width, height = 900, 500
	c := canvas.New(width, height)
	c.Fill(canvas.Rect(0, 0, width, height), canvas.Solid(canvas.Hex("FFFFFF")))
	for i, line := range lines {
		set := canvas.Type{Face: canvas.Sans, Size: 40}
		c.Fill(set.Outline(line, 90, float64(120+70*i)), canvas.Solid(canvas.Hex("111111")))
	}
	flat := c.Image()
	out := image.NewGray(flat.Rect)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for y := range height {
		for x := range width {
			dx, dy := float64(x-width/2), float64(y-height/2)
			at := image.Pt(int(width/2+cos*dx+sin*dy), int(height/2-sin*dx+cos*dy))
			value := color.Color(color.White)
			if at.In(flat.Rect) {
				value = flat.At(at.X, at.Y)
			}
			out.Set(x, y, value)
		}
	}
	return out
}

// TestTesseract reads a page that is held askew, in each language.
func TestTesseract(t *testing.T) {
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("tesseract is not here: scripts/setup installs it")
	}
	reader := &System{}
	for lang, lines := range map[string][]string{
		"ja": {"市民音楽会のお知らせ", "会場　市民ホール"}, "en": {"Winter Art Market", "Sunday 13 December 2026"},
	} {
		got, err := reader.Read(t.Context(), page(3, lines...))
		if err != nil || len(got) != len(lines) {
			t.Errorf("%s: Read = %+v, %v, want two lines", lang, got, err)
			continue
		}
		for i, l := range got {
			if strings.ReplaceAll(l.Text, " ", "") != strings.Join(strings.Fields(lines[i]), "") {
				t.Errorf("%s: %q, want %q", lang, l.Text, lines[i])
			}
			if l.Size < 45 || l.Size > 65 || l.Confidence < 0.5 {
				t.Errorf("%s: %q has size %.0f, confidence %.2f, want 53 or so, and sure",
					lang, l.Text, l.Size, l.Confidence)
			}
		}
	}
	if got, err := reader.Read(t.Context(), page(0)); err != nil || len(got) != 0 {
		t.Errorf("an empty page: %v, %v, want no lines", got, err)
	}
	if !strings.HasPrefix(reader.Name(), "tesseract ") {
		t.Errorf("Name = %q", reader.Name())
	}
}

func TestSkew(t *testing.T) {
	lines := []string{"Winter Art Market at the hall", "Sunday 13 December 2026", "from eleven to four"}
	for _, degrees := range []float64{-5, -2, 0, 1.5, 4} {
		if got := skewOf(page(degrees, lines...)); math.Abs(got-degrees) > 0.3 {
			t.Errorf("skew of a page held at %g degrees = %g", degrees, got)
		}
	}
}

// stand puts a program of that name in the place of Tesseract.
func stand(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "tesseract")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Setenv("SECRET", "value")
}

const known = `case "$1" in
--version) echo "tesseract 9.9"; exit;;
--list-langs) printf "List (2):\neng\nosd\n"; exit;;
esac
`

// TestChild: the program is bounded in time and output, is told nothing of ours, and says why it failed.
func TestChild(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(t.Context()); !errors.Is(err, ErrMissing) || !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Find without the program = %v, want ErrMissing", err)
	}
	stand(t, `[ "$1" = --version ] && echo "tesseract 9.9"; exit 0`)
	if _, err := Find(t.Context()); !errors.Is(err, ErrMissing) {
		t.Errorf("Find without data = %v, want ErrMissing", err)
	}
	for name, c := range map[string]struct{ script, want string }{
		"fails":    {"echo broken >&2; exit 3", "broken"},
		"no end":   {"while :; do echo 0123456789012345678901234567890123456789; done", "tesseract"},
		"no limit": {"while :; do :; done", "too long"},
		"secret":   {`[ -z "$SECRET" ] || exit 4; echo no secret >&2; exit 1`, "no secret"},
	} {
		stand(t, known+c.script)
		reader, err := Find(t.Context())
		if err != nil || reader.Name() != "tesseract 9.9" || !cmp.Equal(reader.Languages(), []string{"eng"}) {
			t.Fatalf("%s: Find = %+v, %v, want 9.9 with English", name, reader, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err = reader.Read(ctx, page(0, "a"))
		cancel()
		if !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Read = %v, want it unavailable, and %q", name, err, c.want)
		}
	}
}

// TestLines: two columns are one line, a space is one where it is as wide as one, and noise is no line.
func TestLines(t *testing.T) {
	row := func(block, left, top, width int, confidence, text string) string {
		return strings.Join([]string{
			"5", "1", string(rune('0' + block)), "1", "1", "1", strconv.Itoa(left), strconv.Itoa(top),
			strconv.Itoa(width), "40", confidence, text,
		}, "\t")
	}
	table := strings.Join([]string{
		"level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
		row(1, 100, 100, 40, "95", "会"), row(1, 142, 100, 40, "95", "場"),
		row(2, 300, 103, 78, "90", "市民"), row(2, 382, 103, 120, "90", "ホール"), row(2, 560, 103, 120, "90", "和室"),
		row(3, 100, 200, 100, "96", "Winter"), row(3, 215, 200, 60, "96", "Fair"),
		row(4, 10, 400, 300, "8", "#%&"), row(5, 10, 500, 300, "-1", "x"), "broken", row(6, 1, 1, 1, "a", "b"),
	}, "\n")
	var got []string
	for _, l := range linesOf(wordsOf(table)) {
		got = append(got, l.Text)
	}
	if diff := cmp.Diff([]string{"会場 市民ホール 和室", "Winter Fair"}, got); diff != "" {
		t.Errorf("lines, -want +got:\n%s", diff)
	}
}
