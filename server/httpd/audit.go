package httpd

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/gin-gonic/gin"

	"annai/internal/auditlog"
	"annai/server/door"
	"annai/server/keys"
)

const routeKey = "annai.route"

// audit keeps what owners and operators did, what was erased, and who was refused.
func (s *Server) audit(c *gin.Context, status int) {
	caller := door.CallerOf(c)
	refused := isRefusal(status)
	if refused && !s.tells(c) || !refused && !isAct(c, caller) {
		return
	}
	e := auditlog.Entry{
		At:   time.Now(), //nolint:forbidigo // when it was, whatever the venue's clock says
		What: auditlog.Request, Key: caller.Key, Role: keys.WordOf(caller.Role), Address: caller.Address,
		Method: method(c), Route: c.FullPath(), Object: objects(c),
		Outcome: auditlog.Failed, Status: status, RequestID: RequestID(c),
	}
	switch {
	case refused && caller.Key == "":
		e.Role = ""
	case caller.Operates && caller.Key == "" && caller.Local:
		e.Role = keys.WordOf(door.Operator)
	}
	switch {
	case refused:
		e.Outcome = auditlog.Refused
	case status < http.StatusBadRequest:
		e.Outcome = auditlog.Done
	}
	s.parts.Audit.Write(e)
}

func isRefusal(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// isAct says whether a request is one that is kept: all that need more than a visitor's role or are
// done with it, but for what everybody may read, and what erases.
func isAct(c *gin.Context, caller door.Caller) bool {
	known, _ := c.Get(routeKey)
	r, ok := known.(door.Route)
	switch {
	case !ok || r.Role == door.Anyone || r.Path == metricsPath: // which is asked for all day
		return false
	case r.Role != door.Visitor, r.Audited:
		return true
	case caller.Role == door.Owner, caller.Role == door.Operator:
		reads := c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
		return !reads || len(c.Params) > 0
	}
	return c.Request.Method == http.MethodDelete
}

// method is that of the request, which may be anything.
func method(c *gin.Context) string {
	if c.FullPath() == "" {
		return ""
	}
	return c.Request.Method
}

// objects are what the path names, and what its handler noted.
func objects(c *gin.Context) map[string]string {
	all := map[string]string{}
	for _, p := range c.Params {
		all[p.Key] = p.Value
	}
	for kind, id := range door.ObjectsOf(c) {
		all[kind] = id
	}
	if device := door.DeviceOf(c.Request); device != "" {
		all["device"] = device
	}
	return all
}

// tells says whether one more refusal of that network is worth a line: whoever is refused all the
// time does not fill the disk.
func (s *Server) tells(c *gin.Context) bool {
	if told, asked := c.Get(toldKey); asked {
		return told == true
	}
	address, err := netip.ParseAddr(door.CallerOf(c).Address)
	if err != nil {
		address, _ = s.clientOf(c.Request)
	}
	told := s.limits.told.Take(NetworkOf(address), s.parts.Now(), 1) == nil
	c.Set(toldKey, told)
	return told
}

const toldKey = "annai.told"
