package emulator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFaults(t *testing.T) {
	for fault, want := range map[Fault]string{
		ServerError:     "500 backendError: Backend Error",
		Unavailable:     "503 backendError: Backend Error",
		Duplicate:       "409 duplicate: The requested identifier already exists.",
		Stale:           "412 conditionNotMet: Precondition Failed",
		NotFound:        "404 notFound: Not Found",
		Forbidden:       "403 requiredAccessLevel: You need to have writer access to this calendar.",
		RateLimited:     "403 rateLimitExceeded: Rate Limit Exceeded",
		UserRateLimited: "403 userRateLimitExceeded: User Rate Limit Exceeded",
		QuotaExceeded:   "403 quotaExceeded: Calendar usage limits exceeded.",
		TooManyRequests: "429 rateLimitExceeded: Rate Limit Exceeded",
		FullSync:        "410 fullSyncRequired: Sync token is no longer valid, a full sync is required.",
		TokenExpired:    "401 authError: Invalid Credentials",
		Drop:            "EOF",
	} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(fault, after), func(t *testing.T) {
				a := open(t, Options{})
				a.e.Fail(Rule{Method: "events.insert", Fault: fault, After: after, Times: 1})
				if got := a.refused("POST calendars/primary/events", timed("a", "10:00", "11:00")); !strings.HasSuffix(got, want) {
					t.Errorf("insert with %s = %s, want %s", fault, got, want)
				}
				effects := 0
				if after {
					effects = 1
				}
				if got := a.e.Effects(); len(got) != effects || len(a.e.Events("primary")) != effects {
					t.Errorf("Effects() = %v, want %d", got, effects)
				}
				if fault == TokenExpired {
					if got := a.refused("GET colors", ""); !strings.HasPrefix(got, "401") {
						t.Errorf("the token that expired = %s, want 401 from now on", got)
					}
					a = a.with(a.e.AccessToken())
				}
				a.insert(timed("b", "10:00", "11:00"))
				if got := a.e.Requests()["events.insert"]; got != 2 {
					t.Errorf("Requests()[events.insert] = %d, want 2", got)
				}
			})
		}
	}
}

func TestEffects(t *testing.T) {
	a := open(t, Options{})
	a.insert(timed("a", "10:00", "11:00", `,"id":"aaaaa"`))
	a.clock.add(time.Minute)
	a.must("PATCH calendars/primary/events/aaaaa", `{"summary":"b"}`)
	a.refused("POST calendars/primary/events", timed("a", "10:00", "11:00", `,"id":"aaaaa"`))
	a.must("DELETE calendars/primary/events/aaaaa", "")
	start := time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)
	want := []Effect{
		{"events.insert", "owner@example.com", "aaaaa", start},
		{"events.patch", "owner@example.com", "aaaaa", start.Add(time.Minute)},
		{"events.delete", "owner@example.com", "aaaaa", start.Add(time.Minute)},
	}
	if got := a.e.Effects(); !slices.Equal(got, want) {
		t.Errorf("Effects() = %v, want %v", got, want)
	}
}

func TestRuleSkipTimesAndHeal(t *testing.T) {
	a := open(t, Options{})
	a.e.Fail(Rule{Fault: Unavailable, Skip: 1, Times: 2})
	var got []int
	for range 5 {
		got = append(got, a.do("GET calendars/primary/events", "").status)
	}
	if want := []int{200, 503, 503, 200, 200}; !slices.Equal(got, want) {
		t.Errorf("five lists with Skip 1, Times 2 = %v, want %v", got, want)
	}
	a.e.Fail(Rule{Fault: TooManyRequests, RetryAfter: 7 * time.Second})
	if got := a.do("GET calendars/primary/events", ""); got.header.Get("Retry-After") != "7" {
		t.Errorf("Retry-After = %q, want 7", got.header.Get("Retry-After"))
	}
	a.e.Heal()
	a.must("GET calendars/primary/events", "")
}

// TestChanceIsTheSameForASeed: a schedule that failed can be run again.
func TestChanceIsTheSameForASeed(t *testing.T) {
	run := func(seed uint64) string {
		a := open(t, Options{Seed: seed})
		a.e.Fail(Rule{Fault: ServerError, Chance: 0.5})
		var statuses []int
		for range 40 {
			statuses = append(statuses, a.do("GET colors", "").status)
		}
		return fmt.Sprint(statuses)
	}
	first := run(1)
	if again := run(1); again != first {
		t.Errorf("the same seed gave %s and %s", first, again)
	}
	if !strings.Contains(first, "200") || !strings.Contains(first, "500") || run(2) == first {
		t.Errorf("a chance of one half gave %s, want both, and other ones for another seed", first)
	}
}

func TestHold(t *testing.T) {
	for _, after := range []bool{false, true} {
		a := open(t, Options{})
		held, release := make(chan struct{}), make(chan struct{})
		a.e.Fail(Rule{Method: "events.insert", After: after, Times: 1, Hold: func(context.Context) {
			held <- struct{}{}
			<-release
		}})
		done := make(chan answer)
		go func() { done <- a.do("POST calendars/primary/events", timed("a", "10:00", "11:00")) }()
		<-held
		if got := len(a.e.Events("primary")) == 1; got != after {
			t.Errorf("held with After %v: the event is there %v, want %v", after, got, after)
		}
		a.must("GET calendars/primary/events", "") // others go on
		close(release)
		if got := <-done; got.status != 200 || got.string("summary") != "a" || got.header.Get("ETag") == "" {
			t.Errorf("the answer after the hold = %d %s, want the event", got.status, got.text)
		}
	}
}
