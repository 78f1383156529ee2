package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"annai/api"
	"annai/internal/auditlog"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/server"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/keys"
	"annai/server/langgraph"
	"annai/server/openai"
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
			return serve(cmd.Context(), c, tryOut, cmd.OutOrStdout(), setup.Logger(c, cmd.ErrOrStderr()))
		},
	}
	config.Bind(cmd.Flags())
	config.BindServer(cmd.Flags())
	cmd.Flags().BoolVar(&tryOut, "probe-graph", false, probeUsage)
	return cmd
}

func serve(ctx context.Context, c config.Config, tryOut bool, out io.Writer, log *slog.Logger) (err error) {
	setup.LimitMemory(log)
	ring, kept, err := setup.Keys(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	if err := c.CheckListen(ring.Any()); err != nil {
		return err
	}
	if c.Insecure && !ring.Any() {
		log.Warn("everybody who reaches this server may ask and operate: there are no keys", "listen", c.Listen)
	}
	if ring.Any() && c.CheckListen(false) != nil {
		log.Warn("keys come to this address in the clear, unless a proxy with TLS is before it", "listen", c.Listen)
	}
	audit, err := setup.Audit(c, out, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, audit.Close()) }()
	traced := setup.NewTelemetry(c, "annai", version(), setup.Clock(c.Now), log)
	defer func() { err = errors.Join(err, traced.Close()) }()
	figures, auditTool := server.NewFigures(), auditTools(audit, "")
	traced.Tell(figures.Figures)
	a, err := assemble(ctx, c, wants{
		owner: ring.Guards(door.Owner), telemetry: traced, wrote: auditTalk(audit, ""),
		observe: func(o tools.Observation) {
			figures.ToolCall(o)
			auditTool(o)
		},
	}, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	a.warnAlone(c, log)
	release, err := setup.Folder(c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	listener, err := setup.Listen(ctx, c)
	if err != nil {
		return err
	}
	signIn, err := googleSignIn(ctx, c, ring.Guards(door.Owner), a.now, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	speaks, err := openVoice(c, a.venue, a.now, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	hears, err := openHearing(c, a)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	a.romaji.Store(&speaks.romaji)
	f := front{
		ring: ring, kept: kept, signIn: signIn, audit: audit, figures: figures, speaks: speaks, hears: hears,
		tryOut: tryOut,
	}
	s, turns, stop, err := newServer(ctx, c, a, f, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, stop()) }()
	if err := greet(out, a, config.LocalURL(listener.Addr().String())); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer watching(ctx, a, log)()
	var opening sync.WaitGroup
	opening.Go(f.speaks.open)
	defer opening.Wait()
	defer setup.ForgetAudit(ctx, audit, log)()
	defer listening(ctx, turns)()
	return s.Serve(ctx, listener)
}

// A front is what stands between the network and an assembly.
type front struct {
	ring    *keys.Ring
	kept    setup.KeyStore
	signIn  server.SignIn
	audit   *auditlog.Log
	figures *server.Figures
	speaks  speaking
	// hears is nil where nothing does.
	hears openai.Hearer
	// call calls staff once the server is there.
	call staffCall
	// tryOut has the graphs of --probe-graph served too.
	tryOut bool
}

// newServer makes the server with all its doors, and the gate that they share. Runs in the background
// are executed until stop is called, which waits for that.
func newServer(
	ctx context.Context, c config.Config, a *assembly, f front, log *slog.Logger,
) (s *server.Server, turns *gate.Gate, stop func() error, err error) {
	opts := gate.Options{MaxConcurrent: c.MaxConcurrent, Observe: f.figures.Turn, Peers: a.peers}
	if f.speaks.cache != nil {
		opts.Said = f.speaks.cache.Text
	}
	turns = gate.New(a.concierge, opts)
	f.call = func(ctx context.Context, caller door.Caller, device string, r api.StaffCallRequest) error {
		_, err := s.CallStaff(ctx, caller, device, r)
		return err
	}
	doors, service, stop, err := openDoors(ctx, a, c, turns, f, log)
	if err != nil {
		return nil, nil, nil, err
	}
	readFigures(f.figures, a, service, f.kept, f.audit)
	callStaff, err := staffCaller(c, a.now)
	if err != nil {
		return nil, nil, nil, errors.Join(err, stop())
	}
	served := setup.HTTP(c, version(), log)
	served.LocalOrigins = f.tryOut
	var shown server.Pictures
	if a.pictures != nil {
		shown = a.pictures
	}
	s = server.New(server.Parts{ //nolint:contextcheck // handlers have the contexts of their requests
		Gate: turns, Figures: f.figures, Keys: f.ring, SignIn: f.signIn, Audit: f.audit,
		Concierge: a.concierge, Events: a.events, Venue: a.venue, Tools: a.tools, Files: a.files, Preview: a.films,
		Pictures: shown,
		Voice:    f.speaks.cache, VoiceCredit: f.speaks.credit, Hearing: f.hears != nil,
		Kiosk: web.Kiosk(), Now: a.now,
		CallStaff: callStaff, Code: string(c.Kiosk.Code), PublicURL: c.Kiosk.PublicURL, CalendarFile: calendarFile,
		Rehearse: a.rehearse,
		Doors:    doors, Sessions: a.concierge, Threads: langgraph.Threads(service.Service),
		SessionIdle: c.SessionIdle,
		Checks:      map[string]func(context.Context) error{"sessions": a.trySessions, "runs": service.Check},
	}, served)
	return s, turns, stop, nil
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
func listening(ctx context.Context, turns *gate.Gate) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // turns may be cancelled until the end
	var listener sync.WaitGroup
	listener.Go(func() { turns.Listen(ctx) })
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
