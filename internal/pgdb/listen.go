package pgdb

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// quiet is how long a connection that listens may hear nothing before it is looked whether it is still there.
const quiet = 30 * time.Second

// Listen calls heard for what is notified on the channel, with a connection of its own, until ctx
// ends. One that is lost is made anew after a second. Missed is
// called whenever something may have been notified that was not heard. What is wrong with the
// server is told to whoever else uses it.
func Listen(
	ctx context.Context, pool *pgxpool.Pool, channel string, limit time.Duration,
	heard func(words string), missed func(),
) {
	for ctx.Err() == nil {
		_ = hear(ctx, pool, channel, limit, heard, missed)
		missed()
		pause(ctx, time.Second)
	}
}

// hear listens until the connection is lost.
func hear(
	ctx context.Context, pool *pgxpool.Pool, channel string, limit time.Duration,
	heard func(words string), missed func(),
) error {
	conn, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = Within(ctx, limit, func(ctx context.Context) error {
		_, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize())
		return err
	})
	if err != nil {
		return err
	}
	missed()
	for {
		n, err := wait(ctx, conn)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			err = Within(ctx, limit, conn.Ping)
		case err == nil:
			heard(n)
		}
		if err != nil {
			return err
		}
	}
}

// wait returns the next that is notified; after a while without any, [context.DeadlineExceeded].
func wait(ctx context.Context, conn *pgx.Conn) (words string, err error) {
	ctx, cancel := context.WithTimeout(ctx, quiet)
	defer cancel()
	n, err := conn.WaitForNotification(ctx)
	if err != nil {
		return "", err
	}
	return n.Payload, nil
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Channel returns the name of a channel for those who work in the same schema: channels are the whole database's.
func Channel(ctx context.Context, pool *pgxpool.Pool, prefix string) (string, error) {
	var schema string
	if err := pool.QueryRow(ctx, `SELECT coalesce(current_schema(), '')`).Scan(&schema); err != nil {
		return "", Fault(err)
	}
	return prefix + Word(schema), nil
}

// Word is short, whatever the text is.
func Word(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%x", h.Sum64())
}
