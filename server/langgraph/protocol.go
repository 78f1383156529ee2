package langgraph

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/runs"
	"annai/server/stream"
)

// maxParts is how many events of the protocol one event of the log may become.
const maxParts = 1 << 8

type (
	// told is an event of the protocol.
	told struct {
		Type   string `json:"type"`
		ID     string `json:"event_id"`
		Seq    int64  `json:"seq"`
		Method string `json:"method"`
		Params params `json:"params"`
	}
	params struct {
		Namespace []string `json:"namespace"`
		Timestamp int64    `json:"timestamp"`
		Node      string   `json:"node,omitempty"`
		Data      any      `json:"data"`
	}
)

// ends reports whether the event is the last of a run.
func (t told) ends() bool {
	data, _ := t.Params.Data.(gin.H)
	return t.Method == "lifecycle" && len(t.Params.Namespace) == 0 && data["event"] != "running"
}

// A filter says which events a subscription is for.
type filter struct {
	Channels   []string   `json:"channels"`
	Namespaces [][]string `json:"namespaces"`
	Depth      *int       `json:"depth"`
	Since      int64      `json:"since"`
}

func (f filter) wants(t told) bool {
	channel := t.Method
	if channel == "input.requested" {
		channel = "input"
	}
	if t.Seq <= f.Since || !slices.Contains(f.Channels, channel) {
		return false
	}
	return len(f.Namespaces) == 0 || slices.ContainsFunc(f.Namespaces, func(prefix []string) bool { return f.below(t.Params.Namespace, prefix) })
}

// below says whether the namespace begins with the prefix and is not too far below it. A label without an id stands for any task of that node.
func (f filter) below(namespace, prefix []string) bool {
	if len(prefix) > len(namespace) || f.Depth != nil && len(namespace)-len(prefix) > *f.Depth {
		return false
	}
	for i, label := range prefix {
		node, _, _ := strings.Cut(namespace[i], ":")
		if namespace[i] != label && node != label {
			return false
		}
	}
	return true
}

// narration turns the log of a thread into the protocol's. It is made anew for each reader, and begins with the log.
type narration struct {
	runs map[string]*story
}

// story is what was told of one run.
type story struct {
	graph string
	// open are the namespaces whose beginning was told, but not their end, in order.
	open []string
	// messages are as far as they were told, by their ids.
	messages map[string]*spoken
	calls    calls
}

func newNarration() *narration { return &narration{runs: map[string]*story{}} }

// tell returns what an event of the log becomes.
func (n *narration) tell(e runs.Event) ([]told, error) {
	s := n.runs[e.RunID]
	if s == nil {
		s = &story{messages: map[string]*spoken{}, calls: calls{}}
		n.runs[e.RunID] = s
	}
	l := &lines{event: e}
	err := s.tell(e, l)
	if e.Kind == runs.KindEnd {
		delete(n.runs, e.RunID)
	}
	return l.list, err
}

// lines are the events that one event of the log becomes.
type lines struct {
	event runs.Event
	list  []told
}

func (l *lines) add(method, namespace, node string, data any) {
	if len(l.list) == maxParts {
		return
	}
	seq := l.event.ID*maxParts + int64(len(l.list))
	path := []string{}
	if namespace != "" {
		path = strings.Split(namespace, "|")
	}
	l.list = append(l.list, told{"event", strconv.FormatInt(seq, 10), seq, method, params{path, l.event.At.UnixMilli(), node, data}})
}

func (s *story) tell(e runs.Event, l *lines) error {
	s.enter(e.Namespace, l)
	switch e.Kind {
	case runs.KindBegin:
		var b runs.Beginning
		if err := json.Unmarshal(e.Data, &b); err != nil {
			return fmt.Errorf("beginning of run %s: %w", e.RunID, err)
		}
		s.graph = b.GraphID
		l.add("lifecycle", "", "", gin.H{"event": "running", "graph_name": s.graph})
	case runs.KindValues:
		l.add("values", e.Namespace, "", e.Data)
	case runs.KindUpdate:
		s.update(e, l)
	case runs.KindMessage:
		s.message(e, l)
	case runs.KindCustom:
		l.add("custom", e.Namespace, e.Node, gin.H{"payload": e.Data})
	case runs.KindTask, runs.KindTaskEnd:
		l.add("tasks", e.Namespace, e.Node, e.Data)
		if call, ok := s.calls.begin(e); ok {
			l.add("tools", e.Namespace, e.Node, call.started())
		}
	case runs.KindCheckpoint:
		var c runs.State
		if err := json.Unmarshal(e.Data, &c); err != nil {
			return fmt.Errorf("checkpoint of run %s: %w", e.RunID, err)
		}
		l.add("checkpoints", e.Namespace, "", gin.H{"id": c.Checkpoint, "parent_id": c.Parent, "step": c.Step, "source": c.Source})
	case runs.KindInterrupt:
		return s.ask(e, l)
	case runs.KindEnd:
		return s.end(e, l)
	}
	return nil
}

