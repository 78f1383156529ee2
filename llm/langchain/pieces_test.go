package langchain_test

import (
	"strings"
	"testing"

	"annai/llm"
	"annai/llm/langchain"
)

// begins and goesOn are events of Anthropic's of a tool call.
func begins(index, id, name string) string {
	return `data: {"type":"content_block_start","index":` + index +
		`,"content_block":{"type":"tool_use","id":"` + id + `","name":"` + name + `"}}` + "\n\n"
}

func goesOn(index, arguments string) string {
	return `data: {"type":"content_block_delta","index":` + index +
		`,"delta":{"type":"input_json_delta","partial_json":"` + arguments + `"}}` + "\n\n"
}

// TestPieces: whoever asks for them is given tool calls while they come, in their order among the words; the whole call
// follows. Whoever does not is given none.
func TestPieces(t *testing.T) {
	for provider, stream := range map[string]string{
		"openai": hello + tool(`"index":0,`, "a", "book", `"{\"n\":"`) + tool(`"index":0,`, "", "", `"1}"`) +
			tool(`"index":1,`, "b", "look", `""`) + stop + done,
		"anthropic": greets + begins("1", "a", "book") + goesOn("1", `{\"n\":`) + goesOn("1", "1}") +
			begins("2", "b", "look") + ended,
	} {
		for _, wanted := range []bool{true, false} {
			m := named(t, provider).serve(t, raw(stream), langchain.Options{})
			var got []string
			for d, err := range m.Stream(t.Context(), llm.Request{
				Messages: []llm.Message{{Role: llm.User, Text: "hello"}}, Pieces: wanted,
			}) {
				switch {
				case err != nil:
					t.Fatal(err)
				case d.Piece != nil:
					got = append(got, strings.Join([]string{"piece", d.Piece.ID, d.Piece.Name, d.Piece.Arguments}, " "))
				case d.Call != nil:
					got = append(got, "call "+d.Call.ID+" "+string(d.Call.Arguments))
				case d.Text != "":
					got = append(got, d.Text)
				}
			}
			const whole = "call a {\"n\":1}\ncall b {}"
			want := "Hello.\n" + whole
			if wanted {
				want = "Hello.\npiece a book {\"n\":\npiece   1}\npiece b look \n" + whole
			}
			all := strings.Join(got, "\n")
			if provider == "anthropic" { // where a call begins without arguments
				all = strings.Replace(all, "piece a book \npiece   {\"n\":", "piece a book {\"n\":", 1)
			}
			if all != want {
				t.Errorf("%s, pieces %t:\n%s\nwant:\n%s", provider, wanted, all, want)
			}
		}
	}
}
