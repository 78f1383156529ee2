package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// routes is everything that our own door has, besides what [httpd.Server] has. A GET answers HEAD too, and every
// path OPTIONS.
func (s *Server) routes() []door.Route {
	return []door.Route{
		{Method: http.MethodPost, Path: "/query", Role: door.Visitor, Handle: s.query},
		{Method: http.MethodDelete, Path: "/sessions/:id", Role: door.Visitor, Handle: s.endSession},
		{Method: http.MethodPost, Path: "/runs/:id/cancel", Role: door.Visitor, Handle: s.cancelRun},
		{Method: http.MethodGet, Path: speechPath + ":name", Role: door.Visitor, Handle: s.speech},
		{Method: http.MethodPost, Path: "/feedback", Role: door.Visitor, Handle: s.feedback},
		{Method: http.MethodPost, Path: "/staff-calls", Role: door.Visitor, Handle: s.callStaff, Audited: true},
		{Method: http.MethodPost, Path: "/handovers", Role: door.Visitor, Handle: s.handOver},
		{Method: http.MethodGet, Path: phonePath + ":id", Role: door.Anyone, Handle: s.phone},
		{Method: http.MethodPost, Path: "/capture", Role: door.Owner, Handle: s.capture, MaxBody: maxCapture},

		{Method: http.MethodGet, Path: "/events", Role: door.Visitor, Handle: s.events},
		{Method: http.MethodGet, Path: "/emotions", Role: door.Visitor, Handle: s.emotions},
		{Method: http.MethodGet, Path: "/graph", Role: door.Visitor, Handle: s.graph},
		{Method: http.MethodGet, Path: "/venue", Role: door.Visitor, Handle: s.venue},
		{Method: http.MethodGet, Path: "/kept", Role: door.Visitor, Handle: s.keep},
		{Method: http.MethodPost, Path: "/heartbeat", Role: door.Visitor, Handle: s.heartbeat},
		{Method: http.MethodPost, Path: "/corner", Role: door.Visitor, Handle: s.corner, Audited: true},
		{Method: http.MethodGet, Path: "/venue/avatar/:name", Role: door.Visitor, Handle: s.avatar},
		{Method: http.MethodGet, Path: "/venue/crest/:name", Role: door.Anyone, Handle: s.crest},
		{Method: http.MethodGet, Path: "/preview", Role: door.Visitor, Handle: s.preview},

		{Method: http.MethodGet, Path: "/tools", Role: door.Visitor, Handle: s.tools},
		{Method: http.MethodPost, Path: "/tools/:name", Role: door.Visitor, Handle: s.callTool, MaxBody: maxToolBody},
		{Method: http.MethodPost, Path: "/tools/calendar", Role: door.Visitor, Handle: s.callFamily("calendar")},
		{Method: http.MethodPost, Path: "/tools/date", Role: door.Visitor, Handle: s.callFamily("date")},

		{Method: http.MethodGet, Path: "/media/:name", Role: door.Anyone, Handle: s.media},

		{Method: http.MethodGet, Path: PicturePath + ":name", Role: door.Anyone, Handle: s.picture},

		{Method: http.MethodGet, Path: "/auth/google", Role: door.Anyone, Handle: s.connect},
		{
			Method: http.MethodPost, Path: "/auth/google/start", Role: door.Anyone, Handle: s.beginConnect,
			MaxBody: maxForm,
		},
		{Method: http.MethodGet, Path: "/auth/google/callback", Role: door.Anyone, Handle: s.connected},

		{
			Method: http.MethodGet, Path: "/admin/visitors/export", Role: door.Operator, Handle: s.exportVisitor,
			Long: true,
		},
		{Method: http.MethodGet, Path: "/admin/kiosks", Role: door.Operator, Handle: s.listKiosks},
		{Method: http.MethodDelete, Path: "/admin/visitors", Role: door.Operator, Handle: s.forgetVisitor, Long: true},

		{Method: http.MethodGet, Path: "/openapi.json", Role: door.Anyone, Handle: s.openAPI},

		{Method: http.MethodGet, Path: "/", Role: door.Anyone, Handle: s.root},
		{Method: http.MethodGet, Path: "/kiosk", Role: door.Anyone, Handle: s.page},
		{Method: http.MethodGet, Path: "/kiosk/*path", Role: door.Anyone, Handle: s.page},
	}
}

// door is our own.
func (s *Server) door() door.Door {
	return door.Door{Name: "annai", Routes: s.routes(), Fail: s.fail}
}

// Routes returns what is served, of all doors, as "GET /venue". HEAD is where GET is, and not listed.
func (s *Server) Routes() []string { return s.http.Routes() }

func (s *Server) root(c *gin.Context) error {
	c.Redirect(http.StatusFound, "/kiosk")
	return nil
}
