package runs

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"annai/fault"
	"annai/internal/outbound"
)

// maxReply is how much of the answer to a webhook is read. Nobody looks at it.
const maxReply = 64 << 10

// Webhooks tell programs elsewhere how runs ended.
type Webhooks struct {
	// Client sends them.
	Client *outbound.Client
	// Key signs them. Empty: they are not signed.
	Key []byte
	// Now is the clock.
	Now func() time.Time
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
	at := strconv.FormatInt(w.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Webhook-Id", id)
	request.Header.Set("Webhook-Timestamp", at)
	if len(w.Key) > 0 {
		mac := hmac.New(sha256.New, w.Key)
		fmt.Fprintf(mac, "%s.%s.", id, at)
		mac.Write(body)
		request.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	response, err := w.Client.Send(request, outbound.Limits{Bytes: maxReply, Cut: true})
	if err != nil {
		return fmt.Errorf("webhook: %w", err)
	}
	if response.Status/100 != 2 {
		return fmt.Errorf("webhook: answered %d: %w", response.Status, fault.ErrUnavailable)
	}
	return nil
}
