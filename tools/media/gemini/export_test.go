package gemini

import "net/http"

// Over has a client send its requests by t.
func Over(c *Client, t http.RoundTripper) { c.http.Transport = t }
