package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
)

// A DecisionType is what a person decides about a tool call. It is a closed set.
type DecisionType string

// The values of [DecisionType].
const (
	// Approve carries the call out as it is.
	Approve DecisionType = "approve"
	// Edit carries it out with other arguments.
	Edit DecisionType = "edit"
	// Reject does not carry it out. The model is told.
	Reject DecisionType = "reject"
)

// A Review says how a person is asked about calls of a tool.
type Review struct {
	// Allowed are the decisions that may be made. Nil: all.
	Allowed []DecisionType
	// Description is shown to the person. Empty: the tool's.
	Description string
}

func (r Review) allowed() []DecisionType {
	if r.Allowed == nil {
		return []DecisionType{Approve, Edit, Reject}
	}
	return r.Allowed
}

// A ReviewRequest is the question of an interrupt: may this call be carried out? Its form is that of LangChain's
// HITLRequest, always with one call; calls side by side are interrupts side by side.
type ReviewRequest struct {
	ActionRequests []ActionRequest `json:"action_requests"`
	ReviewConfigs  []ReviewConfig  `json:"review_configs"`
	// Problem says what was wrong with the answer before this question, which is why it is asked again.
	Problem string `json:"problem,omitempty"`
}

// ReviewOf returns the question of an interrupt, whether it was just asked or comes from a checkpoint. An interrupt
// that is no review is [fault.ErrInvalid].
func ReviewOf(i graph.Interrupt) (ReviewRequest, error) {
	var r ReviewRequest
	if err := remake(i.Question, &r); err != nil || len(r.ActionRequests) != 1 {
		return r, fmt.Errorf("interrupt %s is no question about a tool call: %w", i.ID, fault.ErrInvalid)
	}
	return r, nil
}

// An Action is a call of a tool.
type Action struct {
	// Name is the tool's.
	Name string `json:"name"`
	// Args is a JSON object.
	Args json.RawMessage `json:"args"`
}

// An ActionRequest is an action with words about it.
type ActionRequest struct {
	Action

	Description string `json:"description,omitempty"`
}

// A ReviewConfig says what may be decided about an action.
type ReviewConfig struct {
	ActionName       string         `json:"action_name"`
	AllowedDecisions []DecisionType `json:"allowed_decisions"`
}

// A Decision is the answer to a [ReviewRequest]. LangChain's form {"decisions": [...]} with one decision is taken
// too. An answer that is no allowed decision does nothing: the question is asked again, with the Problem.
type Decision struct {
	Type DecisionType `json:"type"`
	// EditedAction has the arguments of an [Edit]. Its name is empty or the tool's.
	EditedAction *Action `json:"edited_action,omitempty"`
	// Message tells the model why a call was rejected. It may be empty.
	Message string `json:"message,omitempty"`
}

// decide returns what a person decided about the call, or else the question.
func decide(ctx context.Context, call ToolCall, t Tool, review Review) (*Decision, *ReviewRequest, error) {
	question := &ReviewRequest{
		ActionRequests: []ActionRequest{{
			Action: Action{call.Name, orEmpty(call.Args)}, Description: review.Description,
		}},
		ReviewConfigs: []ReviewConfig{{call.Name, review.allowed()}},
	}
	if review.Description == "" {
		question.ActionRequests[0].Description = t.Description
	}
	for n := 0; ; n++ {
		var answer json.RawMessage
		answered, err := graph.Answer(ctx, n, &answer)
		if err != nil || !answered {
			return nil, question, err
		}
		decision, problem := readDecision(answer, call.Name, review.allowed())
		if problem == "" {
			return &decision, nil, nil
		}
		question.Problem = problem
	}
}

// readDecision reads an answer, or says what is wrong with it.
func readDecision(answer json.RawMessage, tool string, allowed []DecisionType) (d Decision, problem string) {
	var in struct {
		Decision

		Decisions []Decision `json:"decisions"`
	}
	if err := json.Unmarshal(answer, &in); err != nil {
		return d, `The answer must be a decision, such as {"type": "approve"}.`
	}
	d = in.Decision
	switch len(in.Decisions) {
	case 0:
	case 1:
		d = in.Decisions[0]
	default:
		return d, "There is one call to decide about."
	}
	switch edited := d.EditedAction; {
	case !slices.Contains(allowed, d.Type):
		return d, fmt.Sprintf("The type must be one of %s.", joinTypes(allowed))
	case d.Type != Edit:
	case edited == nil || !isObject(edited.Args):
		return d, "An edit must have an edited_action whose args are an object."
	case edited.Name != "" && edited.Name != tool:
		return d, "An edit may not name another tool."
	}
	return d, ""
}

func joinTypes(types []DecisionType) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = string(t)
	}
	return strings.Join(words, ", ")
}
