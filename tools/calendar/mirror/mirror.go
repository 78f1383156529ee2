// Package mirror answers reads of a calendar elsewhere from a copy in memory, which it keeps up to date in the background: so that an answer
// takes no request, and there is one while the calendar can't be reached.
//
// The idea to hold: the copy is what the calendar keeps, series and not instances, and every answer says of when it is. A copy that is too
// old is unknown: its events are still there, and the listing is not complete. What is written through the mirror is in the copy at once.
//
// The package knows no calendar service: that is its [Feed].
package mirror

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/internal/pgdb"
	"annai/tools/calendar"
)

// Options are the settings of a [Mirror]. All but Now have a default.
type Options struct {
	// CalendarID is what problems say they come from.
	CalendarID string
	// Origin says where the calendar is, and whose: a file of another calendar or origin is not used.
	Origin string
	// Now is the clock. Required.
	Now func() time.Time
	// Location is where days are meant that an all-day series gives as times. Nil is UTC.
	Location *time.Location
	// Interval is how often is synced, give or take a tenth; 0 is a minute. After failures it is longer.
	Interval time.Duration
	// Timeout bounds one sync; 0 is a minute.
	Timeout time.Duration
	// MaxAge is how old the copy may be before listings are not complete; 0 is ten minutes. It is never less than two intervals.
	MaxAge time.Duration
	// Patience is how long a read waits for the first sync while there is an old copy; 0 is a second. Without any it waits as long as its
	// context.
	Patience time.Duration
	// MaxEvents is the most that a read returns; 0 is 10,000. The rest is a problem.
	MaxEvents int
	// File is where the copy is kept between two runs of the program; empty is nowhere. What is in it and can't be used is not used.
	File string
	// Key is that of AES-256-GCM, 32 bytes, with which the file is encrypted. Nil leaves it readable for its owner.
	Key []byte
	// Shared has the copy kept in PostgreSQL, where all processes that name the same calendar and origin
	// have it together, in place of File: one of them syncs at a time, and what one writes is seen by
	// all. Key encrypts it. Nil keeps it in this process.
	Shared *pgdb.DB
	// ReadOnly says that no process writes to the calendar through a shared copy, so that a read need
	// not look whether another did: the copy is then some seconds behind what another has synced.
	ReadOnly bool
	// Random is in [0,1), to spread syncs; nil is random.
	Random func() float64
	// Log is told when syncs begin to fail and when they work again. Nil discards it.
	Log *slog.Logger
}

