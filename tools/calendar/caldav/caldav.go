// Package caldav is the calendars of a CalDAV server (RFC 4791): [Account] is the account,
// [Calendar] one of its calendars, read and written by the contract of package calendar, and [Tasks]
// the tasks in one, by that of package tasks.
//
// The idea to hold: an object has an etag, and what was read under it is kept. A read asks for the
// etags of what is in the window, and then only for the objects that are new; a write is made under
// the etag of what was read (If-Match, If-None-Match). Where an answer was lost we look at what is
// there. How an event is written is known to package ics.
//
// The package knows no configuration. A CalDAV server forgets what was deleted: that an id was used
// is known here until the process ends.
package caldav

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/secret"
	"annai/internal/traceparent"
)

// source is what [calendar.Event.Source] says of events of this package.
const source = "caldav"

// Options are the settings of an [Account]. All but Now have a default.
type Options struct {
	// Now is the clock. Required.
	Now func() time.Time
	// User and Password are sent with each request (RFC 7617). Empty: none are.
	User     string
	Password secret.Text
	// Client sends the requests; redirects are followed only to the same host. Nil is one of our
	// own without proxy and cookies.
	Client *http.Client
	// Location is where times without a zone are meant. Nil: UTC.
	Location *time.Location
	// Domains are those of mail addresses that may be invited; empty: nobody may. Invite lets the
	// server mail them.
	Domains []string
	Invite  bool
	// Timeout bounds one request; 0 is 10 seconds.
	Timeout time.Duration
	// MaxBytes is the largest answer that is read; 0 is 10 MiB.
	MaxBytes int64
	// MaxEvents is the most that a read returns; 0 is 10,000. The rest is a problem.
	MaxEvents int
}

// An Account is a user at a server. It is safe for concurrent use.
type Account struct {
	address *url.URL
	opts    Options
	client  *http.Client
}

// NewAccount returns the account at the address: that of a server, of a user there, or of a
// calendar. An address that is not of http or https, has a user in it, or would send a password in
// the clear to another machine, and no clock, are [fault.ErrInvalid]. Nothing is asked yet.
func NewAccount(address string, opts Options) (*Account, error) {
	u, err := url.Parse(address)
	local := err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback())
	switch {
	case opts.Now == nil:
		return nil, fmt.Errorf("caldav account: no clock: %w", fault.ErrInvalid)
	case err != nil, u.Host == "", u.User != nil, u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("caldav account: not an address of http or https without a user: %w", fault.ErrInvalid)
	case u.Scheme == "http" && opts.Password != "" && !local:
		return nil, fmt.Errorf("caldav account: a password is sent only by https: %w", fault.ErrInvalid)
	}
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	if opts.Timeout == 0 {
		opts.Timeout = 10 * time.Second
	}
	if opts.MaxBytes == 0 {
		opts.MaxBytes = 10 << 20
	}
	if opts.MaxEvents == 0 {
		opts.MaxEvents = 10_000
	}
	return &Account{address: u, opts: opts, client: client(opts)}, nil
}

// client returns the client for requests that carry a password.
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
	c.Jar = nil
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// newID returns 26 random letters and digits.
func newID() string {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(random))
}

// A Found is a calendar that an account has.
type Found struct {
	// Path is where it is at the server, Name what its owner calls it.
	Path, Name string
}

// Calendars finds the calendars of the account that hold events: the address itself where it is
// one, else by the principal and its calendar-home-set (RFC 4791, 6.2; RFC 6764, 6).
func (a *Account) Calendars(ctx context.Context) ([]Found, error) { return a.calendars(ctx, events) }

// What calendars may hold (RFC 5545, 3.6).
const (
	events = "VEVENT"
	todos  = "VTODO"
)

// calendars finds those that hold a kind of component.
func (a *Account) calendars(ctx context.Context, component string) ([]Found, error) {
	for _, start := range []string{a.address.Path, "/.well-known/caldav"} {
		found, err := a.calendarsFrom(ctx, orRoot(start), component)
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, notFound("no calendar at this address")
}

func orRoot(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

// maxHomes bounds how many homes are looked at.
const maxHomes = 4

func (a *Account) calendarsFrom(ctx context.Context, start, component string) ([]Found, error) {
	answers, err := a.propfind(ctx, start, "0", propsOfStart)
	switch {
	case isAbsent(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	for _, r := range answers {
		if r.holds(component) {
			return []Found{r.found()}, nil
		}
	}
	homes := hrefs(answers, func(p props) hrefList { return p.HomeSet })
	if principals := hrefs(
		answers,
		func(p props) hrefList { return p.Principal },
	); len(homes) == 0 &&
		len(principals) > 0 {
		if answers, err = a.propfind(ctx, principals[0], "0", propsOfStart); err != nil {
			return nil, err
		}
		homes = hrefs(answers, func(p props) hrefList { return p.HomeSet })
	}
	if len(homes) == 0 {
		homes = []string{start}
	}
	var all []Found
	for _, home := range homes[:min(len(homes), maxHomes)] {
		answers, err := a.propfind(ctx, home, "1", propsOfStart)
		if err != nil {
			return nil, err
		}
		for _, r := range answers {
			if r.holds(component) {
				all = append(all, r.found())
			}
		}
	}
	return all, nil
}

// find returns the path of the calendar of that name or path that holds a kind of component; of the
// first for none.
func (a *Account) find(ctx context.Context, name, component string) (string, error) {
	all, err := a.calendars(ctx, component)
	if err != nil {
		return "", err
	}
	for _, f := range all {
		if name == "" || f.Name == name || strings.Trim(f.Path, "/") == strings.Trim(name, "/") ||
			strings.HasSuffix(strings.TrimSuffix(f.Path, "/"), "/"+name) {
			return f.Path, nil
		}
	}
	return "", notFound(fmt.Sprintf("no calendar %.100q", name))
}
