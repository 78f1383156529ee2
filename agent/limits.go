package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"annai/fault"
	"annai/graph"
)

// CallLimits say how many calls there may be. 0 is no limit; one of Thread and Run must be set.
type CallLimits struct {
	// Thread bounds the calls of all runs of a thread together, Run those of each run.
	Thread, Run int
	// Exit says what happens to a call that is one too many. Empty: [ExitEnd] for calls of the model, [ExitContinue]
	// for those of tools.
	Exit ExitBehavior
}

// An ExitBehavior is what happens at a limit. It is a closed set.
type ExitBehavior string

// The values of [ExitBehavior].
const (
	// ExitEnd ends the run with a message that says why.
	ExitEnd ExitBehavior = "end"
	// ExitError ends the run with [ErrCallLimit].
	ExitError ExitBehavior = "error"
	// ExitContinue tells the model that a tool call was one too many, and goes on. It is not for calls of the model.
	ExitContinue ExitBehavior = "continue"
)

// ErrCallLimit is the error of a run that reached a limit with [ExitError]. Its kind is [fault.ErrUnavailable].
var ErrCallLimit = fmt.Errorf("call limit reached: %w", fault.ErrUnavailable)

func (l CallLimits) check(allowed ...ExitBehavior) error {
	if l.Thread < 0 || l.Run < 0 || l.Thread == 0 && l.Run == 0 || l.Exit != "" && !slices.Contains(allowed, l.Exit) {
		return fmt.Errorf("limits %+v: %w", l, fault.ErrInvalid)
	}
	return nil
}

// ModelCallLimit bounds the calls of the model. Calls that middleware makes for itself do not count.
// [Options].ModelCallLimit, which is always set, bounds those of one run too.
func ModelCallLimit(limits CallLimits) Middleware {
	exit := cmp.Or(limits.Exit, ExitEnd)
	return Middleware{
		Name: "ModelCallLimit", CanJumpTo: []string{JumpEnd}, invalid: limits.check(ExitEnd, ExitError),
		BeforeModel: func(_ context.Context, s State) (graph.Command[State], error) {
			reason := limits.reached("model calls", s.ThreadCalls.Model, s.RunCalls.Model)
			switch {
			case reason == "":
				return graph.Command[State]{}, nil
			case exit == ExitError:
				return graph.Command[State]{}, fmt.Errorf("%s: %w", reason, ErrCallLimit)
			}
			return end(reason + "."), nil
		},
	}
}

// reached says which limit so many calls have reached; "" for none.
func (l CallLimits) reached(what string, thread, run int) string {
	switch {
	case l.Thread > 0 && thread >= l.Thread:
		return fmt.Sprintf("The limit of %d %s on one thread was reached", l.Thread, what)
	case l.Run > 0 && run >= l.Run:
		return fmt.Sprintf("The limit of %d %s in one run was reached", l.Run, what)
	}
	return ""
}

// end ends the run with a message, after other updates.
func end(text string, before ...Message) graph.Command[State] {
	m := AIMessage(text)
	m.ID = rand.Text()
	return graph.Command[State]{
		Update: graph.Update[State]{StateMessages.Write(append(before, m))}, Goto: JumpEnd,
	}
}

// ToolCallLimit bounds the calls of a tool, or, if tool is "", of all tools together. If the limit falls within the
// calls of one message, the first of them are carried out.
func ToolCallLimit(tool string, limits CallLimits) Middleware {
	name := "ToolCallLimit"
	if tool != "" {
		name += "[" + tool + "]"
	}
	l := toolLimit{tool: tool, limits: limits, exit: cmp.Or(limits.Exit, ExitContinue)}
	return Middleware{
		Name: name, CanJumpTo: []string{JumpEnd}, invalid: limits.check(ExitEnd, ExitError, ExitContinue),
		AfterModel: l.afterModel,
	}
}

type toolLimit struct {
	tool   string
	limits CallLimits
	exit   ExitBehavior
}

// count is how many of the calls the limit bounds.
func (l toolLimit) count(c Calls) int {
	if l.tool == "" {
		return c.all()
	}
	return c.Tools[l.tool]
}

func (l toolLimit) afterModel(_ context.Context, s State) (graph.Command[State], error) {
	calls, _ := pending(s.Messages)
	bounded := slices.DeleteFunc(calls, func(c ToolCall) bool { return l.tool != "" && c.Name != l.tool })
	thread, run := l.count(s.ThreadCalls)-len(bounded), l.count(s.RunCalls)-len(bounded) // those before this message
	what := "tool calls"
	if l.tool != "" {
		what = "calls of " + l.tool
	}
	var refused []Message
	reason := ""
	for i, c := range bounded {
		why := l.limits.reached(what, thread+i, run+i)
		if why == "" {
			continue
		}
		reason = why
		m := ToolMessage(c, why+". Do not make such a call again.")
		m.ID, m.Failed = rand.Text(), true
		refused = append(refused, m)
	}
	switch {
	case reason == "":
		return graph.Command[State]{}, nil
	case l.exit == ExitError:
		return graph.Command[State]{}, fmt.Errorf("%s: %w", reason, ErrCallLimit)
	case l.exit == ExitEnd:
		return end(reason+".", refused...), nil
	}
	return graph.Command[State]{Update: graph.Update[State]{StateMessages.Write(refused)}}, nil
}
