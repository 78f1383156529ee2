package caldav

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/ics"
	"annai/tools/calendar/recur"
)

// A Calendar is a [calendar.Writer].
type Calendar struct {
	account  *Account
	id, name string

	mu sync.Mutex
	// path is where it is, once that was found out.
	path string
	// kept are the objects that were read, by path.
	kept map[string]kept
	// gone are the ids of what was deleted here.
	gone map[string]bool
}

// kept is an object as it was under an etag. A nil object could not be understood, for a reason.
type kept struct {
	etag   string
	object *ics.Object
	err    error
}

var _ calendar.Writer = (*Calendar)(nil)

// Calendar returns the calendar of that name or path at the server; of an empty one the first. id
// is what events and problems say they come from. Nothing is asked yet.
func (a *Account) Calendar(id, name string) *Calendar {
	return &Calendar{account: a, id: id, name: name, kept: map[string]kept{}, gone: map[string]bool{}}
}

// place returns where the calendar is.
func (c *Calendar) place(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path != "" {
		return c.path, nil
	}
	path, err := c.account.find(ctx, c.name, events)
	if err != nil {
		return "", err
	}
	c.path = withSlash(path)
	return c.path, nil
}

func withSlash(path string) string { return strings.TrimSuffix(path, "/") + "/" }

// Events implements [calendar.Reader].
func (c *Calendar) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if err := calendar.CheckWindow(window); err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w", c.id, err)
	}
	now := c.account.opts.Now()
	objects, problems, err := c.within(ctx, window)
	if err != nil {
		return calendar.Listing{}, fmt.Errorf("read calendar %s: %w", c.id, c.unavailable(ctx, err))
	}
	listing := calendar.Listing{Window: window, AsOf: now}
	problem := func(err error) {
		listing.Problems = append(listing.Problems, calendar.Problem{CalendarID: c.id, Err: err})
	}
	for _, err := range problems {
		problem(err)
	}
	for _, o := range objects {
		events, left, err := o.Events(ctx, window, c.account.opts.MaxEvents)
		if err != nil {
			return calendar.Listing{}, fmt.Errorf("read calendar %s: %w: %w", c.id, fault.ErrUnavailable, err)
		}
		for _, err := range left {
			problem(err)
		}
		listing.Events = append(listing.Events, events...)
	}
	calendar.Sort(listing.Events, window.Location())
	if n := c.account.opts.MaxEvents; len(listing.Events) > n {
		listing.Events = listing.Events[:n]
		problem(fmt.Errorf("more than %d events: %w", n, fault.ErrInvalid))
	}
	for i := range listing.Events {
		listing.Events[i] = c.ours(listing.Events[i])
	}
	listing.Complete = len(listing.Problems) == 0
	return listing, nil
}

// unavailable is an error of a read as the contract has it: whatever keeps it from being read.
func (c *Calendar) unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", fault.ErrUnavailable, ctx.Err())
	}
	if calendar.KindOf(err) == calendar.Unavailable {
		return err
	}
	return fmt.Errorf("%w: %w", fault.ErrUnavailable, err)
}

// ours is an event with what only this package knows.
func (c *Calendar) ours(e calendar.Event) calendar.Event {
	e.CalendarID, e.Source = c.id, source
	return e
}

// around is how far a window is widened: all-day events and those without a zone are where their
// reader is, which the server does not know.
const around = 48 * time.Hour

// maxAtOnce is how many objects are fetched by one request.
const maxAtOnce = 200

