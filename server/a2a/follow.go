package a2a

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gin-gonic/gin"

	"annai/fault"
	internal "annai/internal/message"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// sendStream answers a message with a stream of what happens.
func (a *handlers) sendStream(c *call) error {
	p, begun, err := c.begin(c.Request.Context())
	if err != nil {
		return err
	}
	j, err := c.job(c.Request.Context(), taskOf(begun.Run))
	if err != nil {
		return err
	}
	return a.follow(c, j, p.Configuration.History)
}

// subscribe tells what happened in a task that is worked on, from the beginning, and what happens.
func (a *handlers) subscribe(c *call) error {
	j, p, err := c.named(c.Request.Context())
	if err != nil {
		return err
	}
	if s := j.state(); s.over() {
		return &refusal{codeUnsupported, "UNSUPPORTED_OPERATION", "the task is " + string(s) + ": get it"}
	}
	return a.follow(c, j, p.History)
}

// A narration tells a client of the run that a task is at.
type narration struct {
	*call

	out  *stream.SSE
	task task
	// said is the text that was told of each artifact.
	said map[string]string
}

// follow sends the task, then what happens in it until it is over or asks.
func (a *handlers) follow(c *call, j job, history *int) error {
	ctx := c.Request.Context()
	t, err := c.tell(ctx, j)
	if err != nil {
		return err
	}
	n := &narration{call: c, out: stream.New(c.Writer, a.opts.Heartbeat), task: t, said: map[string]string{}}
	n.out.Begin()
	if err := n.send(c.version.named("task", t.in(c.version, history))); err != nil {
		return err
	}
	if t.status.state == inputRequired {
		return n.out.Flush()
	}
	err = n.out.Follow(ctx, c.service.Follow(ctx, j.run, 0), n.hear)
	if err == nil || errors.Is(err, door.ErrGone) {
		return err
	}
	f := door.Explain(err, "en")
	body, encoding := encode(gin.H{"jsonrpc": "2.0", "id": c.id, "error": errorObject(codeServer, f.Message, "")})
	if encoding == nil {
		n.out.Event("", "", body)
	}
	return errors.Join(err, encoding, n.out.Flush())
}

func (n *narration) send(result gin.H) error {
	body, err := n.response(result)
	if err != nil {
		return err
	}
	n.out.Event("", "", body)
	return nil
}

// hear tells an event of the run.
func (n *narration) hear(e runs.Event) error {
	switch e.Kind {
	case runs.KindBegin:
		n.task.status = status{state: working, at: e.At}
		return n.send(n.task.statusUpdate(n.version, false, nil))
	case runs.KindMessage:
		var piece runs.Object
		if json.Unmarshal(e.Data, &piece) != nil {
			return nil // nodes may say what is no message
		}
		return n.piece(piece)
	case runs.KindUpdate:
		for _, m := range stream.Messages(e.Data) {
			if err := n.whole(m); err != nil {
				return err
			}
		}
		return nil
	case runs.KindCustom:
		n.task.status.at = e.At
		return n.send(n.task.statusUpdate(n.version, false, gin.H{"custom": e.Data}))
	case runs.KindEnd:
		return n.end()
	case runs.KindValues, runs.KindTask, runs.KindTaskEnd, runs.KindCheckpoint, runs.KindInterrupt:
	}
	return nil
}

// piece tells a piece of a message of the agent's.
func (n *narration) piece(m runs.Object) error {
	f, ok := artifactOf(m)
	if !ok {
		return nil
	}
	said, more := n.said[f.id]
	n.said[f.id] = said + internal.Text(m)
	return n.send(n.task.artifactUpdate(n.version, f, more, false))
}

// whole tells a message that was written to the state, unless its pieces said the same.
func (n *narration) whole(m runs.Object) error {
	f, ok := artifactOf(m)
	text := internal.Text(m)
	if said, known := n.said[f.id]; !ok || known && said == text {
		return nil
	}
	n.said[f.id] = text
	return n.send(n.task.artifactUpdate(n.version, f, false, true))
}

// end tells how the task stands, now that its run has ended.
func (n *narration) end() error {
	ctx := n.Request.Context()
	j, err := n.job(ctx, n.task.id)
	if err != nil {
		if errors.Is(err, fault.ErrInvalid) { // it was deleted meanwhile
			return fmt.Errorf("task %s: %w", n.task.id, fault.ErrNotFound)
		}
		return err
	}
	if n.task, err = n.tell(ctx, j); err != nil {
		return err
	}
	for _, f := range n.task.artifacts {
		if _, told := n.said[f.id]; !told {
			if err := n.send(n.task.artifactUpdate(n.version, f, false, true)); err != nil {
				return err
			}
		}
	}
	return n.send(n.task.statusUpdate(n.version, true, nil))
}
