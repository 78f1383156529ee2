package nodes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/agent"
	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/graph"
	"annai/nlu"
	"annai/nodes/capture"
)

// A Speaker is who speaks on a thread, whose turns come as messages and whose answers go into its state. It is the
// context of each run, see [graph.RunOptions]; nothing in the state of a thread says who speaks.
type Speaker struct {
	// Owner, OwnerName and Caller are as in [Turn].
	Owner     bool
	OwnerName string
	Caller    string
	// Language of answers where the thread's input names none; empty: that of the question.
	Language string
	// Zone names the zone of the speaker; empty: the venue's.
	Zone string
	// GoesOn says that the run goes on with what another one left.
	GoesOn bool
}

// MessagesChannel and LanguageChannel are the channels that whoever has a thread may write.
var (
	MessagesChannel = messagesChannel
	LanguageChannel = languageChannel
)

// toUnderstand is how long understanding may take: a page may have to be read for it.
func (c *Concierge) toUnderstand() time.Duration {
	if c.parts.Capture == nil {
		return 0
	}
	return c.opts.Deadline + capture.LinkTime
}

// onceSpoken returns the node, which refuses to run before an utterance was heard. Threads can be sent to any node.
func onceSpoken(node graph.Node[State]) graph.Node[State] {
	return func(ctx context.Context, s State) (graph.Command[State], error) {
		if s.Turn.At.IsZero() {
			return graph.Command[State]{}, fmt.Errorf("nothing was said yet: %w", fault.ErrInvalid)
		}
		return node(ctx, s)
	}
}

// bySameSpeaker returns the node, which refuses to go on in the name of an owner who does not speak in this run.
// Nodes that ask hear anew who speaks.
func bySameSpeaker(node graph.Node[State]) graph.Node[State] {
	return onceSpoken(func(ctx context.Context, s State) (graph.Command[State], error) {
		speaker, onThread := graph.RunContext[Speaker](ctx)
		if onThread && (speaker.Owner != s.Turn.Owner || speaker.OwnerName != s.Turn.OwnerName) {
			return graph.Command[State]{}, fmt.Errorf("somebody else spoke before: %w", fault.ErrDenied)
		}
		return node(ctx, s)
	})
}

// withProgress returns the node, which says on a thread that it starts and ends, in words.
func withProgress[S any](c *Concierge, node graph.Node[S]) graph.Node[S] {
	return func(ctx context.Context, s S) (graph.Command[S], error) {
		if _, onThread := graph.RunContext[Speaker](ctx); !onThread {
			return node(ctx, s)
		}
		began, p := c.opts.Now(), progressOf(graph.RuntimeOf(ctx).Node)
		graph.WriteCustom(ctx, map[string]any{"progress": p.NodeProgress, "done": false})
		cmd, err := node(ctx, s)
		p.MS = milliseconds(c.opts.Now().Sub(began))
		graph.WriteCustom(ctx, map[string]any{"progress": p.NodeProgress, "done": true})
		return cmd, err
	}
}

// goesOn reports whether a run finishes what another one began.
func goesOn(ctx context.Context) bool {
	_, cut := graph.RunContext[cutOff](ctx)
	speaker, _ := graph.RunContext[Speaker](ctx)
	return cut || speaker.GoesOn
}

// maxSaid is how many characters an utterance on a thread may have.
const maxSaid = 2000

// checkSaid refuses words that are no utterance.
func checkSaid(words string) error {
	if n := utf8.RuneCountInString(words); n == 0 || n > maxSaid {
		return fmt.Errorf("the last message of a person has 1 to %d characters: %w", maxSaid, fault.ErrInvalid)
	}
	return nil
}

// hear makes the turn of a run on a thread of its messages. What was said there longer ago than a session lives
// counts no more. A turn of a session is there already.
func (c *Concierge) hear(ctx context.Context, s State) (State, graph.Update[State], error) {
	speaker, ok := graph.RunContext[Speaker](ctx)
	if !ok {
		return s, nil, nil
	}
	said := ""
	for _, m := range slices.Backward(s.Messages) {
		if m.Type == agent.TypeHuman {
			said = strings.TrimSpace(m.Text)
			break
		}
	}
	err := checkSaid(said)
	if err == nil {
		s.Turn, err = c.turnOf(ctx, speaker, said)
	}
	if err != nil {
		return s, nil, err
	}
	if s.Language == nlu.Japanese || s.Language == nlu.English {
		s.Turn.Language = s.Language
	}
	update := graph.Update[State]{turnChannel.Write(s.Turn)}
	if s.Turn.At.Sub(s.Seen.At) > c.opts.SessionIdle {
		fresh := State{}
		s.Topic, s.Seen, s.Memory = fresh.Topic, fresh.Seen, fresh.Memory
		update = append(update, topicChannel.Write(s.Topic), seenChannel.Write(s.Seen), memoryChannel.Write(s.Memory))
	}
	return s, update, nil
}

