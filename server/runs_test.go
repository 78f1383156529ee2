package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"annai/api"
	"annai/nodes"
)

// waits makes a turn that runs until its context ends, and tells its run id when it has begun.
func waits(begun chan<- string) func(context.Context, nodes.Turn, func(nodes.Event, error) bool) {
	return func(ctx context.Context, turn nodes.Turn, yield func(nodes.Event, error) bool) {
		if !yield(nodes.Started{RunStarted: api.RunStarted{RunID: turn.RunID, Language: "ja"}}, nil) {
			return
		}
		begun <- turn.RunID
		<-ctx.Done()
		yield(nil, ctx.Err())
	}
}

func TestCancel(t *testing.T) {
	begun := make(chan string)
	f := newFixture(t, Options{})
	f.concierge.ask = waits(begun)
	for _, stream := range []bool{false, true} {
		answer := make(chan *httptest.ResponseRecorder)
		go func() {
			body := goodBody
			if stream {
				body = `{"query":"今日は？","stream":true}`
			}
			answer <- f.do(t, "POST", "/query", body)
		}()
		id := <-begun
		if w := f.do(t, "POST", "/runs/"+id+"/cancel", ""); w.Code != http.StatusAccepted || w.Body.Len() > 0 {
			t.Errorf("cancel = %d %s, want 202 without body", w.Code, w.Body)
		}
		w := <-answer
		if !stream {
			if e := checkEnvelope(t, w, http.StatusConflict, api.CodeCancelled); e.Emotion != "neutral" {
				t.Errorf("emotion = %q, want neutral: stopping was asked for", e.Emotion)
			}
		} else if got := names(readEvents(t, w.Body.String())); len(got) != 2 || got[1] != "error" {
			t.Errorf("events = %q, want run.started and error", got)
		}
		checkEnvelope(t, f.do(t, "POST", "/runs/"+id+"/cancel", ""), http.StatusNotFound, api.CodeNotFound)
	}
	checkIdle(t, f)
}

func checkIdle(t testing.TB, f *fixture) {
	t.Helper()
	f.runs.mu.Lock()
	defer f.runs.mu.Unlock()
	if len(f.runs.active) > 0 || f.runs.count() > 0 || f.runs.waiting.Load() > 0 {
		t.Errorf("%d runs known, %v active, %d waiting, want none", len(f.runs.active), f.runs.count(), f.runs.waiting.Load())
	}
}

// TestOverload fills the server: one runs, one waits, more are refused at once, and whoever waited too long too.
func TestOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, Options{MaxConcurrent: 1, MaxWaiting: 1, MaxWait: 3 * time.Second})
		begun := make(chan string, 2)
		f.concierge.ask = waits(begun)
		ask := func() <-chan *httptest.ResponseRecorder {
			answer := make(chan *httptest.ResponseRecorder, 1)
			go func() { answer <- f.do(t, "POST", "/query", goodBody) }()
			synctest.Wait()
			return answer
		}
		running, waiting := ask(), ask()
		begin := time.Now()
		w := <-ask()
		checkEnvelope(t, w, http.StatusServiceUnavailable, api.CodeOverloaded)
		if w.Header().Get("Retry-After") == "" {
			t.Error("overloaded without Retry-After")
		}
		if took := time.Since(begin); took > 0 {
			t.Errorf("refused after %s, want at once", took)
		}
		checkEnvelope(t, <-waiting, http.StatusServiceUnavailable, api.CodeOverloaded)
		if took := time.Since(begin); took != 3*time.Second {
			t.Errorf("waited %s, want 3s", took)
		}
		waiting = ask()
		f.runs.cancel(<-begun)
		checkEnvelope(t, <-running, http.StatusConflict, api.CodeCancelled)
		f.runs.cancel(<-begun) // the one that waited has begun
		checkEnvelope(t, <-waiting, http.StatusConflict, api.CodeCancelled)
		checkIdle(t, f)
	})
}

func TestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRuns(1, 5, time.Minute)
		_, end, err := r.start(t.Context(), "first")
		if err != nil {
			t.Fatal(err)
		}
		waited := make(chan error, 1)
		go func() {
			_, _, err := r.start(t.Context(), "second")
			waited <- err
		}()
		synctest.Wait()
		if !r.cancel("second") {
			t.Error("cancel of a run that waits = false")
		}
		if err := <-waited; !errors.Is(err, errCancelled) {
			t.Errorf("start = %v, want errCancelled", err)
		}
		end()
		if len(r.active) > 0 || r.count() > 0 || r.waiting.Load() > 0 {
			t.Errorf("%+v is not empty", r.active)
		}
	})
}

// TestManyAtOnce asks, cancels and goes away from many sides at the same time.
func TestManyAtOnce(t *testing.T) {
	f := newFixture(t, Options{MaxConcurrent: 8, MaxWaiting: 1000, MaxWait: time.Minute})
	var everybody sync.WaitGroup
	for i := range 200 {
		everybody.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			r := httptest.NewRequestWithContext(ctx, "POST", "/query", body(i))
			r.Host = "localhost"
			r.Header.Set("Content-Type", "application/json")
			if i%7 == 0 {
				leave()
			}
			w := httptest.NewRecorder()
			f.Handler().ServeHTTP(w, r)
			if i%7 != 0 && w.Code != http.StatusOK {
				t.Errorf("status = %d, body %s", w.Code, w.Body)
			}
		})
	}
	everybody.Wait()
	checkIdle(t, f)
}
