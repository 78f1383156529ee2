package emulator

import (
	"context"
	"net/http"
	"time"
)

// A Fault is something that goes wrong with a request.
type Fault string

// The values of [Fault]. The zero value is that nothing does, which makes sense with a [Rule.Hold].
const (
	// Drop closes the connection without an answer. (Go's client sends a GET again by itself where the connection was an old one.)
	Drop            Fault = "drop"
	ServerError     Fault = "server error"  // 500 backendError
	Unavailable     Fault = "unavailable"   // 503 backendError
	Duplicate       Fault = "duplicate"     // 409
	Stale           Fault = "stale"         // 412
	NotFound        Fault = "not found"     // 404
	Forbidden       Fault = "forbidden"     // 403 requiredAccessLevel
	RateLimited     Fault = "rate limited"  // 403 rateLimitExceeded
	UserRateLimited Fault = "user limited"  // 403 userRateLimitExceeded
	QuotaExceeded   Fault = "quota"         // 403 quotaExceeded
	TooManyRequests Fault = "too many"      // 429 rateLimitExceeded, with a Retry-After
	FullSync        Fault = "full sync"     // 410 fullSyncRequired
	TokenExpired    Fault = "expired"       // the access token that was sent is dead from now on: 401
	InvalidGrant    Fault = "invalid grant" // 400 in the form of OAuth, for oauth.token
)

// A Rule makes requests fail.
type Rule struct {
	// Method is whose requests: "events.insert", "oauth.token" and so on, as in [Emulator.Requests]. Empty is every one.
	Method string
	Fault  Fault
	// After lets the request have its effect first, so that only the answer is lost or wrong.
	After bool
	// Skip is how many requests are let through first.
	Skip int
	// Times is how many fail then; 0 is all.
	Times int
	// Chance is how likely each of them fails; 0 is surely.
	Chance float64
	// RetryAfter is what an answer about limits says; with TooManyRequests 0 is one second, else there is no such header.
	RetryAfter time.Duration
	// Hold is called before the answer, with the effect before or behind it by After. A test that wants a slow answer blocks in it,
	// until the context of the request ends or the test is ready.
	Hold func(context.Context)
}

// rule is a [Rule] and what happened to it.
type rule struct {
	Rule
	seen, failed int
}

// Fail adds a rule. The first rule that applies to a request is the one that counts.
func (e *Emulator) Fail(r Rule) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rules = append(e.rules, &rule{Rule: r})
}

// Heal takes all rules away.
func (e *Emulator) Heal() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rules = nil
}

// pick counts the request and returns the rule that applies to it, or nil.
func (e *Emulator) pick(method string) *Rule {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests[method]++
	for _, r := range e.rules {
		if r.applies(method, e.random.Float64) {
			return &r.Rule
		}
	}
	return nil
}

func (r *rule) applies(method string, random func() float64) bool {
	if r.Method != "" && r.Method != method || r.Times > 0 && r.failed >= r.Times {
		return false
	}
	if r.seen++; r.seen <= r.Skip || r.Chance > 0 && random() >= r.Chance {
		return false
	}
	r.failed++
	return true
}

// faulty returns next with the rules for method in front.
func (e *Emulator) faulty(method string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rule := e.pick(method)
		if rule == nil {
			next(w, r)
			return
		}
		answer := next
		if rule.After {
			kept := &recorder{header: http.Header{}}
			next(kept, r)
			answer = kept.replay
		}
		if rule.Hold != nil {
			rule.Hold(r.Context())
		}
		if rule.Fault != "" {
			e.fail(*rule, w, r)
			return
		}
		answer(w, r)
	}
}

// fail answers as the fault says.
func (e *Emulator) fail(r Rule, w http.ResponseWriter, req *http.Request) {
	switch r.Fault {
	case Drop:
		panic(http.ErrAbortHandler)
	case InvalidGrant:
		errGrant.write(w)
		return
	case TokenExpired:
		e.mu.Lock()
		delete(e.access, bearer(req))
		e.mu.Unlock()
	default:
	}
	f := *failures[r.Fault]
	f.retryAfter = r.RetryAfter
	if r.Fault == TooManyRequests && f.retryAfter == 0 {
		f.retryAfter = time.Second
	}
	f.write(w)
}

var failures = map[Fault]*failure{
	ServerError: errBackend, Unavailable: errOverloaded, Duplicate: errDuplicate, Stale: errConditionNot, NotFound: errNotFound,
	Forbidden: errAccess, RateLimited: errRate, UserRateLimited: errUserRate, QuotaExceeded: errQuota, TooManyRequests: errTooMany,
	FullSync: errFullSync, TokenExpired: errCredentials,
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	code   int
	body   []byte
}

func (k *recorder) Header() http.Header { return k.header }

func (k *recorder) WriteHeader(code int) { k.code = code }

func (k *recorder) Write(p []byte) (int, error) {
	k.body = append(k.body, p...)
	return len(p), nil
}

func (k *recorder) replay(w http.ResponseWriter, _ *http.Request) {
	for name, values := range k.header {
		w.Header()[name] = values
	}
	w.WriteHeader(max(k.code, http.StatusOK))
	_, _ = w.Write(k.body)
}
