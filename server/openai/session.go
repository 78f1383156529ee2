package openai

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"annai/dialog"
	"annai/fault"
	"annai/server/door"
	"annai/server/gate"
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
		if id := named(h.Get(name)); id != "" {
			return place{session: id}
		}
	}
	for _, id := range []string{
		str(o.ThreadID), str(o.ThreadIDSnake), str(o.ConversationID), str(o.Conversation), member(o.Conversation, "id"), member(o.Metadata, "session_id"),
	} {
		if id = named(id); id != "" {
			return place{session: id}
		}
	}
	if user := named(str(o.User)); user != "" { // a person and not a talk: another key's may have the same name
		return place{session: "user-" + sum(keyIn(h), user)}
	}
	upTo := func(n int) string { return "talk-" + sum(append([]string{keyIn(h), caller.Address}, said[:n]...)...) }
	p := place{session: upTo(len(said)), all: true}
	for n := len(said) - 1; n > 0 && len(p.before) < maxBefore; n-- {
		p.before = append(p.before, upTo(n))
	}
	return p
}

// keyIn returns the key that was sent, as it was sent. Without it nobody can tell what a session made of it is called.
func keyIn(h http.Header) string { return h.Get("Authorization") + "\n" + h.Get("X-Api-Key") }

// named returns the id as a session's; "" if it is none: a placeholder that the client did not fill in, or what it writes for nothing.
func named(id string) string {
	id = trim(id)
	switch {
	case id == "", id == "null", id == "undefined", id == "new", strings.HasPrefix(id, "{{"), strings.HasPrefix(id, "${"):
		return ""
	case gate.SessionProblem(id) != "":
		return "id-" + sum(id)
	}
	return id
}

// member returns a string of an object, or "".
func member(raw json.RawMessage, name string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return ""
	}
	return str(fields[name])
}

func sum(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(text), text) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// turns lets one turn at a time onto each session, in which the others wait: front ends send several at once, and the first of a barge-in may
// still be ending.
type turns struct {
	mu   sync.Mutex
	busy map[dialog.Session]*queue
}

// A queue is the wait for one session. There is one while somebody is in it.
type queue struct {
	turn chan struct{} // has room for the one whose turn it is
	in   int
}

// maxQueue is how many may be at one session, waiting included; more are [fault.ErrConflict].
const maxQueue = 5

// enter waits for the session. The error is that of the queue, or why ctx ended.
func (t *turns) enter(ctx context.Context, session dialog.Session) (leave func(), err error) {
	t.mu.Lock()
	q := t.busy[session]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		t.busy[session] = q
	}
	if q.in == maxQueue {
		t.mu.Unlock()
		return nil, fmt.Errorf("%d turns wait for one session: %w", q.in, fault.ErrConflict)
	}
	q.in++
	t.mu.Unlock()
	gone := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if q.in--; q.in == 0 {
			delete(t.busy, session)
		}
	}
	select {
	case q.turn <- struct{}{}:
		return func() { <-q.turn; gone() }, nil
	case <-ctx.Done():
		gone()
		return nil, door.Because(ctx, fmt.Errorf("wait for a session: %w", ctx.Err()))
	}
}
