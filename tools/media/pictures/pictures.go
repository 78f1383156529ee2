// Package pictures has the pictures of events for whoever shows them: it fetches them from the hosts that a venue
// names, makes them small, and remembers the last.
//
// The idea to hold: a picture is asked for by a name that is made of its address, and only those that the venue's own
// calendars name have one; so nobody makes the server fetch what they like, and any server of several knows the same
// names. What is shown is always a JPEG of ours, never the bytes of others.
package pictures

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"annai/fault"
	"annai/internal/outbound"
	"annai/tools/media/clean"
)

// The bounds of pictures.
const (
	// maxBytes is how large one may come, longest how many pixels its longer side has when it is shown.
	maxBytes = 5 << 20
	longest  = 640
	// maxNames is how many names are remembered, maxShown how many pictures are.
	maxNames = 5000
	maxShown = 64
	// atOnce is how many are fetched at once, each for patience.
	atOnce   = 2
	patience = 6 * time.Second
	// fresh is how long a picture is taken for what is there, again when one that failed is tried once more, and
	// searchEvery how often the calendars are looked through for a name.
	fresh       = time.Hour
	again       = time.Minute
	searchEvery = 30 * time.Second
)

var types = []string{"image/jpeg", "image/png", "image/webp", "image/gif"}

// Options say what a [Pictures] needs. All are required.
type Options struct {
	// Client fetches, from Hosts alone.
	Client *outbound.Client
	Hosts  []string
	// All returns the addresses of pictures in the calendars.
	All func(ctx context.Context) ([]string, error)
	Now func() time.Time
}

// Pictures has the pictures of a venue's events. It is safe for concurrent use.
type Pictures struct {
	opts  Options
	turns chan struct{}

	mu       sync.Mutex
	sources  map[string]string
	shown    map[string]*picture
	searched time.Time
}

// A picture is one that is fetched, or was; what it is may be read once done is closed.
type picture struct {
	done chan struct{}
	data []byte
	err  error
	at   time.Time
}

// New returns the pictures of a venue.
func New(opts Options) *Pictures {
	return &Pictures{
		opts: opts, turns: make(chan struct{}, atOnce), sources: map[string]string{}, shown: map[string]*picture{},
	}
}

// Name returns the name of the picture at an address; "" where none may be fetched from there.
func (p *Pictures) Name(address string) string {
	if address == "" {
		return ""
	}
	u, err := outbound.Parse(address)
	if err != nil || !p.allows(u) {
		return ""
	}
	sum := sha256.Sum256([]byte(address))
	name := hex.EncodeToString(sum[:16]) + ".jpg"
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sources) >= maxNames {
		clear(p.sources) // they are found again
	}
	p.sources[name] = address
	return name
}

// allows reports whether pictures may come from there: a host that the venue names, or one below a domain that it
// names with a dot before it.
func (p *Pictures) allows(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return slices.ContainsFunc(p.opts.Hosts, func(allowed string) bool {
		domain, below := strings.CutPrefix(allowed, ".")
		return host == domain || below && strings.HasSuffix(host, allowed)
	})
}

// Open returns the picture of that name as a JPEG. One that no event has, or that is gone, is [fault.ErrNotFound]; one
// that can't be had, or is no picture, [fault.ErrUnavailable].
func (p *Pictures) Open(ctx context.Context, name string) ([]byte, error) {
	source, err := p.source(ctx, name)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	one, ok := p.shown[name]
	if ok && one.over(p.opts.Now()) {
		ok = false
	}
	if !ok {
		p.makeRoom()
		one = &picture{done: make(chan struct{})}
		p.shown[name] = one
	}
	p.mu.Unlock()
	if !ok { // whoever else waits for it does not lose it because this one goes away
		one.data, one.err = p.fetch(context.WithoutCancel(ctx), source)
		one.at = p.opts.Now()
		close(one.done)
	}
	select {
	case <-one.done:
		return one.data, one.err
	case <-ctx.Done():
		return nil, fmt.Errorf("picture: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
}

// over reports whether a picture is to be fetched anew.
func (o *picture) over(now time.Time) bool {
	select {
	case <-o.done:
	default:
		return false
	}
	age := now.Sub(o.at)
	return age >= fresh || o.err != nil && age >= again
}

// makeRoom forgets the picture that was fetched longest ago where there are too many.
func (p *Pictures) makeRoom() {
	for len(p.shown) >= maxShown {
		oldest := ""
		for name, one := range p.shown {
			select {
			case <-one.done:
				if oldest == "" || one.at.Before(p.shown[oldest].at) {
					oldest = name
				}
			default:
			}
		}
		if oldest == "" {
			return // all are being fetched, a few at a time
		}
		delete(p.shown, oldest)
	}
}

// source returns the address of a name: of one that this server never told, by looking through the calendars.
func (p *Pictures) source(ctx context.Context, name string) (string, error) {
	p.mu.Lock()
	source, ok := p.sources[name]
	now := p.opts.Now()
	search := !ok && now.Sub(p.searched) >= searchEvery
	if search {
		p.searched = now
	}
	p.mu.Unlock()
	if search {
		all, err := p.opts.All(ctx)
		if err != nil {
			return "", fmt.Errorf("look for a picture: %w", err)
		}
		for _, address := range all {
			p.Name(address)
		}
		p.mu.Lock()
		source, ok = p.sources[name]
		p.mu.Unlock()
	}
	if !ok {
		return "", fmt.Errorf("picture: %w", fault.ErrNotFound)
	}
	return source, nil
}

func (p *Pictures) fetch(ctx context.Context, source string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return nil, fmt.Errorf("picture: too many at once: %w", fault.ErrUnavailable)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, source, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("picture: %w", fault.ErrUnavailable)
	}
	req.Header.Set("Accept", strings.Join(types, ","))
	answer, err := p.opts.Client.Send(req, outbound.Limits{
		Bytes: maxBytes, Types: types, Redirect: func(_ context.Context, to *url.URL) error {
			if !p.allows(to) {
				return fmt.Errorf("to a host that is not named: %w", fault.ErrDenied)
			}
			return nil
		},
	})
	if err != nil {
		return nil, fmt.Errorf("fetch a picture: %w", err)
	}
	if answer.Status == http.StatusNotFound || answer.Status == http.StatusGone {
		return nil, fmt.Errorf("fetch a picture: status %d: %w", answer.Status, fault.ErrNotFound)
	}
	if answer.Status != http.StatusOK {
		return nil, fmt.Errorf("fetch a picture: status %d: %w", answer.Status, fault.ErrUnavailable)
	}
	small, err := clean.Small(answer.Body, longest)
	if err != nil {
		return nil, fmt.Errorf("make a picture small: %w: %w", fault.ErrUnavailable, err)
	}
	return small, nil
}
