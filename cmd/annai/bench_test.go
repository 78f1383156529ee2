package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/internal/budget"
)

// process is annai as people run it: the binary, in a process of its own.
type process struct {
	url   string
	pid   int
	ready time.Duration
}

func build(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "annai")
	cmd := exec.CommandContext(b.Context(), "go", "build", "-tags", "nomsgpack,grpcnotrace", "-trimpath", "-ldflags", "-s -w", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build = %v\n%s", err, out)
	}
	return path
}

func launch(b testing.TB, path string, args ...string) process {
	b.Helper()
	args = append([]string{"serve", "--listen", "127.0.0.1:0", "--now", thursday}, args...)
	cmd := exec.CommandContext(b.Context(), path, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	address := regexp.MustCompile(`kiosk +(http://\S+)/kiosk`)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := address.FindStringSubmatch(lines.Text()); m != nil {
			return process{url: m[1], pid: cmd.Process.Pid, ready: time.Since(began)}
		}
	}
	b.Fatal("annai serve ended before it was ready")
	return process{}
}

// resident returns the resident memory of a process in MB.
func (p process) resident(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		b.Skip("resident memory is read from /proc:", err)
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	kb, err := strconv.Atoi(string(m[1]))
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1024
}

// load sends n questions from each of so many clients over connections that are kept, and returns how long each took, sorted.
func (p process) load(b *testing.B, clients, n int) (times []time.Duration, all time.Duration) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	each := make([][]time.Duration, clients)
	errs := make([]error, clients)
	var wg sync.WaitGroup
	began := time.Now()
	for c := range clients {
		wg.Go(func() {
			body := fmt.Sprintf(`{"query": "今週のイベントは？", "language": "ja", "sessionId": "bench-%d"}`, c)
			for range n {
				start := time.Now()
				if err := post(client, p.url+"/query", body, `"emotion":"excited"`); err != nil {
					errs[c] = err
					return
				}
				each[c] = append(each[c], time.Since(start))
			}
		})
	}
	wg.Wait()
	all = time.Since(began)
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
	times = slices.Concat(each...)
	slices.Sort(times)
	return times, all
}

// post fails unless the answer has something in it.
func post(client *http.Client, url, body, want string) error {
	response, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	data, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || !bytes.Contains(data, []byte(want)) {
		return fmt.Errorf("%s: %s", response.Status, data)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// BenchmarkServer measures the binary: start, size, memory, and POST /query alone and under load. The clients share the machine with it.
func BenchmarkServer(b *testing.B) {
	path := build(b)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	const bound, voices = 110, 24 // see decision 14
	budget.AtMost(os.Stdout, "binary", float64(info.Size())/(1<<20), "MB", bound+voices)
	starts := make([]float64, budget.Rounds)
	for i := range starts {
		starts[i] = launch(b, path).ready.Seconds()
	}
	budget.AtMost(os.Stdout, "start", budget.Median(starts), "s", 0.5)

	p := launch(b, path)
	p.load(b, 8, 100) // warm
	budget.AtMost(os.Stdout, "resident", p.resident(b), "MB", 250)
	for b.Loop() {
		p.load(b, 1, 1)
	}
	rounds := map[string][]float64{}
	for range budget.Rounds {
		alone, _ := p.load(b, 1, 200)
		many, all := p.load(b, 64, 60)
		rounds["alone"] = append(rounds["alone"], ms(alone[len(alone)/2]))
		rounds["p50"] = append(rounds["p50"], ms(many[len(many)/2]))
		rounds["p99"] = append(rounds["p99"], ms(many[len(many)*99/100]))
		rounds["rate"] = append(rounds["rate"], float64(len(many))/all.Seconds())
	}
	budget.AtMost(os.Stdout, "query-alone-p50", budget.Median(rounds["alone"]), "ms", 2)
	budget.AtLeast(os.Stdout, "query-64-rate", budget.Median(rounds["rate"]), "requests/s", 3000)
	budget.AtMost(os.Stdout, "query-64-p50", budget.Median(rounds["p50"]), "ms", 15)
	budget.AtMost(os.Stdout, "query-64-p99", budget.Median(rounds["p99"]), "ms", 60)
	b.ReportMetric(p.resident(b), "MB-after-load")
}
