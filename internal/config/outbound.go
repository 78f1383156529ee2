package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode"

	"annai/internal/secret"
)

// Outbound is how addresses that others name are asked: feeds, webhooks, pages of the web.
type Outbound struct {
	// FeedNetworks are private networks in which calendars of the venue file may be.
	FeedNetworks []netip.Prefix
	// WebhookKey signs webhooks. Empty means that they are not signed.
	WebhookKey secret.Text
	// Contact is the address or page of who operates this, for those whose pages are read.
	Contact string
}

func webhookField(c *Config) *secret.Text { return &c.Outbound.WebhookKey }

func outboundTable() []setting {
	return []setting{
		{
			key: "feed-networks", value: "NETWORKS",
			usage: "private networks in which calendars of the venue file may be, with commas (none)",
			parse: parseNetworks(func(c *Config) *[]netip.Prefix { return &c.Outbound.FeedNetworks }),
		},
		{
			key: "webhook-secret", value: "SECRET", secret: true,
			usage: "secret that webhooks are signed with, whsec_ and base64 (they are not signed)",
			parse: parseWebhookSecret,
		},
		{
			key: "webhook-secret-file", value: "FILE", path: true, usage: "file with that secret (none)",
			parse: fromSecretFile("webhook-secret", webhookField, parseWebhookSecret),
		},
		{
			key: "contact", value: "CONTACT",
			usage: "mail address or page of who operates this, told to web sites whose pages are read (none)",
			parse: parseContact,
		},
	}
}

// Sizes of a secret of Standard Webhooks, in bytes.
const minWebhookKey, maxWebhookKey = 24, 64

func parseWebhookSecret(c *Config, s string) error {
	encoded, marked := strings.CutPrefix(s, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !marked || err != nil || len(key) < minWebhookKey || len(key) > maxWebhookKey {
		return errors.New("is no secret: whsec_ and the base64 of 24 to 64 bytes is one, " +
			"as echo whsec_$(openssl rand -base64 32) makes it")
	}
	c.Outbound.WebhookKey = secret.Text(key)
	return nil
}

func parseContact(c *Config, s string) error {
	odd := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsPrint(r) || strings.ContainsRune("()\\", r)
	}
	if len(s) > 200 || strings.ContainsFunc(s, odd) {
		return fmt.Errorf("%q is not a mail address or a page like https://library.example/contact", s)
	}
	c.Outbound.Contact = s
	return nil
}
