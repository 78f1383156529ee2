package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"annai/internal/secret"
)

// Kiosk is what kiosks do besides answering.
type Kiosk struct {
	// Preview has them play a film of the day while nobody uses them.
	Preview bool
	// StaffWebhook is the address that is told when a visitor calls for staff. Empty: nobody can.
	StaffWebhook secret.Text
	// Code opens the operator's corner of the page. Empty: there is none.
	Code secret.Text
	// PublicURL is the address at which telephones of visitors reach the server, without a path. Empty: they can't.
	PublicURL string
}

// PublicHost is the host of the PublicURL, without port.
func (k Kiosk) PublicHost() string {
	u, err := url.Parse(k.PublicURL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

func staffWebhookField(c *Config) *secret.Text { return &c.Kiosk.StaffWebhook }

func kioskCodeField(c *Config) *secret.Text { return &c.Kiosk.Code }

func kioskTable() []setting {
	return []setting{
		{
			key: "kiosk-preview", value: "BOOL", def: "false", scope: serverOnly,
			usage: "play a film of the day's events on kiosks that nobody uses",
			parse: parseBool(func(c *Config) *bool { return &c.Kiosk.Preview }),
		},
		{
			key: "staff-webhook", value: "URL", secret: true,
			usage: "address that is told when a visitor at a kiosk calls for staff (nobody can call)",
			parse: parseStaffWebhook,
		},
		{
			key: "staff-webhook-file", value: "FILE", path: true, scope: serverOnly,
			usage: "file with that address (none)",
			parse: fromSecretFile("staff-webhook", staffWebhookField, parseStaffWebhook),
		},
		{
			key: "kiosk-code", value: "DIGITS", secret: true,
			usage: "6 to 12 digits that open the operator's corner of a kiosk (there is none)",
			parse: parseKioskCode,
		},
		{
			key: "kiosk-code-file", value: "FILE", path: true, scope: serverOnly, usage: "file with that code (none)",
			parse: fromSecretFile("kiosk-code", kioskCodeField, parseKioskCode),
		},
		{
			key: "public-url", value: "URL", scope: serverOnly,
			usage: "address at which telephones of visitors reach the server, for QR codes (there are none)",
			parse: parsePublicURL,
		},
	}
}

// parseStaffWebhook takes an address, of which nothing is repeated: it may have a secret in it.
func parseStaffWebhook(c *Config, s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" || len(s) > 2000 {
		return errors.New("is not an address like https://chat.example/hooks/staff")
	}
	c.Kiosk.StaffWebhook = secret.Text(s)
	return nil
}

// The length of a kiosk's code, in digits.
const minCode, maxCode = 6, 12

func parseKioskCode(c *Config, s string) error {
	if len(s) < minCode || len(s) > maxCode || strings.Trim(s, "0123456789") != "" {
		return fmt.Errorf("is not %d to %d digits", minCode, maxCode)
	}
	c.Kiosk.Code = secret.Text(s)
	return nil
}

func parsePublicURL(c *Config, s string) error {
	s = strings.TrimSuffix(s, "/")
	if s != "" && checkOrigin(s) != nil {
		return fmt.Errorf("%q is not an address without a path, like https://guide.example", s)
	}
	c.Kiosk.PublicURL = s
	return nil
}
