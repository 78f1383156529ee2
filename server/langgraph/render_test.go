package langgraph

import (
	"encoding/json"
	"testing"

	"annai/runs"
)

// TestJoined: pieces of a message become a whole one, with its texts and its tool calls.
func TestJoined(t *testing.T) {
	var whole runs.Object
	for i, data := range []string{
		`{"id":"1","type":"ai","content":"Let me ","tool_calls":[]}`, `{"id":"1","content":"see.","tool_calls":[]}`,
		`{"id":"1","content":"","tool_calls":[{"id":"a"}]}`, `{"id":"1","content":"","tool_calls":[{"id":"b"}]}`,
	} {
		var piece runs.Object
		if err := json.Unmarshal([]byte(data), &piece); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			whole = piece
			continue
		}
		whole = joined(whole, piece)
	}
	got, err := json.Marshal(whole)
	const want = `{"content":"Let me see.","id":"1","tool_calls":[{"id":"a"},{"id":"b"}],"type":"ai"}`
	if err != nil || string(got) != want {
		t.Errorf("joined = %s, %v; want %s", got, err, want)
	}
}
