package nodes

import (
	"context"
	"errors"
	"log/slog"

	"annai/api"
	"annai/internal/fault"
)

// unkept says that a turn failed because what remembers sessions can't be read or written, and can
// be answered without: a visitor's question stands by itself, while what an owner agrees to must be
// kept.
func (c *Concierge) unkept(ctx context.Context, t Turn, err error) bool {
	return errors.Is(err, fault.ErrUnavailable) && !errors.Is(err, errRunEnded) && ctx.Err() == nil &&
		c.forgetful != nil && !t.Owner && t.Resume == nil
}

// withoutMemory answers as one who knows nothing of what was said before, and remembers nothing of
// this.
func (c *Concierge) withoutMemory(
	ctx context.Context,
	t Turn,
	hears listener,
	because error,
) (api.QueryResponse, error) {
	c.opts.Log.LogAttrs(
		ctx,
		slog.LevelWarn,
		"answered without memory",
		slog.String("run_id", t.RunID),
		slog.Any("err", because),
	)
	other, err := c.forgetful()
	if err != nil {
		return api.QueryResponse{}, errors.Join(because, err)
	}
	return other.run(ctx, t, hears)
}
