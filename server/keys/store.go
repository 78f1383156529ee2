package keys

import (
	"context"
	"fmt"
	"slices"
	"time"

	"annai/fault"
	"annai/server/door"
)

// A Store is where named keys are kept. Several processes may use it at once. It is safe for
// concurrent use.
type Store interface {
	// List returns all keys, those that were revoked too, in the order in which they were added.
	List(ctx context.Context) ([]Key, error)
	// Version tells one state of the list from another, and costs less.
	Version(ctx context.Context) (string, error)
	// Change replaces the list by what edit makes of it, while nobody else does. An error of edit
	// comes back as it is. Edit may be called more than once.
	Change(ctx context.Context, edit func([]Key) ([]Key, error)) error
	// Use notes when keys were used last, by their names; the later time counts. Used returns that.
	Use(ctx context.Context, last map[string]time.Time) error
	Used(ctx context.Context) (map[string]time.Time, error)
}

// A New key is one to be made.
type New struct {
	Name string
	Role door.Role
	// Owner, Expires and Rate are those of [Key].
	Owner   string
	Expires time.Time
	Rate    door.Rate
}

// Add makes a key, keeps its hash and returns it: nobody can read it again. A name that was used
// before, for a revoked key too, is [fault.ErrConflict].
func Add(ctx context.Context, s Store, n New, now time.Time) (key string, err error) {
	made := Key{
		Name: n.Name, Role: n.Role, Owner: n.Owner, Expires: whole(n.Expires), Rate: n.Rate, Created: whole(now),
	}
	if err := made.check(); err != nil {
		return "", err
	}
	if err := checkExpiry(n.Expires, now); err != nil {
		return "", err
	}
	key = make256()
	made.Hash = HashOf(key)
	err = s.Change(ctx, func(all []Key) ([]Key, error) {
		if at(all, n.Name) >= 0 {
			const says = "there was a key named %s already; names are not used again: %w"
			return nil, fmt.Errorf(says, n.Name, fault.ErrConflict)
		}
		return append(all, made), nil
	})
	if err != nil {
		return "", err
	}
	return key, nil
}

// whole is a time as it is kept.
func whole(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

func checkExpiry(expires, now time.Time) error {
	if !expires.IsZero() && !expires.After(now) {
		at := expires.Format(time.RFC3339)
		return fmt.Errorf("a key that expires at %s is worth nothing: %w", at, fault.ErrInvalid)
	}
	return nil
}

// at returns where the key of that name is, -1 if there is none.
func at(all []Key, name string) int {
	return slices.IndexFunc(all, func(k Key) bool { return k.Name == name })
}

// good returns where the key of that name is. One that is not there, or was revoked, is
// [fault.ErrNotFound].
func good(all []Key, name string) (int, error) {
	i := at(all, name)
	if i < 0 || !all[i].Revoked.IsZero() {
		return 0, fmt.Errorf("there is no key named %s: %w", name, fault.ErrNotFound)
	}
	return i, nil
}

// Rotate makes another key of the same name, with all that belongs to the name, and returns it. The
// one before stays good for the overlap. Expires takes the place of what the key had, unless it is
// zero. A key that is not there, or was revoked, is [fault.ErrNotFound].
func Rotate(
	ctx context.Context, s Store, name string, overlap time.Duration, expires, now time.Time,
) (key string, err error) {
	if overlap < 0 || overlap > maxOverlap {
		return "", fmt.Errorf("the overlap is %s, at most %s: %w", overlap, maxOverlap, fault.ErrInvalid)
	}
	if err := checkExpiry(expires, now); err != nil {
		return "", err
	}
	key = make256()
	return key, s.Change(ctx, func(all []Key) ([]Key, error) {
		i, err := good(all, name)
		if err != nil {
			return nil, err
		}
		k := &all[i]
		if !expires.IsZero() {
			k.Expires = whole(expires)
		} else if err := checkExpiry(k.Expires, now); err != nil {
			return nil, fmt.Errorf("say when the new one expires: %w", err)
		}
		until := whole(now.Add(overlap))
		former := []Former{}
		for _, f := range k.Former {
			if f.Until.After(now) {
				former = append(former, f)
			}
		}
		if overlap > 0 {
			former = append(former, Former{k.Hash, until})
		} else {
			former = nil
		}
		k.Hash, k.Former = HashOf(key), former
		return all, nil
	})
}

// maxOverlap is how long two keys of one name may be good.
const maxOverlap = 90 * 24 * time.Hour

// Revoke makes a key worth nothing, with those that it was before. One that is not there, or was
// revoked before, is [fault.ErrNotFound].
func Revoke(ctx context.Context, s Store, name string, now time.Time) error {
	return s.Change(ctx, func(all []Key) ([]Key, error) {
		i, err := good(all, name)
		if err != nil {
			return nil, err
		}
		all[i].Revoked, all[i].Former = whole(now), nil
		return all, nil
	})
}

// Import adds the keys whose names are not there, with what is known of them, and says how many.
func Import(ctx context.Context, s Store, from []Key) (n int, err error) {
	there, err := s.List(ctx)
	if err != nil || !slices.ContainsFunc(from, func(k Key) bool { return at(there, k.Name) < 0 }) {
		return 0, err
	}
	err = s.Change(ctx, func(all []Key) ([]Key, error) {
		n = 0
		for _, k := range from {
			if at(all, k.Name) < 0 {
				all, n = append(all, k), n+1
			}
		}
		return all, nil
	})
	return n, err
}

// contents is a list as it is kept.
type contents struct {
	Keys []Key `json:"keys"`
}
