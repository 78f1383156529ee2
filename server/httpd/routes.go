package httpd

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/internal/traceparent"
	"annai/server/door"
)

// Common are the routes that every server has. They belong to the first door.
func (s *Server) Common() []door.Route {
	return []door.Route{
		{Method: http.MethodGet, Path: "/healthz", Role: door.Anyone, Handle: s.healthz},
		{Method: http.MethodGet, Path: "/readyz", Role: door.Anyone, Handle: s.readyz},
		{Method: http.MethodGet, Path: metricsPath, Role: door.Operator, Handle: s.metrics},
	}
}

func (s *Server) newEngine() *gin.Engine {
	gin.SetMode(gin.ReleaseMode) // in its debug mode it prints
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	engine.HandleMethodNotAllowed = true
	engine.UseRawPath = true // ids may hold an escaped slash
	engine.Use(s.observe)
	s.mount(engine, &s.parts.Doors[0], s.Common())
	for i := range s.parts.Doors {
		s.mount(engine, &s.parts.Doors[i], s.parts.Doors[i].Routes)
	}
	engine.NoRoute(fails(s.noRoute))
	engine.NoMethod(fails(s.noMethod))
	return engine
}

// Routes returns what is served, of all doors, as "GET /venue". HEAD is where GET is, and not listed.
func (s *Server) Routes() []string {
	var all []string
	for _, r := range s.engine.Routes() {
		if r.Method != http.MethodHead {
			all = append(all, r.Method+" "+r.Path)
		}
	}
	return all
}

// mount adds the routes of a door. It panics where two routes contradict each other.
func (s *Server) mount(engine *gin.Engine, d *door.Door, routes []door.Route) {
	for _, r := range routes {
		handle := s.handle(r)
		engine.Handle(r.Method, r.Path, handle)
		if r.Method == http.MethodGet {
			engine.HEAD(r.Path, handle)
		}
		for _, path := range []string{r.Path, firstOf(r.Path)} {
			if _, taken := s.doors[path]; !taken {
				s.doors[path] = d
			}
		}
	}
}

// handle guards a route, then runs it.
func (s *Server) handle(r door.Route) gin.HandlerFunc {
	do := r.Handle
	or(&r.MaxBody, s.opts.MaxBody)
	or(&r.VisitorBody, r.MaxBody)
	if r.Long {
		do = s.long(do, r.Endless)
	}
	bounded := r.Role != door.Anyone
	return fails(func(c *gin.Context) error {
		c.Set(routeKey, r)
		if err := s.admit(c, r); err != nil {
			return err
		}
		limit, caller := r.MaxBody, door.CallerOf(c)
		follow(c, caller)
		if caller.Bounded() {
			limit = r.VisitorBody
		}
		if err := LimitBody(c, limit); err != nil {
			return err
		}
		if !bounded {
			return do(c)
		}
		here, err := s.crowds.enter(caller, c.Request.ContentLength, limit)
		if err != nil {
			return err
		}
		defer here.leave()
		door.SetHold(c, func(bytes int) error { return here.hold(int64(bytes)) })
		return do(c)
	})
}

// follow makes what is asked a part of the caller's trace. Visitors, whom anybody can be, are not believed: they would
// decide what is traced, and write into the traces of others.
func follow(c *gin.Context, caller door.Caller) {
	if parent := c.Request.Header.Get(traceparent.Header); parent != "" && !caller.Bounded() {
		c.Request = c.Request.WithContext(traceparent.WithParent(c.Request.Context(), parent))
	}
}

// admit checks who asks for a route, from where and how often.
func (s *Server) admit(c *gin.Context, r door.Route) error {
	caller, err := s.identify(c, r)
	door.SetCaller(c, caller)
	if r.Role == door.Anyone {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.permit(c, caller, r.Role); err != nil {
		return err
	}
	if err := s.checkOrigin(c, caller, r.Role); err != nil {
		return err
	}
	s.charge(c, caller)
	return s.limits.ask(caller, s.parts.Now(), 1)
}

// fails leaves the error where observe finds it.
func fails(h door.Handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := h(c); err != nil {
			_ = c.Error(err)
		}
	}
}

func (s *Server) noRoute(*gin.Context) error { return door.ErrNoRoute }

// methodsAt returns the methods that there are at a path. Gin says it too, but takes what it tried for
// one method for a match of the next (in 1.12).
func (s *Server) methodsAt(path string) (methods []string) {
	for _, r := range s.engine.Routes() {
		if matches(r.Path, path) && !slices.Contains(methods, r.Method) {
			methods = append(methods, r.Method)
		}
	}
	slices.Sort(methods)
	return methods
}

// matches says whether a path is one of a route.
func matches(route, path string) bool {
	parts := strings.Split(path, "/")
	for i, name := range strings.Split(route, "/") {
		switch {
		case strings.HasPrefix(name, "*"):
			return i < len(parts)
		case i >= len(parts), !strings.HasPrefix(name, ":") && name != parts[i], name != "" && parts[i] == "":
			return false
		}
	}
	return strings.Count(route, "/") == strings.Count(path, "/")
}

// noMethod answers OPTIONS, with or without a pre-flight's questions, and refuses other methods.
func (s *Server) noMethod(c *gin.Context) error {
	methods := s.methodsAt(c.Request.URL.EscapedPath())
	if len(methods) == 0 {
		c.Writer.Header().Del("Allow")
		return door.ErrNoRoute
	}
	allowed := strings.Join(append(methods, http.MethodOptions), ", ")
	c.Header("Allow", allowed)
	if c.Request.Method != http.MethodOptions {
		return door.ErrMethod
	}
	if err := s.preflight(c, allowed); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
