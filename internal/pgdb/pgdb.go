// Package pgdb connects to PostgreSQL, for several processes at once, and makes the tables of a package there.
//
// Its one idea: whoever opens a kind of tables brings them to the version that this annai knows, all of the way or not at all and one process at a
// time, and what the library says becomes kinds of package fault. A connection that was lost while nobody used it is found out and replaced. The
// package knows no table but the one that holds the versions.
package pgdb

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/fault"
)

// Options are the settings of [Connect] that have a default.
type Options struct {
	// Connections is how many there are at most. 0 is what the address says (pool_max_conns), or else 4 or the number of processors.
	Connections int
	// Schema is where the connections work. Empty is what the address or the server says.
	Schema string
	// Limit is how long making a connection may take, where the address does not say it (connect_timeout). 0 is two minutes.
	Limit time.Duration
}

// plans are how the server plans statements. Tables of runs are empty at one moment and have thousands of rows, most of
// them dead, before the server counts again: a plan that was made for the empty table would read all of it for each
// look-up by a key. What has no index is read whole nonetheless, and is not worth compiling.
var plans = map[string]string{"enable_seqscan": "off", "jit": "off"}

// Connect returns connections to the address, a URL or a list of key=value. None is made before it is needed. An address that can't be read is
// [fault.ErrInvalid], and the text of the error leaves out the password.
func Connect(ctx context.Context, address string, opts Options) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, fault.ErrInvalid)
	}
	if opts.Connections > 0 {
		config.MaxConns = int32(min(opts.Connections, 10_000))
	}
	if opts.Schema != "" {
		config.ConnConfig.RuntimeParams["search_path"] = pgx.Identifier{opts.Schema}.Sanitize()
	}
	maps.Copy(config.ConnConfig.RuntimeParams, plans)
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = opts.Limit
	}
	config.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool {
		return p.IdleDuration > time.Second || stale(p.Conn.PgConn().Conn())
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	return pool, Fault(err)
}
