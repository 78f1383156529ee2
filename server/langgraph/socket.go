package langgraph

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/gin-gonic/gin"

	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

const (
	// socketWrite is how long one write to a socket may take, its reader not reading.
	socketWrite = 30 * time.Second
	// maxSubscriptions is how many a socket may have.
	maxSubscriptions = 64
	// breath is how long after a subscription the end of a run is held back. LangGraph's client subscribes several times in one breath, and takes an end
	// that any subscription is told for that of all: what a later one has not been sent by then it never reads.
	breath = 50 * time.Millisecond
)

// socket is a connection on which commands come in and replies and events go out, all sent by one loop: what comes later in the log comes later on the
// connection too, whatever it was subscribed by.
type socket struct {
	door   *handlers
	gin    *gin.Context
	runs   *runs.Service
	thread string
	conn   *websocket.Conn

	subscriptions []subscription
	made          int
	// subscribing is set for a breath after each subscription.
	subscribing bool
	narration   *narration
	// told is the last event of the log that was narrated.
	told int64
	// due is what is to be sent, in the order of the log; each subscription gets a copy.
	due []told
}

type subscription struct {
	id string
	filter
}

// threadSocket is GET /threads/{id}/stream/events, to be upgraded to a web socket. The server has checked where the page that asks is from.
func (a *handlers) threadSocket(c *gin.Context) error {
	if err := a.as(c).MayFollow(c.Request.Context(), c.Param("id")); err != nil {
		return err
	}
	conn, err := websocket.Accept(c.Writer, c.Request, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil //nolint:nilerr // the library has answered
	}
	limit := a.opts.MaxBody
	if door.CallerOf(c).Bounded() {
		limit = a.opts.VisitorBody
	}
	conn.SetReadLimit(limit)
	s := &socket{door: a, gin: c, runs: a.as(c), thread: c.Param("id"), conn: conn, narration: newNarration()}
	ctx, cancel := context.WithCancel(c.Request.Context())
	// The library closes the connection with the context that it reads with.
	listening, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	said := make(chan []byte)
	var listener sync.WaitGroup
	listener.Go(func() {
		defer close(said)
		s.listen(listening, said)
	})
	arrived, ended := stream.Arrivals(ctx, s.runs.FollowThread(ctx, s.thread, 0))
	s.serve(ctx, said, arrived)
	cancel()
	if cause := context.Cause(c.Request.Context()); cause != nil && !errors.Is(cause, context.Canceled) {
		s.part(context.WithoutCancel(ctx), cause)
	}
	hangUp()
	_ = ended()
	_ = conn.CloseNow()
	listener.Wait()
	return nil
}

// part says why the connection ends, so that the client does not take it for the end of what it
// listens to.
func (s *socket) part(ctx context.Context, cause error) {
	message := door.Explain(cause, "en").Message
	if s.send(ctx, gin.H{"type": "error", "id": nil, "error": "unknown_error", "message": message}) == nil {
		_ = s.conn.Close(websocket.StatusGoingAway, message)
	}
}

// listen hands on what the client says until it leaves.
func (s *socket) listen(ctx context.Context, said chan<- []byte) {
	for {
		_, data, err := s.conn.Read(ctx)
		if err != nil {
			return
		}
		select {
		case said <- data:
		case <-ctx.Done():
			return
		}
	}
}

// serve obeys commands and tells what happens, until the client leaves. If events can't be read the connection is closed, and the client comes back.
func (s *socket) serve(ctx context.Context, said <-chan []byte, arrived <-chan runs.Event) {
	calm := time.NewTimer(breath)
	defer calm.Stop()
	for {
		if err := s.flush(ctx); err != nil {
			return
		}
		events := arrived
		if len(s.due) > 0 {
			events = nil
		}
		var err error
		select {
		case <-ctx.Done():
			return
		case data, ok := <-said:
			if !ok {
				return
			}
			before := s.made
			if err = s.hear(ctx, data); s.made > before {
				calm.Reset(breath)
			}
		case <-calm.C:
			s.subscribing = false
		case e, ok := <-events:
			if !ok {
				_ = s.conn.Close(websocket.StatusInternalError, "events can't be read")
				return
			}
			err = s.tell(e)
		}
		if err != nil {
			return
		}
	}
}

