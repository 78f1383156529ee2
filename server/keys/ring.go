package keys

import (
	"crypto/subtle"
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"annai/server/door"
)

// A Ring is the keys of a running server: those of the settings and those of a file, as it is now. It is safe for concurrent use.
type Ring struct {
	fixed []Key
	file  File
	set   atomic.Pointer[set]

	mu   sync.Mutex // for Reload
	seen stamp
}

// A set is what is good at one time. Nobody changes it.
type set struct {
	good []Key
	// guarded are the roles for which there was a key ever, good or revoked.
	guarded map[door.Role]bool
}

// A stamp tells one state of a file from another.
type stamp struct {
	modified time.Time
	size     int64
	there    bool
}

// Settings are the keys of the settings. Empty: none.
type Settings struct{ Ask, Owner, Admin string }

// NewRing returns the ring of the settings' keys and those in the file; [File] without a folder: none. A file that can't be read is an error.
func NewRing(s Settings, file File) (*Ring, error) {
	r := &Ring{file: file}
	for _, k := range []struct {
		name, key string
		role      door.Role
	}{{AskKey, s.Ask, door.Visitor}, {OwnerKey, s.Owner, door.Owner}, {AdminKey, s.Admin, door.Operator}} {
		if k.key != "" {
			r.fixed = append(r.fixed, Key{Name: k.name, Role: k.role, Hash: HashOf(k.key)})
		}
	}
	r.put(nil)
	_, err := r.Reload()
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
			if k.Revoked.IsZero() {
				next.good = append(next.good, k)
			}
		}
	}
	r.set.Store(next)
}

// Reload looks whether the file has changed and takes over what is in it. Where it can't be read the error says so, once, and all stays as it was.
func (r *Ring) Reload() (changed bool, err error) {
	if r.file.dir == "" {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now, err := look(r.file.Path())
	if err != nil || now == r.seen {
		return false, err
	}
	r.seen = now
	named, err := r.file.List()
	if err != nil {
		return false, err
	}
	r.put(named)
	return true, nil
}

func look(path string) (stamp, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stamp{}, nil
	case err != nil:
		return stamp{}, err
	}
	return stamp{info.ModTime(), info.Size(), true}, nil
}

// Find returns the key that this is. It takes as long for a key that is not there as for one that is, wherever that stands.
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
	return good[at], true
}

// Holds says whether a key of that name and role is good. The empty name is that of those without a key.
func (r *Ring) Holds(name string, role door.Role) bool {
	for _, k := range r.set.Load().good {
		if k.Name == name && k.Role == role {
			return true
		}
	}
	return name == ""
}

// Count says how many keys of the role are good.
func (r *Ring) Count(role door.Role) (n int) {
	for _, k := range r.set.Load().good {
		if k.Role == role {
			n++
		}
	}
	return n
}

// Guards says whether there was a key for the role ever, so that who has none must not come in.
func (r *Ring) Guards(role door.Role) bool { return r.set.Load().guarded[role] }

// Any says whether there was a key for any role ever.
func (r *Ring) Any() bool { return len(r.set.Load().guarded) > 0 }
