package langgraph

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// streamRun is POST /runs/stream, and that of a thread.
func (a *handlers) streamRun(c *gin.Context) error {
	r, err := a.request(c)
	if err != nil {
		return err
	}
	begun, err := a.as(c).Begin(c.Request.Context(), r.thread(c), r.Request, false)
	if err != nil {
		return refused(err)
	}
	run := begun.Run
	where := whereabouts(c, run)
	c.Header("Content-Location", where)
	if run.Kwargs.Resumable {
		c.Header("Location", where+"/stream")
	}
	ctx := c.Request.Context()
	err = a.send(c, begun.Follow(ctx), newRendering(run, run.Kwargs.StreamMode).frames, mark{})
	if ctx.Err() != nil && r.OnDisconnect == "cancel" {
		return errors.Join(err, a.abandon(c, run))
	}
	return err
}

// joinStream is GET /threads/{id}/runs/{run}/stream, and that of a run without a thread.
func (a *handlers) joinStream(c *gin.Context) error {
	run, err := a.theRun(c)
	if errors.Is(err, fault.ErrNotFound) && c.Param("run") != "" {
		if _, err := a.as(c).Thread(c.Request.Context(), c.Param("id")); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	after, given, err := lastSeen(c)
	if err != nil {
		return err
	}
	if !given {
		if after.event, err = a.as(c).Newest(ctx, run); err != nil {
			return err
		}
		after.part = allParts
	}
	modes, err := wanted(c, run.Kwargs.StreamMode)
	if err != nil {
		return err
	}
	where := whereabouts(c, run)
	c.Header("Content-Location", where)
	if run.Kwargs.Resumable {
		c.Header("Location", where+"/stream")
	}
	err = a.send(c, a.as(c).Follow(ctx, run, 0), newRendering(run, modes).frames, after)
	if ctx.Err() != nil && flag(c, "cancel_on_disconnect") {
		return errors.Join(err, a.abandon(c, run))
	}
	return err
}

// wanted are the modes that the query asks for, or else those of the run.
func wanted(c *gin.Context, otherwise []runs.Mode) ([]runs.Mode, error) {
	var modes []runs.Mode
	for _, list := range append(c.QueryArray("stream_mode"), c.QueryArray("stream_mode[]")...) {
		for name := range strings.SplitSeq(list, ",") {
			m := runs.Mode(strings.Trim(name, `[]" `))
			switch {
			case m == "": // how the Python client says that it names none
				continue
			case !m.Valid():
				return nil, fmt.Errorf("stream_mode %q: %w", name, fault.ErrInvalid)
			}
			modes = append(modes, m)
		}
	}
	if len(modes) == 0 {
		return otherwise, nil
	}
	return modes, nil
}

// joinThread is GET /threads/{id}/stream: what happens in all runs of the thread, from now on or from where the reader was.
// To be upgraded to a web socket it is the Agent Protocol's.
func (a *handlers) joinThread(c *gin.Context) error {
	if strings.EqualFold(c.GetHeader("Upgrade"), "websocket") {
		return a.threadSocket(c)
	}
	ctx := c.Request.Context()
	if _, err := a.as(c).Thread(ctx, c.Param("id")); err != nil {
		return err
	}
	after, given, err := lastSeen(c)
	if err != nil {
		return err
	}
	if !given {
		if after.event, err = a.as(c).Newest(ctx, runs.Run{ThreadID: c.Param("id")}); err != nil {
			return err
		}
		after.part = allParts
	}
	renderings := map[string]*rendering{}
	return a.send(c, a.as(c).FollowThread(ctx, c.Param("id"), 0), func(e runs.Event) ([]frame, error) {
		r := renderings[e.RunID]
		if r == nil {
			r = newRendering(runs.Run{ID: e.RunID, ThreadID: c.Param("id")}, nil)
			r.asRun = true
			renderings[e.RunID] = r
		}
		if e.Kind == runs.KindEnd {
			delete(renderings, e.RunID)
		}
		return r.frames(e)
	}, after)
}

// A mark is where a reader was: the event, and which of the frames that were made of it.
type mark struct {
	event int64
	part  int
}

const allParts = 1 << 30

// lastSeen reads the header Last-Event-ID. -1 is before everything.
func lastSeen(c *gin.Context) (m mark, given bool, err error) {
	text := c.GetHeader("Last-Event-ID")
	if text == "" {
		return mark{}, false, nil
	}
	if text == "-1" {
		return mark{}, true, nil
	}
	event, part, split := strings.Cut(text, "-")
	if m.event, err = strconv.ParseInt(event, 10, 64); err == nil && split {
		m.part, err = strconv.Atoi(part)
	} else {
		m.part = allParts
	}
	if err != nil {
		return mark{}, false, fmt.Errorf("Last-Event-ID is %q: %w", text, fault.ErrInvalid)
	}
	return m, true, nil
}

// A frame is one server-sent event; its id is that of the event it was made of, and its place among all that were.
type frame struct {
	name string
	data []byte
}

// send renders events as server-sent events, but for those up to the mark, until there are no more or the reader goes away.
func (a *handlers) send(c *gin.Context, events iter.Seq2[runs.Event, error], render func(runs.Event) ([]frame, error), after mark) error {
	out := stream.New(c.Writer, a.opts.Heartbeat)
	out.Begin()
	err := out.Follow(c.Request.Context(), events, func(e runs.Event) error {
		frames, err := render(e)
		if err != nil {
			return err
		}
		for part, f := range frames {
			if e.ID < after.event || e.ID == after.event && part <= after.part {
				continue
			}
			out.Event(f.name, strconv.FormatInt(e.ID, 10)+"-"+strconv.Itoa(part), f.data)
		}
		return nil
	})
	return lastWords(c, out, err)
}

// lastWords says in the stream that it breaks off, because of the error, and returns that for the
// log. Without one the stream has come to its end.
func lastWords(c *gin.Context, out *stream.SSE, err error) error {
	if err == nil || errors.Is(err, door.ErrGone) {
		return err
	}
	f := door.Explain(err, c.GetHeader("Accept-Language"))
	words, left := gin.H{"error": "StreamBrokenError", "message": f.Message}, err
	if errors.Is(err, runs.ErrSlow) {
		words, left = gin.H{"error": "SlowReaderError", "message": runs.ErrSlow.Error()}, nil
	}
	data, encoding := encode(words)
	out.Event("error", "", data)
	return errors.Join(left, encoding, out.Flush())
}