// enter tells that graphs inside have begun.
func (s *story) enter(namespace string, l *lines) {
	if namespace == "" {
		return
	}
	for i, c := range namespace + "|" {
		if c == '|' {
			s.start(namespace[:i], l)
		}
	}
}

func (s *story) start(namespace string, l *lines) {
	if slices.Contains(s.open, namespace) {
		return
	}
	s.open = append(s.open, namespace)
	labels := strings.Split(namespace, "|")
	node, _, _ := strings.Cut(labels[len(labels)-1], ":")
	l.add("lifecycle", namespace, "", gin.H{"event": "started", "graph_name": node})
}

// leave tells how what is open at and below the places that match has ended, the innermost first.
func (s *story) leave(how string, l *lines, match func(namespace string) bool) {
	for _, namespace := range slices.Backward(slices.Clone(s.open)) {
		if match(namespace) {
			l.add("lifecycle", namespace, "", gin.H{"event": how})
			s.open = slices.DeleteFunc(s.open, func(o string) bool { return o == namespace })
		}
	}
}

// update tells what a node wrote: the ends of messages that it streamed, others whole, and that a graph inside has ended.
func (s *story) update(e runs.Event, l *lines) {
	for _, m := range stream.Messages(e.Data) {
		id, _ := m["id"].(string)
		said := s.messages[id]
		if said != nil && said.ended {
			continue
		}
		if call, ok := s.calls.end(m); ok {
			l.add("tools", e.Namespace, e.Node, call.finished(m))
		}
		if said == nil {
			said = s.begin(e, m, l)
		}
		said.whole(m, l)
	}
	s.leave("completed", l, func(namespace string) bool {
		rest, inside := strings.CutPrefix(namespace, e.Namespace)
		rest = strings.TrimPrefix(rest, "|")
		return inside && strings.HasPrefix(rest, e.Node+":")
	})
	l.add("updates", e.Namespace, e.Node, e.Data)
}

// message tells a piece of a message.
func (s *story) message(e runs.Event, l *lines) {
	var piece runs.Object
	if json.Unmarshal(e.Data, &piece) != nil {
		return // nodes may say what is no message
	}
	id, _ := piece["id"].(string)
	said := s.messages[id]
	if said == nil {
		said = s.begin(e, piece, l)
	}
	said.piece(piece, l)
}

// ask tells what the run asks.
func (s *story) ask(e runs.Event, l *lines) error {
	var open []runs.Interrupt
	if err := json.Unmarshal(e.Data, &open); err != nil {
		return fmt.Errorf("questions of run %s: %w", e.RunID, err)
	}
	for _, i := range open {
		l.add("input.requested", "", "", gin.H{"interrupt_id": i.ID, "payload": i.Value})
	}
	return nil
}

// end tells how the run ended; nothing of it comes after that.
func (s *story) end(e runs.Event, l *lines) error {
	var ending runs.Ending
	if err := json.Unmarshal(e.Data, &ending); err != nil {
		return fmt.Errorf("end of run %s: %w", e.RunID, err)
	}
	how := howEnded(ending)
	s.leave(how, l, func(string) bool { return true })
	data := gin.H{"event": how, "graph_name": s.graph}
	if how == "failed" {
		data["error"] = ending.Message
	}
	l.add("lifecycle", "", "", data)
	return nil
}

func howEnded(e runs.Ending) string {
	switch {
	case e.Error != "" || e.Status == runs.RunError || e.Status == runs.RunTimeout:
		return "failed"
	case e.Status == runs.RunInterrupted || e.Thread == runs.ThreadInterrupted:
		return "interrupted"
	default:
		return "completed"
	}
}

// threadEvents is POST /threads/{id}/stream/events: what happened on the thread and matches the filter, then what happens, until the reader leaves.
func (a *handlers) threadEvents(c *gin.Context) error {
	f, err := decode[filter](c)
	if err != nil {
		return err
	}
	if last, given, err := lastSeen(c); err == nil && given {
		f.Since = max(f.Since, last.event)
	}
	out, ctx, n := stream.New(c.Writer, a.opts.Heartbeat), c.Request.Context(), newNarration()
	if err := a.as(c).MayFollow(ctx, c.Param("id")); err != nil {
		return err
	}
	out.Begin()
	err = out.Follow(ctx, a.as(c).FollowThread(ctx, c.Param("id"), 0), func(e runs.Event) error {
		list, err := n.tell(e)
		for _, t := range list {
			if !f.wants(t) {
				continue
			}
			data, err := encode(t)
			if err != nil {
				return err
			}
			out.Event(t.Method, t.ID, data)
		}
		return err
	})
	if errors.Is(err, runs.ErrSlow) {
		return nil // it comes back and goes on where it was
	}
	return lastWords(c, out, err)
}
