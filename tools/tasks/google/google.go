// Package google is a list of tasks at Google Tasks (tasks/v1).
//
// The idea to hold: Google makes the ids of tasks, and so can't be asked for the same one twice.
// Before a task is created the open ones are looked at, and one that says the same is taken for it:
// then a lost answer, tried again, makes no second task. Each request is sent once; who calls may
// try again. Of the day that a task is due Google keeps the date and no time.
package google

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
	gtasks "google.golang.org/api/tasks/v1"

	"annai/civil"
	"annai/fault"
	"annai/internal/traceparent"
	"annai/tools/tasks"
)

// Scope is what an account must grant: https://developers.google.com/workspace/tasks/auth.
const Scope = gtasks.TasksScope

// Tokens gives access tokens of one account. It is safe for concurrent use.
type Tokens interface {
	// Token returns an access token, another than the refused one if that is not empty and there is
	// another. Errors wrap a kind of package fault and have no token in them.
	Token(ctx context.Context, refused string) (string, error)
}

// Options are the settings of a [List]. All but Now have a default.
type Options struct {
	// Now is the clock. Required.
	Now func() time.Time
	// Client sends the requests. It must not add credentials, and redirects are not followed
	// whatever it says. Nil is one of our own without proxy and cookies.
	Client *http.Client
	// BaseURL is where Google Tasks is. Empty is Google.
	BaseURL string
	// ListID names the list; empty is the account's first.
	ListID string
	// Timeout bounds one request; 0 is 10 seconds.
	Timeout time.Duration
}

// A List is a [tasks.List].
type List struct {
	tokens  Tokens
	opts    Options
	service *gtasks.Service
	// creating lets one task be looked for and created at a time.
	creating sync.Mutex
}

var _ tasks.List = (*List)(nil)

// New returns the list of an account. No clock is [fault.ErrInvalid]. Nothing is asked yet.
func New(tokens Tokens, opts Options) (*List, error) {
	if opts.Now == nil {
		return nil, fmt.Errorf("google tasks: no clock: %w", fault.ErrInvalid)
	}
	if opts.Timeout == 0 {
		opts.Timeout = 10 * time.Second
	}
	if opts.ListID == "" {
		opts.ListID = "@default"
	}
	service, err := gtasks.NewService(context.Background(), option.WithHTTPClient(client(opts)))
	if err != nil {
		return nil, fmt.Errorf("google tasks: %s: %w", err.Error(), fault.ErrInvalid)
	}
	if opts.BaseURL != "" {
		service.BasePath = strings.TrimSuffix(opts.BaseURL, "/") + "/"
	}
	return &List{tokens: tokens, opts: opts, service: service}, nil
}

// client returns the client for requests that carry an access token: a redirect would carry it
// elsewhere.
func client(opts Options) *http.Client {
	c := &http.Client{}
	if opts.Client != nil {
		*c = *opts.Client
	} else {
		dialer := &net.Dialer{Timeout: opts.Timeout}
		c.Transport = traceparent.Transport(&http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: opts.Timeout, ForceAttemptHTTP2: true,
			IdleConnTimeout: time.Minute,
		})
	}
	c.Transport = bounded{c.Transport}
	c.Jar = nil
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// maxAnswer is the largest answer that is read, in bytes: a page of 100 tasks with the longest notes.
const maxAnswer = 8 << 20

// bounded fails answers that are too large.
type bounded struct{ next http.RoundTripper }

// RoundTrip passes the request on.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	next := b.next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client says what it did
	}
	answer.Body = http.MaxBytesReader(nil, answer.Body, maxAnswer)
	return answer, nil
}

// send sends a request, once more with another access token where Google does not take the first.
// What goes wrong is a [*tasks.Failure].
func (l *List) send(ctx context.Context, do func(ctx context.Context, token string) error) error {
	ctx, cancel := context.WithTimeout(ctx, l.opts.Timeout)
	defer cancel()
	token, err := l.tokens.Token(ctx, "")
	if err != nil {
		return noToken(err)
	}
	err = do(ctx, token)
	if code(err) == http.StatusUnauthorized {
		another, failed := l.tokens.Token(ctx, token)
		if failed != nil {
			return noToken(failed)
		}
		if another != token {
			err = do(ctx, another)
		}
	}
	return classify(ctx, err, l.opts.Now())
}

func authorize(h http.Header, token string) { h.Set("Authorization", "Bearer "+token) }

// task reads one of Google's.
func task(w *gtasks.Task) (tasks.Task, error) {
	t := tasks.Task{ID: w.Id, Title: w.Title, Notes: w.Notes}
	var err error
	if w.Due != "" {
		day, _, _ := strings.Cut(w.Due, "T")
		if t.Due, err = civil.ParseDate(day); err != nil {
			return tasks.Task{}, unreadable("due", w.Id)
		}
	}
	if t.Updated, err = time.Parse(time.RFC3339, w.Updated); err != nil {
		return tasks.Task{}, unreadable("updated", w.Id)
	}
	if w.Completed != nil && w.Status == completed {
		if t.Completed, err = time.Parse(time.RFC3339, *w.Completed); err != nil {
			return tasks.Task{}, unreadable("completed", w.Id)
		}
	}
	if w.Status == completed && !t.Done() {
		t.Completed = t.Updated
	}
	return t, nil
}

func unreadable(field, id string) error {
	why := fmt.Errorf("task %.100q has no %s that can be read", id, field)
	return &tasks.Failure{Kind: fault.ErrUnavailable, Err: why}
}

// The values of a task's status.
const (
	completed   = "completed"
	needsAction = "needsAction"
)

// code is what Google answered; 0 where it did not.
func code(err error) int {
	var answer *googleapi.Error
	if errors.As(err, &answer) {
		return answer.Code
	}
	return 0
}
