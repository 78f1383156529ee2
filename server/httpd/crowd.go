package httpd

import (
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// A crowd counts what is under way for each name, and lets no name have more than most. Zero bounds
// nothing.
type crowd struct {
	most int64

	mu sync.Mutex
	of map[string]int64
}

// enter counts n more for the name, until leave is called; false: that would be too many. What is
// alone under way is never too much: its size has a limit of its own.
func (c *crowd) enter(name string, n int64) (leave func(), ok bool) {
	if c.most == 0 || n == 0 {
		return func() {}, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of[name] > 0 && c.of[name]+n > c.most {
		return nil, false
	}
	if c.of == nil {
		c.of = map[string]int64{}
	}
	c.of[name] += n
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.of[name] -= n; c.of[name] == 0 {
			delete(c.of, name)
		}
	}, true
}

const (
	// maxUnderWay is how many bytes the large bodies of one visitor's requests under way, and of their answers, may
	// have together; small ones do not count.
	maxUnderWay = 8 << 20
	smallBody   = 64 << 10
	// crowdWait is after how long somebody may try again who has too much under way.
	crowdWait = time.Second
)

// crowds bound what bounded callers have under way, by their address and by their key.
type crowds struct {
	addresses, keys           crowd
	addressBodies, keysBodies crowd
}

func newCrowds(o Options) *crowds {
	return &crowds{
		addresses: crowd{most: int64(o.AddressOpen)}, keys: crowd{most: int64(o.KeyOpen)},
		addressBodies: crowd{most: maxUnderWay}, keysBodies: crowd{most: maxUnderWay},
	}
}

// enter counts a request with a body of that length, -1 for an unknown one of up to limit. The error is a
// [door.RateError].
func (c *crowds) enter(caller door.Caller, length, limit int64) (*underWay, error) {
	u := &underWay{crowds: c, caller: caller}
	if !caller.Bounded() {
		return u, nil
	}
	if length < 0 {
		length = limit
	}
	err := u.count(&u.request, &c.addresses, &c.keys, 1)
	if err == nil {
		err = u.hold(length)
	}
	if err != nil {
		u.leave()
	}
	return u, err
}

// underWay is what a request counts as until it leaves.
type underWay struct {
	crowds         *crowds
	caller         door.Caller
	request, bytes []func() // what ends each count
}

// hold counts so many bytes, in place of those that were counted before.
func (u *underWay) hold(bytes int64) error {
	leave(&u.bytes)
	if bytes <= smallBody || !u.caller.Bounded() {
		return nil
	}
	return u.count(&u.bytes, &u.crowds.addressBodies, &u.crowds.keysBodies, bytes)
}

func (u *underWay) count(counts *[]func(), addresses, keys *crowd, n int64) error {
	for _, of := range []struct {
		in   *crowd
		name string
	}{{addresses, u.caller.Network}, {keys, u.caller.Key}} {
		if of.name == "" {
			continue
		}
		end, ok := of.in.enter(of.name, n)
		if !ok {
			return &door.RateError{Wait: crowdWait}
		}
		*counts = append(*counts, end)
	}
	return nil
}

func (u *underWay) leave() {
	leave(&u.request)
	leave(&u.bytes)
}

func leave(counts *[]func()) {
	for _, end := range *counts {
		end()
	}
	*counts = nil
}

// charge lets a handler count what a request asks for besides itself.
func (s *Server) charge(c *gin.Context, caller door.Caller) {
	door.SetCharge(c, func(n int) error { return s.limits.ask(caller, s.parts.Now(), n) })
}
