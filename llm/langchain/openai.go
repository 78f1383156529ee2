package langchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"annai/llm"
)

// openAI is the dialect of chat completions.
type openAI struct {
	// google says that it is Google's: it refuses a seed, and wants back what it gave with a tool call.
	google bool
}

// placeholder is what langchaingo has for a key.
const placeholder = "none"

func (openAI) generate(ctx context.Context, m *Model, r llm.Request, c *call, text func(context.Context, []byte) error) error {
	library, err := openai.New(
		openai.WithToken(placeholder), openai.WithModel(m.model), openai.WithBaseURL(m.base), openai.WithOrganization(""), openai.WithHTTPClient(c),
	)
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	options := callOptions(r, text)
	if m.base != openAIBase {
		options = append(options, openai.WithLegacyMaxTokensField()) // which every other server knows
	}
	_, err = library.GenerateContent(ctx, messages(r.Messages), options...)
	return err
}

// callOptions are the settings that langchaingo takes with a request.
func callOptions(r llm.Request, text func(context.Context, []byte) error) []llms.CallOption {
	options := []llms.CallOption{llms.WithStreamingFunc(text), llms.WithTemperature(r.Temperature)}
	if r.MaxTokens > 0 {
		options = append(options, llms.WithMaxTokens(r.MaxTokens))
	}
	if r.Seed != 0 {
		options = append(options, llms.WithSeed(r.Seed))
	}
	if len(r.Tools) > 0 {
		options = append(options, llms.WithTools(tools(r.Tools)))
	}
	return options
}

func tools(offered []llm.Tool) []llms.Tool {
	all := make([]llms.Tool, len(offered))
	for i, t := range offered {
		all[i] = llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Schema}}
	}
	return all
}

// messages are a conversation as langchaingo has it.
func messages(turns []llm.Message) []llms.MessageContent {
	all := make([]llms.MessageContent, len(turns))
	for i, t := range turns {
		all[i] = llms.MessageContent{Role: roles[t.Role], Parts: parts(t)}
	}
	return all
}

var roles = map[llm.Role]llms.ChatMessageType{
	llm.System: llms.ChatMessageTypeSystem, llm.User: llms.ChatMessageTypeHuman,
	llm.Assistant: llms.ChatMessageTypeAI, llm.Result: llms.ChatMessageTypeTool,
}

func parts(m llm.Message) []llms.ContentPart {
	if m.Role == llm.Result {
		return []llms.ContentPart{llms.ToolCallResponse{ToolCallID: m.CallID, Name: m.Tool, Content: m.Text}}
	}
	var all []llms.ContentPart
	if m.Text != "" {
		all = append(all, llms.TextContent{Text: m.Text})
	}
	for _, c := range m.Calls {
		all = append(all, llms.ToolCall{ID: c.ID, Type: "function", FunctionCall: &llms.FunctionCall{Name: c.Name, Arguments: string(c.Arguments)}})
	}
	return all
}

func (d openAI) amend(_ *Model, r llm.Request, body fields) error {
	if d.google {
		delete(body, "seed")
		if err := giveBack(r.Messages, body); err != nil {
			return err
		}
	}
	if len(r.Schema) == 0 {
		return nil
	}
	return body.set("response_format", map[string]any{
		"type":        "json_schema",
		"json_schema": map[string]any{"name": "answer", "strict": true, "schema": r.Schema},
	})
}

// unsigned stands for what came with a call of another model, or of none. Google says to send it.
const unsigned = `{"google":{"thought_signature":"skip_thought_signature_validator"}}`

