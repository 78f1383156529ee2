package openai

import (
	"encoding/json"
	"net/http"

	"annai/server/door"
	"annai/server/render"
)

const headerOpenWebUIChat = "X-OpenWebUI-Chat-Id"

// An origin is the fields of a body that may name the conversation.
type origin struct {
	ThreadID       json.RawMessage `json:"threadId"`
	ThreadIDSnake  json.RawMessage `json:"thread_id"`
	ConversationID json.RawMessage `json:"conversation_id"`
	Conversation   json.RawMessage `json:"dialog"`
	Metadata       json.RawMessage `json:"metadata"`
	User           json.RawMessage `json:"user"`
}

// A place is a conversation.
type place struct {
	session string
	// all says that the client names no conversation but sends all that was said. Then the session
	// is named by that, and goes on from the first of those before that is known, which are named
	// by what was said until then.
	all    bool
	before []string
}

// fresh says that nothing was said before.
func (p place) fresh() bool { return p.all && len(p.before) == 0 }

// maxBefore is how many sessions before are looked for: turns that were broken off left none.
const maxBefore = 8

// placeOf says where the turn belongs: to the conversation that the client names, or to that in
// which the same was said by the visitor, all of it, under the same key and at the same address. So
// two visitors who begin in the same words share what follows from these, and nothing that came
// after.
func placeOf(h http.Header, o origin, caller door.Caller, said []string) place {
	for _, name := range []string{"X-Session-Id", "X-Conversation-Id", headerOpenWebUIChat} {
		if id := render.Named(h.Get(name)); id != "" {
			return place{session: id}
		}
	}
	for _, id := range []string{
		render.Str(o.ThreadID), render.Str(o.ThreadIDSnake), render.Str(o.ConversationID), render.Str(o.Conversation), member(o.Conversation, "id"), member(o.Metadata, "session_id"),
	} {
		if id = render.Named(id); id != "" {
			return place{session: id}
		}
	}
	if user := render.Named(render.Str(o.User)); user != "" { // a person and not a talk: another key's may have the same name
		return place{session: "user-" + render.Sum(keyIn(h), user)}
	}
	upTo := func(n int) string {
		return "talk-" + render.Sum(append([]string{keyIn(h), caller.Address}, said[:n]...)...)
	}
	p := place{session: upTo(len(said)), all: true}
	for n := len(said) - 1; n > 0 && len(p.before) < maxBefore; n-- {
		p.before = append(p.before, upTo(n))
	}
	return p
}

// keyIn returns the key that was sent, as it was sent. Without it nobody can tell what a session made of it is called.
func keyIn(h http.Header) string { return h.Get("Authorization") + "\n" + h.Get("X-Api-Key") }

// member returns a string of an object, or "".
func member(raw json.RawMessage, name string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return ""
	}
	return render.Str(fields[name])
}
