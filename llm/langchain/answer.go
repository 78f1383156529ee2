package langchain

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"annai/llm"
)

// An answer is what a reader has read besides the text.
type answer struct {
	asked []*asked
	stop  llm.Stop
	usage llm.Usage
	text  int // bytes of it that came

	// wantsPieces says that pieces of calls are kept in pieces until they are given out.
	wantsPieces bool
	pieces      []llm.CallPiece

	stopped bool // the model said that it is through; usage may follow
	done    bool // nothing follows
}

// asked is a tool call that is coming in pieces.
type asked struct {
	index     int
	id, name  string
	arguments []byte
	extra     json.RawMessage
}

// maxCalls is how many tools one answer can ask for.
const maxCalls = 64

// piece adds to the call at the index. Another id than before is another call: some servers give all calls the same index.
func (a *answer) piece(index int, id, name, arguments string) (*asked, *llm.Failure) {
	var c *asked
	for _, other := range a.asked {
		if other.index == index {
			c = other // the last at this index
		}
	}
	if c == nil || id != "" && c.id != "" && id != c.id {
		if len(a.asked) == maxCalls {
			return nil, &llm.Failure{Kind: llm.Malformed, Err: fmt.Errorf("more than %d tool calls", maxCalls)}
		}
		c = &asked{index: index}
		a.asked = append(a.asked, c)
	}
	p := llm.CallPiece{Index: slices.Index(a.asked, c), Arguments: arguments}
	if c.id == "" {
		c.id, p.ID = id, id
	}
	if c.name == "" {
		c.name, p.Name = name, name
	}
	c.arguments = append(c.arguments, arguments...)
	if a.wantsPieces {
		a.pieces = append(a.pieces, p)
	}
	return c, nil
}

// Where pieces of calls are wanted they go through langchaingo as words, so that they stay in their order. The first
// byte of each text tells one from the other.
const (
	wordsFollow = "w"
	pieceFollow = "p"
)

// wrap returns what langchaingo is to read: the text, and the pieces of calls that came.
func (a *answer) wrap(text string, write func(text string) []byte) []byte {
	if !a.wantsPieces {
		return write(text)
	}
	var out []byte
	if text != "" {
		out = write(wordsFollow + text)
	}
	for _, p := range a.pieces {
		data, err := json.Marshal(p)
		if err == nil { // texts and numbers always can be written
			out = append(out, write(pieceFollow+string(data))...)
		}
	}
	a.pieces = nil
	return out
}

// unwrap is what a text of langchaingo's stands for.
func unwrap(r llm.Request, text string) llm.Delta {
	switch {
	case !r.Pieces:
		return llm.Delta{Text: text}
	case strings.HasPrefix(text, pieceFollow):
		var p llm.CallPiece
		if json.Unmarshal([]byte(text[len(pieceFollow):]), &p) != nil {
			return llm.Delta{}
		}
		return llm.Delta{Piece: &p}
	default:
		return llm.Delta{Text: strings.TrimPrefix(text, wordsFollow)}
	}
}

// size is how much came for tool calls, in bytes.
func (a *answer) size() int {
	n := 0
	for _, c := range a.asked {
		n += len(c.id) + len(c.name) + len(c.arguments) + len(c.extra)
	}
	return n
}

// calls returns the tool calls of a whole answer, or says why it is none.
func (a *answer) calls() ([]llm.ToolCall, *llm.Failure) {
	if a.text == 0 && len(a.asked) == 0 {
		return nil, &llm.Failure{Kind: llm.Malformed, Err: errEmpty}
	}
	var calls []llm.ToolCall
	for i, c := range a.asked {
		if len(c.arguments) == 0 {
			c.arguments = []byte("{}") // a tool that takes none
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(c.arguments, &object); err != nil || object == nil {
			return nil, &llm.Failure{Kind: llm.Malformed, Err: fmt.Errorf("arguments of the tool %q are no JSON object", plain(c.name))}
		}
		if c.name == "" {
			return nil, &llm.Failure{Kind: llm.Malformed, Err: errors.New("a tool call without a name")}
		}
		if c.id == "" {
			c.id = fmt.Sprintf("call_%d", i+1)
		}
		calls = append(calls, llm.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments, Extra: c.extra})
	}
	return calls, nil
}

func (a *answer) end() llm.End {
	stop := a.stop
	switch {
	case len(a.asked) > 0 && stop != llm.Length:
		stop = llm.Calls // whatever the server calls it
	case stop == "" || stop == llm.Calls:
		stop = llm.Finished
	}
	return llm.End{Stop: stop, Usage: a.usage}
}
