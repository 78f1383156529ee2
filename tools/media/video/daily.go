package video

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/url"
	"path"
	"sync"
	"time"

	"annai/civil"
	"annai/tools/calendar"
	"annai/tools/media"
)

// Status is how far the film of today is. It is a closed set.
type Status string

// The values of [Status].
const (
	// Ready says that it can be played.
	Ready Status = "ready"
	// Making says that it is made at this time.
	Making Status = "making"
	// Nothing says that there is nothing to show: nothing is on any more, or it is not known what.
	Nothing Status = "nothing"
)

// Daily keeps a film of what is still on today, for screens that nobody uses. It is made when one
// is asked for and there is none, or the calendar has changed since. It is safe for concurrent use.
type Daily struct {
	calendar calendar.Reader
	maker    *Maker
	now      func() time.Time
	opts     Options
	log      *slog.Logger

	wake chan struct{}

	mu      sync.Mutex
	wanted  map[variant]edition
	current map[variant]edition
}

// variant is for whom a film is.
type variant struct {
	language string
	shape    Shape
}

// edition is the film of a day as the calendar was.
type edition struct {
	day  Day
	sum  [sha256.Size]byte // of what is in it
	made Made
}

// NewDaily returns a keeper of films from a calendar that everybody may see. [Daily.Run] makes
// them. log receives a line where that fails.
func NewDaily(
	reader calendar.Reader, maker *Maker, now func() time.Time, opts Options, log *slog.Logger,
) *Daily {
	return &Daily{
		calendar: reader, maker: maker, now: now, opts: opts, log: log, wake: make(chan struct{}, 1),
		wanted: map[variant]edition{}, current: map[variant]edition{},
	}
}

// Film returns today's film, or asks for it to be made. A calendar that can't be read is its error.
func (d *Daily) Film(ctx context.Context, language string, shape Shape) (Made, Status, error) {
	day, err := d.today(ctx, language, shape)
	if err != nil || len(day.Events) == 0 {
		return Made{}, Nothing, err
	}
	e := edition{day: day, sum: sha256.Sum256(fmt.Append(nil, day))}
	v := variant{language, shape}
	d.mu.Lock()
	defer d.mu.Unlock()
	if have := d.current[v]; have.sum == e.sum && d.lasts(have.made.Address) {
		return have.made, Ready, nil
	}
	d.wanted[v] = e
	select {
	case d.wake <- struct{}{}:
	default: // it will look
	}
	return Made{}, Making, nil
}

// lasts reports whether a film is still there, and for a while.
func (d *Daily) lasts(a media.Address) bool {
	if d.now().Add(time.Hour).After(a.Expires) {
		return false
	}
	u, err := url.Parse(a.URL)
	if err != nil {
		return false
	}
	file, err := d.maker.files.Open(path.Base(u.Path), u.Query().Get("expires"), u.Query().Get("signature"))
	return err == nil && file.Close() == nil
}

// today reads what is still on. Where the calendar does not know everything there is nothing to
// show, since a film would say more than is known.
func (d *Daily) today(ctx context.Context, language string, shape Shape) (Day, error) {
	now := d.now().In(d.opts.Location)
	day := Day{
		Date: civil.DateOf(now), Venue: d.opts.Venue[language], Language: language,
		Style: Cinematic, Shape: shape,
	}
	listing, err := d.calendar.Events(ctx, civil.Days(day.Date, day.Date.AddDays(1), d.opts.Location))
	if err != nil || !listing.Complete {
		return Day{}, err
	}
	for _, e := range listing.Events {
		span := e.Span(d.opts.Location)
		shown := e.Visibility != calendar.Busy && e.Status != calendar.Cancelled
		if !shown || !span.End.After(now) {
			continue
		}
		day.Events = append(day.Events, Event{
			Title: e.Title, Location: e.Location, Description: e.Description, Span: span, AllDay: e.AllDay,
		})
	}
	arrange(day.Events)
	return day, nil
}

// makeTime bounds the making of one film, on a machine that has other things to do.
const makeTime = 3 * time.Minute

// Run makes the films that are asked for, one after the other, until ctx is done.
func (d *Daily) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		}
		for v, e, ok := d.next(); ok && ctx.Err() == nil; v, e, ok = d.next() {
			d.make(ctx, v, e)
		}
	}
}

// next takes a film that is wanted.
func (d *Daily) next() (variant, edition, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for v, e := range d.wanted {
		delete(d.wanted, v)
		return v, e, true
	}
	return variant{}, edition{}, false
}

func (d *Daily) make(ctx context.Context, v variant, e edition) {
	limited, cancel := context.WithTimeout(ctx, makeTime)
	defer cancel()
	began := d.now()
	made, err := d.maker.Embedded(limited, e.day, MP4)
	if err != nil {
		if ctx.Err() == nil {
			d.log.LogAttrs(ctx, slog.LevelWarn, "film of the day not made", slog.Any("err", err))
		}
		return
	}
	e.made = made
	d.mu.Lock()
	d.current[v] = e
	d.mu.Unlock()
	d.log.LogAttrs(ctx, slog.LevelInfo, "film of the day made",
		slog.Int("events", len(e.day.Events)), slog.Duration("dur", d.now().Sub(began)))
}
