package llm_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/llm"
	"annai/llm/llmtest"
)

func script(name string, answers ...[]llm.Step) *llm.Script {
	return &llm.Script{As: name, Answer: llm.Turns(answers...)}
}

func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			name         string
			whole, first time.Duration
			steps        []llm.Step
			text         string
			kind         llm.Kind
			took         time.Duration
		}{
			{"in time", 5 * time.Second, 2 * time.Second, llm.Slow(time.Second, time.Second, llm.Say("a", "b")), "ab", "", 3 * time.Second},
			{"no first word", 5 * time.Second, 2 * time.Second, llm.Slow(3*time.Second, 0, llm.Say("a")), "", llm.Late, 2 * time.Second},
			{"a first piece without words", 0, 2 * time.Second, append([]llm.Step{{}}, llm.Slow(3*time.Second, 0, llm.Say("a"))...), "", llm.Late, 2 * time.Second},
			{"stuck in the middle", 5 * time.Second, 2 * time.Second, llm.Slow(time.Second, time.Minute, llm.Say("a", "b")), "a", llm.Late, 5 * time.Second},
			{"no limits", 0, 0, llm.Slow(time.Hour, time.Hour, llm.Say("a")), "a", "", 2 * time.Hour},
			{"a failure of its own", time.Second, time.Second, llm.Fail(llm.Auth), "", llm.Auth, 0},
		} {
			began := time.Now()
			a, err := collect(t, llm.Deadline(script("m", tt.steps), tt.whole, tt.first))
			if a.Text != tt.text || llm.KindOf(err) != tt.kind || time.Since(began) != tt.took {
				t.Errorf("%s: %q, %v after %s; want %q, %q after %s", tt.name, a.Text, err, time.Since(began), tt.text, tt.kind, tt.took)
			}
			if tt.kind == llm.Late && errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v says that the caller left, who did not", tt.name, err)
			}
		}
	})
}

func TestRetry(t *testing.T) {
	limited := func(after time.Duration) []llm.Step {
		return []llm.Step{{Fail: &llm.Failure{Kind: llm.RateLimited, RetryAfter: after}}}
	}
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			name    string
			answers [][]llm.Step
			text    string
			kind    llm.Kind
			asked   int
			took    time.Duration
		}{
			{"at once", [][]llm.Step{llm.Say("a")}, "a", "", 1, 0},
			{"at the third time", [][]llm.Step{llm.Fail(llm.Unavailable), llm.Cut(), llm.Say("a")}, "a", "", 3, 450 * time.Millisecond},
			{"too often", [][]llm.Step{llm.Fail(llm.Unavailable), llm.Cut(), llm.Fail(llm.RateLimited), llm.Say("a")}, "", llm.RateLimited, 3, 450 * time.Millisecond},
			{"as the server asks", [][]llm.Step{limited(time.Second), llm.Say("a")}, "a", "", 2, time.Second},
			{"for too long", [][]llm.Step{limited(time.Minute), llm.Say("a")}, "", llm.RateLimited, 1, 0},
			{"never behind a delta", [][]llm.Step{llm.Cut("a"), llm.Say("b")}, "a", llm.CutOff, 1, 0},
			{"not for a wrong key", [][]llm.Step{llm.Fail(llm.Auth), llm.Say("a")}, "", llm.Auth, 1, 0},
			{"not what is malformed", [][]llm.Step{llm.Say(), llm.Say("a")}, "", llm.Malformed, 1, 0},
		} {
			s := script("m", tt.answers...)
			began := time.Now()
			a, err := collect(t, llm.Retry(s, llm.RetryOptions{Jitter: func() float64 { return 0.5 }}))
			if a.Text != tt.text || llm.KindOf(err) != tt.kind || len(s.Asked()) != tt.asked || time.Since(began) != tt.took {
				t.Errorf("%s: %q, %v, asked %d times in %s; want %q, %q, %d, %s", tt.name, a.Text, err, len(s.Asked()), time.Since(began), tt.text, tt.kind, tt.asked, tt.took)
			}
		}
		began := time.Now()
		down := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return llm.Fail(llm.Unavailable) }}
		_, err := collect(t, llm.Retry(down, llm.RetryOptions{Times: 100, Jitter: func() float64 { return 1 }}))
		if want := 200*time.Millisecond + 400*time.Millisecond + 800*time.Millisecond + 1600*time.Millisecond + 96*2*time.Second; err == nil || time.Since(began) != want {
			t.Errorf("Stream that is tried a hundred times = %v after %s, want %s", err, time.Since(began), want)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		began = time.Now()
		_, err = llm.Collect(llm.Retry(script("m", llm.Fail(llm.Unavailable), llm.Say("a")), llm.RetryOptions{}).Stream(ctx, llmtest.Ask()))
		if llm.KindOf(err) != llm.Unavailable || time.Since(began) != 50*time.Millisecond {
			t.Errorf("Stream of a caller without time for a retry = %v after %s, want the first failure after 50 ms", err, time.Since(began))
		}
	})
}

