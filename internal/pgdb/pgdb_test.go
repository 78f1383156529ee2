package pgdb_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/storage/postgres/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func connect(t *testing.T, address string, opts pgdb.Options) *pgxpool.Pool {
	t.Helper()
	pool, err := pgdb.Connect(t.Context(), address, opts)
	if err != nil {
		t.Fatalf("Connect(%s) = %v", address, err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// notes has these versions.
func notes(files ...string) pgdb.Tables {
	all := fstest.MapFS{}
	for i, text := range files {
		all[fmt.Sprintf("migrations/%d.sql", i+1)] = &fstest.MapFile{Data: []byte(text)}
	}
	return pgdb.Tables{Migrations: all, Versions: "note versions", Lock: 7}
}

// TestPlans: a row is looked up by its key in a table that was empty when the server counted.
func TestPlans(t *testing.T) {
	pool := connect(t, pgtest.Shared(t).Schema(t), pgdb.Options{Connections: 1})
	for _, query := range []string{first, `VACUUM ANALYZE notes`} {
		if _, err := pool.Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	var plan string
	err := pool.QueryRow(t.Context(), `EXPLAIN SELECT after FROM notes WHERE text = 'one'`).Scan(&plan)
	if err != nil || !strings.Contains(plan, "Index") {
		t.Errorf("the plan is %q, %v, want one with the index", plan, err)
	}
}

const first, second = `CREATE TABLE notes (text text PRIMARY KEY, after text REFERENCES notes)`, `INSERT INTO notes VALUES ('second')`

func TestMigrate(t *testing.T) {
	pool := connect(t, pgtest.Shared(t).Schema(t), pgdb.Options{})
	want := func(tables pgdb.Tables, want error, rows int) {
		t.Helper()
		if err := tables.Migrate(t.Context(), pool); !errors.Is(err, want) {
			t.Errorf("Migrate = %v, want %v", err, want)
		}
		var n int
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM notes").Scan(&n); err != nil || n != rows {
			t.Errorf("%d rows after Migrate, %v, want %d", n, err, rows)
		}
	}
	want(notes(first), nil, 0)
	want(notes(first), nil, 0)
	want(notes(first, second, "this is no SQL"), fault.ErrUnavailable, 0)
	want(notes(first, second), nil, 1)
	want(notes(first, second), nil, 1)
	want(notes(first), fault.ErrInvalid, 1)
}

// TestMigrateTogether has several processes open the same empty schema, which one of them makes.
func TestMigrateTogether(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	tables := notes(first, second)
	tables.Schema = "schema of " + t.Name()
	var errs [4]error
	var all sync.WaitGroup
	for i := range errs {
		pool := connect(t, address, pgdb.Options{Connections: 1, Schema: tables.Schema})
		all.Go(func() { errs[i] = tables.Migrate(context.Background(), pool) })
	}
	all.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		t.Errorf("Migrate beside others = %v", err)
	}
	var n int
	pool := connect(t, address, pgdb.Options{Schema: tables.Schema})
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM notes").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d rows, %v, want 1", n, err)
	}
}

// TestHold keeps a migration waiting.
func TestHold(t *testing.T) {
	pool := connect(t, pgtest.Shared(t).Schema(t), pgdb.Options{})
	tables := notes(first)
	ready, err := pool.Acquire(t.Context()) // for Migrate, so that no time of its own goes into connecting
	if err != nil {
		t.Fatal(err)
	}
	err = pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		if err := tables.Hold(t.Context(), tx); err != nil {
			return err
		}
		ready.Release()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := tables.Migrate(ctx, pool); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Migrate while somebody holds the tables = %v, want context.DeadlineExceeded", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := tables.Migrate(t.Context(), pool); err != nil {
		t.Errorf("Migrate after it = %v", err)
	}
}

func TestFault(t *testing.T) {
	pool := connect(t, pgtest.Shared(t).Schema(t), pgdb.Options{})
	if err := notes(first, second).Migrate(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		text, after string
		want        error
	}{
		"a key that is there":   {"second", "second", fault.ErrConflict},
		"a key that is not":     {"third", "none", fault.ErrConflict},
		"a zero":                {"a\x00b", "second", fault.ErrInvalid},
		"too long for an index": {strings.Repeat("長い", 1<<20), "second", fault.ErrInvalid},
	} {
		_, err := pool.Exec(t.Context(), "INSERT INTO notes VALUES ($1, $2)", test.text, test.after)
		if err := pgdb.Fault(err); !errors.Is(err, test.want) {
			t.Errorf("%s: Fault = %.200v, want %v", name, err, test.want)
		}
	}
}

func TestFaultOfOthers(t *testing.T) {
	for _, err := range []error{nil, context.Canceled, context.DeadlineExceeded, fault.ErrDenied} {
		if got := pgdb.Fault(err); !errors.Is(got, err) || fmt.Sprint(got) != fmt.Sprint(err) {
			t.Errorf("Fault(%v) = %v, want it as it is", err, got)
		}
	}
	for code, want := range map[string]error{"28P01": fault.ErrDenied, "42501": fault.ErrDenied, "57P01": fault.ErrUnavailable, "40P01": fault.ErrUnavailable} {
		err := fmt.Errorf("query: %w", &pgconn.PgError{Code: code})
		if got := pgdb.Fault(err); !errors.Is(got, want) {
			t.Errorf("Fault(%v) = %v, want %v", err, got, want)
		}
		if again := code == "40P01"; pgdb.InTheWay(err) != again {
			t.Errorf("InTheWay(%v) = %t, want %t", err, !again, again)
		}
	}
}

