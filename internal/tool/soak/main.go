// Soak has clients talk to a server for a long time, each as people do who think before they ask, and prints
// every minute what the server needs: a leak is a column that grows.
//
//	go run internal/tool/soak/main.go -binary bin/annai -clients 12 -span 50m
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const ownerKey = "a-key-of-the-owner-of-it-all"

var (
	binary  = flag.String("binary", "bin/annai", "the program to serve with")
	clients = flag.Int("clients", 12, "how many talk at once")
	think   = flag.Duration("think", 2*time.Second, "how long a client waits between two questions, on average")
	span    = flag.Duration("span", 50*time.Minute, "for how long")
	rest    = flag.Duration("rest", 4*time.Minute, "how long nobody talks then, so that all sessions are idle")
	every   = flag.Duration("every", time.Minute, "how often a line is printed")
)

// talks are what visitors say, turn by turn.
var talks = [][]string{
	{"今日のイベントは？", "明日は？", "場所は？", "何時まで？", "ありがとう"},
	{"今週のイベントは？", "1つ目について詳しく", "それは無料ですか", "カフェは何時まで？", "1"},
	{"Wi-Fiはありますか", "パスワードは？", "電源は使えますか", "駐車場はありますか"},
	{"What's on this weekend?", "Tell me more about the first one", "Where is it?", "How much is it?", "Thank you"},
	{"How do I get there?", "Is there parking?", "When do you open tomorrow?", "And on Sunday?"},
	{"カフェは何時まで？", "やっぱり今月のイベントを教えて", "来月は？", "2つ目の時間は？"},
	{"Can I bring my dog?", "Do I need to book?", "Who may use the studio?", "今日は何曜日？"},
	{"3Dプリンターは使えますか", "料金は？", "予約は必要ですか", "初めてでも大丈夫？", "休館日はいつですか"},
}

// A soak is a server and those who talk to it.
type soak struct {
	address string
	folder  string
	process *exec.Cmd

	mu     sync.Mutex
	took   []time.Duration // of the questions since the last line
	counts map[string]int
}

func main() {
	flag.Parse()
	log.SetFlags(0)
	folder, err := os.MkdirTemp("", "annai-soak-")
	if err != nil {
		log.Fatal(err)
	}
	s := &soak{folder: folder, counts: map[string]int{}}
	life := context.Background()
	if err := s.start(life); err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(life, *span)
	var all sync.WaitGroup
	for n := range *clients {
		all.Go(func() { s.visitor(ctx, n) })
	}
	all.Go(func() { s.owner(ctx) })
	s.watch(life, ctx.Done())
	cancel()
	all.Wait()
	time.Sleep(*rest)
	s.line(life, "idle")
	_ = s.process.Process.Signal(syscall.SIGTERM)
	if err := s.process.Wait(); err != nil {
		log.Fatal("server: ", err)
	}
	log.Print(s.counts)
	_ = os.RemoveAll(folder)
}

// start starts the server and waits until it is ready.
func (s *soak) start(ctx context.Context) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.address = l.Addr().String()
	if err := l.Close(); err != nil {
		return err
	}
	args := []string{"serve", "--listen", s.address, "--data", s.folder, "--log-level", "warn"}
	s.process = exec.CommandContext(ctx, *binary, args...)
	s.process.Env = append(os.Environ(), "ANNAI_OWNER_KEY="+ownerKey)
	s.process.Stderr = os.Stderr
	if err := s.process.Start(); err != nil {
		return err
	}
	for range 600 {
		if status, _ := s.request(ctx, http.MethodGet, "/readyz", nil, ""); status == http.StatusOK {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("%s is not ready", s.address)
}

// request returns 0 where there is no answer.
func (s *soak) request(ctx context.Context, method, path string, body any, key string) (status int, answer string) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	text, _ := json.Marshal(body) // which are maps of texts
	request, err := http.NewRequestWithContext(ctx, method, "http://"+s.address+path, strings.NewReader(string(text)))
	if err != nil {
		return 0, ""
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, string(data)
}

// count counts what was done, by its outcome.
func (s *soak) count(what string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if status < 300 {
		s.counts[what]++
	} else {
		s.counts[fmt.Sprint(what, " ", status)]++
	}
}

// pause waits as long as somebody thinks, and reports whether there is time left.
func pause(ctx context.Context, mean time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration((0.5 + rand.Float64()) * float64(mean))):
		return true
	}
}

// visitor has one talk after the other. Every second one is ended, the others fall idle; one in eight ends with a
// background run.
func (s *soak) visitor(ctx context.Context, n int) {
	for i := 0; ; i++ {
		session := fmt.Sprintf("soak-%d-%d", n, i)
		for turn, words := range talks[(n+i)%len(talks)] {
			if !pause(ctx, *think) {
				return
			}
			s.ask(ctx, session, words, turn%2 == 0)
		}
		if i%2 == 0 {
			status, _ := s.request(ctx, http.MethodDelete, "/sessions/"+session, nil, "")
			s.countUntil(ctx, "end", status)
		}
		if i%8 == n%8 {
			s.run(ctx, n, i)
		}
	}
}

