package server

import (
	_ "embed"
	"fmt"
	"html/template"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
	"annai/server/httpd"
)

// A SignIn connects the owner's calendar at a service that asks for agreement on a page of its own.
type SignIn interface {
	// Begin returns the page that the browser must go to, and adds the headers that tie the attempt to this browser.
	Begin(w http.ResponseWriter) (page string, err error)
	// Callback answers the browser when it comes back.
	Callback(w http.ResponseWriter, r *http.Request)
}

//go:embed connect.html
var connectText string

var connectPage = template.Must(template.New("connect").Parse(connectText))

// connectRules let the page send its form here, and the answer to that lead on to another place.
const connectRules = "default-src 'none'; form-action 'self' https:; base-uri 'none'; frame-ancestors 'none'"

// maxForm is the largest form that is read, in bytes.
const maxForm = 4 << 10

// connect is GET /auth/google: it asks for the owner's key, since a browser that is sent to a page sends none.
func (s *Server) connect(c *gin.Context) error { return s.askForKey(c, http.StatusOK) }

func (s *Server) askForKey(c *gin.Context, status int) error {
	if s.parts.SignIn == nil {
		return door.ErrNoRoute
	}
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", connectRules)
	h.Set("Content-Type", "text/html; charset=utf-8")
	c.Status(status)
	return connectPage.Execute(c.Writer, struct{ Refused bool }{status != http.StatusOK})
}

// beginConnect is POST /auth/google: with the key it leads the browser to the service's page.
func (s *Server) beginConnect(c *gin.Context) error {
	if s.parts.SignIn == nil {
		return door.ErrNoRoute
	}
	if origin := c.Request.Header.Get("Origin"); origin != "" && !httpd.Own(c.Request, origin) {
		return fmt.Errorf("the form is of another origin: %w", fault.ErrDenied)
	}
	owner, err := s.http.Permits(c, c.PostForm("key"), door.Owner)
	if err != nil {
		return err
	}
	if !owner {
		return s.askForKey(c, http.StatusUnauthorized)
	}
	page, err := s.parts.SignIn.Begin(c.Writer)
	if err != nil {
		return err
	}
	c.Writer.Header().Set("Content-Security-Policy", connectRules)
	c.Redirect(http.StatusSeeOther, page)
	return nil
}

// connected is GET /auth/google/callback. What it takes was begun in the same browser, so that it needs no key.
func (s *Server) connected(c *gin.Context) error {
	if s.parts.SignIn == nil {
		return door.ErrNoRoute
	}
	s.parts.SignIn.Callback(c.Writer, c.Request)
	return nil
}
