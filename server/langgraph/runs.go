package langgraph

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// An asked run is what a body asks for, in the words of LangGraph's API or of the Agent Protocol.
type asked struct {
	runs.Request
	agentRun
}

// request reads a run that is asked for. Who is told of its end elsewhere is an operator's to say.
func (a *handlers) request(c *gin.Context) (asked, error) {
	r, err := decode[asked](c)
	if err == nil {
		err = a.translate(c, &r)
	}
	if err != nil {
		return r, err
	}
	return r, allowed(c, &r.Request)
}

// thread is the thread that a run is asked for on: that of the path, or of the body.
func (r asked) thread(c *gin.Context) string { return cmp.Or(c.Param("id"), r.ThreadID) }

// allowed notes who asks for a run, and what came with the request.
func allowed(c *gin.Context, r *runs.Request) error {
	caller := door.CallerOf(c)
	if r.Webhook != "" && !caller.Operates && !caller.Is(door.Operator) {
		return fmt.Errorf("a webhook is for operators: %w", fault.ErrDenied)
	}
	r.Owner, r.OwnerName, r.Around = caller.Is(door.Owner), caller.Owner, around(c.Request.Header)
	return nil
}

// whereabouts is the path of a run.
func whereabouts(c *gin.Context, r runs.Run) string {
	if c.Param("id") == "" {
		return "/runs/" + r.ID
	}
	return "/threads/" + r.ThreadID + "/runs/" + r.ID
}

// createRun is POST /runs, and that of a thread.
func (a *handlers) createRun(c *gin.Context) error {
	r, err := a.request(c)
	if err != nil {
		return err
	}
	run, err := a.as(c).Create(c.Request.Context(), r.thread(c), r.Request)
	if err != nil {
		return refused(err)
	}
	c.Header("Content-Location", whereabouts(c, run))
	if r.isAgents() {
		return answer(c, agentRunOf(run))
	}
	return answer(c, run)
}

func (a *handlers) batch(c *gin.Context) error {
	list, err := decode[[]runs.Request](c)
	if err != nil {
		return err
	}
	if err := door.Charge(c, len(list)-1); err != nil {
		return err
	}
	for i := range list {
		if err := allowed(c, &list[i]); err != nil {
			return err
		}
	}
	made, err := a.as(c).CreateBatch(c.Request.Context(), list)
	if err != nil {
		return refused(err)
	}
	return answer(c, some(made))
}

// waitRun is POST /runs/wait, and that of a thread.
func (a *handlers) waitRun(c *gin.Context) error {
	r, err := a.request(c)
	if err != nil {
		return err
	}
	begun, err := a.as(c).Begin(c.Request.Context(), r.thread(c), r.Request, true)
	if err != nil {
		return refused(err)
	}
	c.Header("Content-Location", whereabouts(c, begun.Run))
	show := outcome
	if r.isAgents() {
		show = agentOutcome
	}
	err = a.await(c, begun.Wait, show)
	if c.Request.Context().Err() != nil && r.OnDisconnect == "cancel" {
		return errors.Join(err, a.abandon(c, begun.Run))
	}
	return err
}

// abandon cancels a run whose caller went away.
func (a *handlers) abandon(c *gin.Context, run runs.Run) error {
	return stream.Abandon(c.Request.Context(), a.as(c), run)
}

// await answers with how the run ended. While it lasts a newline is sent now and then, which JSON may begin with.
func (a *handlers) await(
	c *gin.Context, wait func(context.Context) (runs.Result, error), show func(runs.Result) ([]byte, error),
) error {
	for {
		result, err := a.waitSome(c.Request.Context(), wait)
		switch {
		case err == nil:
			body, err := show(result)
			if err != nil {
				return err
			}
			c.Data(http.StatusOK, "application/json", body)
			return nil
		case !errors.Is(err, errStillWaiting):
			return errors.Join(err, brokenOff(c, err))
		}
		if !c.Writer.Written() {
			c.Header("Content-Type", "application/json")
			c.Status(http.StatusOK)
		}
		if _, err := c.Writer.WriteString("\n"); err != nil {
			return fmt.Errorf("%w: %w", door.ErrGone, err)
		}
		c.Writer.Flush()
	}
}

