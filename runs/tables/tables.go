// Package tables keeps what [runs.Store] keeps in tables of SQL, whichever database has them: what runs/sqlite and runs/postgres share.
//
// The idea to hold: what is searched and sorted by is in columns, everything else in documents that may be compressed and encrypted, see package row.
// Metadata is searched by its labels: a digest for each value with its path, so that a search is a look-up in an index and the database can't read what is
// searched for. Whatever changes a thread, its runs or its log holds the thread's row first, so that two processes do so one after the other.
//
// The statements are those that SQLite and PostgreSQL both understand. The package knows no driver; transactions are a [DB]'s.
package tables

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"annai/fault"
	"annai/runs"
	"annai/storage/row"
)

// A DB is where the tables are. Its errors have the kinds of package fault.
type DB interface {
	// Update commits what do does, or nothing of it. Do may be called more than once.
	Update(ctx context.Context, do func(ctx context.Context, tx Tx) error) error
	// View lets do read at one moment.
	View(ctx context.Context, do func(ctx context.Context, tx Tx) error) error
	// Look lets do make one query, which needs no transaction.
	Look(ctx context.Context, do func(ctx context.Context, tx Tx) error) error
	// Lock is added to a query of rows that are about to be changed.
	Lock() string
	// Watch is [runs.Events.Watch].
	Watch(thread string) (changed <-chan struct{}, stop func())
}

// A Tx is a transaction. Arguments are texts, bytes and int64.
type Tx interface {
	// Exec returns how many rows were changed.
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	// Later runs the statement before the next one, or before the commit; what is wrong with it is said there at
	// the latest.
	Later(ctx context.Context, query string, args ...any) error
	// LaterEach is Later for statements with the same arguments, none of which needs what another changed.
	LaterEach(ctx context.Context, queries []string, args ...any) error
	// Demand has the transaction fail so, before the next statement or the commit at the latest, unless the query
	// finds a row.
	Demand(ctx context.Context, failure error, query string, args ...any) error
	// Query calls row for each row.
	Query(ctx context.Context, query string, args []any, row func(scan Scan) error) error
	// Changed wakes those who watch the thread, once the transaction is committed.
	Changed(thread string)
}

// A Scan reads the columns of a row.
type Scan func(to ...any) error

// Store is a [runs.Store] in a database. It is safe for concurrent use.
type Store struct {
	db    DB
	codec *row.Codec
}

var _ runs.Store = (*Store)(nil)

// New returns the store in a database that has the tables. Rows that were written with another key, or without one, are [fault.ErrDenied].
func New(ctx context.Context, db DB, opts row.Options) (*Store, error) {
	codec, err := row.New(opts)
	if err != nil {
		return nil, err
	}
	s := &Store{db, codec}
	return s, s.checkKey(ctx)
}

// sealPlace is a row by which another key shows before anything else is read with it.
var sealPlace = row.Place{Namespace: "seal"}

func (s *Store) checkKey(ctx context.Context) error {
	data, err := s.codec.EncodeDocument(sealPlace, []byte("annai"))
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(ctx context.Context, tx Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO annai_seal (id, data) VALUES (1, $1) ON CONFLICT DO NOTHING`, data); err != nil {
			return err
		}
		var kept []byte
		if err := one(ctx, tx, `SELECT data FROM annai_seal WHERE id = 1`, nil, &kept); err != nil {
			return err
		}
		if _, err := s.codec.DecodeDocument(sealPlace, kept); err != nil {
			return fmt.Errorf("the runs were written with another encryption key, or without one: %w", err)
		}
		return nil
	})
}

// errNone says that a query found no row.
var errNone = fmt.Errorf("there is none: %w", fault.ErrNotFound)

// one reads the only row of a query, or returns [errNone].
func one(ctx context.Context, tx Tx, query string, args []any, to ...any) error {
	found := false
	err := tx.Query(ctx, query, args, func(scan Scan) error {
		found = true
		return scan(to...)
	})
	if err == nil && !found {
		err = errNone
	}
	return err
}

func missing(kind, id string) error { return fmt.Errorf("%s %q: %w", kind, id, fault.ErrNotFound) }
func exists(kind, id string) error  { return fmt.Errorf("%s %q: %w", kind, id, fault.ErrConflict) }

// named names what was not found.
func named(err error, kind, id string) error {
	if errors.Is(err, errNone) {
		return missing(kind, id)
	}
	return err
}

// Times are milliseconds since 1970; 0 is the zero time.

func ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func msOf(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return ms(*t)
}

func at(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func atOf(ms int64) *time.Time {
	if ms == 0 {
		return nil
	}
	t := at(ms)
	return &t
}

func number(truth bool) int64 {
	if truth {
		return 1
	}
	return 0
}

// encode returns the row of a document in JSON.
func (s *Store) encode(p row.Place, document any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(document); err != nil {
		return nil, fmt.Errorf("%s of %s: %w: %w", p.Namespace, p.Thread, err, fault.ErrInvalid)
	}
	return s.codec.EncodeDocument(p, bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// decode reads a document.
func (s *Store) decode(p row.Place, data []byte, document any) error {
	content, err := s.codec.DecodeDocument(p, data)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", p.Namespace, p.Thread, err)
	}
	if err := json.Unmarshal(content, document); err != nil {
		return fmt.Errorf("%s of %s: %w: %w", p.Namespace, p.Thread, err, fault.ErrInvalid)
	}
	return nil
}

// all is a limit that is none.
const all = int64(1) << 62

// bounds are the page as LIMIT and OFFSET.
func bounds(p runs.Page) (limit, offset int64) {
	limit, offset = int64(p.Limit), int64(max(p.Offset, 0))
	if p.Limit < 0 {
		limit = all
	}
	return limit, offset
}