func TestFallback(t *testing.T) {
	ja := llm.Say("今日は休みです。")
	for _, tt := range []struct {
		name          string
		first, second []llm.Step
		text, model   string
		kind          llm.Kind
		asked         int // the second
	}{
		{"the first answers", llm.Say("a"), llm.Say("b"), "a", "one", "", 0},
		{"a wrong key", llm.Fail(llm.Auth), ja, "今日は休みです。", "two", "", 1},
		{"no end before any word", llm.Cut(), llm.Say("b"), "b", "two", "", 1},
		{"cut off in a sentence", llm.Cut("It is"), llm.Say("b"), "It is", "", llm.CutOff, 0},
		{"both fail", llm.Fail(llm.RateLimited), llm.Fail(llm.TooLong), "", "", llm.TooLong, 1},
	} {
		one, two := script("one", tt.first), script("two", tt.second)
		m := llm.Fallback(one, two)
		a, err := collect(t, m)
		if a.Text != tt.text || a.End.Model != tt.model || llm.KindOf(err) != tt.kind || len(two.Asked()) != tt.asked || m.Name() != "one" {
			t.Errorf("%s: %+v, %v, the second asked %d times; want %q of %s, %q", tt.name, a, err, len(two.Asked()), tt.text, tt.model, tt.kind)
		}
	}
	_, err := collect(t, llm.Fallback(script("one", llm.Fail(llm.Auth)), script("two", llm.Cut()), script("three", llm.Fail(llm.NoModel))))
	if err == nil || err.Error() != "model three: no_model: after model one: auth; model two: cut_off" {
		t.Errorf("Stream where none answers = %v, want the last, and the others told", err)
	}
}

func TestFallbackOfACallerWhoLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	two := script("two", llm.Say("b"))
	one := &llm.Script{Answer: func(int, llm.Request) []llm.Step {
		cancel()
		return llm.Say("a")
	}}
	if _, err := llm.Collect(llm.Fallback(one, two).Stream(ctx, llmtest.Ask())); llm.KindOf(err) != llm.Late || len(two.Asked()) > 0 {
		t.Errorf("Stream = %v, the second asked %d times; want late, and nobody asked for nobody", err, len(two.Asked()))
	}
}

func TestBreaker(t *testing.T) {
	now := time.Unix(1000, 0)
	answer := llm.Fail(llm.Unavailable)
	s := &llm.Script{As: "m", Answer: func(int, llm.Request) []llm.Step { return answer }}
	var changes []bool
	m := llm.Breaker(s, func() time.Time { return now }, llm.BreakerOptions{
		Failures: 3, Rest: time.Minute, Changed: func(_ string, open bool) { changes = append(changes, open) },
	})
	ask := func(want llm.Kind, asked int) {
		t.Helper()
		_, err := collect(t, m)
		if llm.KindOf(err) != want || len(s.Asked()) != asked {
			t.Errorf("Stream = %v, asked %d times; want %q, %d", err, len(s.Asked()), want, asked)
		}
	}
	ask(llm.Unavailable, 1)
	ask(llm.Unavailable, 2)
	answer = llm.Say("fine")
	ask("", 3) // an answer between them: it counts anew
	answer = llm.Fail(llm.TooLong)
	for asked := range 5 {
		ask(llm.TooLong, 4+asked) // the request's fault
	}
	answer = llm.Cut("half")
	ask(llm.CutOff, 9)
	ask(llm.CutOff, 10)
	ask(llm.CutOff, 11)
	ask(llm.Unavailable, 11) // open
	now = now.Add(59 * time.Second)
	_, err := collect(t, m)
	var f *llm.Failure
	if !errors.As(err, &f) || f.RetryAfter != time.Second || f.Model != "m" {
		t.Errorf("Stream of an open breaker = %v, want to be asked again in a second", err)
	}
	now = now.Add(time.Second)
	ask(llm.CutOff, 12)      // the probe fails
	ask(llm.Unavailable, 12) // open again
	now = now.Add(time.Minute)
	answer = llm.Say("fine")
	ask("", 13)
	ask("", 14)
	if diff := cmp.Diff([]bool{true, false}, changes); diff != "" {
		t.Errorf("Changed was told (-want +got):\n%s", diff)
	}
}

