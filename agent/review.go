package agent

import (
	"cmp"
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
	// Reject does not carry it out. The model is told so.
	Reject DecisionType = "reject"
	// Respond does not carry it out either: what the person says is the tool's answer. It is all that a tool needs
	// whose purpose is to ask the user something.
	Respond DecisionType = "respond"
)

// A Review says how a person is asked about calls of a tool.
type Review struct {
	// Allowed are the decisions that may be made. Nil: all.
	Allowed []DecisionType
	// Description is shown to the person. Empty: the tool's.
	Description string
	// When reports whether a person is asked about the call, whose arguments nobody has checked. Nil: about each.
	When func(call ToolCall) bool
}

func (r Review) allowed() []DecisionType {
	if r.Allowed == nil {
		return []DecisionType{Approve, Edit, Reject, Respond}
	}
	return r.Allowed
}

// A ReviewRequest is the question of an interrupt: may this call be carried out? It has the form of LangChain's
// HITLRequest, always with one call; several calls of a message are several interrupts.
type ReviewRequest struct {
	// ActionRequests and ReviewConfigs have one element each.
	ActionRequests []ActionRequest `json:"action_requests"`
	ReviewConfigs  []ReviewConfig  `json:"review_configs"`
}

// ReviewOf returns the question of an interrupt, whether it comes from a run or from a checkpoint. An interrupt that is
// not about a tool call is [fault.ErrInvalid].
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

// An ActionRequest is an action with its description.
type ActionRequest struct {
	Action

	// Description is Review.Description or the tool's.
	Description string `json:"description,omitempty"`
}

// A ReviewConfig says what may be decided about an action.
type ReviewConfig struct {
	// ActionName is the tool's name.
	ActionName string `json:"action_name"`
	// AllowedDecisions has at least one.
	AllowedDecisions []DecisionType `json:"allowed_decisions"`
}

// A Decision is the answer to a [ReviewRequest]. From other programs LangChain's form {"decisions": [...]}, with one
// decision, is taken too. An answer that is no allowed decision is refused with [fault.ErrInvalid], and the question
// stays open.
type Decision struct {
	// Type is one of the decisions that the question allows.
	Type DecisionType `json:"type"`
	// EditedAction has the arguments of an [Edit], which must fit the tool's schema. Its name is empty or the tool's.
	EditedAction *Action `json:"edited_action,omitempty"`
	// Message is the tool's answer of a [Respond], and must not be empty then. Of a [Reject] it tells the model why.
	Message string `json:"message,omitempty"`
}

// decide returns what a person decided about the call, or else the question. A call that needs nobody is approved.
func decide(ctx context.Context, call ToolCall, t Tool, review Review) (Decision, *graph.Interrupt, error) {
	var answer json.RawMessage
	answered, err := graph.Answer(ctx, 0, &answer)
	switch {
	case err != nil:
		return Decision{}, nil, err
	case answered:
		decision, err := readDecision(answer, call.Name, review.allowed())
		if err != nil && review.When != nil && !review.When(call) { // it answers a question of the tool
			return Decision{Type: Approve}, nil, nil
		}
		return decision, nil, err
	case review.When != nil && !review.When(call):
		return Decision{Type: Approve}, nil, nil
	}
	schema, err := decisionSchema(t, review.allowed())
	return Decision{}, &graph.Interrupt{ResponseSchema: schema, Question: &ReviewRequest{
		ActionRequests: []ActionRequest{{
			Action: Action{call.Name, orEmpty(call.Args)}, Description: cmp.Or(review.Description, t.Description),
		}},
		ReviewConfigs: []ReviewConfig{{call.Name, review.allowed()}},
	}}, err
}

// decisionSchema is the JSON schema of the decisions that may be made about a call of the tool.
func decisionSchema(t Tool, allowed []DecisionType) (json.RawMessage, error) {
	type object = map[string]any
	text := object{"type": "string"}
	var kinds []object
	for _, d := range allowed {
		fields, required := object{"type": object{"const": d}}, []string{"type"}
		switch d {
		case Approve:
		case Edit:
			fields["edited_action"] = object{
				"type": "object", "required": []string{"args"},
				"properties": object{"name": object{"const": t.Name}, "args": t.Schema},
			}
			required = append(required, "edited_action")
		case Reject:
			fields["message"] = text
		case Respond:
			fields["message"] = text
			required = append(required, "message")
		}
		kinds = append(kinds, object{"type": "object", "properties": fields, "required": required})
	}
	return json.Marshal(object{"oneOf": kinds})
}

// checkDecision is the CheckAnswer of a tool node. Questions of the tools themselves may have any answer.
func (n *toolNode[S]) checkDecision(question graph.Interrupt, answer json.RawMessage) error {
	r, err := ReviewOf(question)
	if err != nil || len(r.ReviewConfigs) != 1 {
		return nil //nolint:nilerr // it is no review
	}
	name := r.ActionRequests[0].Name
	decision, err := readDecision(answer, name, r.ReviewConfigs[0].AllowedDecisions)
	if err != nil || decision.Type != Edit {
		return err
	}
	fits, ok := n.fits[name]
	if !ok { // of another agent's tools, or of those of an older program
		return fmt.Errorf("nobody is asked about a tool %q here: %w", name, fault.ErrInvalid)
	}
	if err := fits(decision.EditedAction.Args); err != nil {
		why := strings.TrimSuffix(err.Error(), ".")
		return fmt.Errorf("the edited arguments do not fit the tool %s: %s: %w", name, why, fault.ErrInvalid)
	}
	return nil
}

// readDecision reads an answer. One that is no allowed decision is [fault.ErrInvalid].
func readDecision(answer json.RawMessage, tool string, allowed []DecisionType) (Decision, error) {
	var in struct {
		Decision

		Decisions []Decision `json:"decisions"`
	}
	if err := json.Unmarshal(answer, &in); err != nil {
		return Decision{}, fmt.Errorf(
			`the answer must be a decision, such as {"type": "approve"}: %w`,
			fault.ErrInvalid,
		)
	}
	d, problem := in.Decision, ""
	if len(in.Decisions) == 1 {
		d = in.Decisions[0]
	}
	switch edited := d.EditedAction; {
	case len(in.Decisions) > 1:
		problem = "there is one call to decide about"
	case !slices.Contains(allowed, d.Type):
		problem = "the type must be one of " + joinTypes(allowed)
	case d.Type == Respond && d.Message == "":
		problem = "a respond must have a message, which is the tool's answer"
	case d.Type != Edit:
	case edited == nil || !isObject(edited.Args):
		problem = "an edit must have an edited_action whose args are an object"
	case edited.Name != "" && edited.Name != tool:
		problem = "an edit may not name another tool"
	}
	if problem != "" {
		return Decision{}, fmt.Errorf("%s: %w", problem, fault.ErrInvalid)
	}
	return d, nil
}

func joinTypes(types []DecisionType) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = string(t)
	}
	return strings.Join(words, ", ")
}
