package caldav

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/tools/calendar"
)

// An answer is what a server says, read whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// A failed is a request that was not done. unheard says that it may have been done all the same.
type failed struct {
	*calendar.Failure
	unheard bool
}

// Unwrap returns the failure.
func (f *failed) Unwrap() error { return f.Failure }

// maxRedirects is how often a server may send us on, at the same host.
const maxRedirects = 3

// do sends a request. An error is a [*failed]; a status is none.
func (a *Account) do(ctx context.Context, method, path string, header http.Header, body []byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, a.opts.Timeout)
	defer cancel()
	for range maxRedirects + 1 {
		got, err := a.once(ctx, method, path, header, body)
		if err != nil {
			return answer{}, err
		}
		if got.status < 300 || got.status >= 400 || got.status == http.StatusNotModified {
			return got, nil
		}
		to, err := url.Parse(got.header.Get("Location"))
		if err != nil || to.Host != "" && (to.Host != a.address.Host || to.Scheme != a.address.Scheme) {
			break
		}
		path = orRoot(to.EscapedPath())
	}
	return answer{}, &failed{Failure: unavailable("the server sends us elsewhere")}
}

func (a *Account) once(ctx context.Context, method, path string, header http.Header, body []byte) (answer, error) {
	target, err := a.address.Parse(path)
	if err != nil || target.Host != a.address.Host || target.Scheme != a.address.Scheme {
		return answer{}, &failed{Failure: unavailable("the server names a path that is none of its own")}
	}
	r, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(body))
	if err != nil {
		return answer{}, &failed{Failure: unavailable("no request can be made")}
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if a.opts.User != "" || a.opts.Password != "" {
		r.SetBasicAuth(a.opts.User, string(a.opts.Password))
	}
	w, err := a.client.Do(r)
	if err != nil {
		return answer{}, &failed{Failure: unavailable(reason(err)), unheard: true}
	}
	defer func() { _ = w.Body.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(w.Body, a.opts.MaxBytes+1))
	switch {
	case err != nil:
		return answer{}, &failed{Failure: unavailable(reason(err)), unheard: true}
	case int64(len(text)) > a.opts.MaxBytes:
		return answer{}, &failed{Failure: unavailable("the answer is too large")}
	}
	return answer{w.StatusCode, w.Header, text}, nil
}

// reason says why a request failed, without the address that the client puts in front.
func reason(err error) string {
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err.Error()
}

func unavailable(why string) *calendar.Failure {
	return &calendar.Failure{Kind: calendar.Unavailable, Err: errors.New(why)}
}

func notFound(why string) error {
	return &calendar.Failure{Kind: calendar.NoCalendar, Err: errors.New(why)}
}

func isAbsent(err error) bool {
	kind := calendar.KindOf(err)
	return err != nil && (kind == calendar.NotFound || kind == calendar.NoCalendar)
}

// refusal is what a status that is not success means.
func refusal(w answer, now time.Time) *calendar.Failure {
	f := &calendar.Failure{Err: fmt.Errorf("the server answered %d", w.status)}
	switch w.status {
	case http.StatusUnauthorized:
		f.Kind = calendar.Auth
	case http.StatusForbidden, http.StatusMethodNotAllowed:
		f.Kind = calendar.Forbidden
	case http.StatusNotFound:
		f.Kind = calendar.NotFound
	case http.StatusGone:
		f.Kind = calendar.Gone
	case http.StatusConflict, http.StatusPreconditionFailed, http.StatusLocked:
		f.Kind = calendar.Stale
	case http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusRequestEntityTooLarge:
		f.Kind = calendar.Invalid
	case http.StatusTooManyRequests:
		f.Kind = calendar.RateLimited
	case http.StatusInsufficientStorage:
		f.Kind = calendar.Quota
	default:
		f.Kind = calendar.Unavailable
	}
	value := w.header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		f.RetryAfter = time.Duration(min(max(0, seconds), 86400)) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		f.RetryAfter = max(0, at.Sub(now))
	}
	return f
}

// A multistatus is the answer of RFC 4918, 13.
type multistatus struct {
	Responses []response `xml:"DAV: response"`
}

