package httpd

import (
	"container/list"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"annai/fault"
	"annai/server/door"
)

const (
	// maxRemembered is how many addresses and keys are remembered; who was not heard of for longest is forgotten
	// first.
	maxRemembered = 1 << 14
	// An address of IPv6 stands for its network, since whoever has one has all of that.
	networkV4, networkV6 = 32, 64
)

// guesses bounds how often a wrong key may be sent, or none where one is needed; refusals how many
// of them are told in logs.
var (
	guesses  = door.Rate{Count: 30, Per: time.Minute}
	refusals = door.Rate{Count: 60, Per: time.Minute}
)

// limits bound how often visitors ask.
type limits struct {
	told                   *Limiter[netip.Prefix]
	wrong, addresses, keys *Limiter[string] // an address counts with its network
	own                    *Limiter[string] // keys that have a rate of their own
	tally                  *tally           // nil: there are no other servers
}

func newLimits(o Options) limits {
	l := limits{
		addresses: NewLimiter[string](o.AddressRate), keys: NewLimiter[string](o.KeyRate),
		own:   NewLimiter[string](door.Rate{Count: 1, Per: time.Second}), // each brings its own
		wrong: NewLimiter[string](guesses), told: NewLimiter[netip.Prefix](refusals),
	}
	if o.Together {
		l.tally = &tally{taken: map[string]int{}}
	}
	return l
}

// ask counts n requests. The error is a [door.RateError]. Owners and operators are not bounded, nor
// is this machine without a key. A key that has a rate of its own is bounded by that alone.
func (l limits) ask(caller door.Caller, now time.Time, n int) error {
	if caller.Rate.Count > 0 {
		return l.takeAt(l.own, caller.Rate, ofOwn, caller.Key, now, n)
	}
	if !caller.Bounded() {
		return nil
	}
	if err := l.take(l.addresses, ofAddress, caller.Network, now, n); err != nil || caller.Key == "" {
		return err
	}
	return l.take(l.keys, ofKey, caller.Key, now, n)
}

// guess counts a wrong key, or none where one is needed.
func (l limits) guess(address netip.Addr, now time.Time) error {
	return l.take(l.wrong, ofWrong, NetworkOf(address).String(), now, 1)
}

// NetworkOf returns the network that counts as one place with the address.
func NetworkOf(address netip.Addr) netip.Prefix {
	bits := networkV6
	if address.Is4() {
		bits = networkV4
	}
	network, _ := address.WithZone("").Prefix(bits) // the zero address has the zero network
	return network
}

// A Limiter is a bucket of tokens for each name; a request takes one, and they come back with time.
type Limiter[K comparable] struct {
	rate door.Rate

	mu      sync.Mutex
	buckets map[K]*list.Element // of *bucket[K], the one used last in front
	order   *list.List
}

type bucket[K comparable] struct {
	name K
	// used is how many tokens are missing at that time. It may be more than there are, see owe.
	used float64
	at   time.Time
	// perToken is how long it takes until one comes back; 0: it is not known yet.
	perToken time.Duration
}

// restore gives back what has come back since the bucket was looked at last.
func (b *bucket[K]) restore(now time.Time) {
	if b.perToken == 0 {
		return
	}
	if since := now.Sub(b.at); since > 0 { // a clock may be set back
		b.used = max(0, b.used-float64(since)/float64(b.perToken))
	}
	b.at = now
}

// NewLimiter returns nil, which bounds nothing, for a rate of zero.
func NewLimiter[K comparable](rate door.Rate) *Limiter[K] {
	if rate.Count == 0 {
		return nil
	}
	return &Limiter[K]{rate: rate, buckets: map[K]*list.Element{}, order: list.New()}
}

// Take takes n tokens. More than there ever are is [fault.ErrInvalid].
func (l *Limiter[K]) Take(name K, now time.Time, n int) error {
	if l == nil {
		return nil
	}
	return l.takeAt(l.rate, name, now, n)
}

// takeAt is Take at a rate of the name's own.
func (l *Limiter[K]) takeAt(rate door.Rate, name K, now time.Time, n int) error {
	if n > rate.Count {
		return fmt.Errorf("%d at once, at most %d: %w", n, rate.Count, fault.ErrInvalid)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(name, now)
	b.perToken = rate.Per / time.Duration(rate.Count)
	b.restore(now)
	if over := b.used + float64(n) - float64(rate.Count); over > 0 {
		return &door.RateError{Wait: time.Duration(over * float64(b.perToken))}
	}
	b.used += float64(n)
	return nil
}

// owe takes n tokens that were given elsewhere, whether they are there or not.
func (l *Limiter[K]) owe(name K, now time.Time, n int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(name, now)
	b.restore(now)
	b.used += float64(n)
}

// bucket returns the bucket of that name, a full one where there was none.
func (l *Limiter[K]) bucket(name K, now time.Time) *bucket[K] {
	if e, ok := l.buckets[name]; ok {
		l.order.MoveToFront(e)
		return e.Value.(*bucket[K])
	}
	if len(l.buckets) >= maxRemembered {
		delete(l.buckets, l.order.Remove(l.order.Back()).(*bucket[K]).name)
	}
	b := &bucket[K]{name: name, at: now}
	l.buckets[name] = l.order.PushFront(b)
	return b
}

// forwarding are the headers by which proxies show.
var forwarding = []string{
	"X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server",
	"Cf-Connecting-Ip", "True-Client-Ip",
}

// clientOf returns the address of the client: that of the connection, or where this is a proxy that
// is trusted, the last one in X-Forwarded-For that is not; the zero address where none is there.
// Local says that the client is on this machine: what a proxy brings is never, whether it is
// trusted or not.
func (s *Server) clientOf(r *http.Request) (client netip.Addr, local bool) {
	connected, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	client = connected.Addr().Unmap()
	if !s.trusts(client) {
		brought := slices.ContainsFunc(forwarding, func(name string) bool { return r.Header[name] != nil })
		return client, client.IsLoopback() && !brought
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusts(client); i-- {
		if client, err = parseHop(strings.TrimSpace(hops[i])); err != nil {
			return netip.Addr{}, false
		}
	}
	return client, false
}

func (s *Server) trusts(address netip.Addr) bool {
	for _, proxies := range s.opts.TrustedProxies {
		if proxies.Contains(address.WithZone("")) {
			return true
		}
	}
	return false
}

// parseHop reads an address with or without a port.
func parseHop(text string) (netip.Addr, error) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap(), nil
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return address.Unmap(), err
}
