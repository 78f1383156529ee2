package google

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"google.golang.org/api/googleapi"

	"annai/fault"
	"annai/tools/tasks"
)

// noToken is the failure of an account that gives no access token.
func noToken(err error) error {
	kind := fault.ErrUnavailable
	if errors.Is(err, fault.ErrDenied) {
		kind = fault.ErrDenied
	}
	return &tasks.Failure{Kind: kind, Err: errors.New("no access token")}
}

// classify says what an error of the library means; nil stays nil. Texts of answers, which may
// repeat what people wrote, and addresses stay out of it.
func classify(ctx context.Context, err error, now time.Time) error {
	if err == nil {
		return nil
	}
	var answer *googleapi.Error
	if errors.As(err, &answer) {
		return &tasks.Failure{
			Kind: kindOf(answer), RetryAfter: retryAfter(answer.Header, now),
			Err: fmt.Errorf("google answered %d", answer.Code),
		}
	}
	if ctx.Err() != nil {
		return &tasks.Failure{Kind: fault.ErrUnavailable, Err: ctx.Err()}
	}
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return &tasks.Failure{Kind: fault.ErrUnavailable, Err: errors.New(err.Error())}
}

func kindOf(e *googleapi.Error) error {
	switch e.Code {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		return fault.ErrInvalid
	case http.StatusUnauthorized:
		return fault.ErrDenied
	case http.StatusForbidden:
		for _, item := range e.Errors {
			switch item.Reason {
			case "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded":
				return fault.ErrUnavailable
			}
		}
		return fault.ErrDenied
	case http.StatusNotFound, http.StatusGone:
		return fault.ErrNotFound
	case http.StatusConflict, http.StatusPreconditionFailed:
		return fault.ErrConflict
	default:
		return fault.ErrUnavailable
	}
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
