package langchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"

	"annai/llm"
)

// anthropicAPI is the dialect of Anthropic's messages. A schema is the input of a tool that the model has to call, whose pieces are the text.
type anthropicAPI struct{}

// answerTool is the name of that tool.
const answerTool = "answer"

func (anthropicAPI) generate(ctx context.Context, m *Model, r llm.Request, c *call, text func(context.Context, []byte) error) error {
	library, err := anthropic.New(
		anthropic.WithToken(placeholder), anthropic.WithModel(m.model), anthropic.WithBaseURL(m.base), anthropic.WithHTTPClient(c),
	)
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	r.Temperature = min(r.Temperature, 1)
	if len(r.Schema) > 0 {
		r.Tools = []llm.Tool{{Name: answerTool, Description: "Gives the answer.", Schema: r.Schema}}
	}
	_, err = library.GenerateContent(ctx, single(r.Messages), callOptions(r, text)...)
	return err
}

// single is the conversation with each part in a message of its own, for langchaingo takes only the first of each; and with all that the
// system says in one, for it would put them together without a space.
func single(turns []llm.Message) []llms.MessageContent {
	var system []string
	var all []llms.MessageContent
	for _, m := range messages(turns) {
		if m.Role == llms.ChatMessageTypeSystem {
			for _, p := range m.Parts {
				system = append(system, p.(llms.TextContent).Text)
			}
			continue
		}
		for _, p := range m.Parts {
			all = append(all, llms.MessageContent{Role: m.Role, Parts: []llms.ContentPart{p}})
		}
	}
	if len(system) == 0 {
		return all
	}
	first := llms.MessageContent{Role: llms.ChatMessageTypeSystem, Parts: []llms.ContentPart{llms.TextContent{Text: strings.Join(system, "\n\n")}}}
	return append([]llms.MessageContent{first}, all...)
}

func (anthropicAPI) amend(_ *Model, r llm.Request, body fields) error {
	if len(r.Schema) > 0 {
		if err := body.set("tool_choice", map[string]string{"type": "tool", "name": answerTool}); err != nil {
			return err
		}
	}
	return joinTurns(body)
}

// joinTurns puts what [single] took apart together again.
func joinTurns(body fields) error {
	type turn struct {
		Role    string            `json:"role"`
		Content []json.RawMessage `json:"content"`
	}
	var turns, joined []turn
	if err := json.Unmarshal(body["messages"], &turns); err != nil {
		return fmt.Errorf("read the messages: %w", err)
	}
	for _, t := range turns {
		if last := len(joined) - 1; last >= 0 && joined[last].Role == t.Role {
			joined[last].Content = append(joined[last].Content, t.Content...)
			continue
		}
		joined = append(joined, t)
	}
	return body.set("messages", joined)
}

func (anthropicAPI) authorize(h http.Header, key string) { h.Set("X-Api-Key", key) }

func (anthropicAPI) reader(r llm.Request) reader { return &anthropicReader{schema: len(r.Schema) > 0} }

// anthropicReader reads the events of a message.
type anthropicReader struct {
	got    answer
	schema bool // the input of the one tool is the text
}

type anthropicEvent struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Usage anthropicUsage `json:"usage"`
	} `json:"message"`
	Block struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Text  string          `json:"text"`
		Input json.RawMessage `json:"input"`
	} `json:"content_block"`
	Delta struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage anthropicUsage `json:"usage"`
}

type anthropicUsage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
	// What was cached is not part of the input.
	Written int `json:"cache_creation_input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
}

func (r *anthropicReader) answer() *answer { return &r.got }

func (r *anthropicReader) first() []byte {
	return append(
		event(map[string]any{"type": "message_start", "message": map[string]any{"usage": map[string]int{"input_tokens": 0}}}),
		event(map[string]any{"type": "content_block_start", "index": 0, "content_block": map[string]string{"type": "text"}})...,
	)
}

func (r *anthropicReader) last() []byte { return event(map[string]string{"type": "message_stop"}) }

func (r *anthropicReader) write(text string) []byte {
	if text == "" {
		return nil
	}
	return event(map[string]any{"type": "content_block_delta", "index": 0, "delta": map[string]string{"type": "text_delta", "text": text}})
}

func (r *anthropicReader) read(data []byte) (string, *llm.Failure) {
	var e anthropicEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return "", &llm.Failure{Kind: llm.Malformed, Err: errors.New("a piece of the answer is no JSON as it should be")}
	}
	switch e.Type {
	case "message_start":
		r.usage(e.Message.Usage)
	case "content_block_start":
		return r.block(e)
	case "content_block_delta":
		return r.delta(e)
	case "message_delta":
		r.usage(e.Usage)
		return "", r.finish(e.Delta.StopReason)
	case "message_stop":
		r.got.done = true
	case "error":
		t, _ := readTrouble(data)
		return "", inStream(t)
	}
	return "", nil // pings, ends of blocks, and what may be added one day
}

func (r *anthropicReader) usage(u anthropicUsage) {
	r.got.usage.Prompt = max(r.got.usage.Prompt, u.Input+u.Written+u.Read)
	r.got.usage.Answer = max(r.got.usage.Answer, u.Output)
}

func (r *anthropicReader) block(e anthropicEvent) (string, *llm.Failure) {
	switch {
	case e.Block.Type == "tool_use" && !r.schema:
		_, f := r.got.piece(e.Index, e.Block.ID, e.Block.Name, "")
		return "", f
	case e.Block.Type == "text" && !r.schema:
		return e.Block.Text, nil
	}
	return "", nil
}

func (r *anthropicReader) delta(e anthropicEvent) (string, *llm.Failure) {
	switch {
	case e.Delta.Type == "text_delta" && !r.schema:
		return e.Delta.Text, nil
	case e.Delta.Type == "input_json_delta" && r.schema:
		return e.Delta.PartialJSON, nil
	case e.Delta.Type == "input_json_delta":
		_, f := r.got.piece(e.Index, "", "", e.Delta.PartialJSON)
		return "", f
	}
	return "", nil
}

func (r *anthropicReader) finish(reason string) *llm.Failure {
	switch reason {
	case "":
		return nil
	case "refusal":
		return &llm.Failure{Kind: llm.Refused, Err: errors.New("the model refused")}
	case "max_tokens", "model_context_window_exceeded":
		r.got.stop = llm.Length
	case "tool_use":
		r.got.stop = llm.Calls
	default:
		r.got.stop = llm.Finished
	}
	r.got.stopped = true
	return nil
}
