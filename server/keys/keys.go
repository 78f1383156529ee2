// Package keys holds the keys with which people and programs show who they are: those of the settings, and named ones that an operator adds
// and revokes while the server runs.
//
// The idea to hold: only a key's SHA-256 is kept. A key is 256 random bits, so that nobody can try them all and a fast hash is the right one: a slow
// one, as for passwords, would make every request slow and nothing safer. The package knows no HTTP and no routes.
package keys

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"annai/fault"
	"annai/server/door"
)

// Prefix begins the keys that are made here, so that they are known for what they are where they should not be.
const Prefix = "annai_"

// The names of the keys of the settings. No other key is called so.
const (
	AskKey   = "ask-key"
	OwnerKey = "owner-key"
	AdminKey = "admin-key"
)

// roles are what a key may be for, as operators say it.
var roles = map[string]door.Role{"ask": door.Visitor, "owner": door.Owner, "admin": door.Operator}

// RoleOf returns the role of that word: "ask", "owner" or "admin".
func RoleOf(word string) (door.Role, error) {
	role, ok := roles[word]
	if !ok {
		return "", fmt.Errorf("%q is no role: ask, owner and admin are: %w", word, fault.ErrInvalid)
	}
	return role, nil
}

// WordOf is [RoleOf] the other way round.
func WordOf(role door.Role) string {
	for word, r := range roles {
		if r == role {
			return word
		}
	}
	return ""
}

// A Hash is the SHA-256 of a key.
type Hash [sha256.Size]byte

// HashOf returns the hash of the key.
func HashOf(key string) Hash { return sha256.Sum256([]byte(key)) }

// MarshalText writes it in hexadecimal digits.
func (h Hash) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h[:])), nil }

// UnmarshalText reads what MarshalText wrote.
func (h *Hash) UnmarshalText(text []byte) error {
	if n, err := hex.Decode(h[:], text[:min(len(text), 2*len(h))]); err != nil || n != len(h) || len(text) != 2*len(h) {
		return errors.New("no hash of a key")
	}
	return nil
}

// A Key is one that was handed out.
type Key struct {
	Name string
	Role door.Role
	// Owner is the name of the owner whose key it is; only for a key of owners. Empty: of none in
	// particular.
	Owner string
	Hash  Hash
	// Former are those that the key was before, and until when they are good too.
	Former []Former
	// Created is when it was made; zero for one of the settings. Revoked is since when it is worth nothing; zero: it is good.
	Created, Revoked time.Time
	// Expires is from when on it is worth nothing. Zero: it does not expire.
	Expires time.Time
	// Rate is how often may be asked with it. Zero: as often as with any other of its role.
	Rate door.Rate
}

// A Former key is one that another took the place of.
type Former struct {
	Hash  Hash      `json:"sha256"`
	Until time.Time `json:"until"`
}

// A line is a key as it is in the file.
type line struct {
	Name    string    `json:"name"`
	Role    string    `json:"role"`
	Owner   string    `json:"owner,omitempty"`
	Hash    Hash      `json:"sha256"`
	Former  []Former  `json:"former,omitempty"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"`
	Revoked time.Time `json:"revoked,omitzero"`
	Rate    *lineRate `json:"rate,omitempty"`
}

type lineRate struct {
	Count   int     `json:"count"`
	Seconds float64 `json:"seconds"`
}

// MarshalJSON is for the file.
func (k Key) MarshalJSON() ([]byte, error) {
	l := line{
		Name: k.Name, Role: WordOf(k.Role), Owner: k.Owner, Hash: k.Hash, Former: k.Former,
		Created: k.Created, Expires: k.Expires, Revoked: k.Revoked,
	}
	if k.Rate.Count > 0 {
		l.Rate = &lineRate{k.Rate.Count, k.Rate.Per.Seconds()}
	}
	return json.Marshal(l)
}

// UnmarshalJSON reads what MarshalJSON wrote, now or in older versions.
func (k *Key) UnmarshalJSON(data []byte) error {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return err
	}
	role, err := RoleOf(l.Role)
	if err != nil {
		return err
	}
	if l.Hash == (Hash{}) {
		return fmt.Errorf("key %s has no hash: %w", l.Name, fault.ErrInvalid)
	}
	*k = Key{
		Name: l.Name, Role: role, Owner: l.Owner, Hash: l.Hash, Former: l.Former,
		Created: l.Created, Expires: l.Expires, Revoked: l.Revoked,
	}
	if r := l.Rate; r != nil {
		k.Rate = door.Rate{Count: r.Count, Per: time.Duration(r.Seconds * float64(time.Second))}
	}
	return k.check()
}

// The most of a rate keep the arithmetic of limits far from zero and from overflow.
const (
	maxRate = 1_000_000
	maxPer  = 24 * time.Hour
)

// check says whether there can be such a key.
func (k *Key) check() error {
	if err := checkOwner(k.Role, k.Owner); err != nil {
		return err
	}
	if r := k.Rate; r != (door.Rate{}) && (r.Count < 1 || r.Count > maxRate || r.Per < time.Second || r.Per > maxPer) {
		return fmt.Errorf("there is no such rate for key %s: %w", k.Name, fault.ErrInvalid)
	}
	for _, f := range k.Former {
		if f.Hash == (Hash{}) {
			return fmt.Errorf("key %s has a former one without a hash: %w", k.Name, fault.ErrInvalid)
		}
	}
	return checkName(k.Name)
}

// make256 makes a key that nobody guesses.
func make256() string {
	var bits [32]byte
	_, _ = rand.Read(bits[:]) // never fails
	return Prefix + base64.RawURLEncoding.EncodeToString(bits[:])
}

var goodName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func checkOwner(role door.Role, owner string) error {
	switch {
	case owner == "":
		return nil
	case role != door.Owner:
		return fmt.Errorf("only a key for an owner can name one: %w", fault.ErrInvalid)
	case !goodName.MatchString(owner):
		const are = "up to 64 letters, digits, dots and dashes are"
		return fmt.Errorf("%q is no name for an owner: %s: %w", owner, are, fault.ErrInvalid)
	}
	return nil
}

func checkName(name string) error {
	if !goodName.MatchString(name) || slices.Contains([]string{AskKey, OwnerKey, AdminKey}, name) {
		return fmt.Errorf("%q is no name for a key: up to 64 letters, digits, dots and dashes are, but not those of the settings: %w", name, fault.ErrInvalid)
	}
	return nil
}
