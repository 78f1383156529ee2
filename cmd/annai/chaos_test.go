package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"annai/internal/sqlitefile"
	"annai/storage/postgres/pgtest"
)

// The tests of these files have several servers on one database answer talks, execute runs and write
// for an owner, while servers are killed, frozen and started again and the database stops.
//
// What is promised, and checked:
//
//   - A run that was accepted ends, successfully and with its effect once.
//   - A stream has each event once and in order, whichever server it is heard from and gone on with;
//     one that ends cleanly ended with its run or says that it was cut.
//   - A turn is answered as one server would that heard all of the talk, wherever each turn is asked.
//     No turn that is asked after the answer to the one before is a conflict.
//   - What an owner was told is written is there, once, and nothing else is.
//
// A request of which the client does not know whether it was heard, because its connection broke or
// it took too long, is asked again at another server; from then on a talk may hear other words, but
// must be answered.
var (
	chaosBinary = flag.String("chaos.binary", "", "the program to serve with (this test program)")
	chaosTalks  = flag.Int("chaos.talks", 6, "how many talks of six turns there are")
	chaosRuns   = flag.Int("chaos.runs", 12, "how many background runs there are")
	chaosWrites = flag.Int("chaos.writes", 3, "how many entries an owner writes by talk")
	chaosKills  = flag.Int("chaos.kills", 1, "how many servers are killed, at most two")
	chaosSlow   = flag.Duration("chaos.slow", 2*time.Second, "how long a background run takes at most")
	chaosSpan   = flag.Duration("chaos.span", 9*time.Second, "for how long something is begun")
	chaosFrozen = flag.Duration("chaos.frozen", 4*time.Second, "how long a server is frozen")
	chaosAway   = flag.Duration("chaos.away", time.Second, "how long the database is away")
	chaosLease  = flag.Duration("chaos.lease", 2*time.Second, "the lease of a run")
	chaosSeed   = flag.Uint64("chaos.seed", 1, "what is asked when and where")
	chaosAlone  = flag.Int("chaos.alone", 3, "how many times one server on SQLite is killed")
)

// chaosPatience is how long somebody waits for the answer to a request.
const chaosPatience = 8 * time.Second

const chaosOwner = "a-key-of-the-owner-of-it-all"

