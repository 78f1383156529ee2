package polled

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"annai/fault"
)

// Copies keep the copies of feeds that several processes have together, one of which asks a source at a
// time.
type Copies interface {
	// Claim returns what is kept of a feed, with its content if it is not of the version that whoever asks
	// has. With mine nobody else asks the source for so long, or until Keep or Fail: it is due.
	Claim(ctx context.Context, f Feed, have string, lease time.Duration) (k Kept, mine bool, err error)
	// Keep replaces the copy, or without content says that it is of k.Read still. Nobody asks the source
	// again for so long. Who has lost the claim keeps nothing.
	Keep(ctx context.Context, f Feed, k Kept, pause time.Duration) error
	// Fail says why the source could not be read.
	Fail(ctx context.Context, f Feed, why string, pause time.Duration) error
}

// Feed names a feed: the calendar's id, and a sum of the address, which is a secret.
type Feed struct{ Calendar, Address string }

// Kept is what is kept of a feed.
type Kept struct {
	// Version tells contents apart; empty: there is none.
	Version string
	Content []byte
	// Read is when it was last known to be up to date, Failure why the last try to read it failed.
	Read    time.Time
	Failure string
}

const (
	// lookEvery is how often a process looks whether there is another copy.
	lookEvery = 5 * time.Second
	// awaited is how often it looks while another reads the source for the first time.
	awaited = 200 * time.Millisecond
)

// fetchShared returns what another process has fetched, or where it is due, fetches it for all. Where
// the copies can't be reached it asks the source by itself.
func (f *feed) fetchShared(ctx context.Context) (snapshot, error) {
	for {
		k, mine, err := f.opts.Copies.Claim(ctx, f.shared, f.version, f.opts.Timeout)
		if err != nil {
			return f.fetchApart(ctx, err)
		}
		f.apart = false
		got, err := f.adopt(k)
		switch {
		case mine:
			return f.fetchForAll(ctx, got)
		case err != nil, f.version != "":
			return got, err
		}
		select { // another one is reading it for the first time
		case <-time.After(awaited):
		case <-ctx.Done():
			return got, fmt.Errorf("another server is reading it: %w: %w", fault.ErrUnavailable, ctx.Err())
		}
	}
}

// fetchApart fetches for this process alone, because the copies can't be reached: which is said once.
func (f *feed) fetchApart(ctx context.Context, because error) (snapshot, error) {
	if !f.apart {
		f.opts.Log.WarnContext(ctx, "shared copy of a feed not reached",
			"calendar_id", f.opts.CalendarID, "err", because)
	}
	f.apart, f.version = true, ""
	doc, err := f.fetchOwn(ctx)
	return snapshot{doc: doc}, err
}

// adopt takes over what is kept.
func (f *feed) adopt(k Kept) (s snapshot, err error) {
	s.asOf = k.Read
	if k.Version != f.version && k.Content != nil {
		first, data, _ := bytes.Cut(k.Content, []byte("\n"))
		var head copyHead
		if err := json.Unmarshal(first, &head); err != nil {
			return snapshot{}, fmt.Errorf("the shared copy is damaged: %w", fault.ErrUnavailable)
		}
		s.doc, err = parseNew(f.parse, Content{Data: data, Type: head.Type, Location: f.opts.Location}, &f.sum)
		if err != nil {
			return snapshot{}, fmt.Errorf("the shared copy: %w", err)
		}
		f.version, f.etag, f.lastModified, f.kind = k.Version, head.ETag, head.LastModified, head.Type
	}
	if k.Failure != "" {
		err = fmt.Errorf("%s: %w", k.Failure, fault.ErrUnavailable)
	}
	return s, err
}

// fetchForAll asks the source, and keeps what it gave. What can't be kept is served here all the same.
func (f *feed) fetchForAll(ctx context.Context, before snapshot) (snapshot, error) {
	if f.version == "" { // what this process fetched by itself is no copy of all
		f.etag, f.lastModified = "", ""
	}
	f.body = nil
	doc, err := f.fetchOwn(ctx)
	kept := context.WithoutCancel(ctx)
	if err != nil {
		return before, errors.Join(err, f.opts.Copies.Fail(kept, f.shared, err.Error(), f.opts.Retry))
	}
	if doc != nil {
		before.doc = doc
	}
	before.asOf = f.opts.Now()
	k := Kept{Version: f.version, Read: before.asOf}
	if f.body != nil {
		head, err := json.Marshal(copyHead{ETag: f.etag, LastModified: f.lastModified, Type: f.kind})
		if err != nil {
			return before, fmt.Errorf("write the shared copy: %w", err)
		}
		k.Content = append(append(head, '\n'), f.body...)
		k.Version = sumOf(k.Content)
	}
	if err := f.opts.Copies.Keep(kept, f.shared, k, f.opts.Refresh); err != nil {
		f.opts.Log.WarnContext(ctx, "shared copy of a feed not kept", "calendar_id", f.opts.CalendarID, "err", err)
		return before, nil
	}
	f.version = k.Version
	return before, nil
}
