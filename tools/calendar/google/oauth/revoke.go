package oauth

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// Revoke ends a token at Google, with all access tokens made of it. One that Google does not know any more is revoked already, and no error. The
// error is a [Problem]. A nil transport is one of our own, without a proxy.
func Revoke(ctx context.Context, client Client, t Token, transport http.RoundTripper) error {
	address, err := client.revokeURL()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	body := strings.NewReader(url.Values{"token": {string(t.RefreshToken)}}.Encode())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return fmt.Errorf("revoke: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if transport == nil {
		transport = ownTransport()
	}
	c := httpClient(transport)
	defer c.CloseIdleConnections()
	response, err := c.Do(request)
	if err != nil {
		return problemOf(err, client.Secret, t.RefreshToken)
	}
	defer func() { _ = response.Body.Close() }() // it was read as far as it matters
	if response.StatusCode == http.StatusOK {
		return nil
	}
	var said struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return problemOf(err, client.Secret, t.RefreshToken)
	}
	_ = json.Unmarshal(data, &said) // what is no JSON has no reason
	if response.StatusCode == http.StatusBadRequest && said.Error == "invalid_token" {
		return nil
	}
	return problemOf(&oauth2.RetrieveError{Response: response, ErrorCode: said.Error, ErrorDescription: said.Description}, client.Secret, t.RefreshToken)
}
