// Package remote has speech made by other services: by VOICEVOX and its likes, AivisSpeech among them, and by
// those that look like OpenAI. What they are sent is what a visitor is told; it goes nowhere else.
//
// A service that does not answer, or answers with something else than sound, is [fault.ErrUnavailable].
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"annai/fault"
	"annai/internal/restjson"
	"annai/internal/secret"
)

// maxSound is how many bytes of an answer are read.
const maxSound = 24 << 20

// Options are how a service is asked.
type Options struct {
	// URL is the address of the service, Key its key where it wants one.
	URL string
	Key secret.Text
	// Voice is the speaker at the service; Model, of OpenAI's alone, what it speaks with.
	Voice, Model string
	// Speed is how much faster than usual it speaks, 0.5 to 2.
	Speed float64
}

func newClient() *http.Client {
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// address joins the address of the service and a path.
func (o Options) address(path string, query url.Values) string {
	address := strings.TrimSuffix(o.URL, "/") + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// send sends JSON, "" for nothing, and returns what is answered.
func (o Options) send(
	ctx context.Context, client *http.Client, method, address, body string,
) (answer []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, restjson.Unsent(ctx, err)
	}
	request.Header.Set("Content-Type", "application/json")
	if key := string(o.Key); key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, restjson.Unsent(ctx, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxSound+1))
	switch {
	case err != nil:
		return nil, restjson.Unsent(ctx, err)
	case response.StatusCode != http.StatusOK:
		// Whatever its reason, another voice can speak instead.
		return nil, fmt.Errorf("voice service: answer %d: %w", response.StatusCode, fault.ErrUnavailable)
	case len(answer) > maxSound:
		return nil, fmt.Errorf("voice service: answer over %d bytes: %w", maxSound, fault.ErrUnavailable)
	}
	return answer, nil
}
