package display

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"time"

	"annai/api"
	"annai/civil"
	"annai/internal/text"
	"annai/tools/calendar"
)

// Listing is a listing of calendars as it is sent, at times in the location of the window.
func Listing(listing calendar.Listing, window civil.TimeRange) api.EventsResponse {
	location := window.Location()
	response := api.EventsResponse{
		Events: make([]api.Event, 0, len(listing.Events)),
		Window: api.Window{
			Start: window.Start.Format(time.RFC3339), End: window.End.Format(time.RFC3339), Timezone: location.String(),
		},
		Complete: listing.Complete,
	}
	if !listing.AsOf.IsZero() {
		response.AsOf = listing.AsOf.In(location).Format(time.RFC3339)
	}
	for _, e := range listing.Events {
		response.Events = append(response.Events, sent(e, location))
	}
	return response
}

func sent(e calendar.Event, location *time.Location) api.Event {
	shown := api.Event{
		ID: e.ID, Title: e.Title, AllDay: e.AllDay, Location: e.Location, Description: e.Description, URL: e.URL,
		Picture: e.Picture, CalendarID: e.CalendarID, Status: string(e.Status), Notice: string(e.Notice),
	}
	if e.Status == "" {
		shown.Status = string(calendar.Confirmed)
	}
	if e.AllDay {
		shown.Start, shown.End = e.FirstDay.String(), e.EndDay.AddDays(-1).String()
		return shown
	}
	shown.Start, shown.End = e.Start.In(location).Format(time.RFC3339), e.End.In(location).Format(time.RFC3339)
	return shown
}

// EventsOf are the events among cards that take place, with their titles in a language. Each has the same ID in both.
func EventsOf(cards []api.Card, language string) (events []calendar.Event) {
	for _, card := range cards {
		if card.Type != "event" || card.Start == "" || card.Status == string(calendar.Cancelled) {
			continue
		}
		sum := sha256.Sum256([]byte(card.Title + "\n" + card.Start))
		e := calendar.Event{
			ID: base64.RawURLEncoding.EncodeToString(sum[:12]) + "@annai", Title: text.TitleIn(card.Title, language),
			Location: card.Location, Description: card.Description, Picture: card.Picture,
			Status: calendar.Status(card.Status), AllDay: card.AllDay,
		}
		if u, err := url.Parse(card.URL); err == nil && u.Host != "" {
			e.URL = u.String()
		}
		if readWhen(card, &e) == nil {
			events = append(events, e)
		}
	}
	return events
}

// readWhen reads when an event is as a card says it.
func readWhen(card api.Card, e *calendar.Event) (err error) {
	if card.AllDay {
		if e.FirstDay, err = civil.ParseDate(card.Start); err != nil {
			return err
		}
		last, err := civil.ParseDate(card.End)
		e.EndDay = last.AddDays(1)
		return err
	}
	if e.Start, err = time.Parse(time.RFC3339, card.Start); err != nil {
		return err
	}
	e.End, err = time.Parse(time.RFC3339, card.End)
	return err
}
