package runs

import (
	"time"

	"annai/internal/outbound"
)

// WebhooksOver sends webhooks by a client of the test's.
func WebhooksOver(client *outbound.Client, key []byte, now func() time.Time) Webhooks {
	return Webhooks{client: client, key: key, now: now}
}

// IndexText is what an index takes of a value.
func IndexText(x Index, value Object) string { return x.text(value) }

// ReduceMessages merges an update into messages.
func ReduceMessages(value, update any) any { return reduceMessages(value, update) }
