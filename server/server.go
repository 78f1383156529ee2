// Package server is annai over HTTP: it turns requests into turns of the concierge, its events into JSON or server-sent events,
// and failures into one envelope that can always be spoken; and it stands before the doors to protocols of others.
//
// The idea to hold: one table of routes, ours ([Server.routes]) and those of each [door.Door], says what exists and who may ask for it; a handler decodes,
// makes one call and encodes, or returns an error; only [door.Explain] turns errors into statuses. The package knows nothing of events, dates or faces.
package server

import (
	"context"
	"crypto/rand"
	"io/fs"
	"iter"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"annai/graph"
	"annai/internal/auditlog"
	"annai/nodes"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/keys"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/media"
	"annai/tools/media/video"
	"annai/venue"
)

// A Concierge is what the server needs of [nodes.Concierge] beside the turns, which go through the gate.
type Concierge interface {
	Sweep(ctx context.Context) (int, error)
	Drawing() graph.Drawing
}

// Sessions are what is kept of visitors, as [nodes.Concierge] keeps it.
type Sessions interface {
	Kept(ctx context.Context, v nodes.Visitor) iter.Seq2[nodes.Kept, error]
	Forget(ctx context.Context, v nodes.Visitor) (int, error)
}

// Parts are what a server is made of. All but Tools, Files, Preview, SignIn, Keys, Doors, Sessions,
// Threads, Checks, Audit and Figures are required.
type Parts struct {
	// Gate is where the turns of all doors go through.
	Gate *gate.Gate
	// Concierge is what is behind the gate: the server sweeps its idle sessions and draws its graph.
	Concierge Concierge
	// Calendar is the view that visitors have of the venue's calendars.
	Calendar calendar.Reader
	Venue    *venue.Venue
	// Tools are what may be called by POST /tools. Nil: none.
	Tools *tools.Registry
	// Files are what tools made, at GET /media. Nil: there are none.
	Files *media.Files
	// Preview has the film of today, at GET /preview. Nil: none is made.
	Preview *video.Daily
	// SignIn connects the owner's calendar at GET /auth/google. Nil: there is no such path.
	SignIn SignIn
	// Keys are what callers are known by. Nil: there are none, and all are visitors.
	Keys *keys.Ring
	// Doors are protocols of others, beside our own.
	Doors []door.Door
	// Sessions and Threads are what the concierge and a door keep of visitors, for operators who are
	// asked for it. Nil: nothing is kept.
	Sessions Sessions
	Threads  door.Threads
	// Checks are what the server can't do without, by the names under which GET /readyz tells how
	// they are: an error means that it can't be written or read.
	Checks map[string]func(ctx context.Context) error
	// Audit keeps who did what. Nil: nobody does.
	Audit *auditlog.Log
	// Figures are told at GET /metrics. Nil: those of this server alone.
	Figures *Figures
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
	// LocalOrigins lets pages ask too that are served on the machine of whoever looks at them, at any port: for trying out clients.
	LocalOrigins bool

	// KeyElsewhere says that whoever is not on this machine needs a key.
	KeyElsewhere bool
	// TrustedProxies are those whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// AddressRate and KeyRate bound how often visitors ask, from one address and with one key. Zero: not bounded.
	AddressRate, KeyRate Rate

	// AddressOpen and KeyOpen bound how many requests of visitors are under way, streams included,
	// from one address and with one key. 0: not bounded.
	AddressOpen, KeyOpen int

	// MaxBody is the largest request body in bytes. 0: 64 KiB.
	MaxBody int64
	// HeaderTimeout and BodyTimeout are how long a client may take to send its headers, and all of its request. 0: 5 and 10 seconds.
	HeaderTimeout, BodyTimeout time.Duration
	// WriteTimeout bounds an answer from its first header to its last byte, turns and streams included. 0: 2 minutes.
	WriteTimeout time.Duration
	// CalendarDeadline bounds the read of GET /events. 0: 2 seconds.
	CalendarDeadline time.Duration
	// SessionIdle is how long a session lives without a word, for GET /venue; idle ones are swept every SweepEvery. 0: 3 minutes and 30 seconds.
	SessionIdle, SweepEvery time.Duration
	// Drain is how long GET /readyz says that the server is stopping while it still takes requests,
	// so that a balancer sends no more. 0: not at all.
	Drain time.Duration
	// Grace is how long runs may go on after the server was told to stop. 0: 10 seconds.
	Grace time.Duration
}

// A Server answers HTTP. It is safe for concurrent use.
type Server struct {
	parts   Parts
	opts    Options
	engine  *gin.Engine
	figures *Figures
	kiosk   pages
	keys    *keys.Ring
	limits  limits
	crowds  *crowds
	hosts   map[string]bool
	origins map[string]bool
	// doors knows which door answers at a route, and below the first part of a path; our own is nil.
	doors    map[string]*door.Door
	streams  streams
	checked  checked
	stopping atomic.Bool
	// largeInputs has a place for each large input of a tool that is held.
	largeInputs chan struct{}
}

// New returns a server over the parts. It starts nothing.
func New(parts Parts, opts Options) *Server {
	opts = withDefaults(opts)
	if parts.Tools == nil {
		parts.Tools = tools.New(parts.Now, tools.Options{})
	}
	s := &Server{
		parts: parts, opts: opts,
		kiosk: loadPages(parts.Kiosk),
		keys:  parts.Keys, limits: newLimits(opts), crowds: newCrowds(opts),
		hosts: set(opts.Hosts), origins: set(opts.AllowedOrigins), doors: map[string]*door.Door{}, figures: parts.Figures,
		largeInputs: make(chan struct{}, maxLargeInputs),
	}
	if s.figures == nil {
		s.figures = NewFigures()
	}
	if s.keys == nil {
		s.keys = noKeys(parts.Now)
	}
	s.figures.watch(parts.Gate)
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
