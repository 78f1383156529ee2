package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/api"
)

// thursday is the clock of these tests: a day on which the demo venue has an event.
const thursday = "2026-11-19T10:00:00+09:00"

// command runs annai as a shell would, and returns what it wrote.
func command(t *testing.T, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, terminal{in: strings.NewReader(in), out: &stdout, err: &stderr})
	return code, stdout.String(), stderr.String()
}

func TestExitCodes(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte("name: [broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()

	for name, c := range map[string]struct {
		args []string
		code int
		says string // in one line on standard error
	}{
		"help":               {[]string{"--help"}, exitOK, ""},
		"help of a command":  {[]string{"serve", "--help"}, exitOK, ""},
		"version":            {[]string{"version"}, exitOK, ""},
		"no such command":    {[]string{"sing"}, exitUsage, `"sing"`},
		"no such flag":       {[]string{"serve", "--sing"}, exitUsage, "--sing"},
		"too many words":     {[]string{"serve", "now"}, exitUsage, `"now"`},
		"nothing to ask":     {[]string{"ask", "  "}, exitUsage, "ask what?"},
		"no such language":   {[]string{"ask", "--language", "fr", "x"}, exitUsage, "fr"},
		"too long":           {[]string{"ask", strings.Repeat("あ", 2001)}, exitFailed, "2001"},
		"no such venue":      {[]string{"serve", "--venue", filepath.Join(folder, "none.yaml")}, exitFailed, "none.yaml"},
		"a broken venue":     {[]string{"doctor", "--venue", text}, exitFailed, text},
		"a taken port":       {[]string{"serve", "--listen", taken.Addr().String()}, exitFailed, taken.Addr().String() + " is taken"},
		"an open address":    {[]string{"serve", "--listen", "0.0.0.0:0"}, exitFailed, "insecure"},
		"not an address":     {[]string{"serve", "--listen", "here"}, exitFailed, "--listen"},
		"data below a file":  {[]string{"serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(text, "data")}, exitFailed, "data folder"},
		"not an instant":     {[]string{"ask", "--now", "noon", "x"}, exitFailed, "--now"},
		"nobody to be ready": {[]string{"doctor", "--ready", "--listen", "127.0.0.1:1"}, exitFailed, "not ready"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := command(t, "", c.args...)
			if code != c.code || !strings.Contains(errs, c.says) {
				t.Errorf("annai %q = %d, %q, want %d and %q", c.args, code, errs, c.code, c.says)
			}
			if code == exitOK && (out == "" || errs != "") {
				t.Errorf("annai %q wrote %q and %q, want only output", c.args, out, errs)
			}
			if code != exitOK && (strings.Count(strings.TrimSpace(errs), "\n") > 0 || strings.Contains(errs, "goroutine")) {
				t.Errorf("annai %q says %q, want one line", c.args, errs)
			}
		})
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	for question, words := range map[string][]string{
		"今日のイベントは？":                            {"Go勉強会", "2026年11月19日(木) 19:00〜21:00"},
		"What's on today?":                     {"Go Study Group", "Thu, Nov 19, 2026, 19:00–21:00"},
		"2週間後は何日？":                             {"2026年12月3日(木)"},
		"How do I get there from the airport?": {"11 min"},
	} {
		code, out, errs := command(t, "", "ask", "--now", thursday, question)
		if code != exitOK || errs != "" {
			t.Errorf("annai ask %q = %d, %q", question, code, errs)
		}
		for _, word := range words {
			if !strings.Contains(out, word) {
				t.Errorf("annai ask %q = %q, want %q in it", question, out, word)
			}
		}
	}
}

func TestChatRemembers(t *testing.T) {
	code, out, errs := command(t, "今日のイベントは？\n\n場所は？\n", "chat", "--now", thursday)
	if code != exitOK || errs != "" || !strings.Contains(out, "場所は、") {
		t.Errorf("annai chat = %d, %q, %q, want the place of the event", code, out, errs)
	}
	code, out, _ = command(t, "今日のイベントは？\n場所は？\n", "chat", "--json", "--now", thursday)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitOK || len(lines) != 2 {
		t.Fatalf("annai chat --json = %d, %q, want two lines", code, out)
	}
	for _, line := range lines {
		var answer api.QueryResponse
		if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.AgentName != "EventAgent" {
			t.Errorf("line %q: %v, want an answer of the EventAgent", line, err)
		}
	}
}

// TestChatEnds holds that a talk ends with a word, which its first line says, and that nothing behind it is answered.
func TestChatEnds(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"exit", " Quit ", "終了", "終了。"} {
		code, out, errs := command(t, word+"\n今日のイベントは？\n", "chat", "--now", thursday)
		if lines := strings.Split(strings.TrimSpace(out), "\n"); code != exitOK || errs != "" || len(lines) != 1 || !strings.Contains(lines[0], "exit") {
			t.Errorf("annai chat, with %q = %d, %q, %q, want only the line that says how to end", word, code, out, errs)
		}
	}
	if code, out, _ := command(t, "", "chat", "--language", "en"); code != exitOK || out != howToEnd["en"]+"\n" {
		t.Errorf("annai chat, without input = %d, %q, want %q", code, out, howToEnd["en"])
	}
	if code, out, _ := command(t, "終了時刻は？\n", "chat", "--now", thursday); code != exitOK || strings.Count(out, "\n") < 2 {
		t.Errorf("annai chat, with a question that begins with 終了 = %d, %q, want an answer", code, out)
	}
}

func TestGraphAndDoctor(t *testing.T) {
	t.Parallel()
	if code, out, _ := command(t, "", "graph"); code != exitOK || !strings.HasPrefix(out, "flowchart TD\n") || !strings.Contains(out, "router") {
		t.Errorf("annai graph = %d, %q, want Mermaid", code, out)
	}
	if code, out, _ := command(t, "", "graph", "--dot"); code != exitOK || !strings.HasPrefix(out, "digraph") {
		t.Errorf("annai graph --dot = %d, %q, want DOT", code, out)
	}
	if code, out, errs := command(t, "", "doctor"); code != exitOK || strings.Contains(out, "FAIL") {
		t.Errorf("annai doctor = %d, %q, %q, want all well", code, out, errs)
	}
}

// brokenVenue writes a venue whose calendar can't be read.
func brokenVenue(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil { // nobody listens there any more
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "venue.yaml")
	text := fmt.Sprintf(`name: {ja: 図書館, en: The Library}
timezone: Asia/Tokyo
website: https://library.example
calendars: [{id: events, label: {ja: 催し, en: Events}, source: ics, url: "http://%s/x.ics", visibility: public}]
knowledge: []
`, address)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBrokenCalendarIsSaid(t *testing.T) {
	path := brokenVenue(t)
	for question, words := range map[string][]string{
		"今日のイベントは？":        {"カレンダーを確認できませんでした"},
		"What's on today?": {"calendar"},
	} {
		code, out, _ := command(t, "", "ask", "--json", "--venue", path, question)
		var answer api.QueryResponse
		if err := json.Unmarshal([]byte(out), &answer); code != exitOK || err != nil {
			t.Fatalf("annai ask %q = %d, %q: %v", question, code, out, err)
		}
		if answer.Metadata.SourceStatus["calendar"] != "error" {
			t.Errorf("%q: sourceStatus = %v, want calendar error", question, answer.Metadata.SourceStatus)
		}
		for _, word := range append(words, "") {
			if !strings.Contains(answer.Text, word) {
				t.Errorf("%q: text = %q, want %q", question, answer.Text, word)
			}
		}
		for _, never := range []string{"見つかりませんでした", "couldn't find any"} {
			if strings.Contains(answer.Text, never) {
				t.Errorf("%q: text = %q reads as if there were no events", question, answer.Text)
			}
		}
	}
	code, out, _ := command(t, "", "doctor", "--venue", path)
	if code != exitFailed || !strings.Contains(out, "FAIL  calendar") {
		t.Errorf("annai doctor = %d, %q, want a failed calendar", code, out)
	}
}

// running is a server in this process.
type running struct {
	url  string
	stop func() int
	out  *output // all that it wrote, the log too
}

// output is a buffer that is written and read at the same time.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	grew chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.grew <- struct{}{}:
	default:
	}
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func start(t testing.TB, args ...string) running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out := &output{grew: make(chan struct{}, 1)}
	done := make(chan int, 1)
	args = append([]string{"serve", "--listen", "127.0.0.1:0", "--now", thursday}, args...)
	go func() { done <- run(ctx, args, terminal{in: strings.NewReader(""), out: out, err: out}) }()
	address := regexp.MustCompile(`kiosk +(http://\S+)/kiosk`)
	for address.FindStringSubmatch(out.String()) == nil {
		select {
		case <-out.grew:
		case code := <-done:
			t.Fatalf("annai %q ended with %d: %s", args, code, out)
		case <-time.After(2 * time.Minute):
			t.Fatalf("annai %q is not ready: %s", args, out)
		}
	}
	stop := sync.OnceValue(func() int {
		cancel()
		return <-done
	})
	t.Cleanup(func() { stop() })
	return running{url: address.FindStringSubmatch(out.String())[1], stop: stop, out: out}
}

func (r running) ask(t testing.TB, body string) api.QueryResponse {
	t.Helper()
	response, err := http.Post(r.url+"/query", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("POST /query %s = %s %s, %v", body, response.Status, data, err)
	}
	var answer api.QueryResponse
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestServe(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, "--data", data)
	first := s.ask(t, `{"query": "今日のイベントは？", "sessionId": "s1"}`)
	if first.Emotion != "excited" || !strings.HasPrefix(first.Text, "[happy]") || !first.Metadata.Demo {
		t.Errorf("answer = %+v, want a happy one, labelled as demo data", first)
	}
	for _, path := range []string{"/kiosk/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/events?from=2026-11-01&to=2026-11-30", "/emotions", "/graph", "/venue"} {
		response, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		if _ = response.Body.Close(); response.StatusCode != http.StatusOK {
			t.Errorf("GET %s = %s, want 200", path, response.Status)
		}
	}
	if code := s.stop(); code != exitOK {
		t.Errorf("annai serve ended with %d after it was told to stop, want %d", code, exitOK)
	}
	// With a data folder a session outlives the process.
	again := start(t, "--data", data)
	if answer := again.ask(t, `{"query": "場所は？", "sessionId": "s1"}`); !answer.Metadata.ProcessingInfo.ContextInherited {
		t.Errorf("after a restart the session is forgotten: %q", answer.Text)
	}
}
