package linkage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/server/door"
	"annai/server/door/doortest"
	"annai/server/gate"
	"annai/server/linkage"
	"annai/server/render/readers"
)

// fake says what it is told, in two sentences. Told to wait, it waits behind the first until it is
// cancelled.
type fake struct {
	gate.Concierge

	release  chan struct{}
	mu       sync.Mutex
	sessions []string
}

func (f *fake) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	f.mu.Lock()
	f.sessions = append(f.sessions, turn.SessionID)
	f.mu.Unlock()
	return func(yield func(dialog.Event, error) bool) {
		say := func(i int, text, face string) bool {
			return yield(dialog.Sentence{SpokenSentence: api.SpokenSentence{Index: i, Text: text, Emotion: face}}, nil)
		}
		if !yield(dialog.Started{RunStarted: api.RunStarted{Language: "ja"}}, nil) || !say(0, turn.Query+"。", "happy") {
			return
		}
		if turn.Query == "deaf" { // it does not hear that it is cancelled
			<-f.release
			return
		}
		if turn.Query == "wait" {
			<-ctx.Done()
			yield(nil, context.Cause(ctx))
			return
		}
		if say(1, "It is [free].", "surprised") {
			yield(dialog.Final{QueryResponse: api.QueryResponse{Language: "ja"}}, nil)
		}
	}
}

// serve serves the door, and returns the concierge behind it.
func serve(t *testing.T, charge func(int) error) (*fake, string) {
	t.Helper()
	f := &fake{release: make(chan struct{})}
	n := 0
	var mu sync.Mutex
	d, err := linkage.New(linkage.Parts{Concierge: f, Now: time.Now, NewID: func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprint("id", n)
	}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(doortest.Handler(d, doortest.ByKey, charge))
	t.Cleanup(server.Close)
	return f, server.URL
}

// A page is AITuberKit's.
type page struct {
	t    *testing.T
	conn *websocket.Conn
}

func open(t *testing.T, url string) page {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), url+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	p := page{t, conn}
	ready := p.read()
	if !strings.Contains(ready, `"type":"session.ready"`) || !strings.Contains(ready, `"version":"2"`) {
		t.Fatalf("first %s, want session.ready", ready)
	}
	return p
}

