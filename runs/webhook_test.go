package runs_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/outbound"
	"annai/internal/outbound/outboundtest"
	"annai/runs"
)

func webhooks(t *testing.T, opts outbound.Options, key string) runs.Webhooks {
	t.Helper()
	opts.OwnPort = true
	client, err := outbound.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return runs.WebhooksOver(client, []byte(key), func() time.Time { return time.Unix(1614265330, 0) })
}

// The id, time, body, key and signature are the example of the specification of Standard Webhooks.
func TestWebhooksAreSigned(t *testing.T) {
	const (
		id   = "msg_p5jXN8AQM9LWM0D4loKWxJek"
		body = `{"test": 2432232314}`
		want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	)
	key, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	var got http.Header
	var said string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got, said = r.Header.Clone(), string(data)
	}))
	defer server.Close()
	w := webhooks(t, outbound.Options{Loopback: true}, string(key))
	if err := w.Post(t.Context(), id, server.URL, []byte(body)); err != nil {
		t.Fatalf("Post to loopback, which may be named = %v", err)
	}
	if said != body || got.Get("Webhook-Id") != id || got.Get("Webhook-Timestamp") != "1614265330" {
		t.Errorf("got %q with the headers %v, want the id, the time and the body", said, got)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + ".1614265330." + body))
	if computed := "v1," +
		base64.StdEncoding.EncodeToString(mac.Sum(nil)); got.Get("Webhook-Signature") != computed ||
		computed != want {
		t.Errorf("signature = %s, want %s, which is %s", got.Get("Webhook-Signature"), computed, want)
	}
	w = webhooks(t, outbound.Options{Loopback: true}, "")
	if err := w.Post(t.Context(), id, server.URL, nil); err != nil || got.Get("Webhook-Signature") != "" {
		t.Errorf("Post without a key = %v with signature %q, want none", err, got.Get("Webhook-Signature"))
	}
}

func TestWebhooksReachNothingInside(t *testing.T) {
	outboundtest.Run(t, func(t *testing.T, client *outbound.Client, address string) error {
		return runs.WebhooksOver(client, nil, time.Now).Post(t.Context(), "msg_1", address, []byte("{}"))
	})
	teapot := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }
	server := httptest.NewServer(http.HandlerFunc(teapot))
	defer server.Close()
	w := webhooks(t, outbound.Options{}, "")
	if err := w.Post(t.Context(), "msg_1", server.URL, nil); !errors.Is(err, outbound.ErrRefused) {
		t.Errorf("Post to loopback, which may not be named = %v, want it refused", err)
	}
	w = webhooks(t, outbound.Options{Loopback: true}, "")
	err := w.Post(t.Context(), "msg_1", server.URL+"/hook?token=secret", nil)
	if !errors.Is(err, fault.ErrUnavailable) || strings.Contains(err.Error(), "secret") {
		t.Errorf("Post that is not taken = %v, want ErrUnavailable without the address", err)
	}
}
