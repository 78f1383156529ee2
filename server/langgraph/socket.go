package langgraph

import (
	"context"
	"encoding/json"
	"errors"
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

// socket is a connection on which commands come in and replies and events go out.
type socket struct {
	api    *api
	gin    *gin.Context
	thread string
	conn   *websocket.Conn

	mu sync.Mutex
	// subscriptions are what ends them, by their ids.
	subscriptions map[string]context.CancelFunc
	made          int
	readers       sync.WaitGroup
}

// threadSocket is GET /threads/{id}/stream/events, to be upgraded to a web socket. The server has checked where the page that asks is from.
func (a *api) threadSocket(c *gin.Context) error {
	conn, err := websocket.Accept(c.Writer, c.Request, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil //nolint:nilerr // the library has answered
	}
	conn.SetReadLimit(a.opts.MaxBody)
	s := &socket{api: a, gin: c, thread: c.Param("id"), conn: conn, subscriptions: map[string]context.CancelFunc{}}
	ctx, cancel := context.WithCancel(c.Request.Context())
	s.serve(ctx)
	cancel()
	s.readers.Wait()
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
	r, err := s.api.obey(s.gin, s.thread, cmd)
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

// subscribe answers, then sends what happened on the thread and matches, then what happens.
func (s *socket) subscribe(ctx context.Context, cmd command) error {
	f, err := read[filter](cmd.Params)
	s.mu.Lock()
	full := len(s.subscriptions) >= maxSubscriptions
	s.mu.Unlock()
	if err != nil || full {
		return s.send(ctx, reply{Type: "error", ID: *cmd.ID, Error: "invalid_argument", Message: "no such filter, or too many subscriptions"})
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.made++
	id := "sub-" + strconv.Itoa(s.made)
	s.subscriptions[id] = cancel
	s.mu.Unlock()
	err = s.send(ctx, reply{Type: "success", ID: *cmd.ID, Result: gin.H{"subscription_id": id, "replayed_events": 0}, Meta: gin.H{"thread_id": s.thread}})
	if err != nil {
		cancel()
		return err
	}
	s.readers.Go(func() { s.follow(ctx, f) })
	return nil
}

func (s *socket) unsubscribe(ctx context.Context, cmd command) error {
	p, err := read[struct {
		ID string `json:"subscription_id"`
	}](cmd.Params)
	s.mu.Lock()
	end := s.subscriptions[p.ID]
	delete(s.subscriptions, p.ID)
	s.mu.Unlock()
	if err != nil || end == nil {
		return s.send(ctx, reply{Type: "error", ID: *cmd.ID, Error: "no_such_subscription", Message: "no subscription " + strconv.Quote(p.ID)})
	}
	end()
	return s.send(ctx, reply{Type: "success", ID: *cmd.ID, Result: gin.H{}})
}

// follow sends the events of a subscription until it ends. If that fails for another reason than the client the connection is closed, and the client comes back.
func (s *socket) follow(ctx context.Context, f filter) {
	n := newNarration()
	err := relay(ctx, s.api.runs.FollowThread(ctx, s.thread, 0), s.api.opts.Heartbeat, func() error { return nil }, func(e runs.Event, _ bool) error {
		list, err := n.tell(e)
		for _, t := range list {
			if !f.wants(t) {
				continue
			}
			if err := s.send(ctx, t); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
		_ = s.conn.Close(websocket.StatusInternalError, "events can't be read")
	}
}