type response struct {
	Href  string     `xml:"DAV: href"`
	Stats []propstat `xml:"DAV: propstat"`
}

type propstat struct {
	Status string `xml:"DAV: status"`
	Props  props  `xml:"DAV: prop"`
}

type hrefList struct {
	Hrefs []string `xml:"DAV: href"`
}

// props are the properties that are asked for.
type props struct {
	ETag string `xml:"DAV: getetag"`
	Name string `xml:"DAV: displayname"`
	Type struct {
		Calendar *struct{} `xml:"urn:ietf:params:xml:ns:caldav calendar"`
	} `xml:"DAV: resourcetype"`
	Principal  hrefList `xml:"DAV: current-user-principal"`
	HomeSet    hrefList `xml:"urn:ietf:params:xml:ns:caldav calendar-home-set"`
	Components struct {
		List []struct {
			Name string `xml:"name,attr"`
		} `xml:"urn:ietf:params:xml:ns:caldav comp"`
	} `xml:"urn:ietf:params:xml:ns:caldav supported-calendar-component-set"`
	Data string `xml:"urn:ietf:params:xml:ns:caldav calendar-data"`
}

// good are the properties that the server has.
func (r response) good() props {
	for _, s := range r.Stats {
		if strings.Contains(s.Status, " 200") {
			return s.Props
		}
	}
	return props{}
}

// holds reports whether it is a calendar that may hold a kind of component.
func (r response) holds(component string) bool {
	p := r.good()
	return p.Type.Calendar != nil &&
		(len(p.Components.List) == 0 || slices.ContainsFunc(p.Components.List, func(c struct {
			Name string `xml:"name,attr"`
		},
		) bool {
			return strings.EqualFold(c.Name, component)
		}))
}

func (r response) found() Found { return Found{Path: path(r.Href), Name: r.good().Name} }

// path is that of a reference, which may be a whole address.
func path(href string) string {
	u, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

func hrefs(answers []response, of func(props) hrefList) []string {
	var all []string
	for _, r := range answers {
		for _, h := range of(r.good()).Hrefs {
			all = append(all, path(h))
		}
	}
	return all
}

const (
	statusMulti  = http.StatusMultiStatus
	propsOfStart = `<d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:resourcetype/>` +
		`<d:displayname/><d:current-user-principal/><c:calendar-home-set/><c:supported-calendar-component-set/>` +
		`</d:prop></d:propfind>`
)

// propfind asks for properties (RFC 4918, 9.1).
func (a *Account) propfind(ctx context.Context, path, depth, body string) ([]response, error) {
	return a.multi(ctx, "PROPFIND", path, depth, body)
}

// multi sends a request that is answered with several statuses.
func (a *Account) multi(ctx context.Context, method, path, depth, body string) ([]response, error) {
	header := http.Header{"Depth": {depth}, "Content-Type": {"application/xml; charset=utf-8"}}
	got, err := a.do(ctx, method, path, header, []byte(xml.Header+body))
	if err != nil {
		return nil, err
	}
	if got.status != statusMulti {
		return nil, refusal(got, a.opts.Now())
	}
	var m multistatus
	if err := xml.Unmarshal(got.body, &m); err != nil {
		return nil, unavailable("the answer is no list of statuses")
	}
	return m.Responses, nil
}

// query asks which objects of a calendar with a kind of component pass a filter (RFC 4791, 7.8), with
// their contents or only their etags.
func (a *Account) query(ctx context.Context, place, component, filter string, contents bool) ([]response, error) {
	data := ""
	if contents {
		data = "<c:calendar-data/>"
	}
	body := `<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/>` + data +
		`</d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="` + component + `">` + filter +
		`</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
	return a.multi(ctx, "REPORT", place, "1", body)
}

// withUID is the filter for what has a UID.
func withUID(uid string) string {
	return `<c:prop-filter name="UID"><c:text-match collation="i;octet">` + quoted(uid) +
		`</c:text-match></c:prop-filter>`
}

// quoted is text as it stands in XML.
func quoted(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer never fails
	return b.String()
}
