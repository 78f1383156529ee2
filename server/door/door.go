// Package door is what a door gives the server: a table of routes in a protocol of somebody else, and how failures look in it.
//
// The idea to hold: a door decodes, makes one call and encodes; who may ask, from where, how much and how often is the server's to
// check, before a handler runs. The package knows no protocol.
package door

import (
	"net/http"
	"strings"
	"time"

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
	// VisitorBody is the largest of who is bounded; 0: as large.
	MaxBody, VisitorBody int64
	// Long says that an answer may take longer than others: a stream or a socket that ends when its reader or its run does. It may last as
	// long as somebody reads it; its request's context ends with [ErrStopping] once the server stops and no run is left.
	Long bool
	// Audited says that who asks is kept in the audit log whatever their role.
	Audited bool
	// Endless says that a long answer has no end of its own. When the server stops it is ended once
	// no run is left; other long ones may come to their end until the grace is over.
	Endless bool
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

// A Rate is how many requests there may be at once, Count, and in what time as many more become
// possible, Per. Its zero value is no limit.
type Rate struct {
	Count int
	Per   time.Duration
}

// A Caller is who asks.
type Caller struct {
	// Role is that of the key, or what those without one are.
	Role Role
	// Key names the key, as the operator named it. Empty: none was sent. KeyPrint tells keys of one
	// name apart, where one took the place of another.
	Key      string
	KeyPrint uint64
	// Rate is how often may be asked with the key, in place of the limits for all. Zero: there is none.
	Rate Rate
	// Owner is the name of the owner whose key it is. Empty: of none in particular.
	Owner string
	// Operates says that the caller may operate whatever their role, because no key for that was ever set.
	Operates bool
	// Address is that of the client, without port; "" where it is not known.
	Address string
	// Network is the network that counts as one place with the address: "203.0.113.5/32".
	Network string
	// Local says that the caller is on this machine.
	Local bool
}

// Name tells callers apart: by their key, with its role, or by where they are. What one made is not
// there for another.
func (c Caller) Name() string {
	switch {
	case c.Key != "":
		return string(c.Role) + " " + c.Key
	case c.Local:
		return "this machine"
	default:
		return c.Network
	}
}

// Speaker tells callers of the concierge apart; this machine without a key has no name.
func (c Caller) Speaker() string {
	if c.Key == "" && c.Local {
		return ""
	}
	return c.Name()
}

// Bounded says whether the caller is bounded in what they ask and keep: visitors are, but for this
// machine without a key.
func (c Caller) Bounded() bool { return c.Role == Visitor && (c.Key != "" || !c.Local) }

// maxDevice is how many characters the name of a device may have.
const maxDevice = 40

// DeviceOf returns the name of the kiosk that a request comes from, as it names itself in X-Device: letters, digits,
// dots, dashes and underscores. Empty: it has none.
func DeviceOf(r *http.Request) string {
	if name := r.Header.Get("X-Device"); len(name) <= maxDevice && IsName(name) {
		return name
	}
	return ""
}

// IsName reports whether a text has nothing but letters, digits, dots, dashes and underscores.
func IsName(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
	})
}

const callerKey = "annai.caller"

// Is says whether the caller may what the role may.
func (c Caller) Is(r Role) bool { return rank[c.Role] >= rank[r] || r == Operator && c.Operates }

var rank = map[Role]int{Anyone: 0, Visitor: 1, Owner: 2, Operator: 3}

const objectKey = "annai.object"

// SetObject notes to what the request is done, besides what its path says: for whoever keeps who did
// what. Kind is "thread", "run" and the like, id never what somebody said.
func SetObject(c *gin.Context, kind, id string) {
	objects := ObjectsOf(c)
	if objects == nil {
		objects = map[string]string{}
		c.Set(objectKey, objects)
	}
	objects[kind] = id
}

// ObjectsOf returns what SetObject noted.
func ObjectsOf(c *gin.Context) map[string]string {
	objects, _ := c.Get(objectKey)
	known, _ := objects.(map[string]string)
	return known
}

const chargeKey = "annai.charge"

// SetCharge notes how [Charge] charges; the server does, before a handler runs.
func SetCharge(c *gin.Context, charge func(n int) error) { c.Set(chargeKey, charge) }

// Charge counts n things that a request asks for, besides the request itself, as if each were one.
// The error is a [RateError], or [fault.ErrInvalid] for more than may ever be asked for at once.
func Charge(c *gin.Context, n int) error {
	charge, _ := c.Get(chargeKey)
	if do, ok := charge.(func(int) error); ok && n > 0 {
		return do(n)
	}
	return nil
}

const holdKey = "annai.hold"

// SetHold notes how [Hold] counts; the server does, before a handler runs.
func SetHold(c *gin.Context, hold func(bytes int) error) { c.Set(holdKey, hold) }

// Hold counts the bytes of an answer that is large with those of bodies that the caller has under way: it is kept until
// it was read. The body of the request counts no more. The error is a [RateError].
func Hold(c *gin.Context, bytes int) error {
	hold, _ := c.Get(holdKey)
	if do, ok := hold.(func(int) error); ok {
		return do(bytes)
	}
	return nil
}

// SetCaller notes who asks; the server does, before a handler runs.
func SetCaller(c *gin.Context, caller Caller) { c.Set(callerKey, caller) }

// CallerOf returns who asks.
func CallerOf(c *gin.Context) Caller {
	caller, _ := c.Get(callerKey)
	known, _ := caller.(Caller)
	return known
}