func (p page) read() string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 10*time.Second)
	defer cancel()
	_, data, err := p.conn.Read(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

func (p page) write(text string) {
	p.t.Helper()
	if err := p.conn.Write(p.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// until reads messages up to one with the text, and returns them as lines.
func (p page) until(text string) string {
	p.t.Helper()
	var all []string
	for {
		line := p.read()
		if all = append(all, line); strings.Contains(line, text) {
			return strings.Join(all, "\n")
		}
	}
}

const (
	chat = `{"version":"2","id":"m1","type":"chat.message","sessionId":"page","timestamp":"t",` +
		`"payload":{"text":"%s"}}`
	first  = `{"content":"%s","type":"chat"}`
	cancel = `{"version":"2","id":"m2","type":"control.cancel","sessionId":"page","timestamp":"t",` +
		`"payload":{},"requestId":"m1"}`
)

// TestSpoken speaks in both protocols: every sentence once, in order, with its face, and no bracket
// in it.
func TestSpoken(t *testing.T) {
	want := []readers.Spoken{{Face: "happy", Text: "こんにちは。"}, {Face: "surprised", Text: "It is 〔free〕."}}
	for protocol, said := range map[string]string{"first": first, "second": chat} {
		_, url := serve(t, doortest.Free)
		p := open(t, url)
		p.write(fmt.Sprintf(said, "[2026-11-28T10:00:00Z] こんにちは"))
		end := map[string]string{"first": `"type":"end"`, "second": `"chat.done"`}[protocol]
		heard, err := readers.Linkage(strings.NewReader(p.until(end)))
		if diff := cmp.Diff(want, heard.Spoken); diff != "" || err != nil {
			t.Errorf("%s protocol: spoken, %v (-want +got):\n%s", protocol, err, diff)
		}
	}
}

// TestEnvelopes has all that the second protocol wants of each message.
func TestEnvelopes(t *testing.T) {
	_, url := serve(t, doortest.Free)
	p := open(t, url)
	p.write(fmt.Sprintf(chat, "こんにちは"))
	var kinds []string
	for line := range strings.SplitSeq(p.until("chat.done"), "\n") {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, fmt.Sprint(m["type"]))
		named := m["id"] != "" && m["sessionId"] == "page" && m["requestId"] == "m1"
		if m["version"] != "2" || !named || m["timestamp"] == "" || m["payload"] == nil {
			t.Errorf("message %s, want version, id, session, request, time and payload", line)
		}
	}
	if diff := cmp.Diff([]string{"ack", "chat.start", "chat.delta", "chat.delta", "chat.done"}, kinds); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	p.write(`{"version":"2","id":"p","type":"ping","sessionId":"page","payload":{}}`)
	if pong := p.read(); !strings.Contains(pong, `"type":"pong"`) || !strings.Contains(pong, `"requestId":"p"`) {
		t.Errorf("a ping is answered with %s", pong)
	}
}

// TestSilence says nothing more of an answer that is cancelled, or whose visitor speaks again.
func TestSilence(t *testing.T) {
	again := fmt.Sprintf(strings.Replace(chat, "m1", "m3", 1), "次")
	const end = `"requestId":"m1","payload":{"text":"","role":"assistant","emotion":"neutral"}}`
	for name, then := range map[string]string{"cancel": cancel, "again": again} {
		_, url := serve(t, doortest.Free)
		p := open(t, url)
		p.write(fmt.Sprintf(chat, "wait"))
		before := p.until("chat.delta")
		p.write(then)
		all := before + "\n" + p.until("chat.done")
		if !strings.HasSuffix(all, end) || strings.Count(all, "chat.delta") != 1 {
			t.Errorf("%s: %s, want one sentence, and the end of the request", name, all)
		}
		if name == "again" && strings.Count(p.until("chat.done"), `"requestId":"m3"`) != 5 {
			t.Errorf("%s: the second question is not answered whole", name)
		}
	}
}

// TestApart keeps pages apart, and knows one that comes back by the name that it has in the second
// protocol.
func TestApart(t *testing.T) {
	f, url := serve(t, doortest.Free)
	for _, said := range []string{fmt.Sprintf(first, "あ"), fmt.Sprintf(first, "あ")} {
		p := open(t, url)
		p.write(said)
		p.until(`"end"`)
	}
	for _, session := range []string{"page", "page", "other"} {
		p := open(t, url)
		p.write(strings.Replace(fmt.Sprintf(chat, "あ"), `"page"`, `"`+session+`"`, 1))
		p.until("chat.done")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.sessions
	if len(s) != 5 || s[0] == s[1] || s[2] != s[3] || s[2] == s[4] {
		t.Errorf("sessions %q, want all apart but the third and the fourth", s)
	}
}

// TestRefused says to the visitor what went wrong, with a sad face.
func TestRefused(t *testing.T) {
	_, url := serve(t, func(int) error { return &door.RateError{Wait: time.Second} })
	p := open(t, url)
	for said, want := range map[string]string{
		"こんにちは": "混み合って", " ": "聞き取れません", strings.Repeat("長", 2001): "少し長い",
	} {
		p.write(fmt.Sprintf(chat, said))
		heard, err := readers.Linkage(strings.NewReader(p.until("chat.error")))
		sad := len(heard.Spoken) == 1 && heard.Spoken[0].Face == "sad"
		if err != nil || !sad || !strings.Contains(heard.Shown, want) {
			t.Errorf("%.20q is answered with %+v, %v, want %q and a sad face", said, heard, err, want)
		}
	}
}

// TestOneAtATime: what a visitor says while an answer is not over is not taken in, so that a client which says much and
// reads nothing fills the memory of its own machine.
func TestOneAtATime(t *testing.T) {
	taken := make(chan struct{}, 10)
	f, url := serve(t, func(int) error { taken <- struct{}{}; return nil })
	release := sync.OnceFunc(func() { close(f.release) })
	t.Cleanup(release) // the server waits for it
	p := open(t, url)
	p.write(fmt.Sprintf(first, "deaf"))
	<-taken
	p.until("deaf") // it is being answered, and no longer cancelled before it is
	for range 3 {
		p.write(fmt.Sprintf(first, "次"))
	}
	select {
	case <-taken:
		t.Fatal("a second message was taken in before the first was answered")
	case <-time.After(100 * time.Millisecond):
	}
	release()
	for range 3 {
		<-taken
	}
}

// TestLargeMessages: few large messages are read at once, and small ones beside them.
func TestLargeMessages(t *testing.T) {
	_, url := serve(t, doortest.Free)
	picture := strings.Repeat("x", 200<<10)
	var slow []page
	for range linkage.MaxLarge {
		p := open(t, url)
		w, err := p.conn.Writer(t.Context(), websocket.MessageText)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(`{"content":"あ","type":"chat","image":"` + picture)); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, p)
	}
	time.Sleep(200 * time.Millisecond) // until the server has read so much of each that they are large
	waits, small := open(t, url), open(t, url)
	waits.write(`{"content":"あ","type":"chat","image":"` + picture + `"}`)
	small.write(fmt.Sprintf(first, "あ"))
	small.until(`"end"`)
	answered := make(chan string, 1)
	go func() { answered <- waits.until(`"end"`) }()
	select {
	case <-answered:
		t.Fatal("one large message more was read beside those that are still coming")
	case <-time.After(100 * time.Millisecond):
	}
	_ = slow[0].conn.CloseNow()
	<-answered
}
