package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// authored is a place with talks to learn from, as scripts/learn/talks/README.md has it.
type authored struct {
	Name string `json:"name"`
	// Venue are the hours and the parts, as a venue file has them.
	Venue struct {
		Hours map[string]any   `json:"hours"`
		Parts []map[string]any `json:"parts"`
	} `json:"venue"`
	Subjects []struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
		Ja   string `json:"ja"`
		En   string `json:"en"`
		Text string `json:"text"`
	} `json:"subjects"`
	Talks []struct {
		Lang  string           `json:"lang"`
		Turns []map[string]any `json:"turns"`
	} `json:"talks"`
}

// file is the venue file of the place; JSON is YAML.
func (p authored) file(t *testing.T) string {
	t.Helper()
	hours := p.Venue.Hours
	if hours == nil {
		hours = map[string]any{"weekly": map[string]any{"mon": "", "daily": "09:30-17:00"}}
	}
	both := func(ja, en string) map[string]any { return map[string]any{"ja": ja, "en": en} }
	data, err := json.Marshal(map[string]any{
		"name": both(p.Name, p.Name), "timezone": "Asia/Tokyo", "hours": hours, "parts": p.Venue.Parts,
		"calendars": []map[string]any{{
			"id": "events", "label": both("催し", "Events"), "source": "ics", "path": "events.ics",
			"visibility": "public",
		}},
		"knowledge": []string{"knowledge"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// venueOf makes of an authored place the folder of a venue with annotated talks, and returns its path.
func venueOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var place authored
	if err := json.Unmarshal(data, &place); err != nil {
		t.Fatal(file, err)
	}
	name := filepath.Base(filepath.Dir(file)) + "-" + strings.TrimSuffix(filepath.Base(file), ".json")
	dir := filepath.Join(t.TempDir(), name)
	titles := map[string]string{}
	var events strings.Builder
	guide := map[string]string{}
	for n, s := range place.Subjects {
		text := strings.NewReplacer("\\", "\\\\", ",", "\\,", ";", "\\;", "\n", "\\n")
		if s.Kind == "event" {
			titles[s.ID] = strings.Trim(s.Ja+" / "+s.En, " /")
			fmt.Fprintf(&events, "BEGIN:VEVENT\r\nUID:%s@annai\r\nDTSTAMP:20260501T000000Z\r\n"+
				"DTSTART:202606%02dT%02d0000Z\r\n"+
				"DURATION:PT90M\r\nSUMMARY:%s\r\nDESCRIPTION:%s\r\nEND:VEVENT\r\n",
				s.ID, 11+n%20, 1+n%8, text.Replace(titles[s.ID]), text.Replace(s.Text))
			continue
		}
		lang, title := "en", s.En
		if s.En == "" || s.Ja != "" && isJapaneseText(s.Text) {
			lang, title = "ja", s.Ja
		}
		titles[s.ID] = title
		guide[lang] += "## " + title + "\n\n" + s.Text + "\n\n"
	}
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range place.Venue.Parts {
		name := part["name"].(map[string]any)
		titles[part["id"].(string)] = fmt.Sprintf("%s / %s", name["ja"], name["en"])
	}
	write("venue.yaml", place.file(t))
	write("events.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//annai//EN\r\n"+events.String()+"END:VCALENDAR\r\n")
	for lang, text := range guide {
		write("knowledge/guide."+lang+".md", "---\ntitle: Guide\nlang: "+lang+
			"\ncategory: guide\nsource: https://place.example/guide\nupdatedAt: 2026-04-01\n---\n\n"+text)
	}
	write("talks.jsonl", place.lines(t, titles))
	write("singles.jsonl", "")
	return dir
}

// lines are the talks with titles in place of ids.
func (p authored) lines(t *testing.T, titles map[string]string) string {
	t.Helper()
	var b strings.Builder
	for n, talk := range p.Talks {
		for _, turn := range talk.Turns {
			about, _ := turn["about"].(string)
			if title, ok := titles[about]; ok {
				turn["about"] = title
			}
			delete(turn, "not") // there a filter, here what an answer must not have
		}
		line, err := json.Marshal(map[string]any{"id": fmt.Sprint(n), "lang": talk.Lang, "turns": talk.Turns})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func isJapaneseText(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han)
	})
}
