package voice

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"annai/api"
	"annai/fault"
)

// CacheOptions are the settings of a [Cache] that have a default.
type CacheOptions struct {
	// Name tells voices apart: what sounds different has another address. Empty: there is one voice.
	Name string
	// MaxTexts is how many texts are kept, MaxBytes how many bytes of sound. 0: 2048, and 16 MiB.
	MaxTexts, MaxBytes int
	// Keep is how long a text is kept that nobody said or asked for again. 0: 10 minutes.
	Keep time.Duration
	// AtOnce is how many texts are spoken at once; others wait. 0: as many as there are processors.
	AtOnce int
	// Now is the clock.
	Now func() time.Time
}

// A Cache knows texts by addresses that their content makes, speaks each when it is first asked for and
// keeps the sound. It is safe for concurrent use.
type Cache struct {
	speaker Speaker
	opts    CacheOptions
	places  chan struct{}

	mu    sync.Mutex
	known map[string]*list.Element // of *entry
	order *list.List               // that used last in front
	bytes int
}

// An entry is a text, and its speech once there is one.
type entry struct {
	address, text, language string
	used                    time.Time
	speech                  *Speech
	making                  *making
}

// A making is a speech that is being made, for all who wait for it.
type making struct {
	done   chan struct{}
	cancel context.CancelFunc
	waits  int
	speech Speech
	err    error
}

// NewCache returns a cache for the speaker.
func NewCache(speaker Speaker, opts CacheOptions) *Cache {
	if opts.MaxTexts == 0 {
		opts.MaxTexts = 2048
	}
	if opts.MaxBytes == 0 {
		opts.MaxBytes = 16 << 20
	}
	if opts.Keep == 0 {
		opts.Keep = 10 * time.Minute
	}
	if opts.AtOnce == 0 {
		opts.AtOnce = runtime.GOMAXPROCS(0)
	}
	return &Cache{
		speaker: speaker, opts: opts, places: make(chan struct{}, opts.AtOnce),
		known: map[string]*list.Element{}, order: list.New(),
	}
}

// Add makes a text known, and returns its address and, where that is known before it was spoken, its mouth.
func (c *Cache) Add(text, language string) (address string, mouth []api.Viseme) {
	e := c.add(text, language)
	c.mu.Lock()
	speech := e.speech
	c.mu.Unlock()
	if speech != nil {
		return e.address, speech.Mouth
	}
	return e.address, mouthBefore(c.speaker, text, language)
}

// Speak speaks a text that nobody else is to hear: it gets no address, and nothing of it is kept.
func (c *Cache) Speak(ctx context.Context, text, language string) (Speech, error) {
	return c.inPlace(ctx, &entry{text: text, language: language})
}

// Get returns the speech at an address, and makes it first or waits for it where it isn't there. An address
// that is not known, or not any more, is [fault.ErrNotFound].
func (c *Cache) Get(ctx context.Context, address string) (Speech, error) {
	c.mu.Lock()
	c.sweep()
	at := c.known[address]
	if at == nil {
		c.mu.Unlock()
		return Speech{}, fmt.Errorf("speech: %w", fault.ErrNotFound)
	}
	e := c.use(at)
	c.mu.Unlock()
	return c.speech(ctx, e)
}

// Text returns the text at an address, where it is known.
func (c *Cache) Text(address string) (text, language string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sweep()
	at := c.known[address]
	if at == nil {
		return "", "", false
	}
	e := c.use(at)
	return e.text, e.language, true
}

// Sweep forgets what was kept for long enough.
func (c *Cache) Sweep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sweep()
}

func (c *Cache) add(text, language string) *entry {
	sum := sha256.Sum256([]byte(c.opts.Name + "\x00" + language + "\x00" + text))
	address := strings.ToLower(base32.HexEncoding.EncodeToString(sum[:20]))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sweep()
	at := c.known[address]
	if at == nil {
		at = c.order.PushFront(&entry{address: address, text: text, language: language})
		c.known[address] = at
	}
	e := c.use(at)
	for c.order.Len() > c.opts.MaxTexts {
		c.drop(c.order.Back())
	}
	return e
}

