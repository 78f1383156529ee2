// Package door is what a door gives the server: a table of routes in a protocol of somebody else, and how failures look in it.
//
// The idea to hold: a door decodes, makes one call and encodes; who may ask, from where, how much and how often is the server's to
// check, before a handler runs. The package knows no protocol.
package door

import (
	"github.com/gin-gonic/gin"
)

// A Role says who may ask for a route. Each may what those before it may.
type Role string

// The roles.
const (
	// Anyone may ask, key or not, from any page: there is nothing to gain.
	Anyone Role = "anyone"
	// Visitor is whoever stands before a kiosk or an avatar.
	Visitor Role = "visitor"
	// Owner is a visitor who also has a calendar of their own.
	Owner Role = "owner"
	// Operator runs the venue: knowledge, settings, all threads, figures.
	Operator Role = "operator"
)

// A Handler decodes, makes one call and encodes. An error means that nothing was written, or that what was written breaks off here.
type Handler func(c *gin.Context) error

// A Route is one method of one path.
type Route struct {
	// Method is that of HTTP; GET answers HEAD too. Path is Gin's. At the same place of two paths a parameter must have the same name, in all
	// doors: what follows /runs/, /sessions/ and the like is :id.
	Method, Path string
	Role         Role
	Handle       Handler
	// MaxBody is the largest body in bytes; 0: the server's setting.
	MaxBody int64
	// Long says that an answer may take longer than others: a stream that ends when its reader or its run does.
	Long bool
}

// A Door is a protocol.
type Door struct {
	// Name is lower case, for logs and figures: "openai".
	Name   string
	Routes []Route
	// Fail answers with the error in the words of the protocol, and returns the status. Nothing was written before. The error may be of this
	// door's handlers or of the server: a key that is not known, a body that is too large. Status and code are what the server would answer
	// in its own words, message is safe to show.
	Fail func(c *gin.Context, failure Failure)
}

// A Failure is what the outside sees of an error.
type Failure struct {
	Err error
	// Status is that of HTTP, Code one of api's: "not_found". Message is English, for whoever wrote the client.
	Status        int
	Code, Message string
	// Say is what an avatar says to the visitor, in Language, without a tag.
	Say, Language string
}

// A Caller is who asks.
type Caller struct {
	// Role is that of the key, or what those without one are.
	Role Role
	// Key names the key, as the operator named it. Empty: none was sent.
	Key string
	// Address is that of the client, without port.
	Address string
}

const callerKey = "annai.caller"

// Is says whether the caller may what the role may.
func (c Caller) Is(r Role) bool { return rank[c.Role] >= rank[r] }

var rank = map[Role]int{Anyone: 0, Visitor: 1, Owner: 2, Operator: 3}

// SetCaller notes who asks; the server does, before a handler runs.
func SetCaller(c *gin.Context, caller Caller) { c.Set(callerKey, caller) }

// CallerOf returns who asks.
func CallerOf(c *gin.Context) Caller {
	caller, _ := c.Get(callerKey)
	known, _ := caller.(Caller)
	return known
}
