// Package mcp is the door for clients of the Model Context Protocol, such as assistants, editors and other agents: over streamable HTTP at
// /mcp, and over standard input and output.
//
// The idea to hold: what a client sees is made of what there already is. Every tool of the registry that the caller may call is a tool, the
// concierge is one more (ask), passages of knowledge are resources. A tool that writes is carried out only after a person said
// yes in the client. The package knows no calendar and no database, and is the one home of the protocol's library.
package mcp

import (
	"context"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"annai/dialog"
	"annai/fault"
	"annai/prompts"
	"annai/tools"
	"annai/venue"
)

// A Concierge is what the door needs of the concierge; Ask promises what that of a gate does.
type Concierge interface {
	Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error]
}

// Parts are what a server is made of. All are required.
type Parts struct {
	Venue     *venue.Venue
	Concierge Concierge
	Tools     *tools.Registry
	// Passages returns what is known now. The slice must not change afterwards.
	Passages func() []Passage
	// Now is the clock.
	Now func() time.Time
}

// Options are the settings of a [Server] that have a default.
type Options struct {
	// Version is told to clients. Empty: "dev".
	Version string
	// ClientConfirms says that clients ask a person before each call that writes, so that those which can't be asked to may write too.
	ClientConfirms bool
	// SessionIdle is how long a session of a client lives without a request. 0: 30 minutes.
	SessionIdle time.Duration
	// MaxSessions is how many clients of visitors may be connected at a time, and how many of
	// others; MaxOwn how many of one key, or of one address without a key, if that is a visitor's.
	// 0: 1,000 and 100.
	MaxSessions, MaxOwn int
	// Log receives what goes wrong in the protocol. Nil discards it.
	Log *slog.Logger
}

// A Server speaks the protocol. It is safe for concurrent use.
type Server struct {
	parts Parts
	opts  Options
	mu    sync.Mutex
	// served has what each kind of caller is served.
	served map[identity]*served
}

// served is what a kind of caller is served: over HTTP in the protocol with sessions, and in the one without.
type served struct {
	server                *sdk.Server
	sessions, sessionless http.Handler
}

// An identity is what decides about what a client sees.
type identity struct {
	role tools.Role
	// speaker is the caller as turns name it.
	speaker string
	// owner says which owner it is, if one in particular.
	owner    string
	language string
}

// New returns a server over the parts. Missing parts are [fault.ErrInvalid].
func New(parts Parts, opts Options) (*Server, error) {
	if parts.Venue == nil || parts.Concierge == nil || parts.Tools == nil || parts.Passages == nil || parts.Now == nil {
		return nil, fmt.Errorf("new server of the model context protocol: a part is missing: %w", fault.ErrInvalid)
	}
	if opts.Version == "" {
		opts.Version = "dev"
	}
	if opts.SessionIdle == 0 {
		opts.SessionIdle = 30 * time.Minute
	}
	if opts.MaxSessions == 0 {
		opts.MaxSessions = 1000
	}
	if opts.MaxOwn == 0 {
		opts.MaxOwn = 100
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.Log = slog.New(warnings{opts.Log.Handler()})
	return &Server{parts: parts, opts: opts, served: map[identity]*served{}}, nil
}

// warnings leaves out what the protocol's library tells of every session, ids and all.
type warnings struct{ slog.Handler }

// Handle makes warnings of its errors: a client that does wrong is none of the server's.
func (w warnings) Handle(ctx context.Context, r slog.Record) error {
	r.Level = min(r.Level, slog.LevelWarn)
	return w.Handler.Handle(ctx, r)
}

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// Stdio serves one client, which is the owner's if owner, until its input ends or ctx is done.
func (s *Server) Stdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser, owner bool, language string) error {
	who := identity{role: tools.Visitor, language: language}
	if owner {
		who.role = tools.Owner
	}
	if err := s.of(who).server.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serve a client: %w", err)
	}
	return nil
}

// of returns what a kind of caller is served.
func (s *Server) of(who identity) *served {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.served[who]
	if found == nil {
		s.tidy()
		found = s.serve(s.build(who))
		s.served[who] = found
	}
	return found
}

// maxServed is how many kinds of callers are remembered that have no session.
const maxServed = 256

// tidy forgets callers who have no session, if there are many.
func (s *Server) tidy() {
	if len(s.served) < maxServed {
		return
	}
	for who, served := range s.served {
		if count(served) == 0 {
			delete(s.served, who)
		}
	}
}

func count(s *served) (n int) {
	for range s.server.Sessions() {
		n++
	}
	return n
}

// build makes the server of a kind of caller: what is offered hangs on who asks and in which language.
func (s *Server) build(who identity) *sdk.Server {
	name := s.parts.Venue.Name.In(who.language)
	server := sdk.NewServer(&sdk.Implementation{
		Name: "annai", Title: name, Version: s.opts.Version, WebsiteURL: s.parts.Venue.Website,
	}, &sdk.ServerOptions{
		Instructions: prompts.ClientInstructions{Venue: name}.In(who.language),
		Logger:       s.opts.Log,
		// None of these change while a client is connected, except for knowledge, which clients read again. Nothing is logged to clients.
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
		},
		CompletionHandler: complete,
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
			c.CacheScope = "private" // what is offered hangs on the key
		},
	})
	server.AddReceivingMiddleware(plainNames)
	s.addAsk(server, who)
	for _, d := range s.parts.Tools.Offered(tools.Caller{Role: who.role, Language: who.language}) {
		s.addTool(server, who, d)
	}
	s.addKnowledge(server)
	s.addPrompts(server, who)
	return server
}
