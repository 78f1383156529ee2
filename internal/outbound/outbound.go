// Package outbound sends HTTP requests to addresses that others name: feeds, webhooks, pages that
// visitors paste.
//
// The idea to hold: what decides is the address that is connected to, after names are resolved, and
// not how it was written. Every request dials anew, so that the address that was checked is the one
// that is used, and every hop of a redirect is held to the same rules. Nothing of this machine goes
// along: no cookies, no proxy of the environment.
//
// The package knows no format, no tool and no words for visitors.
package outbound

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"annai/fault"
)

// Limits of every request.
const (
	maxRedirects   = 5
	maxHeaderBytes = 64 << 10
	defaultTimeout = 10 * time.Second
)

// Options are the settings of a [Client] that have a default.
type Options struct {
	// Networks are private networks that may be reached all the same; see [CheckNetwork] for which
	// can be. They may be reached by what a request names, and by redirects from there, but not by
	// a redirect from the internet.
	Networks []netip.Prefix
	// Loopback lets a request reach this machine that itself names it: by a loopback address or as
	// localhost.
	Loopback bool
	// OwnPort lets a request go to the port in its address, whichever that is, besides 80 and 443.
	OwnPort bool
	// UserAgent is who we say we are. Empty is "annai".
	UserAgent string
	// Timeout bounds a request in all, from resolving the name to the last byte; 0 is 10 seconds.
	Timeout time.Duration
	// Resolver resolves names; nil is that of the system.
	Resolver *net.Resolver
}

// A Client sends requests. It is safe for concurrent use.
type Client struct {
	opts Options
	// public refuses everything that is not on the internet, inside what is not in Networks,
	// loopback what is not here.
	public, inside, loopback *ssrf.Guardian
	http                     *http.Client
}

// New returns a client. A network that [CheckNetwork] refuses is [fault.ErrInvalid].
func New(opts Options) (*Client, error) {
	for _, network := range opts.Networks {
		if err := CheckNetwork(network); err != nil {
			return nil, err
		}
	}
	if opts.Timeout == 0 {
		opts.Timeout = defaultTimeout
	}
	if opts.UserAgent == "" {
		opts.UserAgent = "annai"
	}
	c := &Client{opts: opts, public: guardian(nil), inside: guardian(opts.Networks), loopback: guardian(loopback)}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext: c.dial, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: opts.Timeout, MaxResponseHeaderBytes: maxHeaderBytes,
		},
		CheckRedirect: checkRedirect,
		Timeout:       opts.Timeout,
	}
	return c, nil
}

func guardian(allowed []netip.Prefix) *ssrf.Guardian {
	var v4, v6 []netip.Prefix
	for _, p := range allowed {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...))
}

var (
	loopback = prefixes("127.0.0.0/8", "::1/128")
	// private are the networks in which a network of [Options.Networks] may be: RFC 1918, 6598,
	// 4193 and this machine.
	private = append(prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"),
		loopback...)
	// metadata are where clouds keep secrets, in networks that are private. The usual address is
	// link-local.
	metadata = prefixes("100.100.100.200/32", "fd00:ec2::254/128")
)

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, 0, len(texts))
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// CheckNetwork returns [fault.ErrInvalid] for a network that is not in a private one: link-local
// addresses, where clouds keep their secrets, are none.
func CheckNetwork(network netip.Prefix) error {
	within := func(p netip.Prefix) bool { return p.Bits() <= network.Bits() && p.Contains(network.Addr()) }
	if network.IsValid() && slices.ContainsFunc(private, within) {
		return nil
	}
	return fmt.Errorf("%s is not a private network like 192.168.1.0/24 or fd12:3456::/32: %w", network,
		fault.ErrInvalid)
}

// A journey is one request with its redirects. Its dials and redirects follow each other.
type journey struct {
	// port is the one in the address that was given.
	port uint16
	// abroad says that a public address was connected to: nothing inside is reached from there.
	abroad bool
	// redirect is that of the [Limits].
	redirect func(context.Context, *url.URL) error
}

type journeyKey struct{}

func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, errRefused
	}
	j, _ := ctx.Value(journeyKey{}).(*journey)
	if j == nil {
		return nil, errRefused
	}
	allowed := []*ssrf.Guardian{}
	if !j.abroad {
		allowed = append(allowed, c.inside)
		if c.opts.Loopback && namesLoopback(host) {
			allowed = append(allowed, c.loopback)
		}
	}
	abroad := false
	dialer := net.Dialer{Resolver: c.opts.Resolver, Control: func(network, address string, _ syscall.RawConn) error {
		public, err := c.check(network, address, j.port, allowed)
		abroad = abroad || public
		return err
	}}
	dialer.FallbackDelay = -1 // one address after the other, so that the checks follow each other too
	conn, err := dialer.DialContext(ctx, network, address)
	j.abroad = j.abroad || abroad
	return conn, err
}

// check decides about an address that a name was resolved to, and says whether it is on the
// internet.
func (c *Client) check(network, address string, port uint16, allowed []*ssrf.Guardian) (public bool, err error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return false, errRefused
	}
	if p := at.Port(); p != 80 && p != 443 && (!c.opts.OwnPort || p != port) {
		return false, errRefused
	}
	if c.public.Safe(network, address, nil) == nil {
		return true, nil
	}
	secret := func(p netip.Prefix) bool { return p.Contains(at.Addr().Unmap()) }
	if slices.ContainsFunc(metadata, secret) {
		return false, errRefused
	}
	for _, guard := range allowed {
		if guard.Safe(network, address, nil) == nil {
			return false, nil
		}
	}
	return false, errRefused
}
