package display

import (
	"time"

	"annai/civil"
	"annai/nlu"
	"annai/prompts"
	"annai/tools/calendar"
)

// Title is an event's title in the language of the answer; one without is not left blank.
func Title(e Entry, lang nlu.Language) string {
	if e.Title == "" {
		return Phrase(lang, "untitled")
	}
	return TitleHalf(e.Title, lang)
}

// Spoken is an event in a spoken list; oneDay is the day that all of them are on, if it is one. An
// event that is Ongoing is said to be.
func Spoken(e Entry, now time.Time, oneDay civil.Date, ongoing bool, lang nlu.Language) prompts.EventSpoken {
	when := e.Span(now.Location())
	p := prompts.EventSpoken{
		Title:     NoBrackets(SpokenTitle(Title(e, lang), lang)),
		Cancelled: e.Cancelled(), Postponed: e.Notice == calendar.Postponed, Ongoing: ongoing, Past: Ended(when, now),
	}
	if !p.Cancelled && !p.Past {
		p.Notice = NoticeOf(e, lang)
	}
	first, today := civil.DateOf(when.Start), civil.DateOf(now)
	p.When = SpokenWhen(e, now, oneDay, lang)
	if first != oneDay {
		p.Day = SpokenDay(first, today, lang)
	}
	if p.Ongoing && !e.AllDay && !e.EndInferred {
		if day, clock := WrittenEnd(when.End, today, lang); day == today {
			p.Until = clock
		}
	}
	return p
}

// NoticeOf is a sentence about an event that is full, reserved or postponed; "" for any other.
func NoticeOf(e Entry, lang nlu.Language) string {
	if e.Notice == "" {
		return ""
	}
	return prompts.EventNotice{Kind: string(e.Notice)}.In(string(lang))
}

// A Card is something that is shown beside an answer. Start and End are times with offsets, or
// dates (End included) if AllDay; When is the time as it is read in the language of the answer.
type Card struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Reading     string `json:"reading,omitempty"`
	Start       string `json:"start,omitempty"`
	End         string `json:"end,omitempty"`
	AllDay      bool   `json:"allDay,omitempty"`
	Location    string `json:"location,omitempty"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url,omitempty"`
	Picture     string `json:"picture,omitempty"`
	When        string `json:"when,omitempty"`
	Status      string `json:"status,omitempty"`
	Notice      string `json:"notice,omitempty"`
	// Rows are a table, and Points where the places of a map are.
	Rows   []Field    `json:"rows,omitempty"`
	Points []MapPoint `json:"points,omitempty"`
}

// A MapPoint is where a place is from the venue, in metres.
type MapPoint struct {
	East  int `json:"east"`
	North int `json:"north"`
}

// A Passage names a piece of knowledge that an answer uses.
type Passage struct {
	ID        string  `json:"id"`
	Title     string  `json:"title"`
	Source    string  `json:"source"`
	Language  string  `json:"language"`
	Score     float64 `json:"score"`
	UpdatedAt string  `json:"updatedAt,omitempty"`
}

// Cards are events as they are shown in loc.
func Cards(items []Entry, loc *time.Location, lang nlu.Language) []Card {
	out := make([]Card, 0, len(items))
	for _, e := range items {
		e = e.In(lang)
		card := Card{
			Type: "event", Title: Title(e, lang), AllDay: e.AllDay,
			Location: e.Location, Description: e.Description, URL: e.URL, Picture: e.Picture,
			When: WrittenWhen(e, loc, lang),
		}
		if e.Cancelled() || e.Status == calendar.Tentative {
			card.Status = string(e.Status)
		}
		card.Notice = string(e.Notice)
		if e.AllDay {
			card.Start, card.End = e.FirstDay.String(), e.LastDay().String()
		} else {
			card.Start, card.End = e.Start.In(loc).Format(time.RFC3339), e.End.In(loc).Format(time.RFC3339)
		}
		out = append(out, card)
	}
	return out
}
