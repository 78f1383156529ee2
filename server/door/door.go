// Package door is what a door gives the server: a table of routes in a protocol of somebody else, and how failures look in it.
//
// The idea to hold: a door decodes, makes one call and encodes; who may ask, from where, how much and how often is the server's to
// check, before a handler runs. The package knows no protocol.
package door

import (
	"github.com/gin-gonic/gin"

	"annai/nodes"
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

// A Handler decodes, makes one call and encodes. An error means that nothing was written, or that what was written breaks off here: then
// the handler has written its last words itself, with the help of [Explain], and the error is only for the log.
type Handler func(c *gin.Context) error

// A Route is one method of one path.
type Route struct {
	// Method is that of HTTP; GET answers HEAD too. Path is Gin's. At the same place of two paths a parameter must have the same name, in all
	// doors: what follows /runs/, /sessions/ and the like is :id.
	Method, Path string
	Role         Role
	Handle       Handler
	// KeyInURL says that the key may be ?key= in the path's query, because the client has no other place for it: a WebSocket.
	KeyInURL bool
	// MaxBody is the largest body in bytes; 0: the server's setting. Reading more is [ErrTooLarge].
	MaxBody int64
	// Long says that an answer may take longer than others: a stream or a socket that ends when its reader or its run does. It may last as
	// long as somebody reads it; its request's context ends with [ErrStopping] once the server stops and no run of the [Gate] is left.
	Long bool
}

// A Door is a protocol.
type Door struct {
	// Name is lower case, for logs and figures: "openai".
	Name   string
	Routes []Route
	// Fail answers with the failure in the words of the protocol. Nothing was written before, and the headers that all failures share
	// (Retry-After, WWW-Authenticate) are set. The failure may be of this door's handlers or of the server: a key that is not known, a body
	// that is too large, a path below those of this door at which there is nothing.
	Fail func(c *gin.Context, failure Failure)
}

// A Caller is who asks.
type Caller struct {
	// Role is that of the key, or what those without one are.
	Role Role
	// Key names the key, as the operator named it. Empty: none was sent.
	Key string
	// Owner is the name of the owner whose key it is. Empty: of none in particular.
	Owner string
	// Operates says that the caller may operate whatever their role, because no key for that was ever set.
	Operates bool
	// Address is that of the client, without port.
	Address string
}

const callerKey = "annai.caller"

// Is says whether the caller may what the role may.
func (c Caller) Is(r Role) bool { return rank[c.Role] >= rank[r] || r == Operator && c.Operates }

// Speaker returns who speaks, as the concierge knows them.
func (c Caller) Speaker() nodes.Speaker { return nodes.Speaker{Owner: c.Is(Owner), Name: c.Owner} }

var rank = map[Role]int{Anyone: 0, Visitor: 1, Owner: 2, Operator: 3}

// SetCaller notes who asks; the server does, before a handler runs.
func SetCaller(c *gin.Context, caller Caller) { c.Set(callerKey, caller) }

// CallerOf returns who asks.
func CallerOf(c *gin.Context) Caller {
	caller, _ := c.Get(callerKey)
	known, _ := caller.(Caller)
	return known
}
