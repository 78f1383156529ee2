// Package server is the HTTP door of annai: it turns requests into turns of the concierge, its events into JSON or server-sent events,
// and failures into one envelope that can always be spoken.
//
// The idea to hold: one table of routes ([Server.routes]) says what exists and who may ask for it; a handler decodes, makes one
// call and encodes, or returns an error; only failures.go turns errors into statuses. The package knows nothing of events, dates or faces.
package server

import (
	"context"
	"crypto/rand"
	"io/fs"
	"iter"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/graph"
	"annai/nodes"
	"annai/tools"
	"annai/tools/calendar"
	"annai/venue"
)

// A Concierge is what the server needs of [nodes.Concierge]; the methods promise what they do there.
type Concierge interface {
	Ask(ctx context.Context, turn nodes.Turn) iter.Seq2[nodes.Event, error]
	Answer(ctx context.Context, turn nodes.Turn) (api.QueryResponse, error)
	EndSession(ctx context.Context, sessionID string, owner bool) error
	Sweep(ctx context.Context) (int, error)
	Drawing() graph.Drawing
}

// Parts are what a server is made of. All but Tools and SignIn are required.
type Parts struct {
	Concierge Concierge
	// Calendar is the view that visitors have of the venue's calendars.
	Calendar calendar.Reader
	Venue    *venue.Venue
	// Tools are what may be called by POST /tools. Nil: none.
	Tools *tools.Registry
	// SignIn connects the owner's calendar at GET /auth/google. Nil: there is no such path.
	SignIn SignIn
	// Kiosk holds the built page for visitors: index.html and its assets.
	Kiosk fs.FS
	// Now is the clock.
	Now func() time.Time
}

// Options are the settings of a [Server] that have a default.
type Options struct {
	// Version is reported by /healthz and /readyz. Empty: "dev".
	Version string
	// Log receives one line per failed request. Nil discards them.
	Log *slog.Logger
	// NewID makes ids of runs and of requests that come without one. Nil: random ones.
	NewID func() string

	// Hosts are the names, without port, by which the server may be called besides localhost, loopback addresses and the address that a
	// request arrived at. Any other Host is denied, so that no foreign name can be pointed at this machine. "*" allows all.
	Hosts []string
	// AllowedOrigins are the origins ("https://kiosk.example") whose pages may ask from a browser, besides the server's own.
	AllowedOrigins []string

	// OwnerKey is the key with which a request is its owner's, who reads and writes calendars of their own. Empty: nobody is.
	OwnerKey string

	// MaxBody is the largest request body in bytes. 0: 64 KiB.
	MaxBody int64
	// MaxConcurrent is how many turns run at once, MaxWaiting how many more may wait for that, MaxWait for how long; what is
	// beyond is overload. 0: 256, as many as MaxConcurrent, and 2 seconds.
	MaxConcurrent, MaxWaiting int
	MaxWait                   time.Duration
	// HeaderTimeout and BodyTimeout are how long a client may take to send its headers, and all of its request. 0: 5 and 10 seconds.
	HeaderTimeout, BodyTimeout time.Duration
	// WriteTimeout bounds an answer from its first header to its last byte, turns and streams included. 0: 2 minutes.
	WriteTimeout time.Duration
	// CalendarDeadline bounds the read of GET /events. 0: 2 seconds.
	CalendarDeadline time.Duration
	// SessionIdle is how long a session lives without a word, for GET /venue; idle ones are swept every SweepEvery. 0: 3 minutes and 30 seconds.
	SessionIdle, SweepEvery time.Duration
	// Grace is how long runs may go on after the server was told to stop. 0: 10 seconds.
	Grace time.Duration
}

// A Server answers HTTP. It is safe for concurrent use.
type Server struct {
	parts    Parts
	opts     Options
	engine   *gin.Engine
	runs     *runs
	metrics  *metrics
	kiosk    pages
	keys     keys
	hosts    map[string]bool
	origins  map[string]bool
	stopping atomic.Bool
}

// New returns a server over the parts. It starts nothing.
func New(parts Parts, opts Options) *Server {
	opts = withDefaults(opts)
	if parts.Tools == nil {
		parts.Tools = tools.New(parts.Now, tools.Options{})
	}
	s := &Server{
		parts: parts, opts: opts,
		runs:  newRuns(opts.MaxConcurrent, opts.MaxWaiting, opts.MaxWait),
		kiosk: loadPages(parts.Kiosk),
		keys:  newKeys(opts),
		hosts: set(opts.Hosts), origins: set(opts.AllowedOrigins),
	}
	s.metrics = newMetrics(s.runs)
	s.engine = s.newEngine()
	return s
}

// Handler returns the server as a handler, for those who listen themselves. [Server.Serve] adds the limits of time and size that only
// a listener can keep.
func (s *Server) Handler() http.Handler { return s.engine }

func withDefaults(o Options) Options {
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.NewID == nil {
		o.NewID = rand.Text
	}
	or(&o.MaxBody, 64<<10)
	or(&o.MaxConcurrent, 256)
	or(&o.MaxWaiting, o.MaxConcurrent)
	or(&o.MaxWait, 2*time.Second)
	or(&o.HeaderTimeout, 5*time.Second)
	or(&o.BodyTimeout, 10*time.Second)
	or(&o.WriteTimeout, 2*time.Minute)
	or(&o.CalendarDeadline, 2*time.Second)
	or(&o.SessionIdle, 3*time.Minute)
	or(&o.SweepEvery, 30*time.Second)
	or(&o.Grace, 10*time.Second)
	return o
}

func or[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}