// TestReadOnly: a standby, or a database that was told to take no writes, is not said to be out of reach.
func TestReadOnly(t *testing.T) {
	pool := connect(t, pgtest.Shared(t).Schema(t)+" default_transaction_read_only=on", pgdb.Options{})
	_, err := pool.Exec(t.Context(), "CREATE TABLE notes (text TEXT)")
	why, kind := pgdb.Why(err), pgdb.Fault(err)
	if !strings.Contains(why, "read-only") || !errors.Is(kind, fault.ErrUnavailable) {
		t.Errorf("a write = %v, which is said as %q, want ErrUnavailable and that it is read-only", kind, why)
	}
}

func TestAddressOfNothing(t *testing.T) {
	if _, err := pgdb.Connect(t.Context(), "postgres://:port/x?password=hunter2", pgdb.Options{}); !errors.Is(err, fault.ErrInvalid) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Connect(no address) = %v, want ErrInvalid without the password", err)
	}
	pool := connect(t, "host=/nowhere user=annai", pgdb.Options{})
	if err := pgdb.Fault(pool.Ping(t.Context())); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Ping of no server = %v, want ErrUnavailable", err)
	}
}

// TestNoAnswer connects to somebody who takes connections and never says anything.
func TestNoAnswer(t *testing.T) {
	pool := connect(t, pgtest.Silent(t), pgdb.Options{Limit: 50 * time.Millisecond})
	if err := pgdb.Fault(pool.Ping(t.Context())); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Ping of a server that does not answer = %v, want ErrUnavailable", err)
	}
}

func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := func(ctx context.Context) error {
			<-ctx.Done()
			return fmt.Errorf("read: %w", ctx.Err())
		}
		start := time.Now()
		if err := pgdb.Within(t.Context(), time.Second, hangs); !errors.Is(err, fault.ErrUnavailable) || time.Since(start) != time.Second {
			t.Errorf("Within(1s) of a call that hangs = %v after %v, want ErrUnavailable after 1s", err, time.Since(start))
		}
		short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := pgdb.Within(short, time.Second, hangs); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Within of a call whose own time is over = %v, want context.DeadlineExceeded", err)
		}
		for _, want := range []error{nil, fault.ErrConflict} {
			if err := pgdb.Within(t.Context(), time.Second, func(context.Context) error { return want }); !errors.Is(err, want) {
				t.Errorf("Within of a call that answers %v = %v", want, err)
			}
		}
	})
}

// TestConnectionsThatEnded ends those that nobody uses: the next call does not meet one.
func TestConnectionsThatEnded(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	pool, operator := connect(t, address, pgdb.Options{Connections: 1}), connect(t, address, pgdb.Options{})
	for range 3 {
		var pid int
		if err := pool.QueryRow(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			t.Fatalf("Query once the server ended the connection = %v", err)
		}
		var ended bool
		if err := operator.QueryRow(t.Context(), "SELECT pg_terminate_backend($1, 10000)", pid).Scan(&ended); err != nil || !ended {
			t.Fatalf("pg_terminate_backend = %t, %v", ended, err)
		}
	}
}

// TestTransaction commits, takes back, and tells when it does not know.
func TestTransaction(t *testing.T) {
	server := pgtest.Shared(t)
	line, address := server.Line(t, server.Schema(t))
	db, err := pgdb.Open(t.Context(), address, pgdb.Options{Connections: 2, Limit: 500 * time.Millisecond})
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.Migrate(t.Context(), notes(first)); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	for text, want := range map[string]error{"kept": nil, "taken back": refused, "unknown": pgdb.ErrUncertain} {
		err := db.Transaction(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO notes VALUES ($1)", text); err != nil {
				return err
			}
			if errors.Is(want, pgdb.ErrUncertain) {
				line.Hold()
			}
			if want == refused { //nolint:errorlint // it is this one
				return refused
			}
			return nil
		})
		if !errors.Is(err, want) {
			t.Errorf("Transaction of %q = %v, want %v", text, err, want)
		}
		if errors.Is(want, pgdb.ErrUncertain) {
			line.Release()
		}
	}
	var all int
	err = db.QueryRowContext(t.Context(), "SELECT count(*) FROM notes WHERE text = 'taken back'").Scan(&all)
	if err != nil || all != 0 {
		t.Errorf("%d rows of what was taken back, %v", all, err)
	}
	for address, want := range map[string]error{
		"port=x": fault.ErrInvalid, "host=/nowhere user=a dbname=b": fault.ErrUnavailable,
	} {
		if db, err := pgdb.Open(t.Context(), address, pgdb.Options{}); !errors.Is(err, want) {
			t.Errorf("Open(%s) = %v, %v, want %v", address, db, err, want)
		}
	}
}
