// Package emulator is a server that answers like Google Calendar v3 and Google's OAuth, for tests and for trying out without an account.
//
// The idea to hold: one Google account is a plain struct under one mutex, every change of it has a number (its revision), and etags,
// sync tokens and the order of things are made of those numbers. What a test needs to do wrong on purpose is a [Rule]; what it needs
// to know afterwards is in [Emulator.Requests], [Emulator.Effects] and [Emulator.Mails].
//
// It serves under /calendar/v3/ what is at www.googleapis.com, and the four addresses of the OAuth half at the root. It keeps nothing
// when it ends, sends no mail, and knows nothing of annai: whoever speaks to Google can speak to it.
package emulator

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// Options are the settings of an [Emulator]. All but Now have a default.
type Options struct {
	// Now is the clock by which tokens expire and events are stamped. Required.
	Now func() time.Time
	// Email is the account. Empty is owner@example.com.
	Email string
	// TimeZone is the zone of the account and of its primary calendar. Empty is Asia/Tokyo.
	TimeZone string
	// Seed starts the random source of [Rule.Chance].
	Seed uint64
	// ShortPages makes every page of a list shorter than it may be, and every second one empty: clients must go by the token.
	ShortPages bool
	// SyncTokenLife is how long a sync token is good for; zero is seven days.
	SyncTokenLife time.Duration
	// OAuth are the settings of the OAuth half.
	OAuth OAuth
}

// An Emulator is one Google account behind Calendar v3 and OAuth. It is safe for concurrent use.
type Emulator struct {
	opts Options
	zone *time.Location
	mux  *http.ServeMux

	mu sync.Mutex
	// revision counts the changes.
	revision  int64
	calendars []*calendarState // in the order of the calendar list
	pages     map[string]*page
	// forgotten is the revision before which sync tokens are no good.
	forgotten int64
	access    map[string]*access
	refresh   map[string]*consent
	codes     map[string]*code
	consented bool
	made      int // tokens and ids
	rules     []*rule
	random    *rand.Rand
	requests  map[string]int
	effects   []Effect
	mails     []Mail
}

// New returns an emulator whose account has a primary calendar and nothing in it. A zone that does not exist is UTC.
func New(opts Options) *Emulator {
	if opts.Email == "" {
		opts.Email = "owner@example.com"
	}
	if opts.TimeZone == "" {
		opts.TimeZone = "Asia/Tokyo"
	}
	if opts.SyncTokenLife == 0 {
		opts.SyncTokenLife = 7 * 24 * time.Hour
	}
	opts.OAuth.complete()
	zone, err := time.LoadLocation(opts.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	e := &Emulator{
		opts: opts, zone: zone, mux: http.NewServeMux(),
		pages:  map[string]*page{},
		access: map[string]*access{}, refresh: map[string]*consent{}, codes: map[string]*code{},
		random:   rand.New(rand.NewPCG(opts.Seed, 0)),
		requests: map[string]int{},
	}
	e.AddCalendar(Calendar{ID: opts.Email, Summary: opts.Email, TimeZone: opts.TimeZone, Primary: true})
	e.routes()
	e.oauthRoutes()
	return e
}

// ServeHTTP answers a request.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) { e.mux.ServeHTTP(w, r) }

// change starts a change of the account and returns its number.
func (e *Emulator) change() int64 {
	e.revision++
	return e.revision
}

// stamp is the time as Google writes it.
func (e *Emulator) stamp() string { return e.opts.Now().UTC().Format("2006-01-02T15:04:05.000Z") }
