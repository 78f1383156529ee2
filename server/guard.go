package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/internal/fault"
)

// preflightAge is how many seconds a browser may remember a pre-flight's answer.
const preflightAge = "600"

// checkHost denies requests that call the server by a name that is not its own: the mark of a page whose name was made to
// point at this machine. A request without Host comes from no browser.
func (s *Server) checkHost(r *http.Request) error {
	host := hostname(r.Host)
	if host == "" || s.hosts["*"] || s.hosts[host] || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return nil
	}
	if ip, err := netip.ParseAddr(host); err == nil && (ip.Unmap().IsLoopback() || ip.Unmap() == arrivedAt(r)) {
		return nil
	}
	return fmt.Errorf("host is not one of this server: %w", fault.ErrDenied)
}

// hostname returns the host of a Host header in lower case, without port, brackets and final dot.
func hostname(hostport string) string {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// arrivedAt returns the address of this machine at which the request arrived.
func arrivedAt(r *http.Request) netip.Addr {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return netip.Addr{}
	}
	address, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return netip.Addr{}
	}
	return address.Addr().Unmap()
}

// admit checks the Origin of a request against the role of its route, and tells the browser of an allowed one.
func (s *Server) admit(c *gin.Context, r role) error {
	origin := c.Request.Header.Get("Origin")
	switch {
	case r == anyone, origin == "", own(c.Request, origin):
		return nil
	case r == visitor && s.origins[origin]:
		s.allowOrigin(c, origin)
		return nil
	}
	c.Writer.Header()["Vary"] = varyOnOrigin
	return fmt.Errorf("origin may not ask as %s: %w", r, fault.ErrDenied)
}

// own says whether the origin is the server's own, as the client called it.
func own(r *http.Request, origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, r.Host)
}

func (s *Server) allowOrigin(c *gin.Context, origin string) {
	h := c.Writer.Header()
	h["Vary"] = varyOnOrigin
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "X-Request-Id, Retry-After")
}

// preflight answers a browser that asks whether a page of another origin may send a request. A plain OPTIONS passes.
func (s *Server) preflight(c *gin.Context, methods string) error {
	origin, asked := c.Request.Header.Get("Origin"), c.Request.Header
	if origin == "" || asked.Get("Access-Control-Request-Method") == "" || own(c.Request, origin) {
		return nil
	}
	if !s.origins[origin] {
		c.Writer.Header()["Vary"] = varyOnOrigin
		return fmt.Errorf("origin is not allowed: %w", fault.ErrDenied)
	}
	s.allowOrigin(c, origin)
	c.Header("Access-Control-Allow-Methods", methods)
	c.Header("Access-Control-Max-Age", preflightAge)
	if headers := asked.Get("Access-Control-Request-Headers"); headers != "" {
		c.Header("Access-Control-Allow-Headers", headers)
	}
	if asked.Get("Access-Control-Request-Private-Network") == "true" {
		c.Header("Access-Control-Allow-Private-Network", "true")
	}
	return nil
}

// set makes a set of names in lower case without a final slash, as hosts and origins are compared.
func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[strings.ToLower(strings.TrimSuffix(name, "/"))] = true
	}
	return m
}
