package door

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"annai/api"
	"annai/fault"
	"annai/prompts"
)

// TestWords holds that each failure is told in words of its own.
func TestWords(t *testing.T) {
	named := []string{"empty", "too_long", "resume_lost"}
	for _, k := range kinds {
		if k.Status != StatusGone {
			named = append(named, k.Words)
		}
	}
	for _, language := range []string{"ja", "en"} {
		apology := prompts.Failure{Name: internal.Words}.In(language)
		for _, name := range named {
			sentence := prompts.Failure{Name: name}.In(language)
			if sentence == apology || isJapanese(sentence) != (language == "ja") || strings.ContainsAny(sentence, "[]*#") {
				t.Errorf("Failure{%s}.In(%q) = %q, want plain words in that language", name, language, sentence)
			}
		}
	}
}

func isJapanese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) })
}

func TestExplain(t *testing.T) {
	for name, c := range map[string]struct {
		err      error
		accept   string
		status   int
		code     string
		language string
		words    string
	}{
		"a kind":                {fmt.Errorf("put: %w", fault.ErrConflict), "en", 409, api.CodeConflict, "en", "conflict"},
		"no kind":               {errors.New("disk"), "", 500, api.CodeInternal, "ja", "internal"},
		"told in a language":    {Tell(ErrOverloaded, "en", ""), "ja", 503, api.CodeOverloaded, "en", "overloaded"},
		"told with other words": {Tell(fault.ErrNotFound, "", "resume_lost"), "ja", 404, api.CodeNotFound, "ja", "resume_lost"},
		"a field":               {Invalid("query", "must not be empty"), "en", 400, api.CodeInvalid, "en", "invalid"},
		"words of a field":      {&InputError{Words: "too_long"}, "en", 400, api.CodeInvalid, "en", "too_long"},
		"no time":               {fmt.Errorf("%w: %w", fault.ErrUnavailable, context.DeadlineExceeded), "en", 504, api.CodeDeadline, "en", "deadline"},
	} {
		f := Explain(c.err, c.accept)
		if f.Status != c.status || f.Code != c.code || f.Language != c.language || f.Words != c.words ||
			f.Message == "" && name != "words of a field" || !errors.Is(f.Err, c.err) {
			t.Errorf("%s: Explain(%v, %q) = %+v, want %d %s and %q",
				name, c.err, c.accept, f, c.status, c.code, c.words)
		}
	}
	if f := Explain(Invalid("query", "must not be empty"), ""); f.Message != "query must not be empty" || len(f.Details) != 1 {
		t.Errorf("Explain of a field = %+v, want its message and details", f)
	}
	broken := &net.OpError{Op: "write", Net: "tcp", Err: os.NewSyscallError("write", syscall.EPIPE)}
	if f := Explain(fmt.Errorf("join: %w", broken), ""); f.Status != StatusGone {
		t.Errorf("Explain(%v) = %d, want that the client went away", broken, f.Status)
	}
	if f := Explain(fmt.Errorf("%w: %w", fault.ErrUnavailable, broken), ""); f.Status != http.StatusServiceUnavailable {
		t.Errorf("Explain of another service that hung up = %d, want 503", f.Status)
	}
	if f := Explain(ErrCancelled, ""); f.Emotion != "neutral" {
		t.Errorf("Explain(ErrCancelled) has emotion %q, want neutral: it was asked for", f.Emotion)
	}
}
