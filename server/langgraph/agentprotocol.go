package langgraph

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
	"annai/server/stream"
)

// agentProtocol are the routes of the open Agent Protocol that LangGraph's API does not have. Of those that both have,
// the ones that make runs take either form of a body.
func (a *handlers) agentProtocol() []door.Route {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	routes := []door.Route{
		{Method: post, Path: "/agents/search", Role: door.Visitor, Handle: a.searchAgents},
		{Method: get, Path: "/agents/:id", Role: door.Visitor, Handle: a.agent},
		{Method: get, Path: "/agents/:id/schemas", Role: door.Visitor, Handle: a.agentSchemas},
		{Method: post, Path: "/runs/search", Role: door.Operator, Handle: a.searchRuns},
		{Method: get, Path: "/runs/:id", Role: door.Visitor, Handle: a.agentRun},
		{Method: del, Path: "/runs/:id", Role: door.Visitor, Handle: a.deleteAgentRun},
		{Method: get, Path: "/runs/:id/wait", Role: door.Visitor, Handle: a.waitAgentRun, Long: true},
		{
			Method: post, Path: "/threads/:id/stream", Role: door.Visitor, Handle: a.threadEvents,
			Long: true, Endless: true,
		},
	}
	if a.opts.CancelRuns {
		routes = append(routes, door.Route{
			Method: post, Path: "/runs/:id/cancel", Role: door.Visitor, Handle: a.cancelAgentRun, Long: true,
		})
	}
	return routes
}

// agentRun is how the Agent Protocol asks for a run, where it differs from LangGraph's API.
type agentRun struct {
	AgentID  string          `json:"agent_id"`
	ThreadID string          `json:"thread_id"`
	Messages json.RawMessage `json:"messages"`
}

// isAgents says that a run is asked for in the words of the Agent Protocol.
func (r asked) isAgents() bool { return r.AgentID != "" || r.ThreadID != "" || len(r.Messages) > 0 }

// translate makes LangGraph's request of the Agent Protocol's. Whoever names no agent means the only one.
func (a *handlers) translate(c *gin.Context, r *asked) error {
	if !r.isAgents() {
		return nil
	}
	r.AssistantID = cmp.Or(r.AssistantID, r.AgentID)
	if r.AssistantID == "" {
		all, n, err := a.as(c).SearchAssistants(c.Request.Context(), runs.AssistantFilter{Page: runs.Page{Limit: 1}})
		if err != nil {
			return err
		}
		if n != 1 {
			return fmt.Errorf("agent_id is required where there are %d agents: %w", n, fault.ErrInvalid)
		}
		r.AssistantID = all[0].ID
	}
	if len(r.Messages) == 0 {
		return nil
	}
	input, err := withMessages(r.Input, r.Messages)
	r.Input = input
	return err
}

// withMessages puts messages into an object of values.
func withMessages(values, messages json.RawMessage) (json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	if len(values) > 0 {
		if err := json.Unmarshal(values, &all); err != nil || all == nil {
			return nil, fmt.Errorf("messages need values that are an object: %w", fault.ErrInvalid)
		}
	}
	all["messages"] = messages
	return encode(all)
}

// ofAgent is a run as the Agent Protocol shows it.
type ofAgent struct {
	runs.Run

	AgentID string `json:"agent_id"`
}

func agentRunOf(r runs.Run) ofAgent { return ofAgent{r, r.AssistantID} }

// agentOutcome is how a run ended, in the Agent Protocol's form.
func agentOutcome(r runs.Result) ([]byte, error) {
	values, err := outcome(r)
	if err != nil {
		return nil, err
	}
	o := gin.H{"run": agentRunOf(r.Run), "values": json.RawMessage(values)}
	if messages := stream.Messages(r.Values); messages != nil {
		o["messages"] = messages
	}
	return encode(o)
}

type agent struct {
	ID           string          `json:"agent_id"`
	Name         string          `json:"name"`
	Description  *string         `json:"description,omitempty"`
	Metadata     runs.Object     `json:"metadata"`
	Capabilities map[string]bool `json:"capabilities"`
}

func (a *handlers) agentOf(c *gin.Context, of runs.Assistant) (agent, error) {
	_, schemas, err := a.as(c).Schemas(c.Request.Context(), of.ID)
	if err != nil {
		return agent{}, err
	}
	var input struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(schemas.Input, &input) // without a schema nothing is known
	return agent{
		ID: of.ID, Name: of.Name, Description: of.Description, Metadata: of.Metadata,
		Capabilities: map[string]bool{"ap.io.messages": input.Properties["messages"] != nil, "ap.io.streaming": true},
	}, nil
}

