// Package openai is the door for clients of OpenAI's API: to avatars, chat pages and libraries the
// concierge looks like a model.
//
// The idea to hold: a profile decides how an answer is written. The default, avatar, is for front ends
// that speak what a stream brings and stumble easily: one frame a sentence, a face before each, and
// nothing in it that one of them would lose or read aloud. All that a client sends besides the visitor's
// words is data: its instructions, tools and sampling change nothing but the names of faces. The package
// knows no date and no event.
package openai

import (
	"fmt"
	"net/http"
	"time"

	"annai/fault"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
	"annai/voice"
)

// Parts are what the door is made of. All are required.
type Parts struct {
	Concierge gate.Concierge
	// Now is the clock, NewID makes ids of answers.
	Now   func() time.Time
	NewID func() string
}

// Options are the settings of the door that have a default.
type Options struct {
	// Suggestions returns questions that a visitor may ask, in "ja" or "en", for chat pages that want
	// some. Nil: there are none.
	Suggestions func(language string) []string
	// Heartbeat is how long a stream may be silent before an empty frame says that it lives. 0: 10 seconds.
	Heartbeat time.Duration
	// Voice speaks, at POST /v1/audio/speech. Nil: nobody does.
	Voice *voice.Cache
	// Hearing hears, at POST /v1/audio/transcriptions. Nil: nobody does.
	Hearing Hearer
}

// maxBody is the largest request in bytes: front ends send the whole talk, with pictures.
const maxBody = 8 << 20

// pathAvatar is the path that always streams, for front ends which can read nothing else and don't ask for it.
const pathAvatar = "/v1/avatar/completions"

// pathResponses is where responses are, and failures look as Open Responses has them.
const pathResponses = "/v1/responses"

// A service is the door behind its routes.
type service struct {
	parts Parts
	opts  Options
	// answerer asks the concierge.
	answerer *render.Answerer
}

// New returns the door. Missing parts are [fault.ErrInvalid].
func New(parts Parts, opts Options) (door.Door, error) {
	if parts.Concierge == nil || parts.Now == nil || parts.NewID == nil {
		return door.Door{}, fmt.Errorf("new door for clients of OpenAI: a part is missing: %w", fault.ErrInvalid)
	}
	if opts.Suggestions == nil {
		opts.Suggestions = func(string) []string { return nil }
	}
	s := &service{parts: parts, opts: opts, answerer: render.NewAnswerer(parts.Concierge)}
	return door.Door{Name: "openai", Routes: s.routes(), Fail: s.fail}, nil
}

func (s *service) routes() []door.Route {
	get := func(path string, handle door.Handler) door.Route {
		return door.Route{Method: http.MethodGet, Path: path, Role: door.Visitor, Handle: handle}
	}
	post := func(path string, handle door.Handler) door.Route {
		return door.Route{Method: http.MethodPost, Path: path, Role: door.Visitor, Handle: handle, MaxBody: maxBody, Long: true}
	}
	return []door.Route{
		get("/v1/models", s.models),
		get("/v1/models/:id", s.model),
		post("/v1/chat/completions", s.chat),
		post(pathAvatar, s.avatar),
		post(pathResponses, s.respond),
		{Method: http.MethodPost, Path: "/v1/audio/speech", Role: door.Visitor, Handle: s.speech},
		{
			Method: http.MethodPost, Path: "/v1/audio/transcriptions", Role: door.Visitor, Handle: s.transcriptions,
			MaxBody: maxBody,
		},
		get(pathResponses+"/:id", s.noResponse),
		get(pathResponses+"/:id/input_items", s.noResponse),
		{Method: http.MethodDelete, Path: pathResponses + "/:id", Role: door.Visitor, Handle: s.noResponse},
		{Method: http.MethodPost, Path: pathResponses + "/:id/cancel", Role: door.Visitor, Handle: s.noResponse},
	}
}

// styleOf chooses how an answer is written, as [render.StyleOf] does; Open WebUI shows text.
func styleOf(h http.Header, named, otherwise render.Profile, instructions string) (render.Style, error) {
	if isOpenWebUI(h) {
		otherwise = render.Chat
	}
	return render.StyleOf(h, named, otherwise, instructions)
}

// isOpenWebUI says whether the client is known to be Open WebUI: it was told to forward who asks.
func isOpenWebUI(h http.Header) bool {
	for _, name := range []string{headerOpenWebUIChat, "X-OpenWebUI-User-Id", "X-OpenWebUI-User-Name"} {
		if h.Get(name) != "" {
			return true
		}
	}
	return false
}
