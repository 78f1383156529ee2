package ics

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"time"

	"code.dny.dev/ssrf"

	"annai/internal/fault"
)

// URL returns the calendar at an address. An address that is not http or https, has no host or has a user in it, or no
// clock, is [fault.ErrInvalid]. Nothing is fetched yet. Errors and problems name the host only: the address of a private
// calendar is a secret.
func URL(address string, opts Options) (*Reader, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("calendar %s: its address is no URL: %w", opts.CalendarID, fault.ErrInvalid)
	}
	if err := checkURL(parsed); err != nil {
		return nil, fmt.Errorf("calendar %s: %w", opts.CalendarID, err)
	}
	opts, err = opts.complete(5 * time.Minute)
	if err != nil {
		return nil, err
	}
	f := &feed{address: parsed, client: newClient(parsed, opts), opts: opts, copied: newCopyFile(opts.Cache, address)}
	return newReader(f, opts), nil
}

const (
	maxRedirects   = 5
	maxHeaderBytes = 64 << 10
)

// checkURL says whether an address may be fetched, as far as the address tells.
func checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("scheme %.20q is neither http nor https: %w", u.Scheme, fault.ErrInvalid)
	case u.User != nil:
		return fmt.Errorf("the address has a user in it: %w", fault.ErrInvalid)
	case u.Hostname() == "":
		return fmt.Errorf("the address has no host: %w", fault.ErrInvalid)
	}
	return nil
}

// newClient returns the client for one feed.
func newClient(u *url.URL, opts Options) *http.Client {
	client := &http.Client{}
	if opts.Client != nil {
		*client = *opts.Client
	} else {
		dialer := &net.Dialer{Timeout: opts.Timeout, Control: guard(u, opts.AllowPrivate).Safe}
		client.Transport = &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: opts.Timeout, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: maxHeaderBytes, MaxIdleConns: 1, IdleConnTimeout: time.Minute,
		}
	}
	client.Jar = nil
	client.CheckRedirect = checkRedirect
	return client
}

// guard decides which addresses may be connected to, after names are resolved.
func guard(u *url.URL, allowPrivate bool) *ssrf.Guardian {
	ports := []uint16{80, 443}
	if port, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		ports = append(ports, uint16(port))
	}
	settings := []ssrf.Option{ssrf.WithPorts(ports...)}
	if allowPrivate { // link-local stays out: that is where clouds keep their secrets
		settings = append(settings,
			ssrf.WithAllowedV4Prefixes(prefixes("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")...),
			ssrf.WithAllowedV6Prefixes(prefixes("::1/128", "fc00::/7")...))
	}
	return ssrf.New(settings...)
}

func prefixes(texts ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// checkRedirect holds every hop to the rules of the first address, and does not leave https.
func checkRedirect(req *http.Request, via []*http.Request) error {
	if err := checkURL(req.URL); err != nil {
		return fmt.Errorf("redirect: %w", err)
	}
	switch {
	case len(via) >= maxRedirects:
		return fmt.Errorf("more than %d redirects: %w", maxRedirects, fault.ErrUnavailable)
	case via[0].URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("redirect from https to http: %w", fault.ErrUnavailable)
	}
	return nil
}

// A feed is a [fetcher].
type feed struct {
	address *url.URL
	client  *http.Client
	opts    Options
	copied  copyFile

	sum          [sha256.Size]byte
	etag         string
	lastModified string
}

func (f *feed) fetch(ctx context.Context) (*document, error) {
	doc, err := f.get(ctx)
	if err != nil {
		return nil, fmt.Errorf("fetch from %s: %w", f.address.Host, err)
	}
	return doc, nil
}

func (f *feed) get(ctx context.Context) (*document, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", fault.ErrUnavailable)
	}
	req.Header.Set("Accept", "text/calendar, */*;q=0.5")
	f.setConditions(req.Header)
	res, err := f.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reason(err), fault.ErrUnavailable)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotModified && f.conditional():
		f.keep(nil)
		return nil, nil
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("status %d: %w", res.StatusCode, fault.ErrUnavailable)
	}
	data, err := readAll(res.Body, f.opts.MaxBytes)
	if err != nil {
		return nil, err
	}
	doc, err := parseNew(data, &f.sum, f.opts.Location)
	if err != nil {
		return nil, err
	}
	f.etag, f.lastModified = res.Header.Get("ETag"), res.Header.Get("Last-Modified")
	f.keep(data)
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

// reason says why a request failed, without the address that the client puts in front.
func reason(err error) string {
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	known := []error{ssrf.ErrProhibitedIP, ssrf.ErrProhibitedPort, ssrf.ErrProhibitedNetwork}
	if slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }) {
		return "the address is private or special, or its port is not allowed"
	}
	return err.Error()
}