func (c *Cache) use(at *list.Element) *entry {
	e := at.Value.(*entry)
	e.used = c.opts.Now()
	c.order.MoveToFront(at)
	return e
}

func (c *Cache) sweep() {
	for at := c.order.Back(); at != nil && c.opts.Now().Sub(at.Value.(*entry).used) > c.opts.Keep; at = c.order.Back() {
		c.drop(at)
	}
}

func (c *Cache) drop(at *list.Element) {
	e := c.order.Remove(at).(*entry)
	delete(c.known, e.address)
	if e.speech != nil {
		c.bytes -= sizeOf(e.speech)
	}
}

func sizeOf(s *Speech) int { return 2*len(s.Samples) + 32*len(s.Mouth) }

// speech returns the speech of an entry. Several who want the same wait for one making, which ends when all
// of them have gone.
func (c *Cache) speech(ctx context.Context, e *entry) (Speech, error) {
	c.mu.Lock()
	if e.speech != nil {
		defer c.mu.Unlock()
		return *e.speech, nil
	}
	m := e.making
	if m == nil {
		during, cancel := context.WithCancel(context.WithoutCancel(ctx))
		m = &making{done: make(chan struct{}), cancel: cancel}
		e.making = m
		go c.make(during, e, m)
	}
	m.waits++
	c.mu.Unlock()
	select {
	case <-m.done:
		return m.speech, m.err
	case <-ctx.Done():
		c.leave(e, m)
		return Speech{}, ctx.Err()
	}
}

// leave is for who does not wait any more. The last one ends the making, and waits for that.
func (c *Cache) leave(e *entry, m *making) {
	c.mu.Lock()
	m.waits--
	last := m.waits == 0
	if last && e.making == m {
		e.making = nil
	}
	c.mu.Unlock()
	if last {
		m.cancel()
		<-m.done
	}
}

// make speaks for all who wait, and keeps it.
func (c *Cache) make(ctx context.Context, e *entry, m *making) {
	defer close(m.done)
	defer m.cancel()
	m.speech, m.err = c.inPlace(ctx, e)
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.making != m {
		return // nobody waits
	}
	e.making = nil
	at := c.known[e.address]
	if m.err != nil || m.speech.Spare || at == nil || at.Value.(*entry) != e {
		return
	}
	e.speech = &m.speech
	c.bytes += sizeOf(e.speech)
	for at := c.order.Back(); at != nil && c.bytes > c.opts.MaxBytes; at = at.Prev() {
		if old := at.Value.(*entry); old.speech != nil && old != e {
			c.bytes -= sizeOf(old.speech)
			old.speech = nil // it can be spoken again
		}
	}
}

// inPlace speaks once there is a place.
func (c *Cache) inPlace(ctx context.Context, e *entry) (Speech, error) {
	select {
	case c.places <- struct{}{}:
		defer func() { <-c.places }()
		return c.safely(ctx, e)
	case <-ctx.Done():
		return Speech{}, ctx.Err()
	}
}

// safely speaks; a panic is an error of that text alone.
func (c *Cache) safely(ctx context.Context, e *entry) (s Speech, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("speak: %v\n%s", caught, debug.Stack())
		}
	}()
	return c.speaker.Speak(ctx, e.text, e.language)
}

// mouthBefore returns the mouth of a text before it was spoken, if the speaker knows it.
func mouthBefore(s Speaker, text, language string) []api.Viseme {
	timer, ok := s.(Timer)
	if !ok {
		return nil
	}
	mouth, _, err := timer.Mouth(text, language)
	if err != nil {
		return nil // it comes with the sound, or the sound says what is wrong
	}
	return mouth
}
