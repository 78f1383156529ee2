package httpd

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
)

// preflightAge is how many seconds a browser may remember a pre-flight's answer.
const preflightAge = "600"

// exposed are the headers that pages of other origins may read: ours, and those by which clients of the protocols
// find their way.
const exposed = "X-Request-Id, Retry-After, Content-Location, Location, X-Pagination-Total, " +
	"X-Pagination-Next, Mcp-Session-Id, Mcp-Protocol-Version"

// checkHost denies requests that call the server by a name that is not its own: the mark of a page whose name was
// made to point at this machine. A request without Host comes from no browser.
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

// checkOrigin denies pages of other origins than the allowed ones, because they act for whoever looks at them.
// What operators do, an allowed one may with a key, or if it is served on this machine: the machine's being open
// must not make a page from elsewhere the operator.
//
// A page that asks for something only to have it loaded, as an image, sends no Origin; browsers then say in
// Sec-Fetch-Site where it came from.
func (s *Server) checkOrigin(c *gin.Context, caller door.Caller, r door.Role) error {
	origin := c.Request.Header.Get("Origin")
	switch {
	case origin == "":
		if site := c.Request.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
			return fmt.Errorf("a page of another site asks: %w", fault.ErrDenied)
		}
		return nil
	case Own(c.Request, origin), s.allows(origin) && (r != door.Operator || caller.Key != "" || isLocal(origin)):
		return nil
	}
	return fmt.Errorf("origin may not ask as %s: %w", r, fault.ErrDenied)
}

// allows says whether pages of the origin may ask.
func (s *Server) allows(origin string) bool {
	return s.origins[origin] || s.opts.LocalOrigins && isLocal(origin)
}

// Own says whether the origin is the server's own, as the client called it.
func Own(r *http.Request, origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, r.Host)
}

// isLocal says whether the origin is on the browser's machine.
func isLocal(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// allowOrigin lets pages of an allowed origin read the answer, whatever it is.
func (s *Server) allowOrigin(c *gin.Context) {
	origin := c.Request.Header.Get("Origin")
	if origin == "" {
		return
	}
	h := c.Writer.Header()
	h["Vary"] = varyOnOrigin
	if !s.allows(origin) {
		return
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", exposed)
}

// preflight answers a browser that asks whether a page of another origin may send a request. A plain OPTIONS passes.
func (s *Server) preflight(c *gin.Context, methods string) error {
	origin, asked := c.Request.Header.Get("Origin"), c.Request.Header
	if origin == "" || asked.Get("Access-Control-Request-Method") == "" || Own(c.Request, origin) {
		return nil
	}
	if !s.allows(origin) {
		return fmt.Errorf("origin is not allowed: %w", fault.ErrDenied)
	}
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