// giveBack puts what came with each tool call to it again. Without it, Google refuses the first call of a turn.
func giveBack(turns []llm.Message, body fields) error {
	var sent []fields
	if err := json.Unmarshal(body["messages"], &sent); err != nil {
		return fmt.Errorf("read the messages: %w", err)
	}
	if len(sent) != len(turns) {
		return fmt.Errorf("%d messages became %d", len(turns), len(sent))
	}
	for i, turn := range turns {
		if len(turn.Calls) == 0 {
			continue
		}
		var calls []fields
		if err := json.Unmarshal(sent[i]["tool_calls"], &calls); err != nil {
			return fmt.Errorf("read the tool calls: %w", err)
		}
		if len(calls) != len(turn.Calls) {
			return fmt.Errorf("%d tool calls became %d", len(turn.Calls), len(calls))
		}
		for j, c := range turn.Calls {
			switch {
			case c.Extra != nil:
				calls[j]["extra_content"] = c.Extra
			case j == 0:
				calls[j]["extra_content"] = json.RawMessage(unsigned)
			}
		}
		if err := sent[i].set("tool_calls", calls); err != nil {
			return err
		}
	}
	return body.set("messages", sent)
}

func (openAI) authorize(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

func (openAI) reader(llm.Request) reader { return &openAIReader{} }

// openAIReader reads chunks of chat completions.
type openAIReader struct{ got answer }

// chunk is one of them. A delta's content is null at first.
type chunk struct {
	Choices []choice `json:"choices"`
	Usage   *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type choice struct {
	Index int `json:"index"`
	Delta struct {
		Content   string      `json:"content"`
		Refusal   string      `json:"refusal"`
		ToolCalls []callPiece `json:"tool_calls"`
	} `json:"delta"`
	FinishReason string `json:"finish_reason"`
}

type callPiece struct {
	Index    *int            `json:"index"`
	ID       string          `json:"id"`
	Extra    json.RawMessage `json:"extra_content"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

func (r *openAIReader) answer() *answer { return &r.got }

func (r *openAIReader) first() []byte { return nil }

func (r *openAIReader) last() []byte { return []byte("data: [DONE]\n\n") }

func (r *openAIReader) write(text string) []byte {
	if text == "" {
		return nil
	}
	return event(map[string]any{"choices": []any{map[string]any{"delta": map[string]string{"content": text}}}})
}

func (r *openAIReader) read(data []byte) (string, *llm.Failure) {
	if strings.TrimSpace(string(data)) == "[DONE]" {
		r.got.done = true
		return "", nil
	}
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		if t, ok := readTrouble(data); ok {
			return "", inStream(t)
		}
		return "", &llm.Failure{Kind: llm.Malformed, Err: errors.New("a piece of the answer is no JSON as it should be")}
	}
	if t, ok := readTrouble(data); ok {
		return "", inStream(t)
	}
	if c.Usage != nil {
		r.got.usage = llm.Usage{Prompt: c.Usage.Prompt, Answer: c.Usage.Completion}
	}
	var text strings.Builder
	for _, one := range c.Choices {
		if one.Index != 0 {
			continue
		}
		if f := r.choice(one); f != nil {
			return "", f
		}
		text.WriteString(one.Delta.Content)
	}
	return text.String(), nil
}

// choice takes what is not text.
func (r *openAIReader) choice(c choice) *llm.Failure {
	if c.Delta.Refusal != "" {
		return &llm.Failure{Kind: llm.Refused, Err: errors.New("the model refused")}
	}
	for _, p := range c.Delta.ToolCalls {
		index := max(len(r.got.asked)-1, 0)
		switch {
		case p.Index != nil:
			index = *p.Index
		case p.ID != "":
			index = len(r.got.asked)
		}
		c, f := r.got.piece(index, p.ID, p.Function.Name, arguments(p.Function.Arguments))
		if f != nil {
			return f
		}
		if p.Extra != nil {
			c.extra = p.Extra
		}
	}
	return r.finish(c.FinishReason)
}

// arguments are text that will be JSON; some servers send the object itself.
func arguments(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil { // null too
		return text
	}
	return string(raw)
}

func (r *openAIReader) finish(reason string) *llm.Failure {
	switch reason {
	case "":
		return nil
	case "content_filter":
		return &llm.Failure{Kind: llm.Refused, Err: errors.New("the provider's filter held the answer back")}
	case "error":
		return &llm.Failure{Kind: llm.Unavailable, Err: errors.New("the server broke off its answer")}
	case "length":
		r.got.stop = llm.Length
	case "tool_calls", "function_call":
		r.got.stop = llm.Calls
	default:
		r.got.stop = llm.Finished
	}
	r.got.stopped = true
	return nil
}
