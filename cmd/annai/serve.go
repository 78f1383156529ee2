package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"annai/internal/config"
	"annai/server"
	"annai/web"
)

func serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the kiosk page and POST /query",
		Long: "Serve the kiosk page and POST /query until the process is told to stop.\n\n" + exitCodeHelp + "\n\n" + config.Help(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := load(cmd)
			if err != nil {
				return err
			}
			return serve(cmd.Context(), c, cmd.OutOrStdout(), logger(c, cmd.ErrOrStderr()))
		},
	}
	config.Bind(cmd.Flags())
	config.BindServer(cmd.Flags())
	return cmd
}

func logger(c config.Config, w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

func serve(ctx context.Context, c config.Config, out io.Writer, log *slog.Logger) (err error) {
	if err := c.CheckListen(); err != nil {
		return err
	}
	a, err := assemble(ctx, c, wants{owner: c.OwnerKey != ""}, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is taken by another program; choose another address with --listen", c.Listen)
	} else if err != nil {
		return fmt.Errorf("listen on %s: %w", c.Listen, err)
	}
	signIn, err := googleSignIn(ctx, c, a.now, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	s := server.New(server.Parts{ //nolint:contextcheck // handlers have the contexts of their requests
		SignIn:    signIn,
		Concierge: a.concierge, Calendar: a.calendar, Venue: a.venue, Tools: a.tools, Kiosk: web.Kiosk(), Now: a.now,
	}, server.Options{
		Version: version(), Log: log, Hosts: c.Hosts, AllowedOrigins: c.AllowedOrigins,
		OwnerKey: string(c.OwnerKey),
		MaxBody:  c.MaxBody, MaxConcurrent: c.MaxConcurrent, SessionIdle: c.SessionIdle, Grace: c.Grace,
	})
	if err := greet(out, a, config.LocalURL(listener.Addr().String())); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer watching(ctx, a, log)()
	return s.Serve(ctx, listener)
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
