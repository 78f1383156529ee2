package agent

import (
	"cmp" // for the prompt
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"annai/fault"
	"annai/graph"
	"annai/llm"
)

// SummarizationOptions are the settings of [Summarization].
type SummarizationOptions struct {
	// TriggerTokens and TriggerMessages say from how many tokens or messages on a conversation is summarised. 0: not by
	// that number. At least one must not be 0.
	TriggerTokens, TriggerMessages int
	// KeepMessages is how many of the last messages stay as they are; a model's message and the results of its tool
	// calls stay together. 0: 20.
	KeepMessages int
	// MaxInput is about how many tokens of the older messages the summarising model is given. What exceeds that is left
	// out, from the middle of the list. 0: 4,000.
	MaxInput int
	// Prompt is the system prompt of the summarising model. Empty: one in English that asks for a summary in the
	// language of the conversation.
	Prompt string
	// CountTokens returns how many tokens a message has. Nil: an estimate, of one token for four Latin letters or one
	// other character.
	CountTokens func(Message) int
}

//go:embed prompts/summarization.txt
var summaryPrompt string

const summaryHead = "Here is a summary of the conversation to date:\n\n"

// Summarization keeps long conversations short: before the model is called, it has the older messages summarised by a
// model, which may be a smaller one, and replaces them with the summary, as a message of the person. If that fails the
// conversation stays as it is until the next call.
func Summarization(model llm.Model, opts SummarizationOptions) Middleware {
	z := summarization{model: model, opts: opts}
	z.opts.KeepMessages = cmp.Or(opts.KeepMessages, 20)
	z.opts.MaxInput = cmp.Or(opts.MaxInput, 4000)
	z.opts.Prompt = cmp.Or(opts.Prompt, summaryPrompt)
	if opts.CountTokens == nil {
		z.opts.CountTokens = roughTokens
	}
	m := Middleware{Name: "Summarization", BeforeModel: z.beforeModel}
	smallest := min(opts.TriggerTokens, opts.TriggerMessages, opts.KeepMessages, opts.MaxInput)
	if model == nil || smallest < 0 || opts.TriggerTokens == 0 && opts.TriggerMessages == 0 {
		m.invalid = fmt.Errorf("no model, no trigger or a negative number: %w", fault.ErrInvalid)
	}
	return m
}

type summarization struct {
	model llm.Model
	opts  SummarizationOptions
}

func (z summarization) beforeModel(ctx context.Context, s State) (graph.Command[State], error) {
	cut := z.cut(s.Messages)
	if cut < 2 || !z.long(s.Messages) { // one message, which may be the last summary, is not made shorter
		return graph.Command[State]{}, nil
	}
	answer, err := llm.Collect(z.model.Stream(ctx, llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: z.opts.Prompt}, {Role: llm.User, Text: z.transcript(s.Messages[:cut])},
	}}))
	if err != nil || strings.TrimSpace(answer.Text) == "" {
		return graph.Command[State]{}, context.Cause(ctx)
	}
	summary := HumanMessage(summaryHead + strings.TrimSpace(answer.Text))
	summary.ID = rand.Text()
	list := append([]Message{RemoveAllMessages(), summary}, s.Messages[cut:]...)
	return graph.Command[State]{Update: graph.Update[State]{StateMessages.Write(list)}}, nil
}

// long reports whether it is time.
func (z summarization) long(messages []Message) bool {
	if z.opts.TriggerMessages > 0 && len(messages) >= z.opts.TriggerMessages {
		return true
	}
	tokens := 0
	for _, m := range messages {
		tokens += z.opts.CountTokens(m)
	}
	return z.opts.TriggerTokens > 0 && tokens >= z.opts.TriggerTokens
}

// cut is where the messages that stay begin.
func (z summarization) cut(messages []Message) int {
	cut := max(len(messages)-z.opts.KeepMessages, 0)
	for cut > 0 && messages[cut].Type == TypeTool { // whose call would be gone
		cut--
	}
	return cut
}

// transcript writes the messages down: the first, which may be the last summary, and as many of the last as there is
// room for.
func (z summarization) transcript(messages []Message) string {
	room := z.opts.MaxInput
	var lines []string
	for i, m := range slices.Backward(messages) {
		if room -= z.opts.CountTokens(m); room < 0 && len(lines) > 0 && i > 0 {
			lines = append(lines, "[messages left out]")
			i = 0
		}
		if line := line(messages[i]); line != "" {
			lines = append(lines, short(line, z.opts.MaxInput))
		}
		if i == 0 {
			break
		}
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// line is a message written down.
func line(m Message) string {
	var b strings.Builder
	if m.Text != "" || len(m.ToolCalls) > 0 {
		fmt.Fprintf(&b, "%s: %s", m.Type, m.Text)
	}
	for _, c := range m.ToolCalls {
		fmt.Fprintf(&b, " [calls %s %s]", c.Name, c.Args)
	}
	return b.String()
}

// short cuts a text that is as long as n tokens may be.
func short(text string, n int) string {
	if most := 4 * n; len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + " [cut off]"
	}
	return text
}

// roughTokens counts the tokens of a message roughly, and some more than fewer.
func roughTokens(m Message) int {
	latin, others := 0, 0
	for _, r := range line(m) {
		if r < 0x250 {
			latin++
		} else {
			others++
		}
	}
	return latin/4 + others + 3
}
