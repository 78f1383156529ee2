package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"annai/fault"
	"annai/internal/text"
	"annai/prompts"
	"annai/tools"
)

// addTool offers a tool of the registry.
func (s *Server) addTool(server *sdk.Server, who identity, d tools.Declaration) {
	tool := &sdk.Tool{
		Name: d.Name, Description: d.Description, InputSchema: d.InputSchema,
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: d.Annotations.ReadOnly, DestructiveHint: &d.Annotations.Destructive, IdempotentHint: d.Annotations.Idempotent,
		},
	}
	if isObject(d.OutputSchema) {
		tool.OutputSchema = d.OutputSchema
	}
	server.AddTool(tool, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if !d.Annotations.ReadOnly {
			if instead := s.confirm(req, who, d.Name); instead != nil {
				return instead, nil
			}
		}
		caller := tools.Caller{Role: who.role, Owner: who.owner, Name: who.speaker, Language: who.language}
		answer, err := s.parts.Tools.Call(ctx, caller, d.Name, req.Params.Arguments)
		if err != nil {
			return s.failed(ctx, who, d.Name, err), nil
		}
		return result(answer, tool.OutputSchema != nil), nil
	})
}

// plainNames takes the names that specifications give tools for those that they have.
func plainNames(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if call, ok := req.(*sdk.CallToolRequest); ok {
			call.Params.Name = tools.PlainName(call.Params.Name)
		}
		return next(ctx, method, req)
	}
}

// isObject says whether a schema is that of an object: only such answers may be structured.
func isObject(schema json.RawMessage) bool {
	var s struct {
		Type string `json:"type"`
	}
	return json.Unmarshal(schema, &s) == nil && s.Type == "object"
}

// result is the answer of a tool: as text, since not every client shows more, and structured if it was announced so.
func result(answer json.RawMessage, structured bool) *sdk.CallToolResult {
	text := string(answer)
	var sentence *string // nil for the answer null
	if json.Unmarshal(answer, &sentence) == nil && sentence != nil {
		text = *sentence
	}
	r := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	if structured {
		r.StructuredContent = answer
	}
	return r
}

// failed tells the model what went wrong, in words, so that it can do better or say so.
func (s *Server) failed(ctx context.Context, who identity, tool string, err error) *sdk.CallToolResult {
	if !isKnown(err) {
		s.opts.Log.ErrorContext(ctx, "tool failed", slog.String("tool", tool), slog.Any("err", err))
	}
	return refused(tools.Message(err, who.language))
}

func isKnown(err error) bool {
	known := []error{fault.ErrInvalid, fault.ErrNotFound, fault.ErrConflict, fault.ErrDenied, fault.ErrUnavailable, context.Canceled}
	return slices.ContainsFunc(known, func(kind error) bool { return errors.Is(err, kind) })
}

func refused(words string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: words}}}
}

// confirmID names the question whether to write.
const confirmID = "confirm"

// confirm returns what to answer instead of writing: the question to a person, or that it was answered with no. Nil: write.
func (s *Server) confirm(req *sdk.CallToolRequest, who identity, tool string) *sdk.CallToolResult {
	if s.opts.ClientConfirms {
		return nil
	}
	if !canElicit(req) {
		return refused(prompts.ClientNoConfirm{}.In(who.language))
	}
	asked := digest(tool, req.Params.Arguments)
	answer, answered := req.Params.InputResponses[confirmID].(*sdk.ElicitResult)
	if !answered || req.Params.RequestState != asked { // never asked, or about something else
		return &sdk.CallToolResult{
			InputRequests: sdk.InputRequestMap{confirmID: question(prompts.ClientConfirm{Tool: tool, Fields: fields(req.Params.Arguments)}.In(who.language), nil)},
			RequestState:  asked,
		}
	}
	if answer.Action != "accept" {
		return refused(prompts.ClientDeclined{}.In(who.language))
	}
	return nil
}

// canElicit says whether the client can put a question to a person.
func canElicit(req *sdk.CallToolRequest) bool {
	c := req.ClientCapabilities()
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// digest binds the answer of a question to what was asked.
func digest(tool string, arguments json.RawMessage) string {
	sum := sha256.Sum256(append([]byte(tool+"\x00"), arguments...))
	return hex.EncodeToString(sum[:])
}

// question asks for a yes or, with options, for one of them.
func question(message string, options []string) *sdk.ElicitParams {
	schema := map[string]any{"type": "object", "properties": map[string]any{}}
	if len(options) > 0 {
		schema = map[string]any{
			"type": "object", "required": []string{answerField},
			"properties": map[string]any{answerField: map[string]any{"type": "string", "enum": options}},
		}
	}
	return &sdk.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}
}

// maxField is how much of a value is shown to whoever is asked, in characters.
const maxField = 200

// fields are the arguments of a call as lines for a person, in the order of their names. Control characters and line breaks can't make one
// line look like two.
func fields(arguments json.RawMessage) []string {
	var values map[string]json.RawMessage
	if json.Unmarshal(arguments, &values) != nil {
		return nil
	}
	var lines []string
	for name, value := range values {
		shown := string(value)
		if err := json.Unmarshal(value, &shown); err != nil {
			var compact bytes.Buffer
			if json.Compact(&compact, value) == nil {
				shown = compact.String()
			}
		}
		lines = append(lines, text.OneLine(name, maxField)+": "+text.OneLine(shown, maxField))
	}
	slices.Sort(lines)
	return lines
}
