// Package graphs is the door for clients of the Model Context Protocol to graphs: each is a tool.
//
// The idea to hold: a request stands for itself, there are no sessions. A graph that asks a question answers with the
// question and its thread, and is called again with that thread and the answer.
package graphs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
	"annai/server/invoke"
)

// A Tool is a graph to clients.
type Tool struct {
	// Name is the graph's. Description says to a model what it does.
	Name, Description string
	// Input is the JSON schema of the graph's input, an object.
	Input json.RawMessage
}

// Options are the settings of the door that have a default.
type Options struct {
	// Name and Version are what the server calls itself. Empty: "graphs" and "dev".
	Name, Version string
	// MaxBody is the largest request in bytes. 0: 1 MiB.
	MaxBody int64
	// Log receives what the protocol's library warns of. Nil discards it.
	Log *slog.Logger
}

// The arguments that each tool has besides the channels of its graph.
const (
	argumentThread = "thread_id"
	argumentResume = "resume"
)

// serviceKey is where a request has the service as its caller sees it.
type serviceKey struct{}

// New returns the door. As returns the service as who asks sees it. A schema that is no object is [fault.ErrInvalid].
func New(list []Tool, as func(c *gin.Context) *runs.Service, opts Options) (door.Door, error) {
	if opts.Name == "" {
		opts.Name = "graphs"
	}
	if opts.Version == "" {
		opts.Version = "dev"
	}
	if opts.MaxBody == 0 {
		opts.MaxBody = 1 << 20
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	server := sdk.NewServer(&sdk.Implementation{Name: opts.Name, Version: opts.Version}, &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for _, t := range list {
		schema, err := schemaOf(t.Input)
		if err != nil {
			return door.Door{}, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		server.AddTool(&sdk.Tool{
			Name: t.Name, Description: t.Description, InputSchema: schema,
		}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return call(ctx, t.Name, req.Params.Arguments), nil
		})
	}
	choose := func(*http.Request) *sdk.Server { return server }
	handler := sdk.NewStreamableHTTPHandler(choose, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, DisableLocalhostProtection: true,
		MaxRequestBodyBytes: opts.MaxBody,
	})
	return door.Door{Name: "mcp", Fail: fail, Routes: []door.Route{{
		Method: http.MethodPost, Path: "/mcp", Role: door.Visitor, MaxBody: opts.MaxBody, Long: true,
		Handle: func(c *gin.Context) error {
			if err := door.ChargeBatch(c, nil); err != nil {
				return err
			}
			ctx := context.WithValue(c.Request.Context(), serviceKey{}, as(c))
			handler.ServeHTTP(c.Writer, c.Request.WithContext(ctx))
			return nil
		},
	}}}, nil
}

// schemaOf adds the arguments of every tool to a schema.
func schemaOf(input json.RawMessage) (map[string]any, error) {
	schema := map[string]any{}
	if err := json.Unmarshal(input, &schema); err != nil || schema["type"] != "object" {
		return nil, fmt.Errorf("its input is no object: %w", fault.ErrInvalid)
	}
	properties, _ := schema["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	properties[argumentThread] = map[string]any{
		"type":        "string",
		"description": "The thread_id of an earlier answer, to go on with it. Without one a new thread begins.",
	}
	properties[argumentResume] = map[string]any{
		"description": "The answer to the question with which the thread stopped, in place of all other arguments.",
	}
	schema["properties"] = properties
	return schema, nil
}

// call runs a graph.
func call(ctx context.Context, name string, arguments json.RawMessage) *sdk.CallToolResult {
	service, ok := ctx.Value(serviceKey{}).(*runs.Service)
	if !ok {
		return failed(fault.ErrUnavailable)
	}
	var given map[string]json.RawMessage
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &given); err != nil {
			return failed(fmt.Errorf("the arguments are no object: %w", fault.ErrInvalid))
		}
	}
	c := invoke.Call{Graph: name, Resume: given[argumentResume]}
	if thread := given[argumentThread]; thread != nil {
		if err := json.Unmarshal(thread, &c.Thread); err != nil {
			return failed(fmt.Errorf("%s is no text: %w", argumentThread, fault.ErrInvalid))
		}
	}
	delete(given, argumentThread)
	delete(given, argumentResume)
	input, err := json.Marshal(given)
	if err != nil {
		return failed(err)
	}
	if given == nil {
		input = json.RawMessage("{}")
	}
	c.Input = input
	begun, err := invoke.Begin(ctx, service, c)
	if err != nil {
		return failed(err)
	}
	answer, err := begun.Wait(ctx)
	if err != nil {
		return failed(err)
	}
	return &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: answer.Text()}}, StructuredContent: answer,
	}
}

// failed tells a model what went wrong.
func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: invoke.Explained(err)}}}
}

// fail answers as JSON-RPC does where no request was read.
func fail(c *gin.Context, f door.Failure) {
	const unavailable = -32000 // an error of the server's own
	c.JSON(f.Status, gin.H{"jsonrpc": "2.0", "id": nil, "error": gin.H{"code": unavailable, "message": f.Message}})
}
