package httpd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"annai/server/door"
)

const (
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 16 << 10
	// keysEvery is how often is looked whether keys were added or revoked.
	keysEvery = 2 * time.Second
	// flushAfter is after how many of these looks is noted when keys were used.
	flushAfter = 30
	// lastWords is how long runs that were cut off at the end of the grace have to say so.
	lastWords = time.Second
)

// Serve answers on the listener until ctx is done, then stops: it takes no new connections, lets runs finish for
// Options.Grace, ends the others and returns nil, or an error if the listener failed or runs had to be ended. It
// closes the listener and leaves no goroutine behind.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	base, cutOff := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cutOff(nil)
	web := &http.Server{
		Handler:           s.engine,
		ReadHeaderTimeout: s.opts.HeaderTimeout,
		ReadTimeout:       s.opts.BodyTimeout,
		WriteTimeout:      s.opts.WriteTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelDebug),
	}
	var helpers sync.WaitGroup
	defer helpers.Wait()
	background, endBackground := context.WithCancel(ctx)
	defer endBackground()
	helpers.Go(func() { s.watchKeys(background) })
	for _, do := range s.parts.Background {
		helpers.Go(func() { do(background) })
	}

	served := make(chan error, 1)
	helpers.Go(func() { served <- web.Serve(listener) })
	select {
	case err := <-served:
		return errors.Join(fmt.Errorf("serve on %s: %w", listener.Addr(), err), web.Close())
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	if err := s.drain(served); err != nil {
		return errors.Join(err, web.Close())
	}
	return s.stop(base, web, cutOff)
}

// drain goes on as before for a while, except that GET /readyz says that the server is stopping.
func (s *Server) drain(served <-chan error) error {
	if s.opts.Drain == 0 {
		return nil
	}
	over := time.NewTimer(s.opts.Drain)
	defer over.Stop()
	select {
	case err := <-served:
		return fmt.Errorf("serve while stopping: %w", err)
	case <-over.C:
		return nil
	}
}

// stop lets runs finish, then ends what has not.
func (s *Server) stop(ctx context.Context, web *http.Server, cutOff context.CancelCauseFunc) error {
	grace, cancel := context.WithTimeout(ctx, s.opts.Grace)
	defer cancel()
	err := s.finish(grace, web)
	if err == nil {
		return nil
	}
	s.parts.Runs.End()
	cutOff(door.ErrStopping)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	if s.finish(last, web) == nil {
		return fmt.Errorf("runs were ended after %s: %w", s.opts.Grace, err)
	}
	return errors.Join(fmt.Errorf("connections were cut after %s: %w", s.opts.Grace, err), web.Close())
}

// finish waits until no run is left, then ends the streams that nothing will come to any more, and waits until all
// requests are answered.
func (s *Server) finish(ctx context.Context, web *http.Server) error {
	answered := make(chan error, 1)
	go func() { answered <- web.Shutdown(ctx) }()
	err := s.parts.Runs.Wait(ctx)
	if err == nil {
		err = s.streams.settle(ctx)
	}
	if err == nil {
		select {
		case <-s.streams.end():
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return errors.Join(err, <-answered)
}

// watchKeys takes over what keys are added, revoked and over, and notes which were used, until ctx is done.
func (s *Server) watchKeys(ctx context.Context) {
	ticker := time.NewTicker(keysEvery)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			s.flushKeys(ctx)
			return
		case <-ticker.C:
		}
		if _, err := s.keys.Reload(ctx); err != nil && ctx.Err() == nil {
			s.opts.Log.LogAttrs(ctx, slog.LevelError, "keys not read, those known before stay", slog.Any("err", err))
		}
		s.dropRevoked()
		if n%flushAfter == 0 {
			s.flushKeys(ctx)
		}
	}
}

// flushKeys notes which keys were used.
func (s *Server) flushKeys(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	if err := s.keys.Flush(ctx); err != nil {
		s.opts.Log.LogAttrs(ctx, slog.LevelWarn, "when keys were used is not noted", slog.Any("err", err))
	}
}
