package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"annai/fault"
	"annai/internal/config"
	"annai/server/keys"
	"annai/server/keys/postgres"
)

// A KeyStore is where named keys are kept; without one there are none.
type KeyStore struct {
	keys.Store

	// Close lets go of it.
	Close func() error
}

// OpenKeyStore opens where the settings say that named keys are kept: in PostgreSQL, for all servers
// that share it, or in the data folder.
func OpenKeyStore(ctx context.Context, c config.Config) (KeyStore, error) {
	if err := CheckKeyFile(c); err != nil {
		return KeyStore{}, err
	}
	if c.Postgres == "" {
		if c.Data == "" {
			return KeyStore{nil, func() error { return nil }}, nil
		}
		return KeyStore{keys.In(c.Data), func() error { return nil }}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()
	s, err := postgres.Open(ctx, string(c.Postgres), c.Deadline)
	if err != nil {
		return KeyStore{}, OneLine(AboutPostgres(err))
	}
	if err := importKeys(ctx, c, s); err != nil {
		return KeyStore{}, OneLine(errors.Join(err, s.Close()))
	}
	return KeyStore{s, s.Close}, nil
}

// importKeys takes over what is in the data folder, so that nothing that was closed is open because
// keys are kept elsewhere from now on.
func importKeys(ctx context.Context, c config.Config, s keys.Store) error {
	if c.Data == "" {
		return nil
	}
	there, err := keys.In(c.Data).List(ctx)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	_, err = keys.Import(ctx, s, there)
	return err
}

// Keys returns the keys of the settings and those that are kept, and where, which is to be closed.
func Keys(ctx context.Context, c config.Config) (ring *keys.Ring, store KeyStore, err error) {
	store, err = OpenKeyStore(ctx, c)
	if err != nil {
		return nil, store, err
	}
	settings := keys.Settings{Ask: string(c.Access.AskKey), Owner: string(c.OwnerKey), Admin: string(c.Access.AdminKey)}
	ring, err = keys.NewRing(ctx, settings, store.Store, Clock(c.Now))
	if err != nil && c.Postgres == "" {
		err = fmt.Errorf("data folder: %w", err)
	}
	if err != nil {
		return nil, store, errors.Join(OneLine(err), store.Close())
	}
	return ring, store, nil
}

// CheckKeyFile refuses a file of keys that others may change: whoever can is the owner and the
// operator.
func CheckKeyFile(c config.Config) error {
	if c.Data == "" || runtime.GOOS == "windows" {
		return nil
	}
	path := keys.In(c.Data).Path()
	info, err := os.Stat(path)
	if err != nil { // there is none; whoever reads it says what else is wrong
		return nil //nolint:nilerr // see above
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf(
			"others may change %s (%v), and so become whoever they want: chmod 600 %s: %w",
			path,
			mode,
			path,
			fault.ErrDenied,
		)
	}
	return nil
}
