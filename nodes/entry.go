package nodes

import (
	"time"

	"annai/internal/civil"
	"annai/tools/calendar"
)

// An entry is what an answer needs of a [calendar.Event], and what a session remembers of it: tame text, its lines apart only in the description, and nothing that is empty.
type entry struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Location    string `json:"location,omitempty"`
	URL         string `json:"url,omitempty"`

	AllDay      bool            `json:"allDay,omitempty"`
	Start       time.Time       `json:"start,omitzero"`
	End         time.Time       `json:"end,omitzero"`
	FirstDay    civil.Date      `json:"firstDay,omitzero"`
	EndDay      civil.Date      `json:"endDay,omitzero"`
	EndInferred bool            `json:"endInferred,omitempty"`
	Status      calendar.Status `json:"status,omitempty"`
}

// tame makes an event of somebody else's calendar one that may be shown and remembered. Brackets stay, for the cards.
func tame(e calendar.Event) entry {
	out := entry{
		Title: oneLine(e.Title, maxTitle), Description: lines(plain(e.Description), maxDescription),
		Location: oneLine(e.Location, maxPlace), URL: webAddress(e.URL),
		AllDay: e.AllDay, Start: e.Start, End: e.End, FirstDay: e.FirstDay, EndDay: e.EndDay, EndInferred: e.EndInferred,
	}
	if e.Status != calendar.Confirmed {
		out.Status = e.Status
	}
	return out
}

// span returns when the entry is, as [calendar.Event.Span] does.
func (e entry) span(loc *time.Location) civil.TimeRange {
	if e.AllDay {
		return civil.Days(e.FirstDay, e.EndDay, loc)
	}
	return civil.TimeRange{Start: e.Start.In(loc), End: e.End.In(loc)}
}

func (e entry) cancelled() bool { return e.Status == calendar.Cancelled }

// lastDay is the last day of an all-day entry.
func (e entry) lastDay() civil.Date {
	if last := e.EndDay.AddDays(-1); last.After(e.FirstDay) {
		return last
	}
	return e.FirstDay
}
