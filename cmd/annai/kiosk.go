package main

import (
	"context"
	"crypto/rand"
	"errors"
	"net/netip"
	"time"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/nodes/display"
	"annai/prompts"
	"annai/runs"
	"annai/server/door"
	"annai/tools/calendar/ics"
)

// staffNetworks are where the webhook for staff may be besides the internet and this machine: the operator named it.
var staffNetworks = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("fc00::/7"),
}

// staffCaller returns what tells the staff that a visitor calls; nil where no webhook is set.
func staffCaller(
	c config.Config, now func() time.Time,
) (func(ctx context.Context, id string, body []byte) error, error) {
	address := string(c.Kiosk.StaffWebhook)
	if address == "" {
		return nil, nil
	}
	webhooks, err := runs.NewWebhooks(now, runs.WebhookOptions{
		Loopback: true, Networks: staffNetworks, UserAgent: setup.UserAgent(c, program()),
		Key: []byte(c.Outbound.WebhookKey),
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, id string, body []byte) error {
		return webhooks.Post(ctx, id, address, body)
	}, nil
}

// A staffCall tells the venue's staff that a visitor calls.
type staffCall func(ctx context.Context, caller door.Caller, device string, request api.StaffCallRequest) error

// escalate calls staff for a front end of others, and says what the visitor is to be told.
func (a *assembly) escalate(
	call staffCall,
) func(ctx context.Context, caller door.Caller, device, language string) (words string, told bool) {
	return func(ctx context.Context, caller door.Caller, device, language string) (string, bool) {
		if call(ctx, caller, device, api.StaffCallRequest{ID: rand.Text(), Language: language}) == nil {
			return prompts.StaffTold{}.In(language), true
		}
		staff := a.venue.Staff
		return prompts.Staff{Staff: staff.Where.In(language), Phone: staff.Phone}.In(language), false
	}
}

// events reads the calendars as visitors see them.
func (a *assembly) events(ctx context.Context, window civil.TimeRange) (api.EventsResponse, error) {
	listing, err := a.calendar.Events(ctx, window)
	if err != nil {
		return api.EventsResponse{}, err
	}
	return display.Listing(listing, window), nil
}

// calendarFile writes the events among cards for the calendar of whoever opens it.
func calendarFile(cards []api.Card, language string, now time.Time) []byte {
	events := display.EventsOf(cards, language)
	if len(events) == 0 {
		return nil
	}
	return ics.WriteEvents(events, ics.Stamp{Now: now})
}

// rehearse answers a question as a visitor who begins with it would be answered.
func (a *assembly) rehearse(ctx context.Context, question, language string) (api.QueryResponse, error) {
	turn := dialog.Turn{Query: question, Language: language, SessionID: "kept-" + rand.Text()}
	answer, err := a.concierge.Answer(ctx, turn)
	return answer, errors.Join(err, a.concierge.EndSession(ctx, turn.Session()))
}
