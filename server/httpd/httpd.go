// Package httpd serves doors over HTTP: it listens, knows callers by their keys, bounds how much and how often
// they ask, answers failures in the words of the door that a request came to, and stops in good order.
//
// The idea to hold: one table of routes, those of all doors and the few of its own (health, figures), says what
// exists and who may ask for it; [door.Explain] alone turns errors into statuses. The package knows no protocol.
package httpd

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"annai/internal/auditlog"
	"annai/server/door"
	"annai/server/keys"
)

// Runs are what is under way behind the doors, whose end a server that stops waits for.
type Runs interface {
	// Active is how many there are.
	Active() int
	// Wait waits until there are none, or for the end of ctx, whose error it then returns.
	Wait(ctx context.Context) error
	// End ends all, with [door.ErrStopping].
	End()
}

// Parts are what a server is made of. Doors and Now are required.
type Parts struct {
	// Doors are what is served. The first answers for all at which nothing is, too.
	Doors []door.Door
	// Runs are waited for when the server stops, besides requests. Nil: there are none.
	Runs Runs
	// Keys are what callers are known by. Nil: there are none, and all are visitors.
	Keys *keys.Ring
	// Checks are what the server can't do without, by the names under which GET /readyz tells how they are: an error
	// means that it can't be written or read. Notes are told there too, and keep nobody from being answered.
	Checks map[string]func(ctx context.Context) error
	Notes  map[string]func(ctx context.Context) string
	// Background is what runs beside the server until it stops: each until its context is done.
	Background []func(ctx context.Context)
	// Audit keeps who did what. Nil: nobody does.
	Audit *auditlog.Log
	// Figures are told at GET /metrics. Nil: those of this server alone.
	Figures *Figures
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

	// Hosts are the names, without port, by which the server may be called besides localhost, loopback addresses
	// and the address that a request arrived at. Any other Host is denied, so that no foreign name can be pointed
	// at this machine. "*" allows all.
	Hosts []string
	// AllowedOrigins are the origins ("https://kiosk.example") whose pages may ask from a browser, besides the
	// server's own.
	AllowedOrigins []string
	// LocalOrigins lets pages ask too that are served on the machine of whoever looks at them, at any port: for
	// trying out clients.
	LocalOrigins bool

	// KeyElsewhere says that whoever is not on this machine needs a key.
	KeyElsewhere bool
	// TrustedProxies are those whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// AddressRate and KeyRate bound how often visitors ask, from one address and with one key. Zero: not bounded.
	AddressRate, KeyRate door.Rate
	// Together says that other servers count too, and are told; see [Server.Taken].
	Together bool

	// AddressOpen and KeyOpen bound how many requests of visitors are under way, streams included,
	// from one address and with one key. 0: not bounded.
	AddressOpen, KeyOpen int

	// MaxBody is the largest request body in bytes. 0: 64 KiB.
	MaxBody int64
	// HeaderTimeout and BodyTimeout are how long a client may take to send its headers, and all of its request.
	// 0: 5 and 10 seconds.
	HeaderTimeout, BodyTimeout time.Duration
	// WriteTimeout bounds an answer from its first header to its last byte, turns and streams included. 0: 2 minutes.
	WriteTimeout time.Duration
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
	keys    *keys.Ring
	limits  limits
	crowds  *crowds
	hosts   map[string]bool
	origins map[string]bool
	// doors knows which door answers at a route, and below the first part of a path; of what is not in it the first.
	doors    map[string]*door.Door
	streams  streams
	checked  checked
	stopping atomic.Bool
}

// New returns a server over the parts. It starts nothing, and panics where two routes contradict each other.
func New(parts Parts, opts Options) *Server {
	opts = withDefaults(opts)
	s := &Server{
		parts: parts, opts: opts, keys: parts.Keys, limits: newLimits(opts), crowds: newCrowds(opts),
		hosts: set(opts.Hosts), origins: set(opts.AllowedOrigins), doors: map[string]*door.Door{},
		figures: parts.Figures,
	}
	if s.figures == nil {
		s.figures = NewFigures()
	}
	if s.keys == nil {
		s.keys = noKeys(parts.Now)
	}
	if s.parts.Runs == nil {
		s.parts.Runs = noRuns{}
	}
	s.figures.watch(s.parts.Runs)
	s.engine = s.newEngine()
	return s
}

// noRuns are never under way.
type noRuns struct{}

func (noRuns) Active() int                { return 0 }
func (noRuns) Wait(context.Context) error { return nil }
func (noRuns) End()                       {}

// Handler returns the server as a handler, for those who listen themselves. [Server.Serve] adds the limits of time
// and size that only a listener can keep.
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
	or(&o.Grace, 10*time.Second)
	return o
}

func or[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}
