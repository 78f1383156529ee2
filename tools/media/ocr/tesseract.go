package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/image/draw"

	"annai/fault"
	"annai/internal/text"
)

// The bounds of one reading.
const (
	readTime = 40 * time.Second
	// askTime bounds the question for its version and its languages.
	askTime   = 5 * time.Second
	maxOutput = 4 << 20
	maxMemory = 1 << 30
	// maxPixels is how many pixels are looked at: larger pictures are made smaller first.
	maxPixels = 3_000_000
	// Pictures narrower than that are made as wide as this: small letters are read worse, and so are
	// very large ones.
	narrow, goodWidth = 1000, 1200
	// atOnce is how many pictures are read at a time.
	atOnce = 2
)

// japanese is what the program calls it.
const japanese = "jpn"

// languages are those that are read, if they are installed: a page is read as one of them, in this order,
// since both at once read Japanese worse.
var languages = []string{japanese, "eng"}

// Languages are those that can be read, as Tesseract calls them.
func Languages() []string { return slices.Clone(languages) }

// Tesseract reads with the program of that name. See [Find].
type Tesseract struct {
	path, version string
	languages     []string
	slots         chan struct{}
}

// ErrMissing says that the program, or its data, is not installed. It wraps [fault.ErrUnavailable].
var ErrMissing = fmt.Errorf("tesseract is not installed: %w", fault.ErrUnavailable)

// Find looks for Tesseract on this machine. Without the program, or without data for one of the
// languages at least, the error is [ErrMissing].
func Find(ctx context.Context) (*Tesseract, error) {
	path, err := exec.LookPath("tesseract")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	t := &Tesseract{path: path, slots: make(chan struct{}, atOnce)}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	version, err := t.run(ctx, nil, "--version")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	t.version, _, _ = strings.Cut(strings.TrimPrefix(string(version), "tesseract "), "\n")
	listed, err := t.run(ctx, nil, "--list-langs")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	there := strings.Fields(string(listed))
	for _, l := range languages {
		if slices.Contains(there, l) {
			t.languages = append(t.languages, l)
		}
	}
	if len(t.languages) == 0 {
		return nil, fmt.Errorf("no data for %s: %w", strings.Join(languages, ", "), ErrMissing)
	}
	return t, nil
}

// Name is the program and its version.
func (t *Tesseract) Name() string { return strings.TrimSpace("tesseract " + t.version) }

// Languages are those that it reads, as it calls them: "jpn", "eng".
func (t *Tesseract) Languages() []string { return slices.Clone(t.languages) }

// Read reads a picture.
func (t *Tesseract) Read(ctx context.Context, picture *image.Gray) ([]Line, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to read a picture: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
	level := leveled(picture)
	var lines []Line
	for _, language := range t.languages {
		table, err := t.run(ctx, level, "stdin", "stdout", "-l", language, "--psm", "3", "tsv")
		if err != nil {
			return nil, fmt.Errorf("read a picture: %w", err)
		}
		lines = linesOf(wordsOf(string(table)))
		if language == japanese && isJapanese(lines) {
			break
		}
	}
	return lines, nil
}

// leastJapanese is the share of letters of a page in Japanese that are kana or kanji: read as Japanese, a
// page in English has some too.
const leastJapanese = 0.25

// isJapanese reports whether lines that were read as Japanese are.
func isJapanese(lines []Line) bool {
	japanese, letters := 0, 0
	for _, l := range lines {
		for _, r := range l.Text {
			if unicode.IsLetter(r) {
				letters++
			}
			if text.IsJapanese(r) {
				japanese++
			}
		}
	}
	return float64(japanese) > leastJapanese*float64(letters)
}

// run runs the program without a shell and with nothing of our environment, bounded in time, memory
// and output.
func (t *Tesseract) run(ctx context.Context, input []byte, arguments ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.path, arguments...)
	cmd.Env = []string{"LC_ALL=C", "OMP_THREAD_LIMIT=1"} // more threads wait for each other
	cmd.Dir = "/"
	cmd.Stdin = bytes.NewReader(input)
	var out, problems bounded
	cmd.Stdout, cmd.Stderr = &out, &problems
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start tesseract: %w: %w", fault.ErrUnavailable, err)
	}
	if err := limitMemory(cmd.Process.Pid, maxMemory); err != nil {
		_ = cmd.Process.Kill() // it is waited for below
	}
	err := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("tesseract took too long: %w: %w", fault.ErrUnavailable, ctx.Err())
	case err != nil:
		said, _, _ := strings.Cut(problems.String(), "\n")
		return nil, fmt.Errorf("tesseract: %w: %w: %.200s", fault.ErrUnavailable, err, said)
	}
	return out.Bytes(), nil
}

// bounded keeps what is written to it up to [maxOutput], and fails beyond.
type bounded struct{ bytes.Buffer }

var errOutput = errors.New("too much output")

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxOutput {
		return 0, errOutput
	}
	return b.Buffer.Write(p)
}

// leveled is a picture of a good size, with level lines, in the simplest format there is (PGM).
func leveled(picture *image.Gray) []byte {
	w, h := max(picture.Rect.Dx(), 1), max(picture.Rect.Dy(), 1)
	if w < narrow && w*h*goodWidth/w*goodWidth/w <= maxPixels {
		w, h = goodWidth, h*goodWidth/w
	}
	for w*h > maxPixels {
		w, h = w*9/10, h*9/10
	}
	page := picture
	if w != picture.Rect.Dx() {
		page = image.NewGray(image.Rect(0, 0, max(w, 1), max(h, 1)))
		draw.ApproxBiLinear.Scale(page, page.Rect, picture, picture.Rect, draw.Src, nil)
	}
	page = straightened(page)
	out := fmt.Appendf(nil, "P5\n%d %d\n255\n", page.Rect.Dx(), page.Rect.Dy())
	for y := range page.Rect.Dy() {
		out = append(out, page.Pix[y*page.Stride:][:page.Rect.Dx()]...)
	}
	return out
}
