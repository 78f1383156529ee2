package readers

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AITuberKit reads lines that begin with data:, cuts the text into fragments, and takes any bracket before
// one for a face. A face holds until the end of its line.
func AITuberKit(stream io.Reader) (Heard, error) {
	r := fragments{face: "neutral"}
	err := lines(stream, func(line string) error {
		data, ok := strings.CutPrefix(line, "data:")
		if !ok || strings.TrimSpace(data) == "[DONE]" {
			return nil
		}
		var f frame
		if err := json.Unmarshal([]byte(data), &f); err != nil {
			return nil // it drops what it can't read
		}
		if text, err := f.content(); err == nil {
			r.take(text)
		}
		return nil
	})
	if err != nil {
		return r.heard, fmt.Errorf("in AITuberKit: %w", err)
	}
	r.cut(true)
	return r.heard, nil
}

type fragments struct {
	heard Heard
	rest  string
	face  string
}

// take adds a piece of text, and takes the fragments that are whole.
func (r *fragments) take(text string) {
	r.heard.Shown += text
	r.rest += text
	r.cut(false)
}

// cut takes fragments from the rest while there are whole ones, and at the end what is left.
func (r *fragments) cut(last bool) {
	for r.rest != "" {
		if strings.HasPrefix(r.rest, "[") {
			tag, after, closed := strings.Cut(r.rest[1:], "]")
			if !closed && !last {
				return
			}
			r.face, r.rest = tag, after
			continue
		}
		end, ender := fragmentEnd(r.rest)
		if end < 0 && !last {
			return
		}
		if end < 0 {
			end = len(r.rest)
		}
		if text := strings.TrimSpace(r.rest[:end]); speakable(text) {
			r.heard.Spoken = append(r.heard.Spoken, Spoken{r.face, text})
		}
		r.rest = r.rest[end:]
		if ender == '\n' {
			r.face = "neutral"
		}
	}
}

// fragmentEnd returns where the first fragment ends, and at which character; -1: not yet.
func fragmentEnd(text string) (int, rune) {
	before, n := ' ', 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch {
		case strings.ContainsRune("。．!?！？\n", r), r == '.' && !unicode.IsDigit(before),
			strings.ContainsRune("、,", r) && n >= 10:
			return end, r
		case r == '[' && i > 0:
			return i, r
		}
		before = r
		n++
	}
	return -1, 0
}
