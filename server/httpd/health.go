package httpd

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/door"
)

// healthz is GET /healthz: the process lives.
func (s *Server) healthz(c *gin.Context) error {
	return WriteJSON(c, http.StatusOK, api.ReadyResponse{Status: "ok", Version: s.opts.Version})
}

// readyz is GET /readyz: whether the server takes work, and how what it depends on fares. Only what
// it can't do without makes it not ready.
func (s *Server) readyz(c *gin.Context) error {
	parts := map[string]string{}
	for name, note := range s.parts.Notes {
		parts[name] = note(c.Request.Context())
	}
	status, word := http.StatusOK, "ok"
	for name, how := range s.checked.all(c.Request.Context(), s.parts.Checks, s.opts.Log) {
		if parts[name] = how; how != "ok" {
			status, word = http.StatusServiceUnavailable, "unavailable"
		}
	}
	if s.parts.Audit.Check() != nil { // which keeps nobody from being answered
		parts["audit"] = "error"
	}
	if s.stopping.Load() {
		status, word = http.StatusServiceUnavailable, "stopping"
	}
	return WriteJSON(c, status, api.ReadyResponse{Status: word, Version: s.opts.Version, Parts: parts})
}

const (
	// checkFresh is how long what was found counts, because anybody may ask; checkLimit how long
	// one check may take.
	checkFresh = 2 * time.Second
	checkLimit = 2 * time.Second
)

// checked is how the checks ended last.
type checked struct {
	mu    sync.Mutex
	at    time.Time
	found map[string]string
}

// all returns how the checks end: "ok" or "error".
func (k *checked) all(
	ctx context.Context,
	checks map[string]func(context.Context) error,
	log *slog.Logger,
) map[string]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.at.IsZero() &&
		time.Since(k.at) < checkFresh { //nolint:forbidigo // by the wall clock, whatever the venue's clock says
		return k.found
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkLimit)
	defer cancel()
	k.found = map[string]string{}
	for name, check := range checks {
		k.found[name] = "ok"
		if err := door.Safely(func() error { return check(ctx) }); err != nil {
			k.found[name] = "error"
			log.LogAttrs(ctx, slog.LevelWarn, "not ready", slog.String("part", name), slog.Any("err", err))
		}
	}
	k.at = time.Now() //nolint:forbidigo // see above
	return k.found
}
