// Package render writes answers for front ends of others, which either speak them or show them, and
// asks the concierge for them, a turn of a session at a time.
//
// The idea to hold: a [Style] decides how an answer is written. The default, [Avatar], is for front
// ends that speak what a stream brings and stumble easily: one piece a sentence, a face before
// each, and nothing in it that one of them would lose or read aloud. The doors only put the pieces
// into the frames of their protocol.
package render

import (
	"net/http"
	"strings"

	"annai/server/door"
)

// A Profile is how an answer is written.
type Profile string

// The profiles.
const (
	// Avatar is sentences to be spoken, each with a face, safe for every reader that we know.
	Avatar Profile = "avatar"
	// OLV is the same with the faces of Open-LLM-VTuber's own model, unless the client names
	// others.
	OLV Profile = "olv"
	// Chat is the written text, as Markdown, without faces.
	Chat Profile = "chat"
	// Raw is the text as POST /query has it.
	Raw Profile = "raw"
)

// Known says whether there is such a profile.
func (p Profile) Known() bool {
	return p == Avatar || p == OLV || p == Chat || p == Raw
}

// Speaks says whether the profile is for a voice.
func (p Profile) Speaks() bool { return p == Avatar || p == OLV }

// Tags says which sentences have their face in brackets before them.
type Tags string

// The policies.
const (
	TagFirst Tags = "first"
	TagEvery Tags = "every_sentence"
	TagNone  Tags = "none"
)

// policy is what a profile does unless a client asks for something else.
func (p Profile) policy() Tags {
	switch p {
	case Avatar, OLV:
		return TagEvery
	case Raw:
		return TagFirst
	case Chat:
		return TagNone
	}
	return TagNone
}

// The headers by which a client chooses.
const (
	headerProfile = "X-Render-Profile"
	headerTags    = "X-Tag-Policy"
)

// A Style is all that decides how an answer is written.
type Style struct {
	Profile Profile
	Tags    Tags
	Faces   Faces
}

// Spoken is the style of a profile that a client can't choose otherwise: every sentence has its
// face.
func Spoken() Style { return Style{Profile: Avatar, Tags: TagEvery, Faces: OwnFaces} }

// StyleOf chooses by header, by what the request names, and else by the default of the path. The
// client's instructions are read for the names of its faces, and for nothing else.
func StyleOf(h http.Header, named, otherwise Profile, instructions string) (Style, error) {
	p := named
	if asked := Profile(strings.ToLower(h.Get(headerProfile))); asked != "" {
		if !asked.Known() {
			return Style{}, door.Invalid(headerProfile, "must be avatar, olv, chat or raw")
		}
		p = asked
	}
	if p == "" {
		p = otherwise
	}
	r := Style{Profile: p, Tags: p.policy(), Faces: facesFor(p, instructions)}
	switch asked := Tags(strings.ToLower(h.Get(headerTags))); asked {
	case "":
	case TagFirst, TagEvery, TagNone:
		r.Tags = asked
	default:
		return Style{}, door.Invalid(headerTags, "must be first, every_sentence or none")
	}
	return r, nil
}