// hear obeys a command.
func (s *socket) hear(ctx context.Context, data []byte) error {
	var cmd command
	if json.Unmarshal(data, &cmd) != nil || cmd.ID == nil {
		return s.send(ctx, gin.H{"type": "error", "id": nil, "error": "invalid_argument", "message": "a command is an object with an integer id"})
	}
	if err := door.Charge(s.gin, 1); err != nil {
		return s.send(ctx, reply{Type: "error", ID: *cmd.ID, Error: "unknown_error", Message: err.Error()})
	}
	switch cmd.Method {
	case "subscription.subscribe":
		return s.subscribe(ctx, cmd)
	case "subscription.unsubscribe":
		return s.unsubscribe(ctx, cmd)
	}
	r, err := s.door.obey(s.gin, s.thread, cmd) //nolint:contextcheck // that of the request, which ctx is made of
	if err != nil {
		r = reply{Type: "error", ID: *cmd.ID, Error: "unknown_error", Message: "something went wrong here"}
	}
	return s.send(ctx, r)
}

// send writes a message. The error says that the connection is over.
func (s *socket) send(ctx context.Context, value any) error {
	data, err := encode(value)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, socketWrite)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, data)
}

// subscribe answers; what was narrated already and matches is due then.
func (s *socket) subscribe(ctx context.Context, cmd command) error {
	f, err := read[filter](cmd.Params)
	if err != nil || len(s.subscriptions) >= maxSubscriptions {
		return s.send(ctx, reply{Type: "error", ID: *cmd.ID, Error: "invalid_argument", Message: "no such filter, or too many subscriptions"})
	}
	past, err := s.past(ctx, f)
	if err != nil {
		return err
	}
	s.made++
	s.subscribing = true
	s.subscriptions = append(s.subscriptions, subscription{"sub-" + strconv.Itoa(s.made), f})
	s.due = append(s.due, past...)
	slices.SortStableFunc(s.due, func(a, b told) int { return cmp.Compare(a.Seq, b.Seq) })
	result := gin.H{"subscription_id": "sub-" + strconv.Itoa(s.made), "replayed_events": len(past)}
	return s.send(ctx, reply{Type: "success", ID: *cmd.ID, Result: result, Meta: gin.H{"thread_id": s.thread}})
}

// past is what the filter wants of what was narrated.
func (s *socket) past(ctx context.Context, f filter) (past []told, err error) {
	n := newNarration()
	for e, err := range s.runs.LoggedEvents(ctx, s.thread) {
		if err != nil {
			return nil, err
		}
		if e.ID > s.told {
			break
		}
		list, err := n.tell(e)
		if err != nil {
			return nil, err
		}
		past = append(past, slices.DeleteFunc(list, func(t told) bool { return !f.wants(t) })...)
	}
	return past, nil
}

func (s *socket) unsubscribe(ctx context.Context, cmd command) error {
	p, err := read[struct {
		ID string `json:"subscription_id"`
	}](cmd.Params)
	at := slices.IndexFunc(s.subscriptions, func(sub subscription) bool { return sub.id == p.ID })
	if err != nil || at < 0 {
		return s.send(ctx, reply{Type: "error", ID: *cmd.ID, Error: "no_such_subscription", Message: "no subscription " + strconv.Quote(p.ID)})
	}
	s.subscriptions = slices.Delete(s.subscriptions, at, at+1)
	return s.send(ctx, reply{Type: "success", ID: *cmd.ID, Result: gin.H{}})
}

// tell narrates what happened, due to each subscription that wants it.
func (s *socket) tell(e runs.Event) error {
	s.told = e.ID
	list, err := s.narration.tell(e)
	for _, t := range list {
		for _, sub := range s.subscriptions {
			if sub.wants(t) {
				s.due = append(s.due, t)
			}
		}
	}
	return err
}

// flush sends what is due, up to the end of a run while the client is subscribing.
func (s *socket) flush(ctx context.Context) error {
	sent := 0
	defer func() { s.due = slices.Delete(s.due, 0, sent) }()
	for _, t := range s.due {
		if s.subscribing && t.ends() {
			return nil
		}
		if err := s.send(ctx, t); err != nil {
			return err
		}
		sent++
	}
	return nil
}
