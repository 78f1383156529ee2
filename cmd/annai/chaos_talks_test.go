package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"annai/api"
)

// scripts are talks of six turns each: they ask, are asked back and refer to what was said.
var scripts = [][]string{
	{"今週のイベントは？", "1つ目について詳しく", "カフェは何時まで？", "1", "定休日は？", "ありがとう"},
	{"カフェは何時まで？", "今週のイベントは？", "1つ目の場所は？", "カフェは何時まで？", "2", "来週は？"},
	{
		"What's on this week?", "Tell me more about the first one", "Where is it?", "カフェは何時まで？", "1",
		"Thank you",
	},
}

// query asks a turn at some server, as a stream or not, and returns the words of the answer.
func (s *someone) query(session, words string, header http.Header) (status int, answer api.QueryResponse, unsure bool) {
	stream := s.random.IntN(2) == 0
	body, err := json.Marshal(map[string]any{"query": words, "sessionId": session, "stream": stream})
	if err != nil {
		s.Error(err)
	}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		status, text, doubt := s.insist(http.MethodPost, "/query", string(body), header)
		unsure = unsure || doubt
		if status != http.StatusOK {
			return status, answer, unsure
		}
		if stream {
			last, data := lastEvent(text)
			if last == "error" { // which says that it was cut
				unsure = true
				continue
			}
			if last != "final" {
				s.Errorf("a stream ended after %q, want final or error", last)
			}
			text = data
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			s.Errorf("answer %q = %v", text, err)
		}
		return status, answer, unsure
	}
	return 0, answer, unsure
}

// lastEvent is the last whole event of a stream.
func lastEvent(text string) (name, data string) {
	for block := range strings.SplitSeq(text, "\n\n") {
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			if event, ok := strings.CutPrefix(line, "event: "); ok {
				name = event
			}
			if value, ok := strings.CutPrefix(line, "data: "); ok {
				data = value
			}
		}
	}
	return name, data
}

// rehearse returns what each script is answered by one server.
func (c *chaos) rehearse() (want [][]string) {
	one := c.someone(0)
	one.chaos = &chaos{T: c.T, replicas: c.replicas[:1]}
	for i, script := range scripts {
		var texts []string
		for _, words := range script {
			status, answer, _ := one.query(fmt.Sprint("rehearsal-", i), words, nil)
			if status != http.StatusOK {
				c.Fatalf("%s at one server = %d", words, status)
			}
			texts = append(texts, answer.Text)
		}
		want = append(want, texts)
	}
	return want
}

// visitors are those who talk.
type visitors struct {
	*chaos

	want                [][]string
	turns, unsure, busy int
}

func (c *chaos) visitors(want [][]string) *visitors { return &visitors{chaos: c, want: want} }

func (t *visitors) String() string {
	return fmt.Sprintf(
		"%d talks of %d turns, of which %d were not compared after a lost answer, and %d asked again for its turn",
		*chaosTalks, t.turns, t.unsure, t.busy,
	)
}

func (t *visitors) ask() {
	var all sync.WaitGroup
	for n := range *chaosTalks {
		all.Go(func() { t.talk(n) })
	}
	all.Wait()
}

