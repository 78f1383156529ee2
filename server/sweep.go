package server

import (
	"context"
	"log/slog"
	"time"

	"annai/server/door"
)

// sweep makes the concierge forget idle sessions and the voice what was said, and removes files of tools
// that are over, now and then until ctx is done.
func (s *Server) sweep(ctx context.Context) {
	ticker := time.NewTicker(s.parts.SweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := door.Safely(func() error {
			n, err := s.parts.Concierge.Sweep(ctx)
			s.figures.sweep(n, err)
			return err
		})
		if err != nil && ctx.Err() == nil {
			s.opts.Log.LogAttrs(ctx, slog.LevelWarn, "idle sessions not swept", slog.Any("err", err))
		}
		if s.parts.Voice != nil {
			s.parts.Voice.Sweep()
		}
		if s.parts.Files == nil {
			continue
		}
		if err := s.parts.Files.Sweep(); err != nil {
			s.opts.Log.LogAttrs(ctx, slog.LevelWarn, "files of tools not swept", slog.Any("err", err))
		}
	}
}
