package runs

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"annai/fault"
	"annai/internal/outbound"
)

// maxReply is how much of the answer to a webhook is read. Nobody looks at it.
const maxReply = 64 << 10

// Webhooks send webhooks, which tell other programs how runs ended. [NewWebhooks] makes them.
type Webhooks struct {
	client *outbound.Client
	key    []byte
	now    func() time.Time
}

// WebhookOptions are the settings of [Webhooks] that have a default.
type WebhookOptions struct {
	// Key signs them. Empty: they are not signed.
	Key []byte
	// Loopback lets them go to this machine too, where a request names it. Otherwise they go to public addresses only.
	Loopback bool
	// Networks are private networks that they may go to besides.
	Networks []netip.Prefix
	// UserAgent is the header User-Agent. Empty: "annai".
	UserAgent string
}

// NewWebhooks returns what sends webhooks, by the clock.
func NewWebhooks(now func() time.Time, opts WebhookOptions) (Webhooks, error) {
	client, err := outbound.New(outbound.Options{
		Loopback: opts.Loopback, Networks: opts.Networks, OwnPort: true, UserAgent: opts.UserAgent,
	})
	return Webhooks{client: client, key: opts.Key, now: now}, err
}

// Post sends a webhook, once. An answer that is no success is [fault.ErrUnavailable]; errors do not
// say the address.
//
// The headers are those of Standard Webhooks 1.0.0: webhook-id is the id, the same each time it is
// sent; webhook-timestamp is seconds since 1970; and with a key, webhook-signature is "v1," and the
// base64 of the HMAC-SHA256 of id, timestamp and body with dots between them.
func (w Webhooks) Post(ctx context.Context, id, address string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("webhook: the address is no URL: %w", fault.ErrInvalid)
	}
	at := strconv.FormatInt(w.now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Webhook-Id", id)
	request.Header.Set("Webhook-Timestamp", at)
	if len(w.key) > 0 {
		mac := hmac.New(sha256.New, w.key)
		fmt.Fprintf(mac, "%s.%s.", id, at)
		mac.Write(body)
		request.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	response, err := w.client.Send(request, outbound.Limits{Bytes: maxReply, Cut: true})
	if err != nil {
		return fmt.Errorf("webhook: %w", err)
	}
	if response.Status/100 != 2 {
		return fmt.Errorf("webhook: answered %d: %w", response.Status, fault.ErrUnavailable)
	}
	return nil
}
