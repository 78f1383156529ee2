package main

import (
	"context"
	"crypto/rand"
	"errors"
	"net/netip"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/runs"
	"annai/tools/calendar"
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

// calendarFile writes events for the calendar of whoever opens it.
func calendarFile(events []calendar.Event, now time.Time) []byte {
	return ics.WriteEvents(events, ics.Stamp{Now: now})
}

// rehearse answers a question as a visitor who begins with it would be answered.
func (a *assembly) rehearse(ctx context.Context, question, language string) (api.QueryResponse, error) {
	turn := dialog.Turn{Query: question, Language: language, SessionID: "kept-" + rand.Text()}
	answer, err := a.concierge.Answer(ctx, turn)
	return answer, errors.Join(err, a.concierge.EndSession(ctx, turn.Session()))
}
