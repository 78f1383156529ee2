package google

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"google.golang.org/api/googleapi"

	"annai/tools/calendar"
)

const (
	statusUnauthorized = http.StatusUnauthorized
	statusConflict     = http.StatusConflict
	statusStale        = http.StatusPreconditionFailed
)

// trouble is why a request did not do what it was for.
type trouble struct {
	failure *calendar.Failure
	// status is what Google answered; 0 where it did not.
	status int
	// again says that the same request may do it if it is sent once more.
	again bool
	// maybe says that it may have been done all the same, and unheard that it even may be from now on: it was us who did not wait.
	maybe, unheard bool
}

// unsent is the trouble of a caller who does not wait any more while nothing was sent.
func unsent(err error) *trouble {
	return &trouble{failure: &calendar.Failure{Kind: calendar.Unavailable, Err: err}}
}

// ambiguous is what to say where nobody knows what came of it.
func (t *trouble) ambiguous() *calendar.Failure {
	return &calendar.Failure{Kind: calendar.Ambiguous, RetryAfter: t.failure.RetryAfter, Err: t.failure.Err}
}

// classify says what an error of the library means. The context is that of the request.
func classify(ctx context.Context, err error, now time.Time) *trouble {
	var answer *googleapi.Error
	if errors.As(err, &answer) {
		return refusal(answer, now)
	}
	f := &calendar.Failure{Kind: calendar.Unavailable, Err: errors.New(reason(err))}
	var network net.Error
	var dial *net.OpError
	switch {
	case ctx.Err() != nil:
		f.Err = ctx.Err()
		return &trouble{failure: f, again: true, maybe: true, unheard: true}
	case errors.As(err, &dial) && dial.Op == "dial":
		return &trouble{failure: f, again: true}
	case errors.As(err, &network) && network.Timeout():
		return &trouble{failure: f, again: true, maybe: true, unheard: true}
	default:
		return &trouble{failure: f, again: true, maybe: true}
	}
}

// refusal says what an answer of Google means.
func refusal(e *googleapi.Error, now time.Time) *trouble {
	why := ""
	if len(e.Errors) > 0 {
		why = word(e.Errors[0].Reason)
	}
	t := &trouble{status: e.Code, failure: &calendar.Failure{
		Kind: kindOf(e, why), RetryAfter: retryAfter(e.Header, now), Err: fmt.Errorf("google answered %d %s", e.Code, why),
	}}
	switch t.failure.Kind {
	case calendar.RateLimited:
		t.again = true
	case calendar.Unavailable:
		t.again = e.Code >= 500 || e.Code == http.StatusRequestTimeout
		t.maybe = t.again
	default:
	}
	return t
}

// kindOf is the table of errors.
func kindOf(e *googleapi.Error, why string) calendar.Kind {
	switch e.Code {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong:
		return calendar.Invalid
	case statusUnauthorized:
		return calendar.Auth
	case http.StatusForbidden:
		return forbidden(e, why)
	case http.StatusNotFound:
		return calendar.NotFound
	case http.StatusGone:
		return calendar.Gone
	case statusConflict, statusStale:
		return calendar.Stale
	case http.StatusTooManyRequests:
		return calendar.RateLimited
	default:
		return calendar.Unavailable
	}
}

// forbidden tells the many meanings of 403 apart.
func forbidden(e *googleapi.Error, why string) calendar.Kind {
	switch why {
	case "rateLimitExceeded", "userRateLimitExceeded":
		return calendar.RateLimited
	case "quotaExceeded", "dailyLimitExceeded":
		return calendar.Quota
	case "insufficientPermissions", "accessNotConfigured": // for lack of a scope, and of the whole interface
		return calendar.Scope
	}
	if strings.Contains(e.Header.Get("WWW-Authenticate"), "insufficient_scope") {
		return calendar.Scope
	}
	return calendar.Forbidden
}

// retryAfter reads the header: seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(0, seconds), 86400)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// word returns what is a plain word of Google's, and hides the rest: texts of answers may repeat what people wrote.
func word(s string) string {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_'
	}
	if s == "" || len(s) > 64 || strings.ContainsFunc(s, odd) {
		return "for an unknown reason"
	}
	return s
}

// reason says why a request failed, without the address that the client puts in front.
func reason(err error) string {
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err.Error()
}

// statusOf is what Google answered; 0 where it did not.
func statusOf(err error) int {
	var answer *googleapi.Error
	if errors.As(err, &answer) {
		return answer.Code
	}
	return 0
}
