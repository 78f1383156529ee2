package linkage

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/gin-gonic/gin"

	"annai/dialog"
	"annai/internal/text"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
)

const (
	// maxMessage is the largest message in bytes: a picture comes with what is said.
	maxMessage = 4 << 20
	// writeIn is how long one write may take, its reader not reading.
	writeIn = 10 * time.Second
	// smallMessage is how large one is that is read at any time. Of larger ones maxLarge are read at once, by all links
	// together, each for readIn: those of many visitors would fill the memory.
	smallMessage = 64 << 10
	maxLarge     = 4
	readIn       = 10 * time.Second
	// lookEvery is how often is looked whether the client still lives.
	lookEvery = 30 * time.Second
)

// A link is one connection: a page on which a character stands.
type link struct {
	*service

	gin  *gin.Context
	conn *websocket.Conn
	id   string

	// last is the answer that was begun last; nil: there was none.
	last *answering
}

// connect is GET /ws, to be upgraded. The server has checked where the page is from that asks.
func (s *service) connect(c *gin.Context) error {
	conn, err := websocket.Accept(c.Writer, c.Request, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil //nolint:nilerr // the library has answered
	}
	conn.SetReadLimit(maxMessage)
	l := &link{service: s, gin: c, conn: conn, id: s.parts.NewID()}
	ctx, cancel := context.WithCancel(c.Request.Context())
	farewell := context.AfterFunc(c.Request.Context(), func() {
		_ = conn.Close(websocket.StatusGoingAway, "the server is stopping")
	})
	var looking sync.WaitGroup
	looking.Go(func() { l.look(ctx) })
	l.listen(ctx)
	cancel()
	looking.Wait()
	farewell()
	_ = conn.CloseNow()
	return nil
}

// look closes the connection once the client does not answer any more.
func (l *link) look(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		waiting, cancel := context.WithTimeout(ctx, writeIn)
		err := l.conn.Ping(waiting)
		cancel()
		if err != nil {
			_ = l.conn.CloseNow()
			return
		}
	}
}

// listen does what the client says until it leaves.
func (l *link) listen(ctx context.Context) {
	defer func() {
		if l.last != nil {
			l.last.stop("")
			<-l.last.done
		}
	}()
	if l.send(ctx, ready(l.envelope("session.ready", "", l.id))) != nil {
		return
	}
	// A context that ends closes the connection at once, without the words of farewell.
	reading := context.WithoutCancel(ctx)
	for {
		data, err := l.read(reading)
		if err != nil {
			return
		}
		var m incoming
		if json.Unmarshal(data, &m) != nil {
			continue // it says nothing to us
		}
		switch {
		case m.Version != second && (m.Type == "chat" || m.Type == ""), m.Type == "chat.message":
			l.answer(ctx, m)
		case m.Type == "control.cancel":
			l.last.stop(m.RequestID)
		case m.Type == "ping":
			_ = l.send(ctx, l.envelope("pong", m.ID, m.SessionID)) // who does not hear it has left
		}
	}
}

// read returns the next message.
func (l *link) read(ctx context.Context) ([]byte, error) {
	_, message, err := l.conn.Reader(ctx)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(message, smallMessage))
	if err != nil || len(data) < smallMessage {
		return data, err
	}
	l.large <- struct{}{} // whoever has a place gives it back soon
	defer func() { <-l.large }()
	late := time.AfterFunc(readIn, func() { _ = l.conn.CloseNow() })
	defer late.Stop()
	rest, err := io.ReadAll(message)
	return append(data, rest...), err
}

// An answering is an answer that is being given.
type answering struct {
	request string
	cancel  context.CancelCauseFunc
	done    chan struct{}
}

// stop silences the answer to that request; "": whatever it is to.
func (a *answering) stop(request string) {
	if a != nil && (request == "" || request == a.request) {
		a.cancel(door.ErrCancelled)
	}
}

