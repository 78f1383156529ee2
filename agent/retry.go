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

// ModelRetry asks the model again when it was too busy, not there or cut off before it said anything, as [llm.Retry]
// does. Of a [ModelFallback] each model is asked again, if that comes before this in [Options].Middleware.
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
// streamed. If all fail the error tells why each did.
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

// ToolRetry calls tools again that failed, as the policy says: of itself those whose error is of the kind
// [fault.ErrUnavailable], as that of one that was too slow is. Without names it is all tools. A tool that may have done
// something before it failed does it twice then.
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