// brokenOff ends an answer that has begun as one that failed.
func brokenOff(c *gin.Context, because error) error {
	if !c.Writer.Written() || c.Request.Context().Err() != nil && !errors.Is(because, door.ErrStopping) {
		return nil
	}
	f := door.Explain(because, "en")
	body, err := encode(gin.H{"__error__": gin.H{"error": "StreamBrokenError", "message": f.Message}})
	if err != nil {
		return err
	}
	_, err = c.Writer.Write(body)
	return err
}

var errStillWaiting = errors.New("the run has not ended yet")

func (a *handlers) waitSome(ctx context.Context, wait func(context.Context) (runs.Result, error)) (runs.Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, a.opts.Heartbeat, errStillWaiting)
	defer cancel()
	return wait(ctx)
}

// outcome is the state that a run left, with the questions that are open; or why it failed.
func outcome(r runs.Result) ([]byte, error) {
	if r.Status == runs.RunError || r.Status == runs.RunTimeout {
		return encode(gin.H{"__error__": gin.H{"error": r.Error, "message": r.Message}})
	}
	if !r.Paused {
		if r.Values == nil {
			return []byte("{}"), nil
		}
		return r.Values, nil
	}
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal(r.Values, &values); err != nil {
		return nil, fmt.Errorf("values of run %s: %w", r.Run.ID, err)
	}
	if values == nil { // of a graph whose state is null
		values = map[string]json.RawMessage{}
	}
	open, err := encode(some(r.Interrupts))
	values["__interrupt__"] = open
	if err != nil {
		return nil, err
	}
	return encode(values)
}

// theRun is the run that the path names.
func (a *handlers) theRun(c *gin.Context) (runs.Run, error) {
	if id := c.Param("run"); id != "" {
		return a.as(c).Run(c.Request.Context(), c.Param("id"), id)
	}
	return a.as(c).Run(c.Request.Context(), "", c.Param("id"))
}

func (a *handlers) run(c *gin.Context) error {
	r, err := a.theRun(c)
	if err != nil {
		return err
	}
	return answer(c, r)
}

// join is GET /threads/{id}/runs/{run}/join, and that of a run without a thread.
func (a *handlers) join(c *gin.Context) error {
	r, err := a.theRun(c)
	if err != nil {
		return err
	}
	c.Header("Content-Location", whereabouts(c, r))
	return a.await(c, waits(a.as(c), r), outcome)
}

// waits waits for a run.
func waits(service *runs.Service, r runs.Run) func(context.Context) (runs.Result, error) {
	return func(ctx context.Context) (runs.Result, error) { return service.Wait(ctx, r) }
}

func (a *handlers) listRuns(c *gin.Context) error {
	limit, err := number(c, "limit", 10)
	if err != nil {
		return err
	}
	offset, err := number(c, "offset", 0)
	if err != nil {
		return err
	}
	f := runs.RunFilter{ThreadID: c.Param("id"), Page: runs.Page{Limit: min(limit, maxLimit), Offset: offset}}
	if status := c.Query("status"); status != "" {
		f.Statuses = []runs.RunStatus{runs.RunStatus(status)}
	}
	list, n, err := a.as(c).ListRuns(c.Request.Context(), f)
	if err != nil {
		return err
	}
	return found(c, search{Select: c.QueryArray("select")}, f.Page, list, n)
}

func (a *handlers) deleteRun(c *gin.Context) error {
	if err := a.as(c).DeleteRun(c.Request.Context(), c.Param("id"), c.Param("run")); err != nil {
		return err
	}
	return a.noContent(c)
}

// action is how a run shall be cancelled.
func action(c *gin.Context) runs.Action {
	if how := c.Query("action"); how != "" {
		return runs.Action(how)
	}
	return runs.CancelInterrupt
}

func (a *handlers) cancel(c *gin.Context) error {
	wait := flag(c, "wait")
	if err := a.as(c).Cancel(c.Request.Context(), c.Param("id"), c.Param("run"), action(c), wait); err != nil {
		return err
	}
	if wait {
		return a.noContent(c)
	}
	c.Status(http.StatusAccepted)
	c.Writer.WriteHeaderNow()
	return nil
}

func (a *handlers) cancelMany(c *gin.Context) error {
	body, err := decode[struct {
		ThreadID string   `json:"thread_id"`
		RunIDs   []string `json:"run_ids"`
		Status   string   `json:"status"`
	}](c)
	if err != nil {
		return err
	}
	if err := a.as(c).CancelMany(c.Request.Context(), body.ThreadID, body.RunIDs, body.Status, action(c)); err != nil {
		return err
	}
	return a.noContent(c)
}
