package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/prompts"
	"annai/tools"
)

// askTool is the concierge as a tool.
const askTool = "ask"

// askInput is what the tool ask wants.
const askInput = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "minLength": 1, "maxLength": 2000, "description": "what the visitor says, in Japanese or English"},
		"language": {"type": "string", "enum": ["ja", "en"], "description": "language of the answer; absent: that of the question"},
		"sessionId": {"type": "string", "maxLength": 128, "description": "the sessionId of an earlier answer, to go on with its conversation"},
		"timezone": {"type": "string", "description": "IANA name of the visitor's time zone; absent: the venue's"}
	},
	"required": ["query"],
	"additionalProperties": false
}`

const (
	maxQuery   = 2000 // characters
	maxSession = 128  // characters
)

// answerField is where the answer to a question of the concierge stands.
const answerField = "answer"

// addAsk offers the concierge.
func (s *Server) addAsk(server *sdk.Server, who identity) {
	no := false
	server.AddTool(&sdk.Tool{
		Name: askTool, Description: prompts.ClientAsk{Venue: s.parts.Venue.Name.In(who.language)}.In(who.language),
		InputSchema: json.RawMessage(askInput), OutputSchema: json.RawMessage(`{"type": "object"}`),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: who.role == tools.Visitor, DestructiveHint: &no, OpenWorldHint: &no},
	}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.ask(ctx, req, who)
	})
}

// ask answers one utterance. What the concierge wants to know from a person is asked in the client if it can, else told like any answer, and
// the next call answers it.
func (s *Server) ask(ctx context.Context, req *sdk.CallToolRequest, who identity) (*sdk.CallToolResult, error) {
	turn, err := s.turn(req, who)
	if err != nil {
		return refused(tools.Message(err, who.language)), nil
	}
	answer, err := s.run(ctx, req, turn)
	if err != nil {
		return s.failed(ctx, who, askTool, err), nil
	}
	if answer.Interrupt != nil && canElicit(req) && req.Params.RequestState == "" { // the protocol's library goes one round
		return &sdk.CallToolResult{
			InputRequests: sdk.InputRequestMap{answer.Interrupt.ID: question(untagged(answer.Text), answer.Interrupt.Options)},
			RequestState:  answer.SessionID,
		}, nil
	}
	structured, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: untagged(answer.Text)}}, StructuredContent: json.RawMessage(structured)}, nil
}

// turn reads the arguments.
func (s *Server) turn(req *sdk.CallToolRequest, who identity) (dialog.Turn, error) {
	var in struct {
		Query     string `json:"query"`
		Language  string `json:"language"`
		SessionID string `json:"sessionId"`
		Timezone  string `json:"timezone"`
	}
	wrong := &tools.InputError{}
	refuse := func(kind tools.ProblemKind, field, want string) {
		wrong.Problems = append(wrong.Problems, tools.Problem{Kind: kind, Field: field, Want: want})
	}
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		refuse(tools.WrongType, "", "object")
		return dialog.Turn{}, wrong
	}
	turn := dialog.Turn{
		Query: strings.TrimSpace(in.Query), Language: in.Language, SessionID: in.SessionID,
		Owner: who.role == tools.Owner, OwnerName: who.owner, Caller: who.speaker,
	}
	if n := utf8.RuneCountInString(turn.Query); n == 0 || n > maxQuery {
		refuse(tools.OutOfRange, "query", "1..2000")
	}
	if in.Language != "" && in.Language != "ja" && in.Language != "en" {
		refuse(tools.NotOneOf, "language", "ja, en")
	}
	if utf8.RuneCountInString(in.SessionID) > maxSession {
		refuse(tools.OutOfRange, "sessionId", "0..128")
	}
	if in.Timezone != "" {
		location, err := time.LoadLocation(in.Timezone)
		if err != nil || in.Timezone == "Local" {
			refuse(tools.NotOneOf, "timezone", "Asia/Tokyo, Europe/London, …")
		}
		turn.Location = location
	}
	if len(wrong.Problems) > 0 {
		return dialog.Turn{}, wrong
	}
	if req.Params.RequestState != "" {
		turn.SessionID = req.Params.RequestState
		turn.Resume = replied(req.Params.InputResponses)
		if turn.Resume != nil {
			turn.Query = ""
		}
	}
	return turn, nil
}

// replied is what a person answered to the concierge's question. One who does not want to answer says no.
func replied(responses sdk.InputResponseMap) *dialog.Resume {
	for id, response := range responses {
		reply, ok := response.(*sdk.ElicitResult)
		if !ok {
			continue
		}
		var said any = "no"
		if reply.Action == "accept" {
			if said, ok = reply.Content[answerField]; !ok {
				said = "yes"
			}
		}
		value, err := json.Marshal(said)
		if err != nil {
			return nil
		}
		return &dialog.Resume{InterruptID: id, Value: value}
	}
	return nil
}

var errNoAnswer = errors.New("the turn ended without an answer")

// run asks the concierge and tells the client what it is doing, if it wants to know.
func (s *Server) run(ctx context.Context, req *sdk.CallToolRequest, turn dialog.Turn) (api.QueryResponse, error) {
	token := req.Params.GetProgressToken()
	language, steps := "", 0.0
	for event, err := range s.parts.Concierge.Ask(ctx, turn) {
		if err != nil {
			return api.QueryResponse{}, err
		}
		switch e := event.(type) {
		case dialog.Final:
			return e.QueryResponse, nil
		case dialog.Started:
			language = e.Language
		case dialog.Progress:
			if token == nil || e.Done {
				continue
			}
			steps++
			label := e.LabelEN
			if language == "ja" {
				label = e.LabelJA
			}
			// A client that does not listen does not stop the answer.
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: steps, Message: label})
		}
	}
	if err := ctx.Err(); err != nil {
		return api.QueryResponse{}, err
	}
	return api.QueryResponse{}, errors.Join(errNoAnswer, fault.ErrUnavailable)
}

// untagged is an answer's text without its face, which only avatars have.
func untagged(text string) string {
	if strings.HasPrefix(text, "[") {
		if _, rest, ok := strings.Cut(text, "]"); ok {
			return rest
		}
	}
	return text
}
