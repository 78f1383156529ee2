package markdown

import (
	"regexp"
	"strings"

	"annai/civil"
	"annai/internal/strictyaml"
)

// frontMatter is what a document says about itself.
type frontMatter struct {
	Title      string `yaml:"title"`
	Lang       string `yaml:"lang"`
	Category   string `yaml:"category"`
	Source     string `yaml:"source"`
	UpdatedAt  string `yaml:"updatedAt"`
	ValidFrom  string `yaml:"validFrom"`
	ValidUntil string `yaml:"validUntil"`
	Pair       string `yaml:"pair"`

	updatedAt, validFrom, validUntil civil.Date
}

var frontKeys = map[string]bool{
	"title": true, "lang": true, "category": true, "source": true,
	"updatedAt": true, "validFrom": true, "validUntil": true, "pair": true,
}

var keyLine = regexp.MustCompile(`^["']?([^\s"':#][^"':]*?)["']?\s*:(\s|$)`)

// readFront reads the front matter and returns the index of the first line after it.
func readFront(lines []string) (front frontMatter, body int, p *Problem) {
	if strings.TrimRight(lines[0], " \t") != "---" {
		return front, 0, problem(1, "no front matter: the first line must be ---")
	}
	end := 1
	for end < len(lines) && strings.TrimRight(lines[end], " \t") != "---" {
		end++
	}
	if end == len(lines) {
		return front, 0, problem(1, "the front matter does not end: a second line of --- is missing")
	}
	keys, p := keysOf(lines[1:end])
	if p != nil {
		return front, 0, p
	}
	// The blank line in place of the first --- makes the line numbers of errors those of the file.
	if err := strictyaml.Decode([]byte("\n"+strings.Join(lines[1:end], "\n")), &front); err != nil {
		return front, 0, problem(1, "front matter: %v", err)
	}
	return front, end + 1, front.check(keys)
}

// keysOf returns the line of each key, and refuses unknown and repeated ones.
func keysOf(lines []string) (map[string]int, *Problem) {
	keys := map[string]int{}
	for i, line := range lines {
		m := keyLine.FindStringSubmatch(line)
		switch {
		case m == nil:
		case !frontKeys[m[1]]:
			return nil, problem(i+2, "unknown key %q in the front matter", m[1])
		case keys[m[1]] > 0:
			return nil, problem(i+2, "key %q is there twice", m[1])
		default:
			keys[m[1]] = i + 2
		}
	}
	return keys, nil
}

func (f *frontMatter) check(keys map[string]int) *Problem {
	for _, required := range []struct{ key, value string }{
		{"title", f.Title},
		{"lang", f.Lang},
		{"category", f.Category},
	} {
		if strings.TrimSpace(required.value) == "" {
			return problem(max(keys[required.key], 1), "%s is missing in the front matter", required.key)
		}
	}
	if f.Lang != "ja" && f.Lang != "en" {
		return problem(keys["lang"], "lang is %q, want ja or en", f.Lang)
	}
	for _, day := range []struct {
		key, value string
		into       *civil.Date
	}{
		{"updatedAt", f.UpdatedAt, &f.updatedAt},
		{"validFrom", f.ValidFrom, &f.validFrom},
		{"validUntil", f.ValidUntil, &f.validUntil},
	} {
		if day.value == "" {
			continue
		}
		date, err := civil.ParseDate(day.value)
		if err != nil {
			return problem(keys[day.key], "%s is %q, want a day as 2006-01-02", day.key, day.value)
		}
		*day.into = date
	}
	if !f.validFrom.IsZero() && !f.validUntil.IsZero() && f.validUntil.Before(f.validFrom) {
		return problem(keys["validUntil"], "validUntil %s is before validFrom %s", f.validUntil, f.validFrom)
	}
	return nil
}
