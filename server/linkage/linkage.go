// Package linkage is the door for AITuberKit's external linkage: a WebSocket on which a character
// is given its sentences one by one, each with its face.
//
// The idea to hold: there are two protocols on the one socket. In the first a message is text and
// what it is part of; in the second every message is in an envelope, says what it answers, and can
// be cancelled. Which one is spoken follows from what the client says; that the server knows the
// second is the first thing that it says.
package linkage

import (
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
	// Now is the clock, NewID makes ids.
	Now   func() time.Time
	NewID func() string
}

// path is where the front end connects by itself, at another port.
const path = "/ws"

// A service is the door behind its route.
type service struct {
	parts    Parts
	answerer *render.Answerer
	// large has a place for each large message that is being read.
	large chan struct{}
}

// New returns the door. Missing parts are [fault.ErrInvalid].
func New(parts Parts) (door.Door, error) {
	if parts.Concierge == nil || parts.Now == nil || parts.NewID == nil {
		return door.Door{}, fmt.Errorf("new door for external linkage: a part is missing: %w", fault.ErrInvalid)
	}
	s := &service{
		parts: parts, answerer: render.NewAnswerer(parts.Concierge), large: make(chan struct{}, maxLarge),
	}
	return door.Door{Name: "linkage", Fail: render.Fail, Routes: []door.Route{{
		Method: http.MethodGet, Path: path, Role: door.Visitor, Handle: s.connect,
		KeyInURL: true, Long: true, Endless: true,
	}}}, nil
}
