package openai_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/dialog"
	calendarmem "annai/tools/calendar/mem"
)

// sessionOf sends a request and returns the turn that it became.
func (f *fixture) sessionOf(t testing.TB, body string, headers ...string) dialog.Turn {
	t.Helper()
	if w := f.post(t, "/v1/chat/completions", body, headers...); w.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s", body, w.Status, text(t, w))
	}
	return f.asked.last(t)
}

// TestSession looks for the conversation where clients name it, in this order.
func TestSession(t *testing.T) {
	f := newFixture(t, &fake{}, settings{})
	headers := []string{"X-Session-Id", "h1", "X-Conversation-Id", "h2", "X-OpenWebUI-Chat-Id", "h3"}
	fields := []string{`"threadId":"b1"`, `"thread_id":"b2"`, `"conversation_id":"b3"`, `"dialog":{"id":"b4"}`, `"metadata":{"session_id":"b5"}`}
	for i := range 3 {
		if got := f.sessionOf(t, `{`+strings.Join(fields, ",")+`,`+hello+`}`, headers[2*i:]...).SessionID; got != headers[2*i+1] {
			t.Errorf("with the headers %q the session is %q, want the first", headers[2*i:], got)
		}
	}
	for i := range fields {
		if got, want := f.sessionOf(t, `{"user":"u",`+strings.Join(fields[i:], ",")+`,`+hello+`}`).SessionID, "b"+string(rune('1'+i)); got != want {
			t.Errorf("with the fields %s the session is %q, want %q", fields[i:], got, want)
		}
	}
	for _, nothing := range []string{`"threadId":null`, `"threadId":""`, `"threadId":"undefined"`, `"threadId":5`, `"conversation_id":"{{LIBRECHAT_BODY_CONVERSATIONID}}"`, `"conversation_id":"new"`, `"metadata":[]`, `"metadata":{"session_id":7}`} {
		if got := f.sessionOf(t, `{`+nothing+`,`+hello+`}`).SessionID; !strings.HasPrefix(got, "talk-") {
			t.Errorf("with %s the session is %q, want that of the talk", nothing, got)
		}
	}
	if got := f.sessionOf(t, `{`+hello+`}`, "X-Session-Id", strings.Repeat("x", 200)).SessionID; !strings.HasPrefix(got, "id-") || len(got) > 128 {
		t.Errorf("with an id that is too long the session is %q, want one made of it", got)
	}
	visitor, again := f.sessionOf(t, `{"user":"u",`+hello+`}`).SessionID, f.sessionOf(t, `{"user":"u",`+hello+`}`).SessionID
	owner := f.sessionOf(t, `{"user":"u",`+hello+`}`, "Authorization", "Bearer "+ownerKey)
	if visitor != again || visitor == owner.SessionID || !owner.Owner || strings.Contains(visitor, "owner") {
		t.Errorf("the same user has the sessions %q and %q, and with another key %q, want two the same and one else", visitor, again, owner.SessionID)
	}
}

// TestTalkIsTheMemory knows a talk by how it began, and begins anew with whoever begins in the same words.
func TestTalkIsTheMemory(t *testing.T) {
	f := newFixture(t, &fake{}, settings{})
	said := func(lines ...string) string {
		var messages []map[string]string
		for i, line := range lines {
			role := "user"
			if i%2 == 1 {
				role = "assistant"
			}
			messages = append(messages, map[string]string{"role": role, "content": line})
		}
		body, err := json.Marshal(map[string]any{"messages": messages})
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	first, second := f.sessionOf(t, said("こんにちは")), f.sessionOf(t, said("こんにちは", "[happy]はい。", "明日は？"))
	third := f.sessionOf(t, said("こんにちは", "[happy]はい。", "明日は？", "はい。", "2つ目"))
	other := f.sessionOf(t, said("こんにちは", "[happy]はい。", "来月は？"))
	if !first.Anew || len(first.Before) > 0 || second.Query != "明日は？" {
		t.Errorf("the first turn is %+v, want one that begins anew", first)
	}
	for name, c := range map[string]struct {
		turn dialog.Turn
		want []string
	}{
		"second":         {second, []string{first.SessionID}},
		"third":          {third, []string{second.SessionID, first.SessionID}},
		"another second": {other, []string{first.SessionID}},
	} {
		if diff := cmp.Diff(c.want, c.turn.Before); diff != "" || !c.turn.Anew {
			t.Errorf("the %s turn goes on from (-want +got):\n%s", name, diff)
		}
	}
	if other.SessionID == second.SessionID || first.SessionID == second.SessionID {
		t.Errorf("sessions %q, %q, %q: want one for each that was said", first.SessionID, second.SessionID, other.SessionID)
	}
	if named := f.sessionOf(t, said("こんにちは"), "X-Session-Id", "named"); named.Anew || named.SessionID != "named" {
		t.Errorf("a turn of a session that is named is %+v", named)
	}
}

// TestInterrupts answers a question of the concierge with the next message, whatever names the conversation.
func TestInterrupts(t *testing.T) {
	f := newFixture(t, newConcierge(t, calendarmem.New("events"), hardKnowledge()), settings{})
	for _, test := range []struct {
		name   string
		bodies []string
	}{
		{"by history", []string{
			`{"messages":[{"role":"user","content":"カフェは何時まで？"}]}`,
			`{"messages":[{"role":"user","content":"カフェは何時まで？"},{"role":"assistant","content":"どちら？"},{"role":"user","content":"エンジニアカフェです"}]}`,
		}},
		{"by thread", []string{
			`{"threadId":"t","messages":[{"role":"user","content":"カフェは何時まで？"}]}`, `{"threadId":"t","messages":[{"role":"user","content":"エンジニアカフェです"}]}`,
		}},
	} {
		if got := text(t, f.post(t, "/v1/chat/completions", test.bodies[0])); !strings.Contains(got, `"interrupt":{`) || !strings.Contains(got, "[surprised]") {
			t.Errorf("%s: %s, want a question", test.name, got)
		}
		if got := text(t, f.post(t, "/v1/chat/completions", test.bodies[1])); !strings.Contains(got, "22時") || strings.Contains(got, `"interrupt"`) {
			t.Errorf("%s: %s, want the answer to it", test.name, got)
		}
	}
}