// TestChaos is long by its flags: scripts/chaos.
func TestChaos(t *testing.T) {
	server, err := pgtest.Start(t.Context())
	if err != nil {
		t.Fatalf("start PostgreSQL = %v", err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	c := &chaos{T: t, address: server.Schema(t) + " pool_max_conns=4"}
	for range 3 {
		c.replicas = append(c.replicas, &replica{chaos: c, listen: freeAddress(t)})
	}
	var all sync.WaitGroup
	for _, r := range c.replicas {
		all.Go(r.start)
	}
	all.Wait()
	if t.Failed() {
		return
	}
	want := c.rehearse()
	c.began = time.Now()
	talks, runs, writes := c.visitors(want), c.runs(), c.entries()
	balanced, stop := context.WithCancel(t.Context())
	var balancing sync.WaitGroup
	for _, r := range c.replicas {
		balancing.Go(func() { r.balance(balanced) })
	}
	defer balancing.Wait()
	defer stop()
	all.Go(func() { c.meddle(server) })
	for _, do := range []func(){talks.ask, runs.begin, writes.ask} {
		all.Go(do)
	}
	all.Wait()
	runs.check()
	writes.check()
	for _, r := range c.replicas {
		r.stop()
	}
	t.Logf("in %s: %s; %s; %s; %d requests were asked again",
		time.Since(c.began).Round(time.Second), talks, runs, writes, c.again)
}

// TestChaosAlone has one server that keeps everything in a folder killed again and again, in the midst of
// anything, with the same promises. It is long by its flags too.
func TestChaosAlone(t *testing.T) {
	c := &chaos{T: t, folder: t.TempDir()}
	c.replicas = []*replica{{chaos: c, listen: freeAddress(t)}}
	c.replicas[0].start()
	want := c.rehearse()
	c.began = time.Now()
	talks, runs, writes := c.visitors(want), c.runs(), c.entries()
	var all sync.WaitGroup
	for _, do := range []func(){c.crash, talks.ask, runs.begin, writes.ask} {
		all.Go(do)
	}
	all.Wait()
	runs.check()
	writes.check()
	c.replicas[0].stop()
	databases, _ := filepath.Glob(filepath.Join(c.folder, "*.db")) // the pattern is one
	for _, file := range databases {
		if err := sqlitefile.Check(t.Context(), file); err != nil {
			t.Errorf("%s after %d kills: %v", filepath.Base(file), *chaosAlone, err)
		}
	}
	t.Logf("in %s, with %d kills: %s; %s; %s; %d requests were asked again",
		time.Since(c.began).Round(time.Second), *chaosAlone, talks, runs, writes, c.again)
}

// chaos is the servers and whoever asks them.
type chaos struct {
	*testing.T

	address  string // of the database that the servers share
	folder   string // of one that is alone
	replicas []*replica
	began    time.Time

	mu    sync.Mutex
	again int // requests that were asked again
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// A replica is a process of annai that is started again at the same address.
type replica struct {
	*chaos

	listen string
	// out says that the balancer sends nobody there.
	out       atomic.Bool
	process   *exec.Cmd
	complaint bytes.Buffer
}

// start starts it and waits until it is ready.
func (r *replica) start() {
	args := []string{
		"serve", "--listen", r.listen, "--probe-graph", "--log-level", "error", "--runs-lease", chaosLease.String(),
		"--session-idle", (*chaosSpan + 5*time.Minute).String(), // whose threads are looked at in the end
	}
	binary, env := *chaosBinary, os.Environ()
	if binary == "" {
		binary, env = os.Args[0], append(env, isChild+"=1", "GORACE=atexit_sleep_ms=0")
	}
	r.process = exec.CommandContext(context.WithoutCancel(r.Context()), binary, args...)
	r.process.Env = append(
		env, "ANNAI_POSTGRES="+r.address, "ANNAI_DATA="+r.folder, "ANNAI_OWNER_KEY="+chaosOwner,
		"ANNAI_RATE_ADDRESS=1000000/s",
	)
	r.process.Stderr = &r.complaint
	if err := r.process.Start(); err != nil {
		r.Errorf("start %s = %v", r.listen, err)
		return
	}
	r.Cleanup(r.kill)
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if status, _, _ := r.request(r, http.MethodGet, "/readyz", "", nil); status == http.StatusOK {
			return
		}
	}
	r.kill()
	r.Errorf("server %s is not ready: %s", r.listen, r.complaint.String())
}

// balance looks like a balancer whether the server takes requests, until ctx ends.
func (r *replica) balance(ctx context.Context) {
	const every = 500 * time.Millisecond
	tick := time.NewTicker(every)
	defer tick.Stop()
	for ctx.Err() == nil {
		status, _, _ := r.within(2*every, r, http.MethodGet, "/readyz", "", nil)
		r.out.Store(status != http.StatusOK)
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

func (r *replica) signal(s syscall.Signal) {
	if r.process != nil {
		_ = r.process.Process.Signal(s) // it may have ended by itself
	}
}

func (r *replica) kill() {
	r.signal(syscall.SIGKILL)
	r.ended()
}

// stop ends it in order.
func (r *replica) stop() {
	r.signal(syscall.SIGTERM)
	r.ended()
}

func (r *replica) ended() {
	if r.process != nil {
		_ = r.process.Wait() // how it ended is what the test is not about
		r.process = nil
	}
}

// after waits until so much of the span is over.
func (c *chaos) after(part float64) {
	time.Sleep(time.Until(c.began.Add(time.Duration(part * float64(*chaosSpan)))))
}

// meddle does to servers and database what may happen to them.
func (c *chaos) meddle(server *pgtest.Server) {
	c.after(0.05)
	c.replicas[0].kill()
	c.after(0.15)
	c.replicas[0].start()
	c.after(0.3)
	if err := server.Kill(); err != nil {
		c.Errorf("kill PostgreSQL = %v", err)
	}
	time.Sleep(*chaosAway)
	if err := server.Restart(c.Context()); err != nil {
		c.Errorf("restart PostgreSQL = %v", err)
	}
	c.after(0.5)
	c.replicas[2].signal(syscall.SIGSTOP)
	defer c.replicas[2].signal(syscall.SIGCONT)
	thaw := time.After(*chaosFrozen)
	if *chaosKills > 1 {
		c.after(0.6)
		c.replicas[1].kill()
		c.after(0.7)
		c.replicas[1].start()
	}
	<-thaw
}

// crash kills the only server and starts it again, as often as is asked for: by turns soon after it is
// ready, and once it has answered somebody, for it may be long in coming to that.
func (c *chaos) crash() {
	s := c.someone(2)
	for n := range *chaosAlone {
		for status := 0; n%2 == 0 && status != http.StatusOK; {
			status, _, _ = s.request(c.replicas[0], http.MethodPost, "/query", `{"query":"今日は何曜日？"}`, nil)
		}
		time.Sleep(time.Duration((0.1 + 0.9*s.random.Float64()) * float64(2*time.Second)))
		c.replicas[0].kill()
		c.replicas[0].start()
	}
}

// request asks a server. Status 0 is a connection that broke, or an answer that did not come in time;
// heard says that the server may have heard the request.
func (c *chaos) request(
	r *replica, method, path, body string, header http.Header,
) (status int, answer string, heard bool) {
	return c.within(chaosPatience, r, method, path, body, header)
}

// within is request for somebody with so much patience.
func (c *chaos) within(
	limit time.Duration, r *replica, method, path, body string, header http.Header,
) (status int, answer string, heard bool) {
	ctx, cancel := context.WithTimeout(c.Context(), limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, "http://"+r.listen+path, strings.NewReader(body))
	if err != nil {
		c.Error(err)
		return 0, "", false
	}
	if header != nil {
		request.Header = header
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", !isRefused(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, string(data), true
	}
	return response.StatusCode, string(data), true
}

// isRefused says that nobody listened.
func isRefused(err error) bool { return strings.Contains(err.Error(), syscall.ECONNREFUSED.Error()) }

// someone is one who asks, with a chance of their own.
type someone struct {
	*chaos

	random *rand.Rand
}

func (c *chaos) someone(n int) *someone {
	return &someone{c, rand.New(rand.NewPCG(*chaosSeed, uint64(n)))}
}

// any is a server that takes requests, or if none does, any other.
func (s *someone) any() *replica {
	at := s.random.IntN(len(s.replicas))
	for i := range s.replicas {
		if r := s.replicas[(at+i)%len(s.replicas)]; !r.out.Load() {
			return r
		}
	}
	return s.replicas[at]
}

// insist asks servers, one after the other, until one answers otherwise than that something is away.
// Unsure says that one may have heard the request and not answered it.
func (s *someone) insist(method, path, body string, header http.Header) (status int, answer string, unsure bool) {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		var heard bool
		status, answer, heard = s.request(s.any(), method, path, body, header.Clone())
		away := status == 0 || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
		if !away {
			return status, answer, unsure
		}
		unsure = unsure || heard
		s.mu.Lock()
		s.again++
		s.mu.Unlock()
		time.Sleep(50 * time.Millisecond)
	}
	return status, answer, unsure
}

// when is a time within the span for the nth of so many.
func (s *someone) when(n, of int) float64 {
	return (float64(n) + s.random.Float64()) / float64(of)
}

func uuid(kind, n int) string { return fmt.Sprintf("00000000-0000-4000-8%03d-%012d", kind, n) }
