// Package pgtokens keeps tokens of Google in PostgreSQL, encrypted, for several servers.
//
// A token is asked for about once an hour, so that each call makes a connection of its own. The
// package knows nothing of Google but its tokens.
package pgtokens

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/internal/secret"
	"annai/storage/row"
	"annai/tools/calendar/google/oauth"
)

//go:embed migrations/*.sql
var migrations embed.FS

var tables = pgdb.Tables{Migrations: migrations, Versions: "annai_google_token_versions", Lock: 0x616e676f}

// A Store is an [oauth.TokenStore].
type Store struct {
	address string
	limit   time.Duration
	codec   *row.Codec
}

var _ oauth.TokenStore = (*Store)(nil)

// Open returns the store at the address, whose table is made if need be. The key is 32 bytes; one of
// another length, or none, is [fault.ErrInvalid]. A call takes as long as limit at most. The other
// errors are those of [pgdb.Open].
func Open(ctx context.Context, address string, key []byte, limit time.Duration) (*Store, error) {
	if len(key) == 0 {
		return nil, fmt.Errorf("tokens of Google in PostgreSQL need an encryption key: set encryption-key-file: %w",
			fault.ErrInvalid)
	}
	codec, err := row.New(row.Options{Key: key})
	if err != nil {
		return nil, fmt.Errorf("open the store of tokens: %w", err)
	}
	s := &Store{address: address, limit: limit, codec: codec}
	return s, s.with(ctx, func(ctx context.Context, db *pgdb.DB) error { return db.Migrate(ctx, tables) })
}

// with calls do with a connection, within the limit.
func (s *Store) with(ctx context.Context, do func(ctx context.Context, db *pgdb.DB) error) error {
	db, err := pgdb.Open(ctx, s.address, pgdb.Options{Connections: 1, Limit: s.limit})
	if err != nil {
		return fmt.Errorf("the store of tokens: %s: %w", pgdb.Why(err), err)
	}
	defer func() { _ = db.Close() }() // nothing is under way
	ctx, cancel := db.Limited(ctx)
	defer cancel()
	return do(ctx, db)
}

// kept is what is encrypted.
type kept struct {
	RefreshToken string    `json:"refresh_token"`
	Scopes       []string  `json:"scopes,omitempty"`
	ClientID     string    `json:"client_id,omitempty"`
	Granted      time.Time `json:"granted,omitzero"`
}

// place is where a token is kept: one of another account, or of an older version, does not open there.
func place(account string, v oauth.Version) row.Place {
	return row.Place{Thread: account, Namespace: "google token " + string(v)}
}

// A querier is connections or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// read returns what is kept of an account; "" where nothing is.
func read(ctx context.Context, db querier, account string) (v oauth.Version, text string, err error) {
	err = db.QueryRowContext(ctx, `SELECT version, token FROM annai_google_tokens WHERE account = $1`, account).
		Scan(&v, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", nil
	}
	return v, text, unreachable(err)
}

// unreachable gives an error its kind; nil stays nil.
func unreachable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the store of tokens: %s: %w: %w", pgdb.Why(err), err, fault.ErrUnavailable)
}

// Load implements [oauth.TokenStore].
func (s *Store) Load(ctx context.Context, account string) (t oauth.Token, v oauth.Version, err error) {
	if err := oauth.CheckAccount(account); err != nil {
		return t, "", err
	}
	var text string
	err = s.with(ctx, func(ctx context.Context, db *pgdb.DB) (err error) {
		v, text, err = read(ctx, db, account)
		return err
	})
	switch {
	case err != nil:
		return t, "", err
	case v == "":
		return t, "", fmt.Errorf("account %s has no token in PostgreSQL: %w", account, fault.ErrNotFound)
	}
	t, err = s.open(account, v, text)
	return t, v, err
}

// open decrypts what is kept.
func (s *Store) open(account string, v oauth.Version, text string) (oauth.Token, error) {
	plain, err := s.codec.OpenText("", place(account, v), text)
	var k kept
	if err == nil {
		err = json.Unmarshal([]byte(plain), &k)
	}
	if err != nil {
		return oauth.Token{}, &oauth.Problem{Code: oauth.Unreadable, Detail: "the token of account " + account +
			" in PostgreSQL was encrypted with another key, or is damaged; set that key again, or connect again"}
	}
	return oauth.Token{
		RefreshToken: secret.Text(k.RefreshToken), Scopes: k.Scopes, ClientID: k.ClientID, Granted: k.Granted,
	}, nil
}

// Save implements [oauth.TokenStore].
func (s *Store) Save(ctx context.Context, account string, t oauth.Token, ifVersion oauth.Version) (
	oauth.Version, error,
) {
	if err := oauth.CheckAccount(account); err != nil {
		return "", err
	}
	if t.RefreshToken == "" {
		return "", fmt.Errorf("save account %s: no refresh token: %w", account, fault.ErrInvalid)
	}
	v := oauth.Version(rand.Text())
	plain, err := json.Marshal(kept{string(t.RefreshToken), t.Scopes, t.ClientID, t.Granted})
	if err != nil {
		return "", err
	}
	text, err := s.codec.SealText("", place(account, v), string(plain))
	if err != nil {
		return "", err
	}
	err = s.with(ctx, func(ctx context.Context, db *pgdb.DB) error {
		return db.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
			return put(ctx, tx, account, v, text, ifVersion)
		})
	})
	if err != nil {
		return "", fmt.Errorf("save account %s: %w", account, err)
	}
	return v, nil
}

// put keeps a text if the version is what it should be.
func put(ctx context.Context, tx *sql.Tx, account string, v oauth.Version, text string, ifVersion oauth.Version) error {
	if err := pgdb.One(ctx, tx, "google token "+account); err != nil {
		return unreachable(err)
	}
	there, _, err := read(ctx, tx, account)
	switch {
	case err != nil:
		return err
	case there != ifVersion:
		return fmt.Errorf("it was changed meanwhile: %w", fault.ErrConflict)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO annai_google_tokens VALUES ($1, $2, $3)
		ON CONFLICT (account) DO UPDATE SET version = excluded.version, token = excluded.token`,
		account, string(v), text)
	return unreachable(err)
}

// Delete implements [oauth.TokenStore].
func (s *Store) Delete(ctx context.Context, account string) error {
	if err := oauth.CheckAccount(account); err != nil {
		return err
	}
	return s.with(ctx, func(ctx context.Context, db *pgdb.DB) error {
		done, err := db.ExecContext(ctx, `DELETE FROM annai_google_tokens WHERE account = $1`, account)
		if err != nil {
			return unreachable(err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("account %s has no token in PostgreSQL: %w", account, fault.ErrNotFound))
		}
		return nil
	})
}

// Accounts implements [oauth.TokenStore].
func (s *Store) Accounts(ctx context.Context) (names []string, err error) {
	err = s.with(ctx, func(ctx context.Context, db *pgdb.DB) error {
		rows, err := db.QueryContext(ctx, `SELECT account FROM annai_google_tokens ORDER BY account`)
		if err != nil {
			return unreachable(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return unreachable(err)
			}
			names = append(names, name)
		}
		return unreachable(rows.Err())
	})
	return names, err
}
