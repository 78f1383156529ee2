package keys

import (
	"context"
	"crypto/subtle"
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"

	"annai/server/door"
)

// A Ring is the keys of a running server: those of the settings and those of a store, as it is now.
// It is safe for concurrent use.
type Ring struct {
	fixed []Key
	store Store
	now   func() time.Time
	set   atomic.Pointer[set]

	mu      sync.Mutex // for Reload and Flush
	seen    string
	failing bool
	// used are the times of [entry] by names, flushed those that the store knows of.
	used    map[string]*atomic.Int64
	flushed map[string]int64
}

// A set is what is good at one time. Nobody changes it.
type set struct {
	good []entry
	// guarded are the roles for which there was a key ever, good or revoked.
	guarded map[door.Role]bool
}

// An entry is a key by one of its hashes.
type entry struct {
	Key

	// until is from when on it is worth nothing; zero: never.
	until time.Time
	// used is when it was used last, in seconds since 1970; the same for all of a name.
	used *atomic.Int64
}

func (e *entry) goodAt(now time.Time) bool { return e.until.IsZero() || now.Before(e.until) }

// Settings are the keys of the settings. Empty: none.
type Settings struct{ Ask, Owner, Admin string }

// NewRing returns the ring of the settings' keys and those in the store; nil: none. A store that
// can't be read is an error.
func NewRing(ctx context.Context, s Settings, store Store, now func() time.Time) (*Ring, error) {
	r := &Ring{store: store, now: now, used: map[string]*atomic.Int64{}, flushed: map[string]int64{}}
	for _, k := range []struct {
		name, key string
		role      door.Role
	}{{AskKey, s.Ask, door.Visitor}, {OwnerKey, s.Owner, door.Owner}, {AdminKey, s.Admin, door.Operator}} {
		if k.key != "" {
			r.fixed = append(r.fixed, Key{Name: k.name, Role: k.role, Hash: HashOf(k.key)})
		}
	}
	r.put(nil)
	_, err := r.Reload(ctx)
	return r, err
}

// put makes the settings' keys and these the ones that count. A role that was guarded once stays so: taking the last key away locks the door.
func (r *Ring) put(named []Key) {
	next := &set{guarded: map[door.Role]bool{}}
	if last := r.set.Load(); last != nil {
		for role := range last.guarded {
			next.guarded[role] = true
		}
	}
	for _, keys := range [][]Key{r.fixed, named} {
		for _, k := range keys {
			next.guarded[k.Role] = true
			if !k.Revoked.IsZero() {
				continue
			}
			used := r.used[k.Name]
			if used == nil {
				used = new(atomic.Int64)
				r.used[k.Name] = used
			}
			next.good = append(next.good, entry{Key: k, until: k.Expires, used: used})
			for _, f := range k.Former {
				k.Hash = f.Hash
				next.good = append(next.good, entry{Key: k, until: earlier(f.Until, k.Expires), used: used})
			}
		}
	}
	r.set.Store(next)
}

// earlier is the earlier of two times, of which the second may be zero for never.
func earlier(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}

// Reload looks whether the store has changed and takes over what is in it. Where it can't be read
// the error says so, once, and all stays as it was.
func (r *Ring) Reload(ctx context.Context) (changed bool, err error) {
	if r.store == nil {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now, err := r.store.Version(ctx)
	if err == nil && now == r.seen {
		r.failing = false
		return false, nil
	}
	var named []Key
	if err == nil {
		named, err = r.store.List(ctx)
	}
	if err != nil {
		if r.failing && now == r.seen {
			return false, nil
		}
		r.failing, r.seen = true, now
		return false, err
	}
	r.failing, r.seen = false, now
	r.put(named)
	return true, nil
}

// Flush notes in the store which of its keys were used since the last time.
func (r *Ring) Flush(ctx context.Context) error {
	if r.store == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	last := map[string]time.Time{}
	for name, used := range r.used {
		if at := used.Load(); at > r.flushed[name] {
			last[name] = time.Unix(at, 0)
		}
	}
	if len(last) == 0 {
		return nil
	}
	if err := r.store.Use(ctx, last); err != nil {
		return err
	}
	for name, at := range last {
		r.flushed[name] = at.Unix()
	}
	return nil
}

// Find returns the key that this is, with the hash by which it was found. It takes as long for a key
// that is not there as for one that is, wherever that stands.
func (r *Ring) Find(key string) (found Key, ok bool) {
	hash, at := HashOf(key), -1
	good := r.set.Load().good
	for i := range good {
		same := subtle.ConstantTimeCompare(hash[:], good[i].Hash[:])
		at = subtle.ConstantTimeSelect(same, i, at)
	}
	if at < 0 {
		return Key{}, false
	}
	now := r.now()
	if !good[at].goodAt(now) {
		return Key{}, false
	}
	good[at].used.Store(now.Unix())
	return good[at].Key, true
}

// Print tells keys of one name apart.
func (h Hash) Print() uint64 { return binary.BigEndian.Uint64(h[:]) }

// Holds says whether the key of a caller is good still. That of those without a key is.
func (r *Ring) Holds(c door.Caller) bool {
	if c.Key == "" {
		return true
	}
	now, good := r.now(), r.set.Load().good
	for i := range good {
		e := &good[i]
		if e.Name == c.Key && e.Role == c.Role && e.Hash.Print() == c.KeyPrint && e.goodAt(now) {
			return true
		}
	}
	return false
}

// Count says how many keys of the role are good.
func (r *Ring) Count(role door.Role) int {
	now, names := r.now(), map[string]bool{}
	for _, e := range r.set.Load().good {
		if e.Role == role && e.goodAt(now) {
			names[e.Name] = true
		}
	}
	return len(names)
}

// Guards says whether there was a key for the role ever, so that who has none must not come in.
func (r *Ring) Guards(role door.Role) bool { return r.set.Load().guarded[role] }

// Any says whether there was a key for any role ever.
func (r *Ring) Any() bool { return len(r.set.Load().guarded) > 0 }