func (o Options) complete() (Options, error) {
	switch {
	case o.Now == nil:
		return Options{}, fmt.Errorf("mirror of calendar %s: no clock: %w", o.CalendarID, fault.ErrInvalid)
	case o.Key != nil && len(o.Key) != 32:
		return Options{}, fmt.Errorf("mirror of calendar %s: a key of %d bytes, not 32: %w", o.CalendarID, len(o.Key), fault.ErrInvalid)
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	o.Interval = orDefault(o.Interval, time.Minute)
	o.Timeout = orDefault(o.Timeout, time.Minute)
	o.MaxAge = max(orDefault(o.MaxAge, 10*time.Minute), 2*o.Interval)
	o.Patience = orDefault(o.Patience, time.Second)
	o.MaxEvents = orDefault(o.MaxEvents, 10_000)
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

func orDefault[T int | time.Duration](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// A Mirror is a [calendar.Reader] of the copy. It is to be closed.
type Mirror struct {
	feed Feed
	opts Options

	mu sync.Mutex
	// copied is replaced by the next copy, and never changed but for what it has worked out.
	copied *copied
	// asOf is when the copy was last known to be up to date; zero while there is none.
	asOf    time.Time
	token   string
	failure error // of the last sync; nil if it was one
	// failures counts those in a row.
	failures int
	// writes are those since the last sync that began after them.
	writes []write
	// tried is closed once a sync was tried.
	tried chan struct{}
	// kept says when the file was written and of which state.
	kept saved
	// shared is the copy of several processes; nil where it is this one's.
	shared *shared

	soon   chan struct{} // asks for a sync before its time
	cancel context.CancelFunc
	done   chan struct{}
}

// New returns the mirror of a feed and begins to sync. It first reads the file, or the shared copy, if
// there is one. No clock or a key of another length is [fault.ErrInvalid]; a shared copy that can't be
// looked at is [fault.ErrUnavailable].
func New(feed Feed, opts Options) (*Mirror, error) {
	opts, err := opts.complete()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := &Mirror{
		feed: feed, opts: opts, copied: newCopied(feed, opts, newContents()),
		tried: make(chan struct{}), soon: make(chan struct{}, 1), cancel: cancel, done: make(chan struct{}),
	}
	if opts.Shared == nil {
		m.load()
	} else if err := m.openShared(ctx); err != nil {
		cancel()
		return nil, err
	}
	go m.run(ctx)
	return m, nil
}

// Close ends the syncing, waits for it and keeps the copy. Reads still answer from the copy.
func (m *Mirror) Close() error {
	m.cancel()
	<-m.done
	if m.shared == nil {
		m.save()
	}
	return nil
}

// Status returns of when the copy is, zero for none, and why the last sync failed, nil if it did not.
func (m *Mirror) Status() (asOf time.Time, failure error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asOf, m.failure
}

// Events implements [calendar.Reader] from the copy. AsOf is the last sync. Where there is no copy yet, it waits for the first sync,
// and why that failed is a [*calendar.Failure] in the error.
func (m *Mirror) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	listing, err := m.Lend(ctx, window)
	if err != nil {
		return calendar.Listing{}, err
	}
	listing.Lent, listing.Events = false, slices.Clone(listing.Events)
	for i, e := range listing.Events {
		listing.Events[i] = clone(e)
	}
	return listing, nil
}

// Lend implements [calendar.Lender]: what it has of a window is the same memory until something changes.
func (m *Mirror) Lend(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, fmt.Errorf("read the copy of calendar %s: %w", m.opts.CalendarID, err)
	}
	if err := ctx.Err(); err != nil {
		return calendar.Listing{}, fmt.Errorf("read the copy of calendar %s: %w: %w", m.opts.CalendarID, fault.ErrUnavailable, err)
	}
	var looked error
	if m.shared != nil && !m.opts.ReadOnly {
		looked = m.look(ctx)
	}
	m.awaitFirst(ctx)
	m.mu.Lock()
	copied, asOf, failure := m.copied, m.asOf, m.failure
	m.mu.Unlock()
	if asOf.IsZero() {
		return calendar.Listing{}, fmt.Errorf("read the copy of calendar %s: %w: %w", m.opts.CalendarID, fault.ErrUnavailable, noCopy(ctx, failure))
	}
	listing, err := copied.lend(ctx, window)
	if err != nil {
		return calendar.Listing{}, fmt.Errorf("read the copy of calendar %s: %w: %w", m.opts.CalendarID, fault.ErrUnavailable, err)
	}
	listing.AsOf = asOf
	if age := m.opts.Now().Sub(asOf); age > m.opts.MaxAge {
		m.outdated(&listing, age, failure)
	}
	m.unseen(&listing, looked)
	return listing, nil
}

// noCopy is why there is nothing to answer from.
func noCopy(ctx context.Context, failure error) error {
	switch {
	case failure != nil:
		return &calendar.Failure{Kind: unreadable(failure), Err: errors.New(failure.Error())}
	case ctx.Err() != nil:
		return &calendar.Failure{Kind: calendar.Unavailable, Err: ctx.Err()}
	default:
		return &calendar.Failure{Kind: calendar.Unavailable, Err: errors.New("closed before it was synced")}
	}
}

// unreadable is the kind of a failure to sync, for somebody who asked for events.
func unreadable(failure error) calendar.Kind {
	switch kind := calendar.KindOf(failure); kind {
	case calendar.Auth, calendar.Scope, calendar.RateLimited, calendar.Quota:
		return kind
	default:
		return calendar.Unavailable
	}
}

// outdated says in the listing that it is too old to be relied on.
func (m *Mirror) outdated(listing *calendar.Listing, age time.Duration, failure error) {
	text := "no sync yet"
	if failure != nil {
		text = failure.Error()
	}
	listing.Complete = false
	listing.Problems = append(listing.Problems, calendar.Problem{
		CalendarID: m.opts.CalendarID, Err: fmt.Errorf("the copy is %s old: %s: %w", age.Round(time.Second), text, fault.ErrUnavailable),
	})
}

// awaitFirst waits for the first sync: if there is nothing else to answer from, as long as the caller does; if there is an old copy, for a
// moment; and not at all with a good one.
func (m *Mirror) awaitFirst(ctx context.Context) {
	m.mu.Lock()
	tried, asOf := m.tried, m.asOf
	m.mu.Unlock()
	if !asOf.IsZero() {
		if m.opts.Now().Sub(asOf) <= m.opts.MaxAge {
			return
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, m.opts.Patience)
		defer cancel()
	}
	select {
	case <-tried:
	case <-ctx.Done():
	case <-m.done:
	}
}