// talk has each turn of a talk answered by any server.
func (t *visitors) talk(n int) {
	s := t.someone(100 + n)
	script, want := scripts[n%len(scripts)], t.want[n%len(scripts)]
	length := 0.3 + 0.4*s.random.Float64() // of the span
	begin := s.random.Float64() * (1 - length)
	var lost time.Time // when an answer was last lost
	unsure := 0
	for i, words := range script {
		t.after(begin + length*s.when(i, len(script)))
		status, answer, doubt := s.query(fmt.Sprint("talk-", n), words, nil)
		if doubt {
			lost = time.Now()
		}
		// A turn of which nothing was heard may be under way, as soon as a frozen server goes on.
		for status == http.StatusConflict && time.Since(lost) < *chaosFrozen+2*chaosPatience {
			time.Sleep(200 * time.Millisecond)
			t.mu.Lock()
			t.busy++
			t.mu.Unlock()
			status, answer, _ = s.query(fmt.Sprint("talk-", n), words, nil)
		}
		if doubt || !lost.IsZero() {
			unsure++
		}
		switch {
		case status != http.StatusOK:
			t.Errorf("talk %d, turn %d, %s = %d", n, i, words, status)
		case lost.IsZero() && answer.Text != want[i]:
			t.Errorf("talk %d, turn %d, %s = %q, want %q", n, i, words, answer.Text, want[i])
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turns += len(script)
	t.unsure += unsure
}

// entries are those that an owner has written by talk.
type entries struct {
	*chaos

	told map[string]bool
}

func (c *chaos) entries() *entries { return &entries{c, map[string]bool{}} }

func (w *entries) String() string { return fmt.Sprintf("%d entries written by talk", len(w.told)) }

func (w *entries) ask() {
	var all sync.WaitGroup
	for n := range *chaosWrites {
		all.Go(func() { w.write(n) })
	}
	all.Wait()
}

var asOwner = http.Header{"Authorization": {"Bearer " + chaosOwner}}

// write has an entry planned at one server and says yes at others until it is told that it is there.
func (w *entries) write(n int) {
	s := w.someone(1000 + n)
	w.after(s.when(n, *chaosWrites))
	title, session := fmt.Sprint("点検", n), fmt.Sprint("write-", n)
	order := fmt.Sprintf("来月%d日の%d時に%sを入れて", 1+n%28, 9+n/28%9, title)
	status, answer, unsure := s.query(session, order, asOwner)
	for end := time.Now().Add(chaosPatience); status == http.StatusConflict && unsure && time.Now().Before(end); {
		time.Sleep(200 * time.Millisecond) // an order whose answer was lost is under way still
		status, answer, _ = s.query(session, order, asOwner)
	}
	if status != http.StatusOK || answer.Interrupt == nil {
		w.Errorf("%s = %d, %q, want a plan", order, status, answer.Text)
		return
	}
	for range 20 {
		status, answer, _ = s.query(session, "はい", asOwner)
		switch {
		case status == http.StatusConflict: // a yes that was not heard of is under way still
			time.Sleep(200 * time.Millisecond)
		case status != http.StatusOK:
			w.Errorf("a yes to %s = %d", title, status)
			return
		case strings.Contains(answer.Text, "登録しました"), strings.Contains(answer.Text, "もう登録してあります"):
			w.mu.Lock()
			w.told[title] = true
			w.mu.Unlock()
			return
		case answer.Interrupt == nil:
			w.Errorf("a yes to %s = %q, want it written", title, answer.Text)
			return
		}
	}
	w.Errorf("nothing came of many yeses to %s: %q", title, answer.Text)
}

// check reads the calendar at each server.
func (w *entries) check() {
	from := time.Now()
	body := fmt.Sprintf(`{"calendarId":"primary","timeMin":%q,"timeMax":%q}`,
		from.Format(time.RFC3339), from.AddDate(0, 3, 0).Format(time.RFC3339))
	for _, r := range w.replicas {
		status, text, _ := w.request(r, http.MethodPost, "/tools/calendar_read", body, asOwner.Clone())
		var read struct{ Events []struct{ Summary string } }
		if err := json.Unmarshal([]byte(text), &read); err != nil || status != http.StatusOK {
			w.Errorf("calendar_read = %d, %s, %v", status, text, err)
			continue
		}
		times := map[string]int{}
		for _, e := range read.Events {
			times[e.Summary]++
		}
		for title := range w.told {
			if times[title] != 1 {
				w.Errorf("%s is there %d times, want once", title, times[title])
			}
		}
		if len(times) != len(w.told) {
			w.Errorf("%d entries are there, of which %d were told: %v", len(times), len(w.told), times)
		}
	}
}
