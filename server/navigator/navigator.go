// Package navigator is the door for front ends that look for an API beside their own page: those of
// Engineer Cafe Navigator, at /api/qa and /api/chat, and pages made with the AI SDK, whose chat is
// at /api/chat too.
//
// The idea to hold: who sends one question gets one answer, without a face in it; who sends
// messages gets a stream.
package navigator

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"annai/fault"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
)

// Parts are what the door is made of. All are required.
type Parts struct {
	Concierge gate.Concierge
	// NewID makes ids, Now is the clock.
	NewID func() string
	Now   func() time.Time
}

// Options are the settings of the door that have a default.
type Options struct {
	// Suggestions returns questions that a visitor may ask, in "ja" or "en". Nil: there are none.
	Suggestions func(language string) []string
	// CallStaff calls staff for a visitor, at the kiosk of that name if it has one, and says what to tell them, and
	// whether staff were told. Nil: nobody can be called.
	CallStaff func(ctx context.Context, caller door.Caller, device, language string) (words string, told bool)
}

// maxBody is the largest request in bytes: pages send the whole talk, with pictures.
const maxBody = 8 << 20

// A service is the door behind its routes.
type service struct {
	parts    Parts
	opts     Options
	answerer *render.Answerer
}

// New returns the door. Missing parts are [fault.ErrInvalid].
func New(parts Parts, opts Options) (door.Door, error) {
	if parts.Concierge == nil || parts.NewID == nil || parts.Now == nil {
		return door.Door{}, fmt.Errorf("new door for pages: a part is missing: %w", fault.ErrInvalid)
	}
	if opts.Suggestions == nil {
		opts.Suggestions = func(string) []string { return nil }
	}
	s := &service{parts: parts, opts: opts, answerer: render.NewAnswerer(parts.Concierge)}
	return door.Door{Name: "navigator", Fail: render.Fail, Routes: []door.Route{
		{Method: http.MethodPost, Path: "/api/qa", Role: door.Visitor, Handle: s.qa},
		{Method: http.MethodGet, Path: "/api/qa", Role: door.Visitor, Handle: s.facts},
		{Method: http.MethodPost, Path: "/api/chat", Role: door.Visitor, Handle: s.chat, MaxBody: maxBody, Long: true},
	}}, nil
}