// While one request probes, the others are refused; a probe whose reader leaves before the first word says nothing, and another may follow.
func TestProbe(t *testing.T) {
	now := time.Unix(1000, 0)
	answer := llm.Fail(llm.Unavailable)
	s := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return answer }}
	m := llm.Breaker(s, func() time.Time { return now }, llm.BreakerOptions{Failures: 1})
	_, _ = collect(t, m)
	now = now.Add(30 * time.Second)
	answer = llm.Say("a", "b")

	next, stop := iter.Pull2(m.Stream(t.Context(), llmtest.Ask()))
	if d, err, _ := next(); err != nil || d.Text != "a" {
		t.Fatalf("the probe = %+v, %v; want a", d, err)
	}
	if _, err := collect(t, m); llm.KindOf(err) != llm.Unavailable || len(s.Asked()) != 2 {
		t.Errorf("Stream beside the probe = %v, want unavailable", err)
	}
	stop()
	if a, err := collect(t, m); err != nil || a.Text != "ab" {
		t.Errorf("Stream after the probe = %+v, %v; want an answer", a, err)
	}

	answer = llm.Fail(llm.Unavailable)
	_, _ = collect(t, m)
	now = now.Add(30 * time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = llm.Collect(m.Stream(ctx, llmtest.Ask()))
	answer = llm.Say("c")
	if a, err := collect(t, m); err != nil || a.Text != "c" {
		t.Errorf("Stream after a probe whose caller left = %+v, %v; want to be let through", a, err)
	}
}

// What fails while the model is left alone already was asked before, and makes the rest no longer.
func TestRestIsNotMadeLonger(t *testing.T) {
	now := time.Unix(1000, 0)
	s := &llm.Script{Answer: func(n int, _ llm.Request) []llm.Step { return llm.Cut([][]string{{"a"}, nil, {"b"}}[n]...) }}
	m := llm.Breaker(s, func() time.Time { return now }, llm.BreakerOptions{Failures: 1, Rest: time.Minute})
	next, stop := iter.Pull2(m.Stream(t.Context(), llmtest.Ask()))
	defer stop()
	_, _, _ = next()
	_, _ = collect(t, m) // opens it
	now = now.Add(40 * time.Second)
	if _, err, _ := next(); llm.KindOf(err) != llm.CutOff {
		t.Fatalf("the request of before = %v, want cut_off", err)
	}
	now = now.Add(20 * time.Second)
	if a, _ := collect(t, m); a.Text != "b" {
		t.Errorf("Stream after the rest = %q, want to be let through", a.Text)
	}
}

func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := llm.Slow(time.Second, 0, llm.Say("a"))
		m := llm.Limit(&llm.Script{Answer: func(int, llm.Request) []llm.Step { return slow }}, 2)
		began := time.Now()
		done := make(chan time.Duration, 5)
		for range 5 {
			go func() {
				_, _ = collect(t, m)
				done <- time.Since(began)
			}()
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		synctest.Wait()
		if _, err := llm.Collect(m.Stream(ctx, llmtest.Ask())); llm.KindOf(err) != llm.Late || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Stream that waits too long for its turn = %v, want late", err)
		}
		var took []time.Duration
		for range 5 {
			took = append(took, <-done)
		}
		slices.Sort(took)
		want := []time.Duration{time.Second, time.Second, 2 * time.Second, 2 * time.Second, 3 * time.Second}
		if diff := cmp.Diff(want, took); diff != "" {
			t.Errorf("answers were there after (-want +got):\n%s", diff)
		}
	})
}

// A slow model is given up in time for the next, and after a few times not asked at all.
func TestGuard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &llm.Script{As: "slow", Answer: func(int, llm.Request) []llm.Step { return llm.Slow(time.Minute, 0, llm.Say("a")) }}
		quick := &llm.Script{As: "quick", Answer: func(int, llm.Request) []llm.Step { return llm.Say("b") }}
		guard := llm.GuardOptions{Whole: 4 * time.Second, First: time.Second, Breaker: llm.BreakerOptions{Failures: 2}}
		m := llm.Fallback(llm.Guard(slow, time.Now, guard), llm.Guard(quick, time.Now, guard))
		for _, want := range []time.Duration{time.Second, time.Second, 0} {
			began := time.Now()
			if a, err := collect(t, m); err != nil || a.Text != "b" || a.End.Model != "quick" || time.Since(began) != want {
				t.Errorf("Stream = %+v, %v after %s; want b of quick after %s", a, err, time.Since(began), want)
			}
		}
	})
}

func TestFailuresSayWhatIsWrong(t *testing.T) {
	f := &llm.Failure{Kind: llm.NoModel, Model: "ollama/x", Err: errors.New("pull it first")}
	if got := f.Error(); got != "model ollama/x: no_model: pull it first" {
		t.Errorf("Error() = %q", got)
	}
	for _, k := range append(llmtest.Kinds(), llm.Late, llm.CutOff) {
		ja, en := (&llm.Failure{Kind: k}).Advice("ja"), (&llm.Failure{Kind: k}).Advice("en")
		if !strings.HasSuffix(ja, "。") || !strings.HasSuffix(en, ".") {
			t.Errorf("Advice(%s) = %q, %q; want sentences", k, ja, en)
		}
	}
}
