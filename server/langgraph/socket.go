package langgraph

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/gin-gonic/gin"

	"annai/runs"
)

const (
	// socketWrite is how long one write to a socket may take, its reader not reading.
	socketWrite = 30 * time.Second
	// maxSubscriptions is how many a socket may have.
	maxSubscriptions = 64
)

// socket is a connection on which commands come in and replies and events go out. One follower tells all subscriptions what happens, so that what comes
// later in the log comes later on the connection too, whatever it was subscribed by.
type socket struct {
	door   *handlers
	gin    *gin.Context
	thread string
	conn   *websocket.Conn

	mu            sync.Mutex
	subscriptions []subscription
	made          int
	// told is the last event of the log that the subscriptions were told of.
	told int64
}

type subscription struct {
	id string
	filter
}

// threadSocket is GET /threads/{id}/stream/events, to be upgraded to a web socket. The server has checked where the page that asks is from.
func (a *handlers) threadSocket(c *gin.Context) error {
	conn, err := websocket.Accept(c.Writer, c.Request, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil //nolint:nilerr // the library has answered
	}
	conn.SetReadLimit(a.opts.MaxBody)
	s := &socket{door: a, gin: c, thread: c.Param("id"), conn: conn}
	ctx, cancel := context.WithCancel(c.Request.Context())
	var follower sync.WaitGroup
	follower.Go(func() { s.follow(ctx) })
	s.serve(ctx)
	cancel()
	follower.Wait()
	_ = conn.CloseNow()
	return nil
}

// serve obeys commands until the client leaves.
func (s *socket) serve(ctx context.Context) {
	for {
		_, data, err := s.conn.Read(ctx)
		if err != nil {
			return
		}
		var cmd command
		if json.Unmarshal(data, &cmd) != nil || cmd.ID == nil {
			err = s.send(ctx, gin.H{"type": "error", "id": nil, "error": "invalid_argument", "message": "a command is an object with an integer id"})
		} else {
			err = s.obey(ctx, cmd)
		}
		if err != nil {
			return
		}
	}
}

func (s *socket) obey(ctx context.Context, cmd command) error {
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

// subscribe answers, then sends what the others were told already and matches.
func (s *socket) subscribe(ctx context.Context, cmd command) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := read[filter](cmd.Params)
	if err != nil || len(s.subscriptions) >= maxSubscriptions {
		return s.send(ctx, reply{Type: "error", ID: *cmd.ID, Error: "invalid_argument", Message: "no such filter, or too many subscriptions"})
	}
	s.made++
	sub := subscription{"sub-" + strconv.Itoa(s.made), f}
	past, err := s.past(ctx, f)
	if err != nil {
		return err
	}
	result := gin.H{"subscription_id": sub.id, "replayed_events": len(past)}
	if err := s.send(ctx, reply{Type: "success", ID: *cmd.ID, Result: result, Meta: gin.H{"thread_id": s.thread}}); err != nil {
		return err
	}
	for _, t := range past {
		if err := s.send(ctx, t); err != nil {
			return err
		}
	}
	s.subscriptions = append(s.subscriptions, sub)
	return nil
}

// past is what the log has for the filter up to where the others are.
func (s *socket) past(ctx context.Context, f filter) (past []told, err error) {
	n := newNarration()
	for e, err := range s.door.runs.Told(ctx, s.thread) {
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
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.subscriptions, func(sub subscription) bool { return sub.id == p.ID })
	if err != nil || at < 0 {
		return s.send(ctx, reply{Type: "error", ID: *cmd.ID, Error: "no_such_subscription", Message: "no subscription " + strconv.Quote(p.ID)})
	}
	s.subscriptions = slices.Delete(s.subscriptions, at, at+1)
	return s.send(ctx, reply{Type: "success", ID: *cmd.ID, Result: gin.H{}})
}

// follow sends what happens to the subscriptions it matches, until ctx ends. If that fails for another reason than the client the connection is closed, and
// the client comes back.
func (s *socket) follow(ctx context.Context) {
	n := newNarration()
	idle := func() error { return nil }
	err := relay(ctx, s.door.runs.FollowThread(ctx, s.thread, 0), s.door.opts.Heartbeat, idle, func(e runs.Event, _ bool) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told = e.ID
		list, err := n.tell(e)
		for _, t := range list {
			for _, sub := range s.subscriptions {
				if !sub.wants(t) {
					continue
				}
				if err := s.send(ctx, t); err != nil {
					return err
				}
			}
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		_ = s.conn.Close(websocket.StatusInternalError, "events can't be read")
	}
}
