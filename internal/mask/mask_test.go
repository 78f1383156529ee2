package mask_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"annai/internal/mask"
)

func TestText(t *testing.T) {
	const (
		dial  = "dial tcp 10.0.0.1:5432: connection refused after 0.5 s"
		local = "http://127.0.0.1:8080/threads/0001 is 404, in 1000000 ns"
	)
	for in, want := range map[string]string{
		"account hanako.yamada@example.co.jp is gone":      "account …@… is gone",
		"write to 山田@例え.jp":                                "write to …@…",
		"call 090-1234-5678, please":                       "call …, please",
		"call (092) 123-4567":                              "call …",
		"call 0921234567":                                  "call …",
		"call +81 90 1234 5678 now":                        "call … now",
		`Post "https://u:p@maps.example/x?q=home&k=K": no`: `Post "https://…@maps.example/x?…": no`,
		"redis://:secret@10.0.0.1/0":                       "redis://…@10.0.0.1/0",
		"thread 6f1d3f0e-5f0b-4f57-9d3c-3c4a5a1f0001":      "thread 6f1d3f0e-5f0b-4f57-9d3c-3c4a5a1f0001",
		"run 01234567-0123-4567-8901-012345678901":         "run 01234567-0123-4567-8901-012345678901",
		"2026-11-19T10:00:00+09:00":                        "2026-11-19T10:00:00+09:00",
		"@annai 0 1 2":                                     "@annai 0 1 2",
		dial:                                               dial,
		local:                                              local,
	} {
		if got := mask.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAttr(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: mask.Attr}))
	log.With("account", "a@example.com").Warn("failed", "err", errors.New("b@example.com"), "n", 7,
		slog.Group("in", "mail", "c@example.com"))
	if got := out.String(); strings.Contains(got, "example.com") || !strings.Contains(got, "n=7") ||
		!strings.Contains(got, "level=WARN") {
		t.Errorf("the line is %s", got)
	}
}

func BenchmarkText(b *testing.B) {
	const text = "thread 6f1d3f0e-5f0b-4f57-9d3c-3c4a5a1f0001: put step 3: conflict"
	for b.Loop() {
		mask.Text(text)
	}
}

func FuzzText(f *testing.F) {
	f.Add("a@b.c +81 90 1234 5678 https://x?y")
	f.Fuzz(func(t *testing.T, s string) {
		if once := mask.Text(s); strings.Contains(once, "secret@example.com") {
			t.Errorf("Text(%q) = %q", s, once)
		}
	})
}
