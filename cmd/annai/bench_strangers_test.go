package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"annai/evals"
	"annai/internal/budget"
)

// ticks is how many parts of a second Linux counts the time of processes in.
const ticks = 100

// turnsOfTalk is how many questions are asked in a session before the next begins.
const turnsOfTalk = 6

// processor returns the time that a process has had on processors, in ms.
func (p process) processor(b *testing.B) float64 {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		b.Skip("SKIPPED: the time on processors is read from /proc:", err)
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // of its state and what comes behind it
	user, err := strconv.Atoi(string(fields[11]))
	system, err2 := strconv.Atoi(string(fields[12]))
	if err := errors.Join(err, err2); err != nil {
		b.Fatalf("stat = %q: %v", stat, err)
	}
	return float64(user+system) * 1000 / ticks
}

// strangersQuestions are different questions about the built-in venue, each to be read by the network.
func strangersQuestions(b *testing.B) []string {
	b.Helper()
	cases, err := evals.Load(evals.Embedded())
	if err != nil {
		b.Fatal(err)
	}
	var all []string
	for _, c := range cases {
		if c.Tag != "strangers" && c.Tag != "kiosk" {
			continue
		}
		for _, turn := range c.Turns {
			if turn.Say != "" && !slices.Contains(all, turn.Say) {
				all = append(all, turn.Say)
			}
		}
	}
	return all
}

// talk asks so many questions with so many clients, in talks of [turnsOfTalk] turns, and returns how
// long each took, sorted. The first question of the first talk is that of number from.
func (p process) talk(
	b *testing.B, clients, turns, from int, questions []string,
) (times []time.Duration, all time.Duration) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	each, errs := make([][]time.Duration, clients), make([]error, clients)
	var next atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for c := range clients {
		group.Go(func() {
			for errs[c] == nil {
				first := int(next.Add(turnsOfTalk)) - turnsOfTalk
				if first >= turns {
					return
				}
				for i := range turnsOfTalk {
					say := questions[(from+first+i)%len(questions)]
					session := fmt.Sprintf("talk-%d", from+first)
					body, err := json.Marshal(map[string]string{"query": say, "sessionId": session})
					start := time.Now()
					errs[c] = errors.Join(errs[c], err, post(client, p.url+"/query", string(body), `"emotion":`))
					each[c] = append(each[c], time.Since(start))
				}
			}
		})
	}
	group.Wait()
	all = time.Since(began)
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
	times = slices.Concat(each...)
	slices.Sort(times)
	return times, all
}

// BenchmarkStrangers measures talks of different questions in the words of strangers: the network
// reads each, and most are compared with events and passages in two or three forms. Time on
// processors counts beside the rates, because the clients, and whatever else runs on the machine,
// have their share of those.
func BenchmarkStrangers(b *testing.B) {
	p, questions := launch(b, build(b)), strangersQuestions(b)
	from := 0
	measure := func(clients, turns int) (times []time.Duration, all time.Duration, processor float64) {
		before := p.processor(b)
		times, all = p.talk(b, clients, turns, from, questions)
		from += turns + 1 // so that other questions stand beside each other in the next
		return times, all, (p.processor(b) - before) / float64(len(times))
	}
	measure(8, len(questions)) // warm
	for b.Loop() {
		measure(1, turnsOfTalk)
	}
	rounds := map[string][]float64{}
	for range budget.Rounds {
		alone, _, _ := measure(1, 20*turnsOfTalk)
		many, all, processor := measure(64, 64*turnsOfTalk)
		rounds["alone"] = append(rounds["alone"], ms(alone[len(alone)/2]))
		rounds["rate"] = append(rounds["rate"], float64(len(many))/all.Seconds())
		rounds["processor"] = append(rounds["processor"], processor)
	}
	budget.AtMost(os.Stdout, "strangers-alone-p50", budget.Median(rounds["alone"]), "ms", 30)
	budget.AtLeast(os.Stdout, "strangers-64-rate", budget.Median(rounds["rate"]), "requests/s", 200)
	budget.AtMost(os.Stdout, "strangers-processor", budget.Median(rounds["processor"]), "ms a turn", 10)
}
