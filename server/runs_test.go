package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/server/gate"
)

// waits makes a turn that runs until its context ends, and tells its run id when it has begun.
func waits(begun chan<- string) func(context.Context, dialog.Turn, func(dialog.Event, error) bool) {
	return func(ctx context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
		if !yield(dialog.Started{RunStarted: api.RunStarted{RunID: turn.RunID, Language: "ja"}}, nil) {
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

func cancel(t testing.TB, f *fixture, run string) {
	t.Helper()
	if there, err := f.parts.Gate.Cancel(t.Context(), run, ""); !there || err != nil {
		t.Errorf("Cancel = %t, %v, want it cancelled", there, err)
	}
}

func checkIdle(t testing.TB, f *fixture) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.parts.Gate.Wait(ctx); err != nil || f.parts.Gate.Active() > 0 {
		t.Errorf("Wait = %v, %d runs, want none", err, f.parts.Gate.Active())
	}
}

// TestOverload fills the server: one runs, one waits, more are refused at once, and whoever waited too long too.
func TestOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setup{gate: gate.Options{MaxConcurrent: 1, MaxWaiting: 1, MaxWait: 3 * time.Second}}.fixture(t)
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
		cancel(t, f, <-begun)
		checkEnvelope(t, <-running, http.StatusConflict, api.CodeCancelled)
		cancel(t, f, <-begun) // the one that waited has begun
		checkEnvelope(t, <-waiting, http.StatusConflict, api.CodeCancelled)
		checkIdle(t, f)
	})
}

// TestManyAtOnce asks, cancels and goes away from many sides at the same time.
func TestManyAtOnce(t *testing.T) {
	f := setup{gate: gate.Options{MaxConcurrent: 8, MaxWaiting: 1000, MaxWait: time.Minute}}.fixture(t)
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
