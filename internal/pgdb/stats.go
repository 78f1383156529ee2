package pgdb

import "github.com/jackc/pgx/v5/pgxpool"

// Stats are how the connections of a pool are used.
type Stats struct {
	InUse, Idle, Most int
	// Waits is how often somebody had to wait for one.
	Waits int64
}

// StatsOf returns those of a pool.
func StatsOf(pool *pgxpool.Pool) Stats {
	s := pool.Stat()
	return Stats{
		InUse: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Most: int(s.MaxConns()), Waits: s.EmptyAcquireCount(),
	}
}