func (a *handlers) searchAgents(c *gin.Context) error {
	s, page, list, n, err := a.assistantsFound(c)
	if err != nil {
		return err
	}
	agents := make([]agent, len(list))
	for i, one := range list {
		if agents[i], err = a.agentOf(c, one); err != nil {
			return err
		}
	}
	return found(c, s.search, page, agents, n)
}

func (a *handlers) agent(c *gin.Context) error {
	one, err := a.as(c).Assistant(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	shown, err := a.agentOf(c, one)
	if err != nil {
		return err
	}
	return answer(c, shown)
}

func (a *handlers) agentSchemas(c *gin.Context) error {
	_, s, err := a.as(c).Schemas(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return answer(c, gin.H{
		"agent_id": c.Param("id"), "input_schema": schemaOr(s.Input), "output_schema": schemaOr(s.Output),
		"state_schema": schemaOr(s.State), "config_schema": schemaOr(s.Config),
	})
}

// maxRunsSearched is how many runs a search looks at, newest first.
const maxRunsSearched = 10_000

// searchRuns finds runs, newest first.
func (a *handlers) searchRuns(c *gin.Context) error {
	s, err := decode[struct {
		search

		Status   runs.RunStatus `json:"status"`
		ThreadID string         `json:"thread_id"`
		AgentID  string         `json:"agent_id"`
	}](c)
	if err != nil {
		return err
	}
	page, err := s.page(10)
	if err != nil {
		return err
	}
	f := runs.RunFilter{ThreadID: s.ThreadID, Newest: true, Page: runs.Page{Limit: 100}}
	if s.Status != "" {
		f.Statuses = []runs.RunStatus{s.Status}
	}
	list, n := []ofAgent{}, 0
	for f.Page.Offset < maxRunsSearched {
		some, _, err := a.as(c).ListRuns(c.Request.Context(), f)
		if err != nil {
			return err
		}
		for _, r := range some {
			if s.AgentID != "" && r.AssistantID != s.AgentID || !runs.Contains(r.Metadata, s.Metadata) {
				continue
			}
			if n >= page.Offset && len(list) < page.Limit {
				list = append(list, agentRunOf(r))
			}
			n++
		}
		if len(some) == 0 {
			break
		}
		f.Page.Offset += len(some)
	}
	return found(c, s.search, page, list, n)
}

func (a *handlers) agentRun(c *gin.Context) error {
	r, err := a.theRun(c)
	if err != nil {
		return err
	}
	return answer(c, agentRunOf(r))
}

func (a *handlers) deleteAgentRun(c *gin.Context) error {
	r, err := a.theRun(c)
	if err == nil {
		err = a.as(c).DeleteRun(c.Request.Context(), r.ThreadID, r.ID)
	}
	if err != nil {
		return err
	}
	return a.noContent(c)
}

func (a *handlers) waitAgentRun(c *gin.Context) error {
	r, err := a.theRun(c)
	if err != nil {
		return err
	}
	return a.await(c, waits(a.as(c), r), agentOutcome)
}

func (a *handlers) cancelAgentRun(c *gin.Context) error {
	r, err := a.theRun(c)
	if err == nil {
		err = a.as(c).Cancel(c.Request.Context(), r.ThreadID, r.ID, action(c), flag(c, "wait"))
	}
	if err != nil {
		return err
	}
	return a.noContent(c)
}

// agentUpdate is what the Agent Protocol may change of a thread besides its metadata.
type agentUpdate struct {
	Values     json.RawMessage     `json:"values"`
	Messages   json.RawMessage     `json:"messages"`
	Checkpoint *runs.CheckpointRef `json:"checkpoint"`
}

// updateValues writes values to the state of the thread, if there are any.
func (a *handlers) updateValues(c *gin.Context, u agentUpdate) error {
	if len(u.Values) == 0 && len(u.Messages) == 0 {
		return nil
	}
	if len(u.Messages) > 0 {
		var err error
		if u.Values, err = withMessages(u.Values, u.Messages); err != nil {
			return err
		}
	}
	_, err := a.as(c).UpdateState(c.Request.Context(), c.Param("id"), runs.StateUpdate{
		Values: u.Values, Checkpoint: u.Checkpoint,
	})
	return err
}
