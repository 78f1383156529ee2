package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"syscall"
	"time"

	"annai/internal/config"
	"annai/internal/datafolder"
	"annai/internal/mask"
	"annai/runs"
)

// Logger writes log lines in the form of the settings, in which no secret is shown.
func Logger(c config.Config, w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: mask.Attr}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// Listen listens on the address of the settings.
func Listen(ctx context.Context, c config.Config) (net.Listener, error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, networkOf(c.Listen), c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken by another program; choose another address with --listen", c.Listen)
	} else if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", c.Listen, err)
	}
	return listener, nil
}

// networkOf is that of an address to listen on: one of IPv4 is not to let IPv6 in too.
func networkOf(address string) string {
	if at, err := netip.ParseAddrPort(address); err == nil && at.Addr().Is4() {
		return "tcp4"
	}
	return "tcp"
}

// Folder says so if another server uses the data folder, until release is called.
func Folder(c config.Config, log *slog.Logger) (release func() error, err error) {
	if c.Data == "" {
		return func() error { return nil }, nil
	}
	release, alone, err := datafolder.Serve(c.Data)
	if err == nil && !alone {
		log.Warn("another server uses this data folder: several need --postgres, and a folder each", "data", c.Data)
	}
	return release, err
}

// Clock returns the wall clock, or one that starts at an instant and goes on from there.
func Clock(start time.Time) func() time.Time {
	if start.IsZero() {
		return time.Now
	}
	began := time.Now()
	return func() time.Time { return start.Add(time.Since(began)) }
}

// UserAgent is who we say we are to servers that others name: the program, and whom to write to.
func UserAgent(c config.Config, program string) string {
	if c.Outbound.Contact == "" {
		return program
	}
	return program + " (" + c.Outbound.Contact + ")"
}

// Webhooks returns what sends them. Only a server that others can't reach calls back to its own
// machine, where a request names it.
func Webhooks(c config.Config, program string, now func() time.Time) (runs.Webhooks, error) {
	return runs.NewWebhooks(now, runs.WebhookOptions{
		Loopback: !c.Insecure && c.CheckListen(false) == nil, UserAgent: UserAgent(c, program),
		Key: []byte(c.Outbound.WebhookKey),
	})
}
