package mcp

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"annai/server/door"
	"annai/tools"
)

const (
	path            = "/mcp"
	headerSession   = "Mcp-Session-Id"
	headerVersion   = "Mcp-Protocol-Version"
	sessionless     = "2026-07-28" // from this version of the protocol on, a request stands for itself
	maxBody         = 1 << 20
	visitorBody     = 64 << 10
	codeUnavailable = -32000 // of JSON-RPC: an error of the server's own
)

// Door returns the protocol over streamable HTTP. Its host and origin are checked by the server, as for all doors.
func (s *Server) Door() door.Door {
	handle := func(c *gin.Context) error {
		if c.Request.Method == http.MethodPost {
			if err := door.ChargeBatch(c, s.parts.Tools.Requests); err != nil {
				return err
			}
		}
		who := identify(c)
		served := s.of(who)
		if c.Request.Header.Get(headerVersion) >= sessionless {
			served.sessionless.ServeHTTP(c.Writer, c.Request)
			return nil
		}
		if c.Request.Header.Get(headerSession) == "" {
			if err := s.room(who); err != nil {
				return err
			}
		}
		served.sessions.ServeHTTP(c.Writer, c.Request)
		return nil
	}
	var routes []door.Route
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		routes = append(routes, door.Route{
			Method: method, Path: path, Role: door.Visitor, Handle: handle,
			MaxBody: maxBody, VisitorBody: visitorBody, Long: true, Endless: method == http.MethodGet,
		})
	}
	return door.Door{Name: "mcp", Routes: routes, Fail: fail}
}

// serve makes the handlers of a kind of caller. A session lives in one of them, so that with another key there is no such session.
func (s *Server) serve(server *sdk.Server) *served {
	choose := func(*http.Request) *sdk.Server { return server }
	options := sdk.StreamableHTTPOptions{Logger: s.opts.Log, SessionTimeout: s.opts.SessionIdle, DisableLocalhostProtection: true, MaxRequestBodyBytes: maxBody}
	sessions := sdk.NewStreamableHTTPHandler(choose, &options)
	options.Stateless, options.PropagateRequestCancellation = true, true
	return &served{server: server, sessions: sessions, sessionless: sdk.NewStreamableHTTPHandler(choose, &options)}
}

// identify says who asks.
func identify(c *gin.Context) identity {
	caller := door.CallerOf(c)
	spoken := language(c.Request.Header.Get("Accept-Language"))
	who := identity{role: tools.Visitor, speaker: caller.Speaker(), language: spoken}
	if caller.Is(door.Owner) {
		who.role, who.owner = tools.Owner, caller.Owner
	}
	return who
}

// room says whether the caller may have one session more: callers of the same role leave room for
// each other, and visitors for others.
func (s *Server) room(who identity) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, own := 0, 0
	for other, served := range s.served {
		if other.role == who.role {
			n := count(served)
			all += n
			if other.speaker == who.speaker {
				own += n
			}
		}
	}
	if all >= s.opts.MaxSessions || own >= s.opts.MaxOwn && who.role == tools.Visitor {
		return &door.RateError{Wait: sessionWait}
	}
	return nil
}

// sessionWait is after how long somebody may try again who has too many sessions.
const sessionWait = time.Minute

// language is the first of ours that a client names; English if none, since that is what clients of this protocol speak.
func language(accept string) string {
	for tag := range strings.SplitSeq(accept, ",") {
		tag, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(tag)), ";")
		switch tag, _, _ = strings.Cut(tag, "-"); tag {
		case "ja", "en":
			return tag
		}
	}
	return "en"
}

// fail answers as JSON-RPC does where no request was read.
func fail(c *gin.Context, f door.Failure) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": codeUnavailable, "message": f.Message}})
	if err != nil { // strings always can be
		body = []byte(strconv.Quote(f.Code))
	}
	c.Data(f.Status, "application/json", body)
}
