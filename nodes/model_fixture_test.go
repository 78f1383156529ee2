package nodes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/llm"
	"annai/nodes"
	"annai/tools"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/agenda/family"
	"annai/tools/date"
)

// scripted is a model that does a line for each request: see [talk].
func scripted(t testing.TB, list, own []string) *llm.Script {
	t.Helper()
	var answers [][]llm.Step
	for _, line := range list {
		for i, entry := range own {
			line = strings.ReplaceAll(line, fmt.Sprintf("ENTRY%d", i+1), agenda.KeyFor(entry))
		}
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			answers = append(answers, scriptLine(t, line))
		}
	}
	return &llm.Script{Answer: unread(llm.Turns(answers...))}
}

// isReading reports whether a model is asked to read an utterance.
func isReading(r llm.Request) bool { return bytes.Contains(r.Schema, []byte(`"act"`)) }

// unread is a model that reads no utterance: the product's own reader does.
func unread(answer func(int, llm.Request) []llm.Step) func(int, llm.Request) []llm.Step {
	asked := 0
	return func(_ int, r llm.Request) []llm.Step {
		if isReading(r) {
			return llm.Fail(llm.Unavailable)
		}
		asked++
		return answer(asked-1, r)
	}
}

func scriptLine(t testing.TB, line string) []llm.Step {
	t.Helper()
	line = strings.ReplaceAll(line, `\n`, "\n")
	switch word, rest, _ := strings.Cut(line, " "); word {
	case "call":
		name, arguments, _ := strings.Cut(rest, " ")
		if !json.Valid([]byte(arguments)) {
			t.Fatalf("%q has no JSON", line)
		}
		return llm.Ask(llm.ToolCall{Name: name, Arguments: json.RawMessage(arguments)})
	case "fail":
		return llm.Fail(llm.Kind(rest))
	case "cut":
		return llm.Cut(pieces(rest)...)
	default:
		return llm.Say(pieces(line)...)
	}
}

// pieces cuts a text as models do, between any two letters.
func pieces(text string) []string {
	const size = 3
	var out []string
	runes := []rune(text)
	for len(runes) > size {
		out, runes = append(out, string(runes[:size])), runes[size:]
	}
	return append(out, string(runes))
}

// newTools is the registry of tools that a product has.
func newTools(t testing.TB, parts nodes.Parts, now func() time.Time) *tools.Registry {
	t.Helper()
	r := tools.New(now, tools.Options{})
	if err := date.Register(r, now, parts.Venue.Location); err != nil {
		t.Fatal(err)
	}
	if err := family.Register(r, parts.Agenda, family.Options{}); err != nil {
		t.Fatal(err)
	}
	return r
}

// told says in a line what a model had to do with an answer.
func told(use *api.ModelUse) string {
	out := fmt.Sprintf("%s kept %d replaced %d dropped %d", use.Did, use.Kept, use.Replaced, use.Dropped)
	var why []string
	for _, s := range use.Sentences {
		if s.Why != "" {
			why = append(why, s.Why)
		}
	}
	for _, part := range []struct {
		name string
		list []string
	}{{"why", why}, {"tools", use.Tools}} {
		if len(part.list) > 0 {
			out += " " + part.name + ":" + strings.Join(part.list, ",")
		}
	}
	if use.Fallback != "" {
		out += " fallback:" + use.Fallback
	}
	return out
}
