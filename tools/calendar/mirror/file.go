package mirror

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"annai/civil"
	"annai/internal/privatefile"
	"annai/tools/calendar"
)

// saved is what is in the file.
type saved struct {
	changed bool
	at      time.Time
}

// stale is how old what the file says of its age may get before it is written again though nothing changed.
const stale = 5 * time.Minute

// The first bytes of a file, which say of what form it is. What follows is encrypted, or the hash of the rest and the rest.
var (
	formPlain     = []byte("annai mirror 1 plain\n")
	formEncrypted = []byte("annai mirror 1 aes-256-gcm\n")
)

// state is what a file holds.
type state struct {
	CalendarID string
	Origin     string
	Token      string
	AsOf       time.Time
	Events     []zoned
	Overrides  []zonedOverride
	Problems   map[string]string `json:",omitempty"`
	Within     civil.TimeRange
}

// zoned is an event whose times keep their zone.
type zoned struct {
	calendar.Event
	Zone string `json:",omitempty"`
}

type zonedOverride struct {
	SeriesID, ID string
	OriginalDay  civil.Date
	Original     time.Time
	Event        zoned
}

func withZone(e calendar.Event) zoned {
	if e.AllDay || e.Start.IsZero() {
		return zoned{Event: e}
	}
	return zoned{Event: e, Zone: e.Start.Location().String()}
}

func (z zoned) event() (calendar.Event, error) {
	e := z.Event
	if z.Zone == "" {
		return e, nil
	}
	loc, err := time.LoadLocation(z.Zone)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("event %.100q: %w", e.ID, err)
	}
	e.Start, e.End = e.Start.In(loc), e.End.In(loc)
	return e, nil
}

// save writes the file if there is something new to write. A file that can't be written is not the calendar's failure: it is logged, and
// tried again after the next sync.
func (m *Mirror) save() {
	if m.opts.File == "" {
		return
	}
	m.mu.Lock()
	if !m.kept.changed && m.asOf.Sub(m.kept.at) < stale {
		m.mu.Unlock()
		return
	}
	c, token, asOf := m.copied, m.token, m.asOf
	m.kept = saved{at: m.asOf}
	m.mu.Unlock()
	s := c.state()
	s.CalendarID, s.Origin, s.Token, s.AsOf = m.opts.CalendarID, m.opts.Origin, token, asOf
	if err := m.write(s); err != nil {
		m.opts.Log.Warn("the copy of a calendar can't be kept", "calendar_id", m.opts.CalendarID, "err", err)
		m.mu.Lock()
		m.kept.changed = true
		m.mu.Unlock()
	}
}

// outlived takes the file away, which does not have what was written to the calendar since: after a crash no copy is better than one that says
// the contrary of what somebody was told. The next sync makes another. The lock is held.
func (m *Mirror) outlived() {
	if m.opts.File != "" && !m.kept.changed {
		_ = os.Remove(m.opts.File) // it may not be there
	}
	m.kept.changed = true
}

func (m *Mirror) write(s state) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	data, err := m.seal(text)
	if err != nil {
		return err
	}
	return privatefile.ReplaceWithin(m.opts.File, data, m.current)
}

// current returns put's answer, unless something was written to the calendar since the copy to be put was taken.
func (m *Mirror) current(put func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept.changed {
		return nil
	}
	return put()
}

// load reads the file. One that can't be used is as good as none.
func (m *Mirror) load() {
	if m.opts.File == "" {
		return
	}
	s, err := m.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		m.opts.Log.Warn("the kept copy of a calendar can't be used", "calendar_id", m.opts.CalendarID, "err", err)
		return
	}
	c, err := s.contents()
	if err != nil {
		m.opts.Log.Warn("the kept copy of a calendar can't be used", "calendar_id", m.opts.CalendarID, "err", err)
		return
	}
	m.copied, m.token, m.asOf, m.kept = newCopied(m.feed, m.opts, c), s.Token, s.AsOf, saved{at: s.AsOf}
}

func (m *Mirror) read() (state, error) {
	data, err := os.ReadFile(m.opts.File)
	if err != nil {
		return state{}, err
	}
	text, err := m.open(data)
	if err != nil {
		return state{}, err
	}
	return m.parse(text)
}

func (m *Mirror) parse(text []byte) (state, error) {
	var s state
	if err := json.Unmarshal(text, &s); err != nil {
		return state{}, errors.New("it is no copy")
	}
	switch {
	case s.CalendarID != m.opts.CalendarID || s.Origin != m.opts.Origin:
		return state{}, errors.New("it is of another calendar")
	case s.AsOf.IsZero() || s.AsOf.After(m.opts.Now()):
		return state{}, errors.New("it is of no time that was")
	}
	return s, nil
}

// state returns the contents as they are written.
func (c contents) state() state {
	s := state{Problems: c.Problems, Within: c.Within}
	for _, e := range c.Events {
		s.Events = append(s.Events, withZone(e))
	}
	for _, o := range c.Overrides {
		event := withZone(o.Event)
		s.Overrides = append(s.Overrides, zonedOverride{o.SeriesID, o.ID, o.OriginalDay, o.Original, event})
	}
	return s
}

func (s state) contents() (contents, error) {
	c := newContents()
	c.Within = s.Within
	for _, z := range s.Events {
		e, err := z.event()
		if err != nil {
			return contents{}, err
		}
		c.Events[e.ID] = e
	}
	for _, o := range s.Overrides {
		e, err := o.Event.event()
		if err != nil {
			return contents{}, err
		}
		c.Overrides[o.ID] = Override{SeriesID: o.SeriesID, ID: o.ID, OriginalDay: o.OriginalDay, Original: o.Original, Event: e}
	}
	for id, text := range s.Problems {
		c.Problems[id] = text
	}
	return c, nil
}

// seal is what is written for a text. The calendar is part of what is authenticated, so that files can't be swapped.
func (m *Mirror) seal(text []byte) ([]byte, error) {
	if m.opts.Key == nil {
		sum := sha256.Sum256(text)
		return append(append(bytes.Clone(formPlain), sum[:]...), text...), nil
	}
	box, err := m.box()
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return box.Seal(append(bytes.Clone(formEncrypted), nonce...), nonce, text, []byte(m.opts.CalendarID)), nil
}

// open is the reverse of seal.
func (m *Mirror) open(data []byte) ([]byte, error) {
	if m.opts.Key == nil {
		rest, ok := bytes.CutPrefix(data, formPlain)
		if !ok || len(rest) < sha256.Size {
			return nil, errors.New("it has another form")
		}
		sum, text := rest[:sha256.Size], rest[sha256.Size:]
		if sha256.Sum256(text) != [sha256.Size]byte(sum) {
			return nil, errors.New("it is damaged")
		}
		return text, nil
	}
	box, err := m.box()
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(data, formEncrypted)
	if !ok || len(rest) < box.NonceSize() {
		return nil, errors.New("it has another form")
	}
	text, err := box.Open(nil, rest[:box.NonceSize()], rest[box.NonceSize():], []byte(m.opts.CalendarID))
	if err != nil {
		return nil, errors.New("it is damaged, or of another key or calendar")
	}
	return text, nil
}

func (m *Mirror) box() (cipher.AEAD, error) {
	block, err := aes.NewCipher(m.opts.Key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
