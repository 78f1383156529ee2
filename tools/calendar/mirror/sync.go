package mirror

import (
	"context"
	"errors"
	"fmt"
	"time"

	"annai/tools/calendar"
)

const (
	// slowest is the longest time between two syncs while they fail, whatever the interval.
	slowest = 5 * time.Minute
	// connected is the longest time until an account that was connected again is noticed. While it is not, nobody is asked.
	connected = 15 * time.Second
	// closest is the shortest time between two syncs, however often one is asked for.
	closest = time.Second
)

// run syncs until ctx is done.
func (m *Mirror) run(ctx context.Context) {
	defer close(m.done)
	for {
		m.sync(ctx)
		if !m.wait(ctx, closest) {
			return
		}
		select {
		case <-m.soon:
		default:
			if !m.waitOrSoon(ctx, m.rest()) {
				return
			}
		}
	}
}

// rest is how long to wait until the next sync, or until the next look whether one is due.
func (m *Mirror) rest() time.Duration {
	if m.shared == nil {
		return m.pause()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asOf.IsZero() {
		return 0 // who syncs may have done it by now
	}
	return min(turnEvery, m.opts.Interval)
}

// wait returns after d, or false when ctx is done.
func (m *Mirror) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// waitOrSoon is wait that ends when a sync is asked for.
func (m *Mirror) waitOrSoon(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-m.soon:
		return true
	case <-ctx.Done():
		return false
	}
}

// pause is how long to wait until the next sync: the interval give or take a tenth, twice as long with every failure, and at least as long
// as the calendar asks for. Where nobody is signed in it is no more than [connected].
func (m *Mirror) pause() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.opts.Interval
	for range m.failures - 1 {
		if d < slowest {
			d = min(2*d, slowest)
		}
	}
	d = m.interval(d)
	var f *calendar.Failure
	switch {
	case !errors.As(m.failure, &f):
	case f.Kind == calendar.Auth:
		d = min(d, connected)
	default:
		d = max(d, f.RetryAfter)
	}
	return d
}

// interval is d give or take a tenth.
func (m *Mirror) interval(d time.Duration) time.Duration {
	return d + time.Duration((m.opts.Random()-0.5)*float64(d)/5)
}

// Soon asks for a sync before its time, as somebody does who learnt that something changed. A shared
// copy is synced before its time only where something was written.
func (m *Mirror) Soon() {
	select {
	case m.soon <- struct{}{}:
	default:
	}
}

// sync asks for what changed and takes it over.
func (m *Mirror) sync(ctx context.Context) {
	if m.shared != nil {
		m.syncShared(ctx)
		return
	}
	m.mu.Lock()
	token, before := m.token, len(m.writes)
	m.mu.Unlock()
	began := m.opts.Now()
	ctx, cancel := context.WithTimeout(ctx, m.opts.Timeout)
	defer cancel()
	changes, err := m.changes(ctx, token)
	if err != nil {
		m.fail(fmt.Errorf("sync calendar %s: %w", m.opts.CalendarID, err))
		return
	}
	m.land(changes, began, before)
	m.save()
}

// changes asks for what changed since the token, or for everything.
func (m *Mirror) changes(ctx context.Context, token string) (Changes, error) {
	changes, err := m.feed.Changes(ctx, token)
	if errors.Is(err, ErrExpired) && token != "" {
		changes, err = m.feed.Changes(ctx, "")
		changes.Full = true
	}
	return changes, err
}

// none reports whether nothing changed.
func (ch Changes) none() bool {
	return !ch.Full && len(ch.Events)+len(ch.Overrides)+len(ch.Deleted)+len(ch.Problems) == 0
}

// fail notes that a sync was none.
func (m *Mirror) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failures == 0 || calendar.KindOf(err) != calendar.KindOf(m.failure) {
		m.opts.Log.Warn("calendar can't be synced", "calendar_id", m.opts.CalendarID, "err", err)
	}
	m.failure = err
	m.failures++
	m.triedOnce()
}

// land takes over what changed since the last sync, which began when there were so many writes. What was written since then may not be in
// it, or older, and is made once more; the others have arrived.
func (m *Mirror) land(changes Changes, began time.Time, writes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failures > 0 {
		m.opts.Log.Info("calendar is synced again", "calendar_id", m.opts.CalendarID)
	}
	m.writes = m.writes[writes:]
	if !changes.none() {
		next := m.copied.with(changes)
		for _, w := range m.writes {
			next.take(w)
		}
		m.copied = newCopied(m.feed, m.opts, next)
		m.kept.changed = true
	}
	m.asOf, m.token, m.failure, m.failures = began, changes.Next, nil, 0
	m.triedOnce()
}

// triedOnce lets those go who wait for the first sync. The lock is held.
func (m *Mirror) triedOnce() {
	select {
	case <-m.tried:
	default:
		close(m.tried)
	}
}
