package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNLUAnswers(t *testing.T) {
	for _, c := range []struct{ part, line, want string }{
		{"route", `{"id": "a", "lang": "ja", "text": "今日の日付を教えて"}`, `{"id":"a","agent":"date"`},
		{"route", `{"id": "b", "text": "remind me to call my mother at noon"}`, `{"id":"b","agent":"calendar"`},
		{"route", `{"id": "en", "lang": "en", "text": "今日の日付を教えて"}`, `{"id":"en","agent":"date"`},
		{"route", `{"id": "xx", "lang": "tlh", "text": "今日の日付を教えて"}`, `{"id":"xx","agent":"date"`},
		{"route", `{"id": "c", "text": ""}`, `{"id":"c","agent":"other"`},
		{
			"datetime", `{"id": 1, "lang": "ja", "text": "明日の14時", "reference_time": "2025-01-15T10:00:00", "timezone": "Asia/Tokyo"}`,
			`{"id":1,"results":[{"kind":"datetime","start":"2025-01-16T14:00:00","text":"明日の14時"}]}` + "\n",
		},
		{
			"datetime", `{"id": 2, "text": "next week", "reference_time": "2025-01-15T10:00:00", "unknown": {"field": 1}}`,
			`{"id":2,"results":[{"kind":"daterange","start":"2025-01-20","end":"2025-01-27","text":"next week"}]}` + "\n",
		},
		{"datetime", `{"id": 3, "text": "today", "reference_time": "2025-01-15T23:30:00Z", "timezone": "Asia/Tokyo"}`, `{"id":3,"results":[{"kind":"date","start":"2025-01-16","text":"today"}]}` + "\n"},
		{"datetime", `{"id": 4, "text": "for two hours"}`, `{"id":4,"results":[{"kind":"duration","seconds":7200,`},
		{"datetime", `{"id": 5, "text": "毎週水曜"}`, `{"id":5,"results":[{"kind":"set",`},
		{"datetime", `{"id": 6, "text": "エンジニアカフェ"}`, `{"id":6,"results":[]}` + "\n"},
		{
			"slots", `{"id": "s", "lang": "ja", "text": "明日の会議を消して"}`,
			`{"id":"s","op":"delete","slots":[{"type":"date","text":"明日"},{"type":"event_name","text":"会議"}]}` + "\n",
		},
		{"slots", `{"id": "u", "lang": "en", "text": "move my meeting to friday"}`, `{"id":"u","op":"create","slots":[{"type":"event_name","text":"meeting"},{"type":"date","text":"friday"}]}` + "\n"},
		{"slots", `{"id": "n", "text": ""}`, `{"id":"n","op":"query","slots":[]}` + "\n"},
		{"holiday", `{"id": "h", "date": "2025-05-06"}`, `{"id":"h","holiday":"振替休日"}` + "\n"},
		{"holiday", `{"id": null, "date": "2025-05-07"}`, `{"id":null,"holiday":""}` + "\n"},
	} {
		code, out, errs := command(t, c.line+"\n", "nlu", c.part)
		if code != exitOK || errs != "" || !strings.HasPrefix(out, c.want) {
			t.Errorf("annai nlu %s < %s = %d, %s%s, want %s", c.part, c.line, code, out, errs, c.want)
		}
	}
}

