package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"annai/internal/secret"
)

// Google is what is needed to reach an owner's calendar at Google. The variables of four of its settings have a second name, without ANNAI_,
// as other programs call them.
type Google struct {
	// ClientID and ClientSecret name this program to Google. Both are empty where none was registered.
	ClientID     string
	ClientSecret secret.Text
	// RefreshToken is what the token store "env" holds.
	RefreshToken secret.Text
	// CalendarID is the calendar that is read and written.
	CalendarID string
	// Redirect is the address of this server to which Google sends an owner back. Empty means a loopback address.
	Redirect string
	// TokenStore is "file", "env", "ssm" or "postgres", and never empty.
	TokenStore string
	// SSMPrefix is where the names of parameters in AWS SSM begin, without a slash at its end.
	SSMPrefix string
	// AuthURL, TokenURL and APIURL are other addresses than Google's. Empty means Google's.
	AuthURL, TokenURL, APIURL string
}

func clientSecretField(c *Config) *secret.Text { return &c.Google.ClientSecret }

func refreshTokenField(c *Config) *secret.Text { return &c.Google.RefreshToken }

func googleTable() []setting {
	return []setting{
		{key: "google-client-id", value: "ID", also: "GOOGLE_CLIENT_ID", usage: "OAuth client that Google knows this program by (none)", parse: text(func(c *Config) *string { return &c.Google.ClientID })},
		{key: "google-client-secret", value: "SECRET", also: "GOOGLE_CLIENT_SECRET", secret: true, usage: "secret of that client (none)", parse: secretText(clientSecretField)},
		{key: "google-client-secret-file", value: "FILE", path: true, usage: "file with that secret (none)", parse: fromSecretFile("google-client-secret", clientSecretField, secretText(clientSecretField))},
		{key: "google-calendar-refresh-token", value: "TOKEN", also: "GOOGLE_CALENDAR_REFRESH_TOKEN", secret: true, usage: "refresh token of the owner, for the token store env (none)", parse: secretText(refreshTokenField)},
		{key: "google-calendar-refresh-token-file", value: "FILE", path: true, usage: "file with that token (none)", parse: fromSecretFile("google-calendar-refresh-token", refreshTokenField, secretText(refreshTokenField))},
		{key: "google-calendar-id", value: "ID", also: "GOOGLE_CALENDAR_ID", def: "primary", usage: "calendar at Google that is read and written", parse: text(func(c *Config) *string { return &c.Google.CalendarID })},
		{key: "google-redirect", value: "URL", usage: "https address of this server that Google sends an owner back to (a loopback address)", parse: address(func(c *Config) *string { return &c.Google.Redirect })},
		{
			key: "google-token-store", value: "STORE",
			usage: "where tokens of Google are kept: file, env, ssm or postgres (env if a token is set, else file)",
			parse: oneOf(func(c *Config) *string { return &c.Google.TokenStore }, "file", "env", "ssm", "postgres"),
		},
		{key: "google-ssm-prefix", value: "PATH", def: "/tonari/google", usage: "where the names of parameters in AWS SSM begin", parse: parseSSMPrefix},
		{key: "google-auth-url", value: "URL", usage: "page where an owner agrees, for tests and private endpoints (Google's)", parse: address(func(c *Config) *string { return &c.Google.AuthURL })},
		{key: "google-token-url", value: "URL", usage: "address that gives tokens; the one that revokes them is beside it (Google's)", parse: address(func(c *Config) *string { return &c.Google.TokenURL })},
		{key: "google-api-url", value: "URL", usage: "address of Calendar v3 (Google's)", parse: address(func(c *Config) *string { return &c.Google.APIURL })},
	}
}

// secretText takes any text without spaces.
func secretText(field func(*Config) *secret.Text) func(*Config, string) error {
	return func(c *Config, s string) error {
		if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("has a space or another character that no such value has")
		}
		*field(c) = secret.Text(s)
		return nil
	}
}

// address takes a URL that secrets can be sent to: one of https, or of this machine.
func address(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, s string) error {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
			u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
			return fmt.Errorf("%q is not an address that begins with https://, or one of this machine such as http://127.0.0.1:9000/", s)
		}
		*field(c) = s
		return nil
	}
}

func parseSSMPrefix(c *Config, s string) error {
	if !strings.HasPrefix(s, "/") || strings.HasSuffix(s, "/") || strings.Contains(s, "//") || strings.ContainsAny(s, " \t\n") {
		return fmt.Errorf("%q is not a path like /tonari/google", s)
	}
	c.Google.SSMPrefix = s
	return nil
}

// finished returns c with what depends on other settings filled in.
func finished(c Config) Config {
	if c.Google.TokenStore == "" {
		c.Google.TokenStore = "file"
		if c.Google.RefreshToken != "" {
			c.Google.TokenStore = "env"
		}
	}
	return c
}
