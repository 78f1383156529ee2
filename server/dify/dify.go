// Package dify is the door for clients of Dify's chat apps: the concierge looks like an app of that
// kind, whose memory is on the server.
//
// The idea to hold: a conversation is a session, made here under a name that nobody can guess, and
// known only together with the user who began it. What a client sets in inputs chooses how the
// answer is written, and nothing else.
package dify

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
	"annai/voice"
)

// Parts are what the door is made of. All are required.
type Parts struct {
	Gate *gate.Gate
	// Now is the clock, NewID makes ids, which are UUIDs.
	Now   func() time.Time
	NewID func() string
	// Name says what the app is called.
	Name string
}

// Options are the settings of the door that have a default.
type Options struct {
	// Suggestions returns questions that a visitor may ask, in "ja" or "en". Nil: there are none.
	Suggestions func(language string) []string
	// Voice speaks, at POST /v1/text-to-audio. Nil: nobody does.
	Voice *voice.Cache
}

// maxBody is the largest request in bytes: AITuberKit sends a picture along.
const maxBody = 8 << 20

// A service is the door behind its routes.
type service struct {
	parts    Parts
	opts     Options
	answerer *render.Answerer
}

// New returns the door. Missing parts are [fault.ErrInvalid].
func New(parts Parts, opts Options) (door.Door, error) {
	if parts.Gate == nil || parts.Now == nil || parts.NewID == nil {
		return door.Door{}, fmt.Errorf("new door for clients of Dify: a part is missing: %w", fault.ErrInvalid)
	}
	if opts.Suggestions == nil {
		opts.Suggestions = func(string) []string { return nil }
	}
	s := &service{parts: parts, opts: opts, answerer: render.NewAnswerer(parts.Gate)}
	return door.Door{Name: "dify", Routes: s.routes(), Fail: fail}, nil
}

func (s *service) routes() []door.Route {
	route := func(method, path string, handle door.Handler) door.Route {
		return door.Route{Method: method, Path: path, Role: door.Visitor, Handle: handle}
	}
	chat := route(http.MethodPost, "/v1/chat-messages", s.chat)
	chat.MaxBody, chat.Long = maxBody, true
	return []door.Route{
		chat,
		route(http.MethodPost, "/v1/chat-messages/:id/stop", s.stop),
		route(http.MethodDelete, "/v1/conversations/:id", s.forget),
		route(http.MethodGet, "/v1/info", s.info),
		route(http.MethodGet, "/v1/parameters", s.parameters),
		route(http.MethodGet, "/v1/meta", s.meta),
		route(http.MethodPost, "/v1/text-to-audio", s.speak),
	}
}

// failure is the shape of every failure.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

func failureOf(f door.Failure) failure {
	code := map[int]string{
		http.StatusBadRequest: "invalid_param", http.StatusUnauthorized: "unauthorized",
		http.StatusForbidden: "forbidden",
		http.StatusNotFound:  "not_found", http.StatusTooManyRequests: "too_many_requests",
		http.StatusRequestEntityTooLarge: "file_too_large", http.StatusUnsupportedMediaType: "unsupported_media_type",
	}[f.Status]
	if code == "" {
		code = "completion_request_error"
	}
	return failure{Code: code, Message: f.Message, Status: f.Status}
}

// fail answers in Dify's shape.
func fail(c *gin.Context, f door.Failure) {
	_ = render.WriteJSON(c, f.Status, failureOf(f)) // strings and numbers can always be written
}
