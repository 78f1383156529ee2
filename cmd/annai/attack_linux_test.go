package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// What a visitor's key may take at most, whatever it asks for: docs/security.md promises it.
const (
	attackMemory = 200 << 20
	attackWhole  = 512 << 20 // with what the server has anyway: mem_limit of docker-compose.yml
	attackDisk   = 1 << 30
	attackCPU    = 1300 * time.Millisecond // a second, and what machines differ by: a film takes 0.8 to 1.1
)

const attackKey = "a-key-of-a-visitor-who-attacks"

// attacker is a visitor who means harm, and the server.
type attacker struct {
	*testing.T

	url, data string
	pid       int
	threads   []string
}

// TestAttacker plays a visitor with a key who tries to bring a server down that has 512 MB, as fast
// as it can: without the limits of rate, so that what holds is all the rest.
func TestAttacker(t *testing.T) {
	data := t.TempDir()
	hears := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = json.NewEncoder(w).Encode(map[string]string{"text": strings.Repeat("あ", 2000)})
	}))
	defer hears.Close()
	limit := "300MiB" // so that memory is what is needed, and not what nobody had reason to collect yet
	if raceFactor > 1 {
		limit = "2GiB" // memory is not looked at then
	}
	c := startChild(t, []string{
		"GOMEMLIMIT=" + limit,
		"ANNAI_ASK_KEY=" + attackKey,
		"ANNAI_OWNER_KEY=a-key-of-the-owner-of-it-all",
		"ANNAI_RATE_ADDRESS=1000000/s",
		"ANNAI_RATE_KEY=1000000/s",
		"ANNAI_HEARING_URL=" + hears.URL + "/v1",
		"ANNAI_PUBLIC_URL=http://127.0.0.1:1",
	}, "serve", "--listen", "127.0.0.1:0", "--data", data)
	defer func() { c.kill(); c.ended() }()
	a := &attacker{T: t, data: data, pid: c.process.Process.Pid}
	for line := range c.answers {
		if _, url, ok := strings.Cut(line, "kiosk  "); ok {
			a.url = strings.TrimSuffix(url, "/kiosk")
			break
		}
	}
	if a.url == "" {
		t.Fatalf("the server did not start: %s", c.ended())
	}
	go func() {
		for range c.answers { // so that it can go on writing
		}
	}()
	a.ask("POST", "/query", `{"query":"今日のイベントは？"}`)
	for _, words := range []string{"こんにちは。", "Good morning."} { // what voices and posters need is unpacked once
		a.ask("POST", "/v1/audio/speech", `{"input":"`+words+`"}`)
		a.ask("POST", "/tools/imagen_generate_poster", `{"eventTitle":"`+words+`"}`)
	}
	for range 4 {
		a.threads = append(a.threads, a.thread())
	}
	before := a.memory("VmRSS")
	for _, attack := range append(a.newerDoors(), []attack{
		{name: "large states", requests: 50, do: a.largeState},
		{name: "long histories", requests: 8, do: a.longHistory},
		{name: "many messages", requests: 8, do: a.manyMessages},
		{name: "many supersteps", requests: 8, do: a.manySupersteps},
		{name: "many threads", requests: 600, do: func(int) {
			a.ask("POST", "/threads", `{"metadata":{"x":"`+strings.Repeat("x", 60<<10)+`"}}`)
		}},
		{name: "copies", requests: 200, do: func(n int) {
			a.ask("POST", "/threads/"+a.threads[n%len(a.threads)]+"/copy", "")
		}},
		{name: "large batches", requests: 10, do: func(int) {
			one := `{"assistant_id":"annai","input":{"query":"x"}},`
			a.ask("POST", "/runs/batch", "["+strings.Repeat(one, 999)+`{}]`)
		}},
		{name: "runs for next year", requests: 400, do: func(int) {
			a.ask("POST", "/runs", `{"assistant_id":"annai","input":{"query":"x"},"after_seconds":30000000}`)
		}},
		{name: "large talks", requests: 20, do: func(int) {
			nothing := strings.Repeat(`{"role":"user","content":""},`, 240_000)
			a.ask("POST", "/v1/chat/completions", `{"messages":[`+nothing+`{"role":"user","content":"今日は？"}]}`)
		}},
		{name: "deep bodies", requests: 20, do: func(int) { a.ask("POST", "/threads", strings.Repeat("[", 60<<10)) }},
		{name: "questions of ligatures", requests: 20, do: func(int) {
			a.ask("POST", "/query", `{"query":"今日の予定は`+strings.Repeat("㎡", 1990)+`"}`)
		}},
		{name: "streams that nobody reads", requests: 300, do: a.openStream},
		{name: "sessions of MCP", requests: 300, do: func(int) {
			a.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize",`+
				`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		}},
	}...) {
		a.together(attack)
	}
	http.DefaultClient.CloseIdleConnections()
	peak := a.memory("VmHWM")
	t.Logf("memory: %d MB before, %d MB at most; disk: %d MB", before>>20, peak>>20, a.disk()>>20)
	if raceFactor == 1 && (peak-before > attackMemory || peak > attackWhole) {
		t.Errorf(
			"a visitor took %d MB of memory, and the server had %d, want at most %d and %d",
			(peak-before)>>20,
			peak>>20,
			attackMemory>>20,
			attackWhole>>20,
		)
	}
	if got := a.disk(); got > attackDisk {
		t.Errorf("a visitor took %d MB of disk, want at most %d", got>>20, attackDisk>>20)
	}
	if status := a.as(
		"a-key-of-the-owner-of-it-all",
		"POST",
		"/query",
		`{"query":"明日の予定は？"}`,
	); status != http.StatusOK {
		t.Errorf("the owner is answered %d after all that", status)
	}
}

// An attack is many requests of a kind.
type attack struct {
	name     string
	requests int
	// counts is as how many requests one counts, where it is charged for more.
	counts int
	// computes says that it is done for what it costs alone, which the race detector makes minutes of.
	computes bool
	do       func(n int)
}

// together makes requests, eight at a time, and looks at what they cost.
func (a *attacker) together(attack attack) {
	a.Helper()
	if attack.computes && raceFactor > 1 {
		return
	}
	name, requests, do := attack.name, attack.requests, attack.do
	if raceFactor > 1 { // memory is not looked at then
		requests = max(requests/5, 4)
	}
	began := a.cpu()
	next := make(chan int)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range next {
				do(n)
			}
		})
	}
	for n := range requests {
		next <- n
	}
	close(next)
	all.Wait()
	each := (a.cpu() - began) / time.Duration(requests*max(attack.counts, 1))
	a.Logf(
		"%s: %d requests, %v of a core each; %d MB at most",
		name,
		requests,
		each.Round(time.Millisecond),
		a.memory("VmHWM")>>20,
	)
	if each > raceFactor*attackCPU {
		a.Errorf("%s: a request takes %v of a core, want at most %v", name, each, attackCPU)
	}
}

// ask asks with the visitor's key and returns the body's beginning.
func (a *attacker) ask(method, path, body string) (status int, answer string) {
	a.Helper()
	got := a.send(method, path, body)
	return got.status, got.said
}

// send is ask with headers of one's own.
func (a *attacker) send(method, path, body string, header ...string) answered {
	a.Helper()
	r, err := http.NewRequestWithContext(a.Context(), method, a.url+path, strings.NewReader(body))
	if err != nil {
		a.Fatal(err)
	}
	r.Header.Set("X-Api-Key", attackKey)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil { // the server may refuse a body without reading it
		return answered{}
	}
	defer func() { _ = response.Body.Close() }()
	var kept bytes.Buffer
	_, _ = io.CopyN(&kept, response.Body, 1<<10)
	_, _ = io.Copy(io.Discard, response.Body)
	if response.StatusCode == http.StatusInternalServerError {
		a.Errorf("%s %s = 500 %s", method, path, kept.String())
	}
	return answered{response.StatusCode, response.Header, kept.String()}
}

func (a *attacker) as(key, method, path, body string) (status int) {
	r, err := http.NewRequestWithContext(a.Context(), method, a.url+path, strings.NewReader(body))
	if err != nil {
		a.Fatal(err)
	}
	r.Header.Set("X-Api-Key", key)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		a.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// thread makes a thread and returns its id, "" if there is no room for it.
func (a *attacker) thread() string {
	_, answer := a.ask("POST", "/threads", `{"metadata":{"graph_id":"annai"}}`)
	_, id, _ := strings.Cut(answer, `"thread_id":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// largeState writes 60 KB to a thread again and again, and once as much as the server once took.
func (a *attacker) largeState(n int) {
	if n == 0 {
		if status, _ := a.ask(
			"POST",
			"/threads/"+a.threads[0]+"/state",
			a.state(3_900_000),
		); status != 0 &&
			status != http.StatusRequestEntityTooLarge {
			a.Errorf("a state of 3.9 MB = %d, want 413", status)
		}
		return
	}
	a.ask("POST", "/threads/"+a.threads[n%4]+"/state", a.state(50_000))
}

func (a *attacker) state(bytes int) string {
	return `{"values":{"messages":[{"role":"user","content":"` + strings.Repeat("x", bytes) + `"}]},"as_node":"answer"}`
}

func (a *attacker) longHistory(n int) {
	a.ask("POST", "/threads/"+a.threads[n%len(a.threads)]+"/history", `{"limit":1000}`)
}

func (a *attacker) manyMessages(n int) {
	messages := "[" + strings.Repeat(`"",`, 20_000) + `""]`
	if n%2 == 0 {
		a.ask("POST", "/runs/wait", `{"assistant_id":"annai","input":{"messages":`+messages+`}}`)
		return
	}
	if id := a.thread(); id != "" {
		a.ask("POST", "/threads/"+id+"/state", `{"values":{"messages":`+messages+`},"as_node":"answer"}`)
	}
}

func (a *attacker) manySupersteps(int) {
	one := `{"updates":[{"values":{"messages":"x"},"as_node":"answer"}]}`
	a.ask("POST", "/threads", `{"metadata":{"graph_id":"annai"},"supersteps":[`+strings.Repeat(one+",", 98)+one+`]}`)
}

// openStream opens a stream on a thread that is not there, and leaves it open until the test ends.
func (a *attacker) openStream(n int) {
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
	ctx, cancel := context.WithCancel(a.Context())
	a.Cleanup(cancel)
	r, err := http.NewRequestWithContext(
		ctx,
		http.MethodPost,
		a.url+"/threads/"+id+"/stream/events",
		strings.NewReader(`{"channels":["values"]}`),
	)
	if err != nil {
		a.Error(err)
		return
	}
	r.Header.Set("X-Api-Key", attackKey)
	response, err := http.DefaultClient.Do(r)
	if err == nil && response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
	}
}

// memory is a line of what the kernel knows of the server's memory, in bytes.
func (a *attacker) memory(line string) int64 {
	a.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.pid))
	if err != nil {
		a.Fatalf("the server is gone: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), line+":")
	kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		a.Fatal(err)
	}
	return kilobytes << 10
}

// cpu is how long the server has computed.
func (a *attacker) cpu() time.Duration {
	a.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", a.pid))
	if err != nil {
		a.Fatalf("the server is gone: %v", err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest) // from the state on: utime and stime are the 14th and 15th of all
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			a.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond // of Linux
}

func (a *attacker) disk() (bytes int64) {
	err := filepath.WalkDir(a.data, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.Fatal(err)
	}
	return bytes
}
