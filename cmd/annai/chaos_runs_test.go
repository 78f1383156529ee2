package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// runsOfThread is how many background runs a thread gets.
const runsOfThread = 5

// background is the background runs.
type background struct {
	*chaos

	accepted, refused, resumed int
	all                        []*accepted
}

// accepted is a run that a server took.
type accepted struct {
	thread, id, mode, text string
	// heard are the events of its stream, as they were heard.
	heard []string
}

func (c *chaos) runs() *background { return &background{chaos: c} }

func (b *background) String() string {
	return fmt.Sprintf("%d runs, %d refused, streams gone on with %d times", b.accepted, b.refused, b.resumed)
}

func (b *background) begin() {
	var all sync.WaitGroup
	for n := range *chaosRuns {
		all.Go(func() { b.run(n) })
	}
	all.Wait()
}

// modes are those of the probe, and annai is the concierge itself.
var modes = []string{"slow", "annai", "tokens", "custom", "echo"}

// body is what is asked for.
func (a *accepted) body(pause int) string {
	assistant, input := "probe", map[string]any{"mode": a.mode, "text": a.text, "delay_ms": pause}
	if a.mode == "annai" {
		assistant, input = "annai", map[string]any{"messages": []map[string]string{{"role": "user", "content": a.text}}}
	}
	body, _ := json.Marshal(map[string]any{ // texts always can be written
		"assistant_id": assistant, "input": input, "if_not_exists": "create", "multitask_strategy": "enqueue",
		"stream_resumable": true, "stream_mode": []string{"values", "custom"},
	})
	return string(body)
}

// run begins a run at one server, and hears it at others.
func (b *background) run(n int) {
	s := b.someone(10_000 + n)
	b.after(s.when(n, *chaosRuns))
	kind := n % len(modes)
	a := &accepted{mode: modes[kind], text: fmt.Sprint("今日は何曜日？ ", n), thread: uuid(0, n/runsOfThread)}
	if a.mode == "annai" { // whose threads have another state
		a.thread = uuid(1, n/runsOfThread/runsOfThread)
	}
	body := a.body(500 + s.random.IntN(int(chaosSlow.Milliseconds())))
	status, text, _ := s.request(s.any(), http.MethodPost, "/threads/"+a.thread+"/runs", body, nil)
	var made struct {
		ID string `json:"run_id"`
	}
	b.mu.Lock()
	if status != http.StatusOK || json.Unmarshal([]byte(text), &made) != nil {
		b.refused++
		b.mu.Unlock()
		if status != 0 && status != http.StatusServiceUnavailable && status != http.StatusGatewayTimeout {
			b.Errorf("run %d = %d %s", n, status, text)
		}
		return
	}
	a.id = made.ID
	b.accepted++
	b.all = append(b.all, a)
	b.mu.Unlock()
	b.hear(s, a)
}

// path is where a run's stream is.
func (a *accepted) path() string { return "/threads/" + a.thread + "/runs/" + a.id + "/stream" }

// hear hears the whole stream of a run, going on at another server where it breaks off.
func (b *background) hear(s *someone, a *accepted) {
	last := "-1"
	for end := b.began.Add(*chaosSpan + 3*time.Minute); time.Now().Before(end); {
		events, whole := b.listen(s.any(), a, last)
		a.heard = append(a.heard, events...)
		if n := len(a.heard); n > 0 {
			last, _, _ = strings.Cut(a.heard[n-1], " ")
		}
		if whole {
			if status := b.status(s, a); status == "pending" || status == "running" {
				b.Errorf("the stream of run %s ended, which is %s", a.text, status)
			}
			return
		}
		b.mu.Lock()
		b.resumed++
		b.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
	}
	b.Errorf("the stream of run %s did not end", a.text)
}

// listen hears a stream after an event, at one server: each event as its id, name and data. It is
// whole if it ended by itself and did not say that it was cut.
func (b *background) listen(r *replica, a *accepted, after string) (events []string, whole bool) {
	ctx, cancel := context.WithTimeout(b.Context(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.listen+a.path(), nil)
	if err != nil {
		b.Error(err)
		return nil, false
	}
	request.Header.Set("Last-Event-Id", after)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, false
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, false
	}
	return readStream(response.Body)
}

func readStream(body io.Reader) (events []string, whole bool) {
	lines := bufio.NewScanner(body)
	var id, name, data string
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ": ")
		switch key {
		case "id":
			id = value
		case "event":
			name = value
		case "data":
			data = value
		case "":
			if name == "error" && id == "" { // it says that it was cut
				return events, false
			}
			if name != "" {
				events = append(events, id+" "+name+" "+data)
			}
			id, name, data = "", "", ""
		}
	}
	return events, lines.Err() == nil
}

// status is how a run stands.
func (b *background) status(s *someone, a *accepted) string {
	var r struct{ Status string }
	status, text, _ := s.insist(http.MethodGet, "/threads/"+a.thread+"/runs/"+a.id, "", nil)
	if err := json.Unmarshal([]byte(text), &r); err != nil || status != http.StatusOK {
		b.Errorf("run %s = %d %s, %v", a.text, status, text, err)
	}
	return r.Status
}

// check looks at each run that was accepted, and at what it left.
func (b *background) check() {
	s := b.someone(1)
	states := map[string]string{}
	for _, a := range b.all {
		if status := b.status(s, a); status != "success" {
			b.Errorf("run %s, which was accepted, is %s", a.text, status)
			continue
		}
		for _, r := range b.replicas {
			again, whole := b.listen(r, a, "-1")
			if !whole || !slices.Equal(again, a.heard) {
				b.Errorf("run %s, %s: heard\n%s\nand again at %s\n%s", a.text, a.mode,
					strings.Join(a.heard, "\n"), r.listen, strings.Join(again, "\n"))
			}
		}
		if states[a.thread] == "" {
			_, states[a.thread], _ = s.insist(http.MethodGet, "/threads/"+a.thread+"/state", "", nil)
		}
		b.effect(a, states[a.thread])
	}
}

// effect looks whether what a run did is in the state of its thread, once.
func (b *background) effect(a *accepted, state string) {
	var left struct {
		Values struct {
			Results  []string
			Messages []struct{ Content string }
		}
	}
	if err := json.Unmarshal([]byte(state), &left); err != nil {
		b.Errorf("state of thread %s = %s, %v", a.thread, state, err)
		return
	}
	times := 0
	for _, text := range left.Values.Results {
		if text == a.text {
			times++
		}
	}
	for _, m := range left.Values.Messages {
		if m.Content == a.text {
			times++
		}
	}
	want := 1
	if a.mode == "custom" { // which leaves nothing
		want = 0
	}
	if times != want {
		b.Errorf("the effect of run %s, %s, is there %d times, want %d", a.text, a.mode, times, want)
	}
}
