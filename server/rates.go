package server

import (
	"context"
	"log/slog"
	"time"
)

// shareRates tells the other servers how often visitors asked here, now and then until ctx is done. While that
// fails each server counts for itself.
func (s *Server) shareRates(ctx context.Context) {
	if s.parts.Gate.Alone() {
		return
	}
	ticker := time.NewTicker(ratesEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := s.parts.Gate.TellTaken(ctx, s.http.Taken()); err != nil && ctx.Err() == nil {
			s.opts.Log.LogAttrs(ctx, slog.LevelDebug, "rates not told to other servers", slog.Any("err", err))
		}
	}
}

// ratesEvery is how often the others are told. For so long several servers together may give more than the limit.
const ratesEvery = 250 * time.Millisecond
