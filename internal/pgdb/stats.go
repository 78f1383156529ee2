package pgdb

import "github.com/jackc/pgx/v5/pgxpool"

// Stats are how many connections of a pool are in use, are not, and may be at most, and how often somebody had to wait
// for one.
func Stats(pool *pgxpool.Pool) (inUse, idle, most int, waits int64) {
	s := pool.Stat()
	return int(s.AcquiredConns()), int(s.IdleConns()), int(s.MaxConns()), s.EmptyAcquireCount()
}