func TestNLUBadLines(t *testing.T) {
	in := "\uFEFF" + `{"id": 1, "text": "today"}
{"id": "no text"}
{"id": "a number", "text": 7}

not JSON
["a list"]
{"id": {"any": "JSON"}, "text": "x", "reference_time": "soon"}
{"text": "x", "timezone": "Nowhere/Land"}
{"id": "last", "text": "tomorrow", "reference_time": "2025-01-15"}`
	want := []string{
		`{"id":1,"results":`,
		`{"id":"no text","error":"there is no \"text\""}`,
		`{"id":"a number","error":"\"text\" is a number, not a string"}`,
		`{"id":null,"error":"the line is not a JSON object"}`,
		`{"id":null,"error":"the line is a JSON array, not an object"}`,
		`{"id":{"any":"JSON"},"error":"\"reference_time\": \"soon\" is no time such as 2025-01-15T10:00:00"}`,
		`{"id":null,"error":"\"timezone\": there is no zone \"Nowhere/Land\""}`,
		`{"id":"last","results":[{"kind":"date","start":"2025-01-16"`,
	}
	code, out, errs := command(t, in, "nlu", "datetime")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitOK || errs != "" || len(lines) != len(want) {
		t.Fatalf("annai nlu datetime = %d, %d lines, %q, want %d lines:\n%s", code, len(lines), errs, len(want), out)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("answer %d = %s, want %s", i+1, line, want[i])
		}
	}
	if _, out, _ := command(t, `{"id": 1, "date": "2025-02-30"}`, "nlu", "holiday"); !strings.Contains(out, "is no date such as") {
		t.Errorf("annai nlu holiday of a day that does not exist = %s", out)
	}
}

func TestNLULongLines(t *testing.T) {
	const megabyte = 1 << 20
	long := `{"id": "long", "text": "` + strings.Repeat("明日", 2*megabyte/6) + `"}` + "\n"
	tooLong := `{"id": "too long", "text": "` + strings.Repeat("x", longestLine) + `"}` + "\n"
	code, out, errs := command(t, long+tooLong+`{"id": "short", "text": "明日の会議を消して"}`, "nlu", "slots")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitOK || errs != "" || len(lines) != 3 {
		t.Fatalf("annai nlu slots = %d, %d lines, %q, want 3 lines", code, len(lines), errs)
	}
	for i, want := range []string{`{"id":"long","op":`, `{"id":null,"error":"the line has more than `, `{"id":"short","op":"delete"`} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("answer %d = %.80s, want %s", i+1, lines[i], want)
		}
	}
}

// TestNLUAnswersAtOnce says that a program may send a line, wait for its answer, and go on.
func TestNLUAnswersAtOnce(t *testing.T) {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(t.Context(), []string{"nlu", "holiday"}, terminal{in: inRead, out: outWrite, err: io.Discard})
		_ = outWrite.Close()
	}()
	answers := bufio.NewScanner(outRead)
	_, _ = io.WriteString(inWrite, "{")
	for i, date := range []string{"2025-01-01", "2025-01-02"} { // behind each stand a blank line and the beginning of the next
		if _, err := fmt.Fprintf(inWrite, "\"id\": %d, \"date\": %q}\n\n{", i, date); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() || !strings.HasPrefix(answers.Text(), fmt.Sprintf(`{"id":%d,`, i)) {
			t.Fatalf("answer to line %d = %q, %v", i, answers.Text(), answers.Err())
		}
	}
	_ = inWrite.Close()
	if !answers.Scan() || !strings.Contains(answers.Text(), "not a JSON object") || answers.Scan() {
		t.Errorf("answer to half a line = %q, want one that says so, and no more", answers.Text())
	}
	if code := <-done; code != exitOK {
		t.Errorf("annai nlu holiday = %d after the end of its input, want %d", code, exitOK)
	}
}

