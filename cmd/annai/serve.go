package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"annai/internal/auditlog"
	"annai/internal/config"
	"annai/internal/mask"
	"annai/server"
	"annai/server/door"
	"annai/server/keys"
	"annai/server/langgraph"
	"annai/tools"
	"annai/web"
)

func serveCommand() *cobra.Command {
	var tryOut bool
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the kiosk page and POST /query",
		Long: "Serve the kiosk page and POST /query until the process is told to stop.\n\n" + exitCodeHelp + "\n\n" + config.Help(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := load(cmd)
			if err != nil {
				return err
			}
			return serve(cmd.Context(), c, tryOut, cmd.OutOrStdout(), logger(c, cmd.ErrOrStderr()))
		},
	}
	config.Bind(cmd.Flags())
	config.BindServer(cmd.Flags())
	cmd.Flags().BoolVar(&tryOut, "probe-graph", false, probeUsage)
	return cmd
}

func logger(c config.Config, w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: mask.Attr}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

func serve(ctx context.Context, c config.Config, tryOut bool, out io.Writer, log *slog.Logger) (err error) {
	limitMemory(log)
	ring, kept, err := openKeys(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.close()) }()
	if err := c.CheckListen(ring.Any()); err != nil {
		return err
	}
	if c.Insecure && !ring.Any() {
		log.Warn("everybody who reaches this server may ask and operate: there are no keys", "listen", c.Listen)
	}
	if ring.Any() && c.CheckListen(false) != nil {
		log.Warn("keys come to this address in the clear, unless a proxy with TLS is before it", "listen", c.Listen)
	}
	audit, err := openAudit(c, out, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, audit.Close()) }()
	figures, auditTool := server.NewFigures(), auditTools(audit, "")
	a, err := assemble(ctx, c, wants{
		owner: ring.Guards(door.Owner), wrote: auditTalk(audit, ""), observe: func(o tools.Observation) {
			figures.ToolCall(o)
			auditTool(o)
		},
	}, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	a.warnAlone(c, log)
	release, err := serveFolder(c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, networkOf(c.Listen), c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is taken by another program; choose another address with --listen", c.Listen)
	} else if err != nil {
		return fmt.Errorf("listen on %s: %w", c.Listen, err)
	}
	signIn, err := googleSignIn(ctx, c, ring.Guards(door.Owner), a.now, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	f := front{ring: ring, kept: kept, signIn: signIn, audit: audit, figures: figures, tryOut: tryOut}
	s, gate, stop, err := newServer(ctx, c, a, f, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, stop()) }()
	if err := greet(out, a, config.LocalURL(listener.Addr().String())); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer watching(ctx, a, log)()
	defer forgetting(ctx, audit, log)()
	defer listening(ctx, gate)()
	return s.Serve(ctx, listener)
}

// A front is what stands between the network and an assembly.
type front struct {
	ring    *keys.Ring
	kept    keyStore
	signIn  server.SignIn
	audit   *auditlog.Log
	figures *server.Figures
	// tryOut has the graphs of --probe-graph served too.
	tryOut bool
}

// newServer makes the server with all its doors, and the gate that they share. Runs in the background
// are executed until stop is called, which waits for that.
func newServer(
	ctx context.Context, c config.Config, a *assembly, f front, log *slog.Logger,
) (s *server.Server, gate *door.Gate, stop func() error, err error) {
	gate = door.NewGate(a.concierge, door.GateOptions{
		MaxConcurrent: c.MaxConcurrent, Observe: f.figures.Turn, Peers: a.peers,
	})
	doors, graphs, stop, err := openDoors(ctx, a, c, gate, f.tryOut, log)
	if err != nil {
		return nil, nil, nil, err
	}
	readFigures(f.figures, a, graphs, f.kept, f.audit)
	s = server.New(server.Parts{ //nolint:contextcheck // handlers have the contexts of their requests
		Gate: gate, Figures: f.figures, Keys: f.ring, SignIn: f.signIn, Audit: f.audit,
		Concierge: a.concierge, Calendar: a.calendar, Venue: a.venue, Tools: a.tools, Files: a.files, Preview: a.films,
		Kiosk: web.Kiosk(), Now: a.now,
		Doors: doors, Sessions: a.concierge, Threads: langgraph.Threads(graphs.service),
		Checks: map[string]func(context.Context) error{"sessions": a.trySessions, "runs": graphs.service.Check},
	}, server.Options{
		Version: version(), Log: log, Hosts: c.Hosts, AllowedOrigins: c.AllowedOrigins, LocalOrigins: f.tryOut,
		KeyElsewhere: !c.Insecure, TrustedProxies: c.Access.TrustedProxies,
		AddressRate: server.Rate(c.Access.AddressRate), KeyRate: server.Rate(c.Access.KeyRate),
		AddressOpen: c.Access.AddressOpen, KeyOpen: c.Access.KeyOpen,
		MaxBody: c.MaxBody, SessionIdle: c.SessionIdle, Drain: c.Drain, Grace: c.Grace,
	})
	return s, gate, stop, nil
}

// networkOf is that of an address to listen on: one of IPv4 is not to let IPv6 in too.
func networkOf(address string) string {
	if at, err := netip.ParseAddrPort(address); err == nil && at.Addr().Is4() {
		return "tcp4"
	}
	return "tcp"
}

// watchEvery is how often is looked whether something was ingested.
const watchEvery = 2 * time.Second

// watching serves what is ingested from now on, until what it returns is called.
func watching(ctx context.Context, a *assembly, log *slog.Logger) (stop func()) {
	if a.watch == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ticker := time.NewTicker(watchEvery)
	var watcher sync.WaitGroup
	watcher.Go(func() { a.watch(ctx, ticker.C, log) })
	return func() {
		cancel()
		ticker.Stop()
		watcher.Wait()
	}
}

// listening does what other processes ask for, until what it returns is called.
func listening(ctx context.Context, gate *door.Gate) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // turns may be cancelled until the end
	var listener sync.WaitGroup
	listener.Go(func() { gate.Listen(ctx) })
	return func() { cancel(); listener.Wait() }
}

// greet says where the kiosk is, and a line to try.
func greet(out io.Writer, a *assembly, url string) error {
	name := a.venue.Name.In("ja") + " / " + a.venue.Name.In("en")
	if a.venue.Demo {
		name += " (demo data)"
	}
	_, err := fmt.Fprintf(out, `annai is ready for %s
  kiosk  %s/kiosk
  ask    curl -s %s/query -H 'Content-Type: application/json' -d '{"query": "今日のイベントは？"}'
`, name, url, url)
	return err
}
