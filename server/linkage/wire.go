package linkage

import (
	"strings"
	"time"
	"unicode/utf8"
)

// second is the version of the second protocol.
const second = "2"

// incoming is what the client says, in either protocol.
type incoming struct {
	Version   string `json:"version"`
	ID        string `json:"id"`
	Type      string `json:"type"`
	SessionID string `json:"sessionId"`
	RequestID string `json:"requestId"`
	// Content is what was said in the first protocol, Payload in the second. Pictures are not
	// looked at.
	Content string `json:"content"`
	Payload struct {
		Text string `json:"text"`
	} `json:"payload"`
}

func (m incoming) words() string {
	if m.Version == second {
		return m.Payload.Text
	}
	return m.Content
}

// A message is one of the first protocol. The type says which part of an answer it is: "start", ""
// or "end".
type message struct {
	Text    string `json:"text"`
	Role    string `json:"role"`
	Emotion string `json:"emotion"`
	Type    string `json:"type"`
}

// An envelope is a message of the second protocol.
type envelope struct {
	Version   string `json:"version"`
	ID        string `json:"id"`
	Type      string `json:"type"`
	SessionID string `json:"sessionId"`
	Timestamp string `json:"timestamp"`
	// RequestID is the message that this one answers.
	RequestID string `json:"requestId,omitempty"`
	Payload   any    `json:"payload"`
}

func (l *link) envelope(kind, request, session string) envelope {
	return envelope{
		Version: second, ID: "msg_" + l.parts.NewID(), Type: kind, SessionID: session,
		Timestamp: l.parts.Now().UTC().Format(time.RFC3339Nano), RequestID: request, Payload: struct{}{},
	}
}

// spoken is the payload of a piece of an answer, failed that of an answer that could not be made.
type (
	spoken struct {
		Text    string `json:"text"`
		Role    string `json:"role"`
		Emotion string `json:"emotion"`
	}
	failed struct {
		Message string `json:"message"`
		Role    string `json:"role"`
		Emotion string `json:"emotion"`
	}
)

// ready is the first thing that is said: which protocol the server knows, and what of it.
func ready(e envelope) envelope {
	e.Payload = struct {
		Protocol     string   `json:"protocolVersion"`
		Capabilities []string `json:"capabilities"`
	}{second, []string{"ack", "pong", "chat.start", "chat.delta", "chat.done", "chat.error", "control.cancel"}}
	return e
}

// spaced is a sentence as it stands before another one, since the client only joins them.
func spaced(sentence string) string {
	sentence = strings.TrimSpace(sentence)
	if last, _ := utf8.DecodeLastRuneInString(sentence); last < utf8.RuneSelf {
		return sentence + " "
	}
	return sentence
}