func TestNLURetrieve(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	passages := filepath.Join(folder, "passages.jsonl")
	var lines strings.Builder
	for i, fact := range []string{
		"自転車の貸し出しは受付で行っています。", "駐車場は建物の裏にあります。", "開館時間は9時から20時までです。", "屋上庭園では季節の花が見られます。", "会議室は3階です。",
		"ピアノは金曜日に弾けます。", "図書は二週間借りられます。", "売店は地下にあります。", "水飲み場は各階にあります。", "忘れ物は受付に届けてください。", "写真はロビーで撮れます。", "犬は入れません。",
	} {
		line, err := json.Marshal(map[string]string{"pid": fmt.Sprintf("p%d", i), "title": "案内", "text": fact})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	write(t, passages, lines.String())
	code, out, errs := command(t, `{"id": "q", "lang": "ja", "text": "駐車場はどこですか"}`, "nlu", "retrieve", "--passages", passages)
	var answer struct {
		ID     string
		Ranked []string
	}
	if err := json.Unmarshal([]byte(out), &answer); code != exitOK || errs != "" || err != nil {
		t.Fatalf("annai nlu retrieve = %d, %s, %s: %v", code, out, errs, err)
	}
	if answer.ID != "q" || len(answer.Ranked) < 10 || answer.Ranked[0] != "p1" {
		t.Errorf("annai nlu retrieve = %+v, want p1 before at least nine others", answer)
	}

	broken := filepath.Join(folder, "broken.jsonl")
	write(t, broken, `{"pid": "p1", "title": "t", "text": "x"}`+"\n"+`{"pid": "p2"}`+"\n")
	for args, want := range map[string]struct {
		code int
		says string
	}{
		"":            {exitUsage, "--passages FILE"},
		broken:        {exitFailed, "broken.jsonl, line 2: want a JSON object"},
		folder + "/x": {exitFailed, "passages: open"},
	} {
		code, _, errs := command(t, "", "nlu", "retrieve", "--passages", args)
		if code != want.code || !strings.Contains(errs, want.says) {
			t.Errorf("annai nlu retrieve --passages %q = %d, %q, want %d and %q", args, code, errs, want.code, want.says)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestNLUExplain says that reasons come beside the answers and change none, for words of the command line too.
func TestNLUExplain(t *testing.T) {
	for part, c := range map[string]struct {
		words string
		says  []string
	}{
		"route": {"what workshops are there on friday", []string{
			"language   en", "intent     event", "token      workshops: kind of event", "token      friday: time", "rule       event, by ", "n-grams    ", "agent      1.0000 event, by n-grams alone ", "; +", "confidence 1.0000 in event",
		}},
		"datetime": {"tomorrow at 3pm", []string{
			"word       tomorrow: day", "word       pm: am/pm", `time       "tomorrow at 3pm" at 0..15 is a datetime 2025-01-16T15:00:00`, "made of    known days, clock",
		}},
		"slots":   {"put lunch with my mother on friday at noon", []string{"token      lunch: B-other", `title      "lunch with my mother"`, `with       "mother"`, "operation  create"}},
		"holiday": {"2025-05-05", []string{"Children's Day"}},
	} {
		now := []string{"--now", "2025-01-15T10:00:00+09:00"}
		plainCode, plain, _ := command(t, "", append([]string{"nlu", part, c.words}, now...)...)
		code, out, why := command(t, "", append([]string{"nlu", part, "--explain", c.words}, now...)...)
		if code != exitOK || plainCode != exitOK {
			t.Fatalf("annai nlu %s %q = %d and %d", part, c.words, plainCode, code)
		}
		if diff := cmp.Diff(plain, out); diff != "" {
			t.Errorf("annai nlu %s --explain changes the answer (-without +with):\n%s", part, diff)
		}
		for _, words := range c.says {
			if !strings.Contains(why, words) {
				t.Errorf("annai nlu %s --explain %q says:\n%swant %q in it", part, c.words, why, words)
			}
		}
	}
}

func TestNLUUsage(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no part":        {[]string{"nlu"}, exitOK, ""},
		"no such part":   {[]string{"nlu", "sing"}, exitUsage, "there is no annai nlu sing"},
		"no such flag":   {[]string{"nlu", "route", "--sing"}, exitUsage, "--sing"},
		"not an instant": {[]string{"nlu", "route", "--now", "noon"}, exitFailed, "--now"},
		"no date":        {[]string{"nlu", "holiday", "soon"}, exitFailed, "is no date"},
	} {
		code, _, errs := command(t, "", c.args...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: annai %q = %d, %q, want %d and %q", name, c.args, code, errs, c.code, c.says)
		}
	}
}
