package capture

import (
	"context"
	"errors"
	"strings"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/nlu/flyer"
	"annai/nodes/owner"
	"annai/tools"
	"annai/tools/webpage"
)

// page reads what a link is about: the event that the page announces, else its title and description.
func (r *Reader) page(ctx context.Context, caller tools.Caller, link string, now time.Time) (owner.Capture, error) {
	var p webpage.Expansion
	_, err := r.call(ctx, caller, "url_expand", webpage.Request{URL: link}, &p)
	switch {
	case err != nil:
		return owner.Capture{}, &Failure{Kind: BadLink, Why: toldBy(err, caller.Language), Err: err}
	case p.Degraded:
		kind := fault.ErrInvalid
		if p.Reason == webpage.Unreachable {
			kind = fault.ErrUnavailable
		}
		return owner.Capture{}, &Failure{Kind: BadLink, Why: p.Error, Err: kind}
	}
	c := owner.Capture{From: owner.FromLink, Reader: p.Backend, Link: p.URL}
	c.Read = flyer.Read(flyer.Lines(sentences(p.Description)), now)
	c.Read.Title = flyer.Field{Text: withoutSite(p.Title, p.SiteName), Source: flyer.Source{By: flyer.ByPage}}
	if e := p.Event; e != nil {
		c.Status = e.Status
		c.Instant = hasOffset(e.StartDate)
		exact(&c.Read, *e, now)
	}
	return c, nil
}

// toldBy is what an error says to people, if it has words.
func toldBy(err error, lang string) string {
	var worded interface{ Message(lang string) string }
	if errors.As(err, &worded) {
		return worded.Message(lang)
	}
	return ""
}

// sentences puts each sentence of a description on a line of its own: pages have no lines.
func sentences(s string) string {
	return strings.NewReplacer("。", "。\n", " / ", "\n", "｜", "\n", " | ", "\n", "\u3000", "\n", ". ", ".\n").Replace(s)
}

// withoutSite is the title of a page without the name of its site at the end.
func withoutSite(title, site string) string {
	if site == "" {
		return title
	}
	before, ok := strings.CutSuffix(title, site)
	if trimmed := strings.TrimRight(before, " -–—|｜:："); ok && trimmed != "" && trimmed != before {
		return trimmed
	}
	return title
}

// exact takes what a page says of its event in a form for machines.
func exact(a *flyer.Announcement, e webpage.Event, now time.Time) {
	by := flyer.Source{By: flyer.ByPage}
	if e.Name != "" {
		a.Title = flyer.Field{Text: e.Name, Source: by}
	}
	if p := e.Location; p != nil {
		place := strings.TrimSpace(p.Name)
		if address := strings.TrimSpace(p.Address); address != "" && !strings.Contains(place, address) {
			place = strings.TrimSpace(place + " (" + address + ")")
			if p.Name == "" {
				place = address
			}
		}
		if place != "" {
			a.Place = flyer.Field{Text: place, Source: by}
		}
	}
	first, clock, ok := dateOf(e.StartDate, now)
	if !ok {
		return
	}
	a.When = flyer.When{Day: first, Start: clock, DayFrom: by}
	if clock != nil {
		a.When.StartFrom = by
	}
	if last, end, ok := dateOf(e.EndDate, now); ok && !last.Before(first) {
		a.When.End = end
		if longer := last.Sub(first); longer > 1 || longer == 1 && (end == nil || clock == nil || *end > *clock) {
			a.When.LastDay = last
		}
	}
}

// dateOf reads a date, or a time. One with an offset is told in the location of now, one without stays as it
// is: on the clocks of the place.
func dateOf(s string, now time.Time) (day civil.Date, clock *int, ok bool) {
	if d, err := civil.ParseDate(s); err == nil {
		return d, nil, true
	}
	t, err := time.Parse(time.RFC3339, s)
	if err == nil {
		t = t.In(now.Location())
	} else if t, err = time.Parse("2006-01-02T15:04:05", s); err != nil {
		return civil.Date{}, nil, false
	}
	minutes := t.Hour()*60 + t.Minute()
	return civil.DateOf(t), &minutes, true
}

// hasOffset reports whether a page gave an instant and no time on the clocks of a place.
func hasOffset(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}
