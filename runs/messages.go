package runs

import (
	"encoding/json"

	"annai/graph"
	"annai/internal/message"
)

// Messages declares, in a schema of values, the channel of messages in the manner of LangChain: a list of flat objects,
// each with an id. A message with a known id replaces the old one in its place, others are added at the end; one of the
// type "remove" takes out what has its id.
func Messages(s *graph.Schema[graph.Values]) graph.Channel[graph.Values, any] {
	return graph.ReduceValue(s, message.Channel, reduceMessages)
}

// MessagesField reads messages in each of the forms that clients send, and gives ids to those without.
func MessagesField(c graph.Channel[graph.Values, any], newID func() string) Field[graph.Values] {
	return Field[graph.Values]{Name: c.Name(), Read: func(data json.RawMessage) (graph.Write[graph.Values], error) {
		list, err := message.Read(data, newID)
		return c.Write(list), err
	}}
}

func reduceMessages(value, update any) any {
	old, _ := value.([]any)
	added, _ := update.([]any)
	return message.Merge(old, added, func(m any) (id string, removes bool) {
		o, _ := m.(Object)
		id, _ = o["id"].(string)
		return id, o["type"] == "remove"
	})
}
