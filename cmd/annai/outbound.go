package main

import (
	"time"

	"annai/internal/config"
	"annai/internal/outbound"
	"annai/runs"
)

// userAgent is who we say we are to servers that others name: the product, and whom to write to.
func userAgent(c config.Config) string {
	if c.Outbound.Contact == "" {
		return "annai/" + version()
	}
	return "annai/" + version() + " (" + c.Outbound.Contact + ")"
}

// openWebhooks returns what sends them. Only a server that others can't reach calls back to its own
// machine, where a request names it.
func openWebhooks(c config.Config, now func() time.Time) (runs.Webhooks, error) {
	client, err := outbound.New(outbound.Options{
		Loopback: !c.Insecure && c.CheckListen(false) == nil, OwnPort: true, UserAgent: userAgent(c),
	})
	return runs.Webhooks{Client: client, Key: []byte(c.Outbound.WebhookKey), Now: now}, err
}

// feedClient returns what fetches the calendars of a venue file.
func feedClient(c config.Config) (*outbound.Client, error) {
	return outbound.New(outbound.Options{
		Networks: c.Outbound.FeedNetworks, OwnPort: true, UserAgent: userAgent(c),
	})
}
