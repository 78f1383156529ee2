package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
	"annai/llm"
)

// ModelRetry asks the model again when it was too busy, not reachable or cut off before it said anything, as
// [llm.Retry] does. If a [ModelFallback] comes before it in [Options].Middleware, each of its models is asked again.
func ModelRetry(opts llm.RetryOptions) Middleware {
	return Middleware{
		Name: "ModelRetry",
		WrapModelCall: func(ctx context.Context, r ModelRequest, next ModelHandler) (Message, error) {
			r.Model = llm.Retry(r.Model, opts)
			return next(ctx, r)
		},
	}
}

// ModelFallback asks the next of the models when the agent's own, or the one before, fails before any of its answer was
// streamed. If all fail the error has the reason of each.
func ModelFallback(models ...llm.Model) Middleware {
	m := Middleware{
		Name: "ModelFallback",
		WrapModelCall: func(ctx context.Context, r ModelRequest, next ModelHandler) (Message, error) {
			message, err := next(ctx, r)
			var before []string
			for _, model := range models {
				if begun := (*begunError)(nil); err == nil || ctx.Err() != nil || errors.As(err, &begun) {
					return message, err
				}
				before = append(before, err.Error())
				r.Model = model
				message, err = next(ctx, r)
			}
			if err != nil {
				err = fmt.Errorf("%w, after %s", err, strings.Join(before, "; "))
			}
			return message, err
		},
	}
	if len(models) == 0 || slices.Contains(models, nil) {
		m.invalid = fmt.Errorf("no models to fall back to, or a nil one: %w", fault.ErrInvalid)
	}
	return m
}

// ToolRetry calls a tool again that failed, as the policy says; where its If is nil, for errors of the kind
// [fault.ErrUnavailable], which is also that of a tool that exceeded its Timeout. It is for the tools named, or,
// without names, for all. What a tool did before it failed is done again.
func ToolRetry(policy graph.Retry, tools ...string) Middleware {
	m := Middleware{
		Name: "ToolRetry",
		WrapToolCall: func(ctx context.Context, r ToolRequest, next ToolHandler) (result ToolResult, err error) {
			if len(tools) > 0 && !slices.Contains(tools, r.Call.Name) {
				return next(ctx, r)
			}
			err = policy.Do(ctx, func(ctx context.Context) error {
				var failed error
				result, failed = next(ctx, r)
				return failed
			})
			return result, err
		},
	}
	if policy.Attempts < 2 {
		m.invalid = fmt.Errorf("%d attempts are no retry: %w", policy.Attempts, fault.ErrInvalid)
	}
	return m
}
