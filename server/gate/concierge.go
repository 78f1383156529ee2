// Package gate stands between the doors and the concierge: it bounds how many turns are under way, and
// cancels them.
package gate

import (
	"context"
	"iter"

	"annai/api"
	"annai/dialog"
)

// A Concierge answers turns. Doors are given a [Gate], which bounds and registers the turns of all of them; the
// methods promise what those of [nodes.Concierge] do.
type Concierge interface {
	Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error]
	Answer(ctx context.Context, turn dialog.Turn) (api.QueryResponse, error)
	EndSession(ctx context.Context, s dialog.Session) error
}
