package httpd

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"sync"
	"time"

	"annai/server/door"
)

// A tally is what was taken of the limits here since the other servers were told. Names in it are digests:
// addresses are nobody else's business.
type tally struct {
	mu    sync.Mutex
	taken map[string]int
}

// maxTold is how many names the others are told of at most, until the next time.
const maxTold = 4096

func (t *tally) add(name string, n int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.taken[name]; known || len(t.taken) < maxTold {
		t.taken[name] += n
	}
}

// kinds of names in a tally.
const (
	ofAddress = "a"
	ofKey     = "k"
	ofOwn     = "o"
	ofWrong   = "w"
)

// mark is the name of a bucket, which says nothing about whose it is.
func mark(kind, name string) string {
	sum := sha256.Sum256([]byte(name))
	return kind + base64.RawURLEncoding.EncodeToString(sum[:9])
}

// take takes n tokens of a limiter, and notes that for the others.
func (l limits) take(from *Limiter[string], kind, name string, now time.Time, n int) error {
	if from == nil {
		return nil
	}
	return l.takeAt(from, from.rate, kind, name, now, n)
}

func (l limits) takeAt(from *Limiter[string], rate door.Rate, kind, name string, now time.Time, n int) error {
	name = mark(kind, name)
	err := from.takeAt(rate, name, now, n)
	if err == nil {
		l.tally.add(name, n)
	}
	return err
}

// Taken returns how often visitors asked since it was called last, by names that only other servers understand. It
// is of use where [Options.Together] is set.
func (s *Server) Taken() map[string]int {
	t := s.limits.tally
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := maps.Clone(t.taken)
	clear(t.taken)
	return taken
}

// TakenElsewhere counts what another server's Taken returned, as if it had been asked here. What was taken at
// several servers at once may be more than there is: that is paid back before anything is given again.
func (s *Server) TakenElsewhere(taken map[string]int) {
	now := s.parts.Now()
	for name, n := range taken {
		if name == "" || n < 1 {
			continue
		}
		by := map[string]*Limiter[string]{
			ofAddress: s.limits.addresses, ofKey: s.limits.keys, ofOwn: s.limits.own, ofWrong: s.limits.wrong,
		}[name[:1]]
		by.owe(name, now, n)
	}
}
