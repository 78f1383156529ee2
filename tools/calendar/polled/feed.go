package polled

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"annai/fault"
	"annai/internal/outbound"
)

// URL returns the calendar at an address. An address that [outbound.Parse] refuses, or no clock, is
// [fault.ErrInvalid]. Nothing is fetched yet. Errors and problems name the host only: the address
// of a private calendar is a secret.
func URL(address string, parse Parse, opts Options) (*Reader, error) {
	parsed, err := outbound.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("calendar %s: %w", opts.CalendarID, err)
	}
	if opts, err = opts.complete(5 * time.Minute); err != nil {
		return nil, err
	}
	if opts.Client == nil {
		if opts.Client, err = outbound.New(outbound.Options{OwnPort: true, Timeout: opts.Timeout}); err != nil {
			return nil, fmt.Errorf("calendar %s: %w", opts.CalendarID, err)
		}
	}
	f := &feed{address: parsed, parse: parse, opts: opts, copied: newCopyFile(opts.Cache, address)}
	f.shared = Feed{Calendar: opts.CalendarID, Address: f.copied.address}
	if opts.Copies != nil {
		opts.Refresh, opts.Retry = min(opts.Refresh, lookEvery), min(opts.Retry, lookEvery)
	}
	return newReader(f, opts), nil
}

// A feed is a [fetcher].
type feed struct {
	address *url.URL
	parse   Parse
	opts    Options
	copied  copyFile

	sum          [sha256.Size]byte
	etag         string
	lastModified string
	kind         string // its type, as the server says

	shared  Feed
	version string // of the copy of all that this process has
	body    []byte // what came last, where there is such a copy
	apart   bool   // whether the copies could not be reached
}

func (f *feed) fetch(ctx context.Context) (snapshot, error) {
	if f.opts.Copies != nil {
		return f.fetchShared(ctx)
	}
	doc, err := f.fetchOwn(ctx)
	return snapshot{doc: doc}, err
}

func (f *feed) fetchOwn(ctx context.Context) (Document, error) {
	doc, err := f.get(ctx)
	if err != nil {
		return nil, fmt.Errorf("fetch from %s: %w", f.address.Host, err)
	}
	return doc, nil
}

func (f *feed) get(ctx context.Context) (Document, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", fault.ErrUnavailable)
	}
	if f.opts.Header != nil {
		req.Header = f.opts.Header.Clone()
	}
	f.setConditions(req.Header)
	res, err := f.opts.Client.Send(req, outbound.Limits{Bytes: f.opts.MaxBytes})
	switch {
	case err != nil:
		return nil, err
	case res.Status == http.StatusNotModified && f.conditional():
		f.keep(nil)
		return nil, nil
	case res.Status != http.StatusOK:
		return nil, fmt.Errorf("status %d: %w", res.Status, fault.ErrUnavailable)
	}
	kind := res.Header.Get("Content-Type")
	doc, err := parseNew(f.parse, Content{Data: res.Body, Type: kind, Location: f.opts.Location}, &f.sum)
	if err != nil {
		return nil, err
	}
	f.etag, f.lastModified, f.kind = res.Header.Get("ETag"), res.Header.Get("Last-Modified"), kind
	f.keep(res.Body)
	if f.opts.Copies != nil {
		f.body = res.Body
	}
	return doc, nil
}

func (f *feed) conditional() bool { return f.etag != "" || f.lastModified != "" }

func (f *feed) setConditions(h http.Header) {
	if f.etag != "" {
		h.Set("If-None-Match", f.etag)
	}
	if f.lastModified != "" {
		h.Set("If-Modified-Since", f.lastModified)
	}
}