// countUntil counts what was not broken off by the end of the time.
func (s *soak) countUntil(ctx context.Context, what string, status int) {
	if ctx.Err() == nil {
		s.count(what, status)
	}
}

// ask asks a question, as a stream or not.
func (s *soak) ask(ctx context.Context, session, words string, stream bool) {
	began := time.Now()
	body := map[string]any{"query": words, "sessionId": session, "stream": stream}
	status, answer := s.request(ctx, http.MethodPost, "/query", body, "")
	if ctx.Err() != nil {
		return
	}
	if stream && !strings.Contains(answer, "event: final") {
		status = http.StatusInternalServerError
	}
	s.count("ask", status)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.took = append(s.took, time.Since(began))
}

// run has a question answered in the background, and waits for it.
func (s *soak) run(ctx context.Context, n, i int) {
	path := fmt.Sprintf("/threads/00000000-0000-4000-8%03d-%012d/runs", n, i)
	message := map[string]string{"role": "user", "content": "今日のイベントは？"}
	status, answer := s.request(ctx, http.MethodPost, path, map[string]any{
		"assistant_id": "annai", "if_not_exists": "create", "input": map[string]any{"messages": []any{message}},
	}, "")
	var made struct {
		ID string `json:"run_id"`
	}
	if status == http.StatusOK && json.Unmarshal([]byte(answer), &made) == nil {
		status, _ = s.request(ctx, http.MethodGet, path+"/"+made.ID+"/join", nil, "")
	}
	s.countUntil(ctx, "run", status)
}

// owner writes an entry every minute or so, and says yes.
func (s *soak) owner(ctx context.Context) {
	for n := 0; pause(ctx, time.Minute); n++ {
		session := fmt.Sprint("owner-", n)
		order := fmt.Sprintf("来月%d日の%d時に点検%dを入れて", 1+n%28, 9+n/28%9, n)
		for _, words := range []string{order, "はい"} {
			body := map[string]any{"query": words, "sessionId": session}
			status, answer := s.request(ctx, http.MethodPost, "/query", body, ownerKey)
			if words == "はい" && !strings.Contains(answer, "登録しました") {
				status = http.StatusInternalServerError
			}
			s.countUntil(ctx, "write", status)
		}
	}
}

// watch prints a line every now and then, until the time is over.
func (s *soak) watch(ctx context.Context, over <-chan struct{}) {
	fmt.Println("| at | memory MB | heap MB | goroutines | descriptors | folder MB | written MB | processor s |" +
		" questions | p50 ms | p95 ms |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	began, tick := time.Now(), time.NewTicker(*every)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
			s.line(ctx, time.Since(began).Round(time.Second).String())
		}
	}
}

// line prints what the server needs now.
func (s *soak) line(ctx context.Context, at string) {
	_, figures := s.request(ctx, http.MethodGet, "/metrics", nil, "")
	s.mu.Lock()
	took := s.took
	s.took = nil
	s.mu.Unlock()
	slices.Sort(took)
	part := func(p float64) float64 {
		if len(took) == 0 {
			return 0
		}
		return took[int(p*float64(len(took)-1))].Seconds() * 1000
	}
	const mega = 1 << 20
	fmt.Printf("| %s | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f | %.1f | %d | %.0f | %.0f |\n", at,
		figure(figures, "process_resident_memory_bytes")/mega, figure(figures, "go_memstats_heap_inuse_bytes")/mega,
		figure(figures, "go_goroutines"), figure(figures, "process_open_fds"), s.size()/mega, s.written()/mega,
		figure(figures, "process_cpu_seconds_total"), len(took), part(0.5), part(0.95))
}

// figure is a metric without labels, -1 where it is not told.
func figure(figures, name string) float64 {
	m := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(figures)
	if m == nil {
		return -1
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return -1
	}
	return v
}

// size is how much is in the data folder.
func (s *soak) size() (bytes float64) {
	_ = filepath.WalkDir(s.folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil && !e.IsDir() {
			bytes += float64(info.Size())
		}
		return nil
	})
	return bytes
}

// written is how much the server has written to disks, -1 where the system does not say.
func (s *soak) written() float64 {
	io, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", s.process.Process.Pid))
	if err != nil {
		return -1
	}
	m := regexp.MustCompile(`(?m)^write_bytes: (\d+)$`).FindStringSubmatch(string(io))
	if m == nil {
		return -1
	}
	v, _ := strconv.ParseFloat(m[1], 64) // which are digits
	return v
}
