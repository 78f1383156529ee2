// Package doortest serves a door to its tests, without the server before it.
package doortest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// Handler serves the routes of a door, to whoever the caller of a request is said to be, and
// charges as the server does that counts no requests but those that a door charges.
func Handler(d door.Door, caller func(r *http.Request) door.Caller, charge func(n int) error) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	for _, route := range d.Routes {
		engine.Handle(route.Method, route.Path, func(c *gin.Context) {
			door.SetCaller(c, caller(c.Request))
			door.SetCharge(c, charge)
			if err := route.Handle(c); err != nil && !c.Writer.Written() {
				d.Fail(c, door.Explain(err, c.GetHeader("Accept-Language")))
			}
		})
	}
	return engine
}

// ByKey tells visitors apart by the key that they send.
func ByKey(r *http.Request) door.Caller {
	return door.Caller{Role: door.Visitor, Key: r.Header.Get("X-Api-Key"), Network: "here"}
}

// Free charges nothing.
func Free(int) error { return nil }
