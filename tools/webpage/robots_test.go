package webpage_test

import (
	"errors"
	"testing"
	"time"

	"annai/fault"
	"annai/tools/webpage"
)

// The rules are those of RFC 9309, its examples among them.
func TestRobots(t *testing.T) {
	rules := file(t, "robots.txt")
	for _, tt := range []struct {
		file, path string
		want       bool
	}{
		{rules, "/", true},
		{rules, "/a.gif", true}, // that is for others
		{rules, "/example/page.html", true},
		{rules, "/example/page.htm", true},
		{rules, "/example/page.html?x", false},
		{rules, "/%E3%82%A2/b", false},
		{rules, "/%e3%82%a2", false},
		{rules, "/%E3%82%AC", false},
		{rules, "/q?a=1&secret=2", false},
		{rules, "/q?a=1", true},
		{"User-agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /example/a", "/x/a.gif", false},
		{"User-agent: *\nDisallow: /example/\nAllow: /example/a", "/example/ab", true},
		{"User-agent: *\nDisallow: /example/\nAllow: /example/a", "/example/b", false},
		{"User-agent: *\nDisallow: /a\nAllow: /a", "/a", true},
		{"\ufeffuser-agent:*\r\ndisallow:/\r\n", "/a", false},
		{"User-agent: annai\nDisallow:\n\nUser-agent: *\nDisallow: /", "/a", true},
		{"Disallow: /\n", "/a", true},
		{"<html>Not found</html>", "/a", true},
		{"", "/a", true},
	} {
		if got := webpage.Allowed([]byte(tt.file), tt.path); got != tt.want {
			t.Errorf("%q allows %s = %v, want %v", tt.file, tt.path, got, tt.want)
		}
	}
}

func reasonOf(err error) webpage.Reason {
	var f *webpage.Failure
	if !errors.As(err, &f) {
		return ""
	}
	return f.Reason
}

// A site is asked for its rules once in a while, before the first page and where a redirect leads.
func TestRobotsAreHeeded(t *testing.T) {
	w := newWeb(t)
	now := time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)
	r := webpage.New(w.client, func() time.Time { return now })
	expand := func(page string) webpage.Reason {
		t.Helper()
		_, err := r.Expand(t.Context(), w.at(page))
		if err != nil && !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Expand(%s) = %v, want ErrUnavailable", page, err)
		}
		return reasonOf(err)
	}
	w.pages["a.example/robots.txt"] = "User-agent: *\nDisallow: /private"
	w.pages["a.example/"], w.pages["a.example/private"] = "<!doctype html><title>A", "<!doctype html><title>P"
	w.pages["b.example/to"] = w.at("a.example/private")
	w.pages["c.example/"], w.status["c.example/robots.txt"] = "<!doctype html><title>C", 503
	for page, want := range map[string]webpage.Reason{
		"a.example/": "", "a.example/private": webpage.Robots, "b.example/to": webpage.Robots,
		"c.example/": webpage.Robots,
	} {
		if got := expand(page); got != want {
			t.Errorf("Expand(%s) failed for %q, want %q", page, got, want)
		}
	}
	count := func(what string) (n int) {
		for _, at := range w.asked {
			if at == what {
				n++
			}
		}
		return n
	}
	if count("a.example/private") != 0 || count("a.example/robots.txt") != 1 || count("c.example/") != 0 {
		t.Errorf("asked for %q, want rules once and nothing that they disallow", w.asked)
	}
	now = now.Add(2 * time.Hour)
	delete(w.pages, "a.example/robots.txt")
	if got := expand("a.example/private"); got != "" {
		t.Errorf("Expand once the rules are gone failed for %q, want it read", got)
	}
}
