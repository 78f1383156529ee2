// Package server is annai over HTTP: it turns requests into turns of the concierge, its events into JSON or
// server-sent events, and failures into one envelope that can always be spoken; and it stands before the doors to
// protocols of others.
//
// The idea to hold: one table of routes, ours ([Server.routes]) and those of each [door.Door], says what exists
// and who may ask for it; a handler decodes, makes one call and encodes, or returns an error; only [door.Explain]
// turns errors into statuses. The package knows nothing of events, dates or faces.
package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"io/fs"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"time"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/graph"
	"annai/internal/auditlog"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/httpd"
	"annai/server/keys"
	"annai/tools"
	"annai/tools/media"
	"annai/tools/media/video"
	"annai/venue"
	"annai/voice"
)

// A Concierge is what the server needs of [nodes.Concierge] beside the turns, which go through the gate.
type Concierge interface {
	Sweep(ctx context.Context) (int, error)
	Drawing() graph.Drawing
}

// Sessions are what is kept of visitors, as [nodes.Concierge] keeps it.
type Sessions interface {
	Kept(ctx context.Context, v dialog.Visitor) iter.Seq2[dialog.Kept, error]
	Forget(ctx context.Context, v dialog.Visitor) (int, error)
}

// Parts are what a server is made of. All but Tools, Files, Preview, Voice, SignIn, Keys, Doors, Sessions,
// Threads, Checks, Audit, Figures, CallStaff, Code, PublicURL, CalendarFile and Rehearse are required.
type Parts struct {
	// Gate is where the turns of all doors go through.
	Gate *gate.Gate
	// Concierge is what is behind the gate: the server sweeps its idle sessions and draws its graph.
	Concierge Concierge
	// Events reads the view that visitors have of the venue's calendars, for GET /events: the events that overlap the
	// window, at times in its location. What it returns is the server's.
	Events func(ctx context.Context, window civil.TimeRange) (api.EventsResponse, error)
	Venue  *venue.Venue
	// Tools are what may be called by POST /tools. Nil: none.
	Tools *tools.Registry
	// Files are what tools made, at GET /media. Nil: there are none.
	Files *media.Files
	// Pictures has the pictures of events, at GET /pictures. Nil: there are none.
	Pictures Pictures
	// Preview has the film of today, at GET /preview. Nil: none is made.
	Preview *video.Daily
	// Voice speaks the sentences of streams, at GET /speech, and VoiceCredit names its voices as their licences
	// want it. Nil: they are not spoken, and the voices want no credit.
	Voice       *voice.Cache
	VoiceCredit func() string
	// Hearing says that a door hears speech, for GET /venue.
	Hearing bool
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
	// CallStaff tells the venue's staff, once, that a visitor calls, at POST /staff-calls. Nil: nobody can call.
	CallStaff func(ctx context.Context, id string, body []byte) error
	// Code opens the operator's corner of a kiosk, at POST /corner. Empty: there is none.
	Code string
	// PublicURL is the address at which telephones reach this server, without a path: POST /handovers makes pages
	// for them. Empty: there are none.
	PublicURL string
	// CalendarFile writes the events among cards as a file for calendars, for those pages, with titles in a language;
	// nothing if there are none. Nil: no page has one.
	CalendarFile func(cards []api.Card, language string, now time.Time) []byte
	// Rehearse answers one of the venue's suggestions outside of any talk, for GET /kept. Nil: nothing is kept.
	Rehearse func(ctx context.Context, question, language string) (api.QueryResponse, error)
	// Kiosk holds the built page for visitors: index.html and its assets.
	Kiosk fs.FS
	// Now is the clock.
	Now func() time.Time

	// CalendarDeadline bounds the read of GET /events. 0: 2 seconds.
	CalendarDeadline time.Duration
	// SessionIdle is how long a session lives without a word, for GET /venue; idle ones are swept every SweepEvery.
	// 0: 3 minutes and 30 seconds.
	SessionIdle, SweepEvery time.Duration
}

// Options are the settings of a [Server] that have a default.
type Options = httpd.Options

// A Server answers HTTP. It is safe for concurrent use.
type Server struct {
	parts   Parts
	opts    Options
	http    *httpd.Server
	figures *Figures
	kiosk   pages
	// staff is nil where nobody can call, handovers where no page for telephones is made.
	staff     *staff
	handovers *handovers
	kiosks    *kiosks
	votes     votes
	kept      map[string]*kept
	// codeTries and allCodeTries bound how often the code of the corner is tried.
	codeTries, allCodeTries *httpd.Limiter[string]
	look                    look
	// largeInputs has a place for each large input of a tool that is held.
	largeInputs chan struct{}
}

// New returns a server over the parts. It starts nothing.
func New(parts Parts, opts Options) *Server {
	if parts.Tools == nil {
		parts.Tools = tools.New(parts.Now, tools.Options{})
	}
	if parts.Figures == nil {
		parts.Figures = NewFigures()
	}
	parts.CalendarDeadline = cmp.Or(parts.CalendarDeadline, 2*time.Second)
	parts.SessionIdle = cmp.Or(parts.SessionIdle, 3*time.Minute)
	if parts.VoiceCredit == nil {
		parts.VoiceCredit = func() string { return "" }
	}
	parts.SweepEvery = cmp.Or(parts.SweepEvery, 30*time.Second)
	opts.MaxBody = cmp.Or(opts.MaxBody, 64<<10)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.NewID == nil {
		opts.NewID = rand.Text
	}
	s := &Server{
		parts: parts, opts: opts, kiosk: loadPages(parts.Kiosk), look: newLook(parts.Venue), figures: parts.Figures,
		largeInputs: make(chan struct{}, maxLargeInputs),
	}
	s.prepareKiosks()
	background := []func(context.Context){s.sweep, s.shareRates}
	opts.Together = !parts.Gate.Alone()
	if parts.Preview != nil {
		background = append(background, parts.Preview.Run)
	}
	s.http = httpd.New(httpd.Parts{
		Doors: append([]door.Door{s.door()}, parts.Doors...), Runs: parts.Gate, Keys: parts.Keys, Checks: parts.Checks,
		Notes: map[string]func(context.Context) string{
			"calendar": s.calendarHealth, "kiosk": func(context.Context) string { return s.kiosk.health() },
		},
		Background: background, Audit: parts.Audit, Figures: parts.Figures.Figures, Now: parts.Now,
	}, opts)
	return s
}

// prepareKiosks makes what is held for kiosks.
func (s *Server) prepareKiosks() {
	s.kiosks = &kiosks{known: map[string]kiosk{}, forgotten: s.figures.forgetKiosk}
	s.figures.Register(s.kiosks)
	s.votes.had = map[string]bool{}
	s.kept = map[string]*kept{"ja": {}, "en": {}}
	s.codeTries, s.allCodeTries = httpd.NewLimiter[string](codesOfOne), httpd.NewLimiter[string](codesOfAll)
	if s.parts.CallStaff != nil {
		s.staff = newStaff(s.parts.CallStaff)
	}
	if s.parts.PublicURL != "" {
		s.handovers = &handovers{
			life: s.parts.SessionIdle, now: s.parts.Now,
			sought: make(chan struct{}, maxSought), pages: map[string]*handover{},
		}
	}
	s.parts.Gate.House(s.resident())
}

// Handler is [httpd.Server.Handler].
func (s *Server) Handler() http.Handler { return s.http.Handler() }

// Serve is [httpd.Server.Serve].
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	return s.http.Serve(ctx, listener)
}