// answer answers what was said, while the link listens on. A visitor who speaks silences what was
// being said, and is listened to again once that is over: answers that nobody reads do not pile up.
// An owner's answer may be writing, and comes to its end first.
func (l *link) answer(ctx context.Context, m incoming) {
	before := l.last
	if before != nil && !door.CallerOf(l.gin).Is(door.Owner) {
		before.stop("")
		<-before.done
	}
	run, cancel := context.WithCancelCause(ctx)
	l.last = &answering{m.ID, cancel, make(chan struct{})}
	t := &reply{link: l, ctx: ctx, to: m}
	turn, err := l.turn(m)
	go func(this *answering) {
		defer close(this.done)
		defer cancel(nil)
		if before != nil {
			<-before.done
		}
		_ = t.tell("ack", "", "") // who does not hear it has left
		if err == nil {
			_, err = l.answerer.Answer(run, turn, render.Spoken(), t)
		}
		t.end(err)
	}(l.last)
}

// turn is what was said. Every message counts as a request of its own.
func (l *link) turn(m incoming) (dialog.Turn, error) {
	words := render.Utterance(m.words())
	if err := render.CheckWords("text", words); err != nil {
		return dialog.Turn{}, door.Tell(err, text.Language(words), "")
	}
	if err := door.Charge(l.gin, 1); err != nil {
		return dialog.Turn{}, door.Tell(err, text.Language(words), "")
	}
	return render.TurnOf(l.gin, words, l.session(m), l.parts.NewID()), nil
}

// session is that of the page: in the second protocol it has a name, which outlives the connection.
func (l *link) session(m incoming) string {
	if m.SessionID == "" {
		return "ws-" + l.id
	}
	return "ws-" + render.Sum(m.SessionID)
}

func (l *link) send(ctx context.Context, message any) error {
	data, err := render.Encode(message)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeIn)
	defer cancel()
	return l.conn.Write(ctx, websocket.MessageText, data)
}

// A reply tells the client one answer.
type reply struct {
	*link

	ctx context.Context //nolint:containedctx // of the connection, for as long as the answer lasts
	to  incoming
}

// Begin implements [render.Listener].
func (t *reply) Begin() error { return t.tell("chat.start", "", "neutral") }

// Piece implements [render.Listener].
func (t *reply) Piece(p render.Piece) error { return t.tell("chat.delta", spaced(p.Text), p.Face) }

// Progress implements [render.Listener].
func (t *reply) Progress(render.Step) error { return nil }

// end ends the answer, with an apology where it failed.
func (t *reply) end(err error) {
	if err == nil || errors.Is(err, door.ErrCancelled) || errors.Is(err, door.ErrGone) {
		_ = t.tell("chat.done", "", "neutral") // who does not hear it has left
		return
	}
	f := door.Explain(err, t.gin.GetHeader("Accept-Language"))
	_ = t.tell("chat.error", gate.Words(f), render.FaceOf(f.Emotion))
}

// tell sends a message in the client's protocol.
func (t *reply) tell(kind, said, face string) error {
	if t.to.Version != second {
		return t.tellFirst(kind, said, face)
	}
	e := t.envelope(kind, t.to.ID, t.to.SessionID)
	if kind != "ack" {
		e.Payload = spoken{Text: said, Role: "assistant", Emotion: face}
	}
	if kind == "chat.error" {
		e.Payload = failed{Message: said, Role: "assistant", Emotion: face}
	}
	return t.send(t.ctx, e)
}

// tellFirst is tell in the first protocol, which knows fewer kinds.
func (t *reply) tellFirst(kind, said, face string) error {
	part, known := map[string]string{
		"chat.start": "start", "chat.delta": "", "chat.done": "end", "chat.error": "end",
	}[kind]
	if !known {
		return nil
	}
	return t.send(t.ctx, message{Text: said, Role: "assistant", Emotion: face, Type: part})
}
