// Package dialog is what the concierge and those who let people talk with it have in common: turns, what
// happens while one is answered, and sessions.
//
// The idea to hold: a door makes a [Turn] of a request and turns each [Event] into its protocol. It knows nothing of
// how an answer is found. The package knows no graph's nodes and no protocol.
package dialog

import (
	"encoding/json"
	"slices"
	"time"

	"annai/api"
	"annai/graph"
)

// A Turn is one utterance, or the answer to an open interrupt, and where it was said.
type Turn struct {
	// Query is what was said, trimmed, 1 to 2,000 characters; may be empty with Resume.
	Query string
	// Language of the answer, "ja" or "en"; empty: that of the question.
	Language string
	// SessionID names the conversation; empty: a new one.
	SessionID string
	// Location is the visitor's; nil: the venue's.
	Location *time.Location
	// SpecFormat asks for the literal lines of the specification.
	SpecFormat bool
	// Owner says that it is the owner of the calendar who speaks. Only then is anything of their
	// own calendar read or written.
	// OwnerName says which owner, if one in particular.
	Owner     bool
	OwnerName string
	// Caller tells callers apart, who do not share sessions. Empty: somebody on this machine.
	Caller string
	// Anew says that the session begins with this turn, or goes on from the first session in Before
	// that is known, which stays as it was.
	Anew   bool
	Before []string
	// Given is what an owner gives to be added to their calendar. Nil: what the words say.
	Given *Given
	// Resume answers an open interrupt.
	Resume *Resume
	// RequestID is copied into the answer, RunID names the run; empty: a new one.
	RequestID, RunID string
}

// Session is the conversation that the turn belongs to.
func (t Turn) Session() Session {
	return Session{ID: t.SessionID, Owner: t.Owner, OwnerName: t.OwnerName, Caller: t.Caller}
}

// Given is something that an owner wants added: one of its fields is set.
type Given struct {
	// Picture is in PNG, JPEG, WebP or GIF.
	Picture []byte
	// Link is the address of a page.
	Link string
	Text string
}

// Resume answers an open interrupt: the text of an option, its number from 1, or other words, as JSON.
type Resume struct {
	InterruptID string
	Value       json.RawMessage
}

// A Session is a conversation by the id that its caller gave it. Callers do not share sessions,
// whatever ids they choose: nobody else can hear what was said in one, or answer in its place.
type Session struct {
	ID string
	// Owner says that it is the owner of the calendar who speaks, OwnerName which, if it is one in
	// particular. Caller is who it is that calls; empty: somebody on this machine.
	Owner     bool
	OwnerName string
	Caller    string
}

// A Visitor is somebody whose sessions are meant.
type Visitor struct {
	// Sessions are the ids of sessions, whoever called.
	Sessions []string
	// Callers are those who called, as [Turn] names them, whatever the ids of their sessions.
	Callers []string
}

// Has reports whether the session is one of the visitor's.
func (v Visitor) Has(s Session) bool {
	return slices.Contains(v.Sessions, s.ID) || slices.Contains(v.Callers, s.Caller)
}

// A Kept session is all that is kept of one.
type Kept struct {
	Session Session
	// Records are in order.
	Records []graph.Record
}

// An Event is something a front end may show while a turn runs. It is one of [Started], [Progress],
// [Sentence], [Cards], [Suggestions], [Confirm] and [Final]; Final is the last.
type Event interface{ event() }

// The events of a turn, in the shape in which they cross the wire.
type (
	// Started is the first event.
	Started struct{ api.RunStarted }
	// Progress says that a node started, or with Done that it finished.
	Progress struct {
		api.NodeProgress

		Done bool
	}
	// Sentence is the next sentence to be spoken.
	Sentence struct{ api.SpokenSentence }
	// Cards are to be shown beside the words.
	Cards struct{ api.Cards }
	// Suggestions are what the visitor may want to ask next.
	Suggestions struct{ api.Suggestions }
	// Confirm is a question that waits for an answer.
	Confirm struct{ api.Interrupt }
	// Final is the whole answer.
	Final struct{ api.QueryResponse }
)

func (Started) event()     {}
func (Progress) event()    {}
func (Sentence) event()    {}
func (Cards) event()       {}
func (Suggestions) event() {}
func (Confirm) event()     {}
func (Final) event()       {}
