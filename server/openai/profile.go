package openai

import (
	"net/http"
	"strings"

	"annai/server/door"
)

// A profile is how an answer is written.
type profile string

// The profiles.
const (
	// profileAvatar is sentences to be spoken, each with a face, safe for every reader that we know.
	profileAvatar profile = "avatar"
	// profileOLV is the same with the faces of Open-LLM-VTuber's own model, unless the client names others.
	profileOLV profile = "olv"
	// profileChat is the written text, as Markdown, without faces.
	profileChat profile = "chat"
	// profileRaw is the text as POST /query has it.
	profileRaw profile = "raw"
)

func (p profile) known() bool {
	return p == profileAvatar || p == profileOLV || p == profileChat || p == profileRaw
}

// speaks says whether the profile is for a voice.
func (p profile) speaks() bool { return p == profileAvatar || p == profileOLV }

// A tagPolicy says which sentences have their face in brackets before them.
type tagPolicy string

// The policies.
const (
	tagFirst tagPolicy = "first"
	tagEvery tagPolicy = "every_sentence"
	tagNone  tagPolicy = "none"
)

// policy is what a profile does unless a client asks for something else.
func (p profile) policy() tagPolicy {
	switch p {
	case profileAvatar, profileOLV:
		return tagEvery
	case profileRaw:
		return tagFirst
	case profileChat:
		return tagNone
	}
	return tagNone
}

// The headers by which a client chooses.
const (
	headerProfile = "X-Render-Profile"
	headerTags    = "X-Tag-Policy"
)

// A rendering is all that decides how an answer is written.
type rendering struct {
	profile profile
	tags    tagPolicy
	faces   faces
}

// renderingOf chooses by header, by the model's name, by who the client is known to be, and else by the default of the path. The client's
// instructions are read for the names of its faces, and for nothing else.
func renderingOf(h http.Header, named, otherwise profile, instructions string) (rendering, error) {
	p := named
	if asked := profile(strings.ToLower(h.Get(headerProfile))); asked != "" {
		if !asked.known() {
			return rendering{}, door.Invalid(headerProfile, "must be avatar, olv, chat or raw")
		}
		p = asked
	}
	if p == "" && isOpenWebUI(h) {
		p = profileChat
	}
	if p == "" {
		p = otherwise
	}
	r := rendering{profile: p, tags: p.policy(), faces: facesFor(p, instructions)}
	switch asked := tagPolicy(strings.ToLower(h.Get(headerTags))); asked {
	case "":
	case tagFirst, tagEvery, tagNone:
		r.tags = asked
	default:
		return rendering{}, door.Invalid(headerTags, "must be first, every_sentence or none")
	}
	return r, nil
}

// isOpenWebUI says whether the client is known to be Open WebUI: it was told to forward who asks.
func isOpenWebUI(h http.Header) bool {
	return h.Get(headerOpenWebUIChat) != "" || h.Get("X-OpenWebUI-User-Id") != "" || h.Get("X-OpenWebUI-User-Name") != ""
}