// turnOf is the turn in which the speaker says the words on the thread of ctx.
func (c *Concierge) turnOf(ctx context.Context, speaker Speaker, words string) (turn, error) {
	runtime := graph.RuntimeOf(ctx)
	t := utterance{Turn: dialog.Turn{
		Query: words, Language: speaker.Language, SessionID: runtime.ThreadID, RunID: runtime.RunID,
		Owner: speaker.Owner, OwnerName: speaker.OwnerName, Caller: speaker.Caller,
	}}
	if speaker.Zone != "" {
		location, err := time.LoadLocation(speaker.Zone)
		if err != nil {
			return turn{}, fmt.Errorf("timezone %q: %w", speaker.Zone, fault.ErrInvalid)
		}
		t.Location = location
	}
	t, err := c.capture(ctx, t)
	return c.keep(t, c.opts.Now()), err
}

// says is what is written to a thread of an answer: a message, and the answer as it is sent.
func (c *Concierge) says(ctx context.Context, s State, answer api.QueryResponse) (graph.Update[State], error) {
	if _, ok := graph.RunContext[Speaker](ctx); !ok {
		return nil, nil
	}
	answer.Metadata.ProcessingInfo.TimingsMS["total"] = milliseconds(c.opts.Now().Sub(s.Turn.At))
	sent, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("the answer: %w", err)
	}
	beside, err := json.Marshal(map[string]any{
		"emotion": answer.Emotion, "language": answer.Language, "suggestions": answer.Suggestions,
		"cards": answer.Cards,
	})
	if err != nil {
		return nil, fmt.Errorf("what is beside the answer: %w", err)
	}
	m := agent.AIMessage(strings.TrimSpace(untagged(answer.Text)))
	m.ID, m.Name = messageID(ctx), "annai"
	m.Extra = map[string]json.RawMessage{"additional_kwargs": beside}
	return graph.Update[State]{messagesChannel.Write([]agent.Message{m}), answerChannel.Write(sent)}, nil
}

// messageID is the id of what the node of ctx says in its run.
func messageID(ctx context.Context) string {
	runtime := graph.RuntimeOf(ctx)
	return runtime.RunID + "-" + runtime.Node
}

// A remark is an answer to a question as whoever has a thread gives it.
type remark struct {
	words  string
	option int
	// messages are those that are added to the thread.
	messages []agent.Message
}

// readRemark reads words, the number of an option, or an object with messages of which the last counts.
func readRemark(answer json.RawMessage, options []string, newID func() string) (remark, error) {
	var input struct {
		Messages json.RawMessage `json:"messages"`
	}
	if json.Unmarshal(answer, &input) == nil && input.Messages != nil {
		messages, err := agent.ReadMessages(input.Messages, newID)
		if err != nil {
			return remark{}, err
		}
		words := ""
		if n := len(messages); n > 0 && messages[n-1].Type == agent.TypeHuman {
			words = strings.TrimSpace(messages[n-1].Text)
		}
		return remark{words: words, messages: messages}, checkSaid(words)
	}
	words, option, err := readReply(answer, len(options))
	if err != nil {
		return remark{}, err
	}
	said := agent.HumanMessage(words)
	if option > 0 {
		said.Text = options[option-1]
	}
	said.ID = newID()
	return remark{words: words, option: option, messages: []agent.Message{said}}, checkSaid(said.Text)
}

// A remarkOn reads a remark to a question with these options out of JSON.
type remarkOn struct {
	remark

	options []string
	newID   func() string
}

// UnmarshalJSON implements [json.Unmarshaler].
func (r *remarkOn) UnmarshalJSON(answer []byte) (err error) {
	r.remark, err = readRemark(answer, r.options, r.newID)
	return err
}

// checkReply looks at an answer to a question before it is taken. What is said in a session comes with its turn, and
// was looked at.
func checkReply(open graph.Interrupt, answer json.RawMessage) error {
	var inSession struct {
		Turn json.RawMessage `json:"turn"`
	}
	if json.Unmarshal(answer, &inSession) == nil && inSession.Turn != nil {
		return nil
	}
	_, err := readRemark(answer, readQuestion(open).Options, func() string { return "" })
	return err
}

// reply returns what was said to the question that the task asks, which has these options; false: nothing yet. In a
// session it comes with its turn.
func (c *Concierge) reply(ctx context.Context, s State, options []string) (r reply, ok bool, err error) {
	speaker, onThread := graph.RunContext[Speaker](ctx)
	if !onThread {
		ok, err = graph.Answer(ctx, 0, &r)
		return r, ok, err
	}
	said := remarkOn{options: options, newID: c.opts.NewID}
	if ok, err = graph.Answer(ctx, 0, &said); err != nil || !ok {
		return r, ok, err
	}
	if r.Turn, err = c.turnOf(ctx, speaker, said.words); err != nil {
		return r, false, err
	}
	r.Turn.Language = cmp.Or(r.Turn.Language, s.Turn.Language)
	r.Option, r.said = said.option, graph.Update[State]{messagesChannel.Write(said.messages)}
	return r, true, nil
}
