package family

import (
	"cmp"
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
)

type pluginCreateInput struct {
	Summary       string   `json:"summary" jsonschema:"The title of the event."`
	StartDateTime string   `json:"startDateTime" jsonschema:"The start, ISO 8601."`
	EndDateTime   string   `json:"endDateTime" jsonschema:"The end, ISO 8601."`
	Description   string   `json:"description,omitempty" jsonschema:"A more detailed description."`
	TimeZone      string   `json:"timeZone,omitempty" jsonschema:"The IANA time zone of the event. Absent: the calendar's."`
	Attendees     []string `json:"attendees,omitempty" jsonschema:"Mail addresses to invite, where inviting is allowed."`
	Location      string   `json:"location,omitempty" jsonschema:"Where it is."`
	keyed
}

func (f *family) createCalendarEvent(ctx context.Context, caller tools.Caller, in pluginCreateInput) (string, error) {
	loc, err := zone(in.TimeZone, f.agenda.Location())
	if err != nil {
		return "", wrong("timeZone", asZone, err)
	}
	start, err := parseMoment(in.StartDateTime, loc)
	if err != nil {
		return "", wrong("startDateTime", asMoment, err)
	}
	if in.EndDateTime == "" {
		return "", wrong("endDateTime", asMoment, invalid("no end"))
	}
	w, err := when(start, in.EndDateTime, ends{"startDateTime", "endDateTime"}, loc)
	if err != nil {
		return "", err
	}
	if err := f.mayInvite(in.Attendees); err != nil {
		return "", err
	}
	id, err := key(caller, "create_calendar_event", in.keyed, in)
	if err != nil {
		return "", err
	}
	e := calendar.Event{ID: id, Title: in.Summary, Location: in.Location, Description: in.Description, Attendees: in.Attendees}
	made, err := f.agenda.Create(ctx, e.With(calendar.Change{When: &w}))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Event created successfully: %s (ID: %s)", made.Title, made.ID), nil
}

// mayInvite returns an error unless all addresses are of domains that may be invited.
func (f *family) mayInvite(addresses []string) error {
	for _, a := range addresses {
		parsed, err := mail.ParseAddress(a)
		if err != nil || parsed.Address != a {
			return &tools.Refusal{Kind: fault.ErrInvalid, JA: "メールアドレスの形式が正しくありません。", EN: "That is not a valid mail address."}
		}
		_, domain, _ := strings.Cut(a, "@")
		if !slices.ContainsFunc(f.opts.AttendeeDomains, func(d string) bool { return strings.EqualFold(d, domain) }) {
			return &tools.Refusal{
				Kind: fault.ErrDenied, JA: "この宛先への招待は許可されていません。予定は登録していません。",
				EN: "Inviting this address is not allowed. Nothing was added.",
			}
		}
	}
	return nil
}

type pluginListInput struct {
	TimeMin      string   `json:"timeMin,omitempty" jsonschema:"The start of the range, ISO 8601. Absent: now."`
	TimeMax      string   `json:"timeMax,omitempty" jsonschema:"The end of the range, ISO 8601. Absent: a year after the start."`
	MaxResults   *float64 `json:"maxResults,omitempty" min:"1" max:"2500" jsonschema:"The most events to return. Absent: 10."`
	OrderBy      string   `json:"orderBy,omitempty" enum:"startTime,updated" jsonschema:"The order. Absent: startTime."`
	SingleEvents *bool    `json:"singleEvents,omitempty" jsonschema:"Whether repeating events are listed by their instances; else once. Absent: true."`
	Q            string   `json:"q,omitempty" jsonschema:"Words that must occur in title, place or description."`
}

type pluginEvent struct {
	ID          string `json:"id"`
	Summary     string `json:"summary"`
	Start       string `json:"start" jsonschema:"A time with offset, or a date for an all-day event."`
	End         string `json:"end" jsonschema:"A time with offset, or the last day of an all-day event."`
	Location    string `json:"location"`
	Description string `json:"description"`
	URL         string `json:"url"`
}

const (
	noneFound         = "No events found matching your criteria."
	defaultMaxResults = 10
	maxYears          = 5
)

func (f *family) listCalendarEvents(ctx context.Context, _ tools.Caller, in pluginListInput) (tools.TextOr[[]pluginEvent], error) {
	var none tools.TextOr[[]pluginEvent]
	window, err := f.window(in.TimeMin, in.TimeMax)
	if err != nil {
		return none, err
	}
	listing, err := f.agenda.List(ctx, window)
	if err != nil {
		return none, err
	}
	if !listing.Complete { // this answer has no place to say so, and a part of the list would be taken for all of it
		return none, &calendar.Failure{Kind: calendar.Unavailable}
	}
	events := slices.DeleteFunc(listing.Events, func(e calendar.Event) bool {
		return e.Status == calendar.Cancelled || !mentions(e, in.Q)
	})
	if in.SingleEvents != nil && !*in.SingleEvents {
		events = onePerSeries(events)
	}
	if in.OrderBy == "updated" {
		slices.SortStableFunc(events, func(a, b calendar.Event) int { return a.Updated.Compare(b.Updated) })
	}
	most := defaultMaxResults
	if in.MaxResults != nil {
		most = int(*in.MaxResults)
	}
	var out []pluginEvent
	for _, e := range events[:min(len(events), most)] {
		start, end := bounds(e, f.agenda.Location())
		out = append(out, pluginEvent{
			ID: e.ID, Summary: e.Title, Start: start, End: end, Location: e.Location, Description: e.Description, URL: e.URL,
		})
	}
	if len(out) == 0 {
		return tools.TextOr[[]pluginEvent]{Text: noneFound}, nil
	}
	return tools.TextOr[[]pluginEvent]{Value: out}, nil
}

// window reads a range of time. Without a start it begins now, without an end it lasts a year.
func (f *family) window(from, to string) (civil.TimeRange, error) {
	loc := f.agenda.Location()
	w := civil.TimeRange{Start: f.agenda.Now()}
	var err error
	if from != "" {
		if w.Start, err = parseInstant(from, loc); err != nil {
			return w, wrong("timeMin", asMoment, err)
		}
	}
	w.End = w.Start.AddDate(1, 0, 0)
	if to != "" {
		if w.End, err = parseInstant(to, loc); err != nil {
			return w, wrong("timeMax", asMoment, err)
		}
	}
	if w.End.After(w.Start.AddDate(maxYears, 0, 0)) {
		return w, tooLong(maxYears * 365)
	}
	if !w.Start.Before(w.End) {
		return w, wrong("timeMax", after("timeMin"), invalid("an empty range of time"))
	}
	return w, nil
}

// mentions reports whether all words occur in the event.
func mentions(e calendar.Event, words string) bool {
	text := strings.ToLower(strings.Join([]string{e.Title, e.Location, e.Description}, "\n"))
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// onePerSeries keeps the first instance of each series, under the id of the series.
func onePerSeries(events []calendar.Event) []calendar.Event {
	seen := map[[2]string]bool{}
	var kept []calendar.Event
	for _, e := range events {
		id := [2]string{e.CalendarID, cmp.Or(e.SeriesID, e.ID)}
		if seen[id] {
			continue
		}
		seen[id] = true
		e.ID = id[1]
		kept = append(kept, e)
	}
	return kept
}

// formatted is a time as Google writes it.
func formatted(t time.Time, loc *time.Location) string { return t.In(loc).Format(time.RFC3339) }
