package runs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"

	"code.dny.dev/ssrf"

	"annai/internal/fault"
)

// maxReply is how much of the answer to a webhook is read, so that the connection can be used again.
const maxReply = 64 << 10

// Post sends a webhook with the client, once. An answer that is no success is [fault.ErrUnavailable].
func Post(ctx context.Context, client *http.Client, url string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("webhook: %w: %w", err, fault.ErrInvalid)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("webhook: %w: %w", err, fault.ErrUnavailable)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxReply))
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("webhook: answered %s: %w", response.Status, fault.ErrUnavailable)
	}
	return nil
}

// WebhookClient returns a client that reaches public addresses only, whatever a name or a redirection says, and with loopback also this machine.
func WebhookClient(loopback bool) *http.Client {
	options := []ssrf.Option{ssrf.WithAnyPort()}
	if loopback {
		options = append(options, ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8")), ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128")))
	}
	dialer := &net.Dialer{Control: ssrf.New(options...).Safe}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConns: 16}}
}
