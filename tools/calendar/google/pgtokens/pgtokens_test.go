package pgtokens_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/pgdb"
	"annai/storage/postgres/pgtest"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
	"annai/tools/calendar/google/pgtokens"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

var key = bytes.Repeat([]byte{7}, 32)

func open(t *testing.T, address string, key []byte) *pgtokens.Store {
	t.Helper()
	s, err := pgtokens.Open(t.Context(), address, key, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	oauthtest.Run(t, func(t *testing.T) (one, other oauth.TokenStore) {
		address := pgtest.Shared(t).Schema(t)
		return open(t, address, key), open(t, address, key)
	}, oauthtest.Options{})
}

// TestSealed looks for the token in the table, and opens it with another key.
func TestSealed(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	s := open(t, address, key)
	if _, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//hidden"}, ""); err != nil {
		t.Fatal(err)
	}
	db, err := pgdb.Open(t.Context(), address, pgdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var text string
	err = db.QueryRowContext(t.Context(), `SELECT t::text FROM annai_google_tokens t`).Scan(&text)
	if err != nil || strings.Contains(text, "hidden") {
		t.Errorf("the table has %q, %v, want the token encrypted", text, err)
	}
	other := open(t, address, bytes.Repeat([]byte{8}, 32))
	if _, _, err := other.Load(t.Context(), "default"); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Load with another key = %v, want ErrDenied", err)
	}
	if _, err := pgtokens.Open(t.Context(), address, nil, 0); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Open without a key = %v, want ErrInvalid", err)
	}
	const nowhere = "host=/nowhere user=a dbname=b"
	if _, err := pgtokens.Open(t.Context(), nowhere, key, 0); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Open without a server = %v, want ErrUnavailable", err)
	}
}