// within returns the objects that may have events in the window: those that are new or changed are
// fetched.
func (c *Calendar) within(ctx context.Context, window civil.TimeRange) ([]*ics.Object, []error, error) {
	place, err := c.place(ctx)
	if err != nil {
		return nil, nil, err
	}
	span := fmt.Sprintf(
		`<c:time-range start="%s" end="%s"/>`,
		stamp(window.Start.Add(-around)),
		stamp(window.End.Add(around)),
	)
	answers, err := c.account.query(ctx, place, events, span, false)
	if err != nil {
		return nil, nil, err
	}
	var fetch []string
	c.mu.Lock()
	for _, r := range answers {
		if at := path(r.Href); r.good().ETag == "" || c.kept[at].etag != r.good().ETag {
			fetch = append(fetch, at)
		}
	}
	c.mu.Unlock()
	for len(fetch) > 0 {
		n := min(len(fetch), maxAtOnce)
		if err := c.fetch(ctx, place, fetch[:n]); err != nil {
			return nil, nil, err
		}
		fetch = fetch[n:]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var objects []*ics.Object
	var problems []error
	for _, r := range answers {
		switch k, there := c.kept[path(r.Href)]; {
		case !there: // it was deleted meanwhile
		case k.err != nil:
			problems = append(problems, k.err)
		default:
			objects = append(objects, k.object)
		}
	}
	return objects, problems, nil
}

func stamp(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// fetch reads objects (RFC 4791, 7.9) and keeps them.
func (c *Calendar) fetch(ctx context.Context, place string, paths []string) error {
	var list strings.Builder
	for _, p := range paths {
		list.WriteString("<d:href>" + quoted(p) + "</d:href>")
	}
	body := `<c:calendar-multiget xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/>` +
		`<c:calendar-data/></d:prop>` + list.String() + `</c:calendar-multiget>`
	answers, err := c.account.multi(ctx, "REPORT", place, "1", body)
	if err != nil {
		return err
	}
	for _, r := range answers {
		c.keep(r)
	}
	return nil
}

// maxKept is how many objects are kept.
const maxKept = 50_000

// keep reads what the server says of an object, and returns it.
func (c *Calendar) keep(r response) kept {
	p, at := r.good(), path(r.Href)
	k := kept{etag: p.ETag}
	if p.Data != "" {
		if k.object, k.err = ics.ReadObject([]byte(p.Data), p.ETag, c.account.opts.Location); k.err != nil {
			k.err = fmt.Errorf("object %.200q: %w", at, k.err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.Data == "" {
		delete(c.kept, at)
		return k
	}
	if len(c.kept) >= maxKept {
		clear(c.kept)
	}
	c.kept[at] = k
	return k
}

// A stored is an object as the server has it, and where.
type stored struct {
	*ics.Object
	path, etag string
}

// lookup reads the object with the UID. There is none: kind [calendar.NotFound], or
// [calendar.Gone].
func (c *Calendar) lookup(ctx context.Context, uid string) (stored, error) {
	c.mu.Lock()
	gone := c.gone[uid]
	c.mu.Unlock()
	if gone {
		return stored{}, &calendar.Failure{Kind: calendar.Gone}
	}
	place, err := c.place(ctx)
	if err != nil {
		return stored{}, err
	}
	answers, err := c.account.query(ctx, place, events, withUID(uid), true)
	if err != nil {
		return stored{}, err
	}
	for _, r := range answers {
		k := c.keep(r)
		if k.err == nil && k.object != nil && k.object.Event().ID == uid {
			return stored{k.object, path(r.Href), k.etag}, nil
		}
	}
	return stored{}, &calendar.Failure{Kind: calendar.NotFound}
}

// Get implements [calendar.Writer].
func (c *Calendar) Get(ctx context.Context, id string) (calendar.Event, error) {
	e, err := c.get(ctx, id)
	if err != nil {
		return calendar.Event{}, fmt.Errorf("get %.100q from calendar %s: %w", id, c.id, err)
	}
	return e, nil
}

func (c *Calendar) get(ctx context.Context, id string) (calendar.Event, error) {
	uid, original, isInstance := recur.SplitID(id)
	if !isInstance {
		uid = id
	}
	o, err := c.lookup(ctx, uid)
	if err != nil {
		return calendar.Event{}, err
	}
	if !isInstance {
		return c.ours(o.Event()), nil
	}
	e, ok := o.Instance(original)
	if !ok {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.NotFound}
	}
	return c.ours(e), nil
}
