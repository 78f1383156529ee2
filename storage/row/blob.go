package row

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"annai/fault"
)

// Large is the size in bytes from which a value is kept apart from the rows that it belongs to. It is what the engine lets the log of a thread
// grow to before it takes a snapshot, so that below it what is written again between two snapshots is less than that anyway; and it is far
// above the size of a page, so that the look-up and the hash cost little beside the value itself.
const Large = 64 << 10

// Address says which value it is without showing it: its SHA-256, and with a key an HMAC, so that who has no key can't try values.
type Address [sha256.Size]byte

// Place is where the row of the value is kept: in its thread.
func (a Address) Place(thread string) Place { return Place{Thread: thread, Namespace: string(a[:])} }

// A Blob is a large value and its address. A thread keeps it as a row once, and forgets it when no row of the thread has its address any more.
type Blob struct {
	Address Address
	value   []byte
}

// ErrGone says that a row has the address of a value that is not there: somebody took the row back since it was read, which can be read again.
var ErrGone = errors.New("a large value is gone")

func (c *Codec) address(value []byte) (a Address) {
	if c.addressKey == nil {
		return sha256.Sum256(value)
	}
	h := hmac.New(sha256.New, c.addressKey)
	h.Write(value)
	h.Sum(a[:0])
	return a
}

// EncodeBlob returns the row of a large value, for the thread.
func (c *Codec) EncodeBlob(thread string, b Blob) ([]byte, error) {
	return c.seal(kindBlob, b.Address.Place(thread), append(room(len(b.value)), b.value...))
}

// blobs gets the rows of large values, and opens them.
func (c *Codec) blobs(thread string, addresses []Address, fetch func([]Address) (map[Address][]byte, error)) (map[Address][]byte, error) {
	slices.SortFunc(addresses, func(a, b Address) int { return slices.Compare(a[:], b[:]) })
	rows, err := fetch(slices.Compact(addresses))
	if err != nil {
		return nil, err
	}
	values := make(map[Address][]byte, len(rows))
	for a, row := range rows {
		value, err := c.open(kindBlob, a.Place(thread), row)
		if err != nil {
			return nil, fmt.Errorf("large value %x: %w", a, err)
		}
		values[a] = value
	}
	return values, nil
}

// gone is what a row without its large values is.
func gone(missing []Address) error {
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("large value %x: %w: %w", missing[0], ErrGone, fault.ErrInvalid)
}
