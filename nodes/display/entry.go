package display

import (
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/tools/calendar"
)

// An Entry is what an answer needs of a [calendar.Event], and what a session remembers of it:
// bounded text, of which only the description keeps its lines. What is empty is left out.
type Entry struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Location    string `json:"location,omitempty"`
	URL         string `json:"url,omitempty"`
	// Picture is the address of a picture.
	Picture string `json:"picture,omitempty"`

	AllDay      bool            `json:"allDay,omitempty"`
	Start       time.Time       `json:"start,omitzero"`
	End         time.Time       `json:"end,omitzero"`
	FirstDay    civil.Date      `json:"firstDay,omitzero"`
	EndDay      civil.Date      `json:"endDay,omitzero"`
	EndInferred bool            `json:"endInferred,omitempty"`
	Status      calendar.Status `json:"status,omitempty"`
	// Notice is only that of an event that takes place, or [calendar.Postponed].
	Notice calendar.Notice `json:"notice,omitempty"`
}

// EntryOf makes an event of somebody else's calendar one that may be shown and remembered. Brackets
// stay, for the cards.
func EntryOf(e calendar.Event) Entry {
	out := Entry{
		Title: text.OneLine(e.Title, MaxTitle), Description: lines(plain(e.Description), maxDescription),
		Location: text.OneLine(e.Location, MaxPlace), URL: WebAddress(e.URL), Picture: WebAddress(e.Picture),
		AllDay: e.AllDay, Start: e.Start, End: e.End,
		FirstDay: e.FirstDay, EndDay: e.EndDay, EndInferred: e.EndInferred,
	}
	if e.Status != calendar.Confirmed {
		out.Status = e.Status
	}
	if e.Status != calendar.Cancelled || e.Notice == calendar.Postponed {
		out.Notice = e.Notice
	}
	return out
}

// Span returns when the entry is, as [calendar.Event.Span] does.
func (e Entry) Span(loc *time.Location) civil.TimeRange {
	if e.AllDay {
		return civil.Days(e.FirstDay, e.EndDay, loc)
	}
	return civil.TimeRange{Start: e.Start.In(loc), End: e.End.In(loc)}
}

// Cancelled reports whether the entry does not take place.
func (e Entry) Cancelled() bool { return e.Status == calendar.Cancelled }

// LastDay is the last day of an all-day entry.
func (e Entry) LastDay() civil.Date {
	if last := e.EndDay.AddDays(-1); last.After(e.FirstDay) {
		return last
	}
	return e.FirstDay
}

// Ended reports whether a range is over. One without length is over once it has come.
func Ended(when civil.TimeRange, now time.Time) bool { return !when.End.After(now) }
