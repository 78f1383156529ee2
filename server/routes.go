package server

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// A role says who may ask for a route. Keys will make more of it; until then it is about pages in browsers, which
// act for whoever looks at them.
type role string

const (
	// anyone may ask: there is nothing to gain.
	anyone role = "anyone"
	// visitor is anyone but a page of another origin that is not in AllowedOrigins.
	visitor role = "visitor"
	// operator is anyone but a page of another origin, allowed or not.
	operator role = "operator"
)

// A handler decodes, makes one call and encodes. An error means that nothing was written.
type handler func(c *gin.Context) error

type route struct {
	method  string
	path    string
	role    role
	handler handler
}

// routes is everything that exists. A GET answers HEAD too, and every path OPTIONS.
func (s *Server) routes() []route {
	return []route{
		{http.MethodPost, "/query", visitor, s.query},
		{http.MethodDelete, "/sessions/:id", visitor, s.endSession},
		{http.MethodPost, "/runs/:id/cancel", visitor, s.cancelRun},

		{http.MethodGet, "/events", visitor, s.events},
		{http.MethodGet, "/emotions", visitor, s.emotions},
		{http.MethodGet, "/graph", visitor, s.graph},
		{http.MethodGet, "/venue", visitor, s.venue},

		{http.MethodGet, "/tools", visitor, s.tools},
		{http.MethodPost, "/tools/:name", visitor, s.callTool},
		{http.MethodPost, "/tools/calendar", visitor, s.callFamily("calendar")},
		{http.MethodPost, "/tools/date", visitor, s.callFamily("date")},

		{http.MethodGet, "/auth/google", anyone, s.connect},
		{http.MethodPost, "/auth/google/start", operator, s.beginConnect},
		{http.MethodGet, "/auth/google/callback", anyone, s.connected},

		{http.MethodGet, "/healthz", anyone, s.healthz},
		{http.MethodGet, "/readyz", anyone, s.readyz},
		{http.MethodGet, "/metrics", operator, s.figures},
		{http.MethodGet, "/openapi.json", anyone, s.openAPI},

		{http.MethodGet, "/", anyone, s.root},
		{http.MethodGet, "/kiosk", anyone, s.page},
		{http.MethodGet, "/kiosk/*path", anyone, s.page},
	}
}

func (s *Server) newEngine() *gin.Engine {
	gin.SetMode(gin.ReleaseMode) // in its debug mode it prints
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	engine.HandleMethodNotAllowed = true
	engine.UseRawPath = true // ids may hold an escaped slash
	engine.Use(s.observe)
	for _, r := range s.routes() {
		handle := s.handle(r)
		engine.Handle(r.method, r.path, handle)
		if r.method == http.MethodGet {
			engine.HEAD(r.path, handle)
		}
	}
	engine.NoRoute(fails(s.noRoute))
	engine.NoMethod(fails(s.noMethod))
	return engine
}

// handle guards a route by its role, then runs it.
func (s *Server) handle(r route) gin.HandlerFunc {
	return fails(func(c *gin.Context) error {
		if err := s.admit(c, r.role); err != nil {
			return err
		}
		return r.handler(c)
	})
}

// fails leaves the error where observe finds it.
func fails(h handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := h(c); err != nil {
			_ = c.Error(err)
		}
	}
}

func (s *Server) root(c *gin.Context) error {
	c.Redirect(http.StatusFound, "/kiosk")
	return nil
}

func (s *Server) noRoute(*gin.Context) error { return errNoRoute }

// noMethod answers OPTIONS, with or without a pre-flight's questions, and refuses other methods. Gin has set Allow.
func (s *Server) noMethod(c *gin.Context) error {
	allowed := c.Writer.Header().Get("Allow") + ", " + http.MethodOptions
	c.Header("Allow", allowed)
	if c.Request.Method != http.MethodOptions {
		return errMethod
	}
	if err := s.preflight(c, allowed); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
