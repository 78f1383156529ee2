// Package webpage says what a link is about: title, description, picture, and the event that a page
// announces.
//
// The idea to hold: a page is somebody else's. It is asked for as its site permits, by who we are;
// little of it is read; and what it says comes out as bounded lines of plain text, never as HTML.
// What can't be read is said with its reason. The package knows no calendar: dates are passed on as
// the page has them.
package webpage

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"annai/internal/outbound"
	"annai/internal/text"
)

// Limits of what is read and told.
const (
	maxPage        = 1 << 20
	maxFetches     = 8
	fetchTime      = 8 * time.Second // of one request; that of a call is the tool's
	maxTitle       = 300
	maxDescription = 1000
	maxValue       = 500
	maxAddress     = 2048
	maxValues      = 60
)

// Request is the input of [Reader.Expand].
type Request struct {
	URL string `json:"url" jsonschema:"The address of a page, with http:// or https://."`
}

// Expansion is what a link is about. What is not known is left out.
type Expansion struct {
	// URL is where the page is, after redirects; as it was given where it could not be read.
	URL         string `json:"url" jsonschema:"Where the page is, after redirects."`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	ImageURL    string `json:"imageUrl,omitempty"`
	SiteName    string `json:"siteName,omitempty" jsonschema:"The site's name: Instagram, YouTube."`
	// OEmbed and OpenGraph are as the page's site says, without HTML.
	OEmbed    map[string]any `json:"oEmbed,omitempty" jsonschema:"What the site's oEmbed answers, but for HTML."`
	OpenGraph map[string]any `json:"openGraph,omitempty" jsonschema:"The page's properties, without og:."`
	// CanonicalURL is the address by which the page calls itself.
	CanonicalURL string `json:"canonicalUrl,omitempty"`
	// Language is that of the page, a tag of BCP 47.
	Language string `json:"language,omitempty" jsonschema:"The language of the page: ja, en-US."`
	// Event is the first that the page announces in JSON-LD.
	Event *Event `json:"event,omitempty" jsonschema:"The event that the page announces in JSON-LD."`
	// Backend is what read the page.
	Backend string `json:"backend" enum:"embedded"`
	// Degraded says that the page could not be read, Reason why not, and Error in the caller's words.
	Degraded bool   `json:"degraded,omitempty" jsonschema:"The page could not be read."`
	Reason   Reason `json:"reason,omitempty" enum:"refused,robots,status,type,unreachable"`
	Error    string `json:"error,omitempty" jsonschema:"Why not."`
}

// Event is an event of schema.org.
type Event struct {
	Name string `json:"name,omitempty"`
	// StartDate and EndDate are dates, or times. Without an offset they are local times of the
	// place.
	StartDate string `json:"startDate,omitempty" jsonschema:"A date or a time; without an offset of the place."`
	EndDate   string `json:"endDate,omitempty"`
	Location  *Place `json:"location,omitempty"`
	Status    string `json:"status,omitempty" enum:"scheduled,cancelled,postponed,rescheduled,moved_online"`
}

// Place is where an event is.
type Place struct {
	Name    string `json:"name,omitempty"`
	Address string `json:"address,omitempty"`
}

// A Reader reads pages. It is safe for concurrent use.
type Reader struct {
	client *outbound.Client
	robots *robots
	// oEmbed are sites that say what is behind a link.
	oEmbed []provider
	// free bounds how many pages are read at the same time.
	free chan struct{}
}

// New returns a reader that asks with the client. now is the clock.
func New(client *outbound.Client, now func() time.Time) *Reader {
	r := &Reader{client: client, oEmbed: providers(), free: make(chan struct{}, maxFetches)}
	r.robots = newRobots(client, now)
	return r
}

// Expand says what is behind an address. Its errors are [*Failure].
//
// A page is asked for only if the robots.txt of its site lets us. Where the site, or the page
// itself by a link, has an oEmbed, that is asked too, since it is there for that; what it says
// fills in what the page does not.
func (r *Reader) Expand(ctx context.Context, address string) (Expansion, error) {
	u, err := outbound.Parse(strings.TrimSpace(address))
	if err != nil {
		return Expansion{}, &Failure{Reason: noAddress, Err: err}
	}
	u.Fragment = ""
	select {
	case r.free <- struct{}{}:
		defer func() { <-r.free }()
	case <-ctx.Done():
		return Expansion{}, &Failure{Reason: Unreachable, Address: u.String(), Err: ctx.Err()}
	}
	out := Expansion{URL: u.String(), Backend: "embedded"}
	known, isKnown := find(r.oEmbed, u)
	endpoint := known.endpoint
	read, err := r.page(ctx, u)
	if err == nil {
		read.tell(&out)
		if endpoint == "" {
			endpoint = read.oEmbed
		}
	} else if !isKnown {
		return Expansion{}, err
	}
	embed, embedErr := r.embedded(ctx, endpoint, out.URL)
	if err != nil && embedErr != nil {
		return Expansion{}, err // why the page could not be read
	}
	embed.tell(&out)
	if out.SiteName == "" {
		out.SiteName = known.name
	}
	return out, nil
}

// page asks for a page and reads it.
func (r *Reader) page(ctx context.Context, u *url.URL) (*page, error) {
	if err := r.robots.allow(ctx, u); err != nil {
		return nil, failed(u, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, failed(u, err)
	}
	req.Header.Set("Accept", "text/html, application/xhtml+xml")
	req.Header.Set("Accept-Language", "ja, en;q=0.8")
	res, err := r.client.Send(req, outbound.Limits{
		Bytes: maxPage, Cut: true, Types: []string{"text/html", "application/xhtml+xml"}, Redirect: r.robots.allow,
	})
	if err != nil {
		return nil, failed(u, err)
	}
	if res.Status != http.StatusOK {
		return nil, &Failure{Reason: Status, Address: u.String(), Code: res.Status}
	}
	return parse(res.Body, res.Header.Get("Content-Type"), res.URL), nil
}

// line is text of others as one bounded line.
func line(s string, limit int) string { return text.OneLine(s, limit) }

// link returns an address of others that may be followed, whole, or "".
func link(base *url.URL, s string) string {
	u, err := base.Parse(strings.TrimSpace(s))
	if s == "" || err != nil || len(s) > maxAddress {
		return ""
	}
	whole := u.String()
	if _, err := outbound.Parse(whole); err != nil {
		return ""
	}
	return whole
}

// set is what a field is unless it is known already.
func set(field *string, value string) {
	if *field == "" {
		*field = value
	}
}
