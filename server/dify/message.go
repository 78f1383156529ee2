package dify

import (
	"annai/api"
	"annai/server/door"
	"annai/server/render"
)

// A message is an answer, or an event of a stream, which has as many of the fields as its kind has.
type message struct {
	Event        string    `json:"event"`
	Task         string    `json:"task_id"`
	ID           string    `json:"id"`
	MessageID    string    `json:"message_id"`
	Conversation string    `json:"conversation_id"`
	Mode         string    `json:"mode,omitempty"`
	Answer       *string   `json:"answer,omitempty"`
	Metadata     *metadata `json:"metadata,omitempty"`
	CreatedAt    int64     `json:"created_at"`
}

// newMessage is the answer to a request, before anything is known of it.
func (s *service) newMessage(body request) message {
	id := s.parts.NewID()
	m := message{
		Task: s.parts.NewID(), ID: id, MessageID: id, Conversation: render.Named(body.Conversation),
		CreatedAt: s.parts.Now().Unix(),
	}
	if m.Conversation == "" {
		m.Conversation = s.parts.NewID()
	}
	return m
}

// metadata is what there is to know of an answer. Ours is beside what Dify has.
type metadata struct {
	Usage     usage      `json:"usage"`
	Resources []resource `json:"retriever_resources"`
	Extras    *extras    `json:"annai,omitempty"`
}

// usage is an estimate, as there need not be a model that counts, and nothing costs anything.
type usage struct {
	Prompt              int     `json:"prompt_tokens"`
	PromptUnitPrice     string  `json:"prompt_unit_price"`
	PromptPriceUnit     string  `json:"prompt_price_unit"`
	PromptPrice         string  `json:"prompt_price"`
	Completion          int     `json:"completion_tokens"`
	CompletionUnitPrice string  `json:"completion_unit_price"`
	CompletionPriceUnit string  `json:"completion_price_unit"`
	CompletionPrice     string  `json:"completion_price"`
	Total               int     `json:"total_tokens"`
	TotalPrice          string  `json:"total_price"`
	Currency            string  `json:"currency"`
	Latency             float64 `json:"latency"`
}

// A resource is a passage that the answer rests on.
type resource struct {
	Position     int     `json:"position"`
	DatasetID    string  `json:"dataset_id"`
	DatasetName  string  `json:"dataset_name"`
	DocumentID   string  `json:"document_id"`
	DocumentName string  `json:"document_name"`
	SegmentID    string  `json:"segment_id"`
	Score        float64 `json:"score"`
	Content      string  `json:"content"`
}

// extras are what an answer has besides its text, in the words of POST /query.
type extras struct {
	Emotion     string         `json:"emotion"`
	AgentName   string         `json:"agentName"`
	Language    string         `json:"language"`
	RunID       string         `json:"runId"`
	Interrupt   *api.Interrupt `json:"interrupt,omitempty"`
	Cards       []api.Card     `json:"cards,omitempty"`
	Suggestions []string       `json:"suggestions,omitempty"`
}

func (s *service) metadata(body request, a render.Answer, m message) *metadata {
	const free = "0"
	u := usage{
		Prompt: render.Tokens(render.Text(body.Query)), Completion: render.Tokens(a.Written), Currency: "USD",
		PromptUnitPrice: free, PromptPriceUnit: free, PromptPrice: free,
		CompletionUnitPrice: free, CompletionPriceUnit: free, CompletionPrice: free, TotalPrice: free,
		Latency: float64(s.parts.Now().Unix() - m.CreatedAt),
	}
	u.Total = u.Prompt + u.Completion
	found := &metadata{Usage: u, Resources: []resource{}}
	for i, p := range a.Metadata.Passages {
		found.Resources = append(found.Resources, resource{
			Position: i + 1, DatasetID: "annai", DatasetName: "annai", DocumentID: p.ID, DocumentName: p.Title,
			SegmentID: p.ID, Score: p.Score, Content: p.Source,
		})
	}
	if a.RunID != "" {
		found.Extras = &extras{
			Emotion: a.Emotion, AgentName: a.AgentName, Language: a.Language, RunID: a.RunID,
			Interrupt: a.Interrupt, Cards: a.Cards, Suggestions: a.Suggestions,
		}
	}
	return found
}

// A stream tells one answer.
type stream struct {
	*render.Stream

	message message
}

// Begin implements [render.Listener].
func (*stream) Begin() error { return nil }

// Piece implements [render.Listener].
func (o *stream) Piece(p render.Piece) error {
	written := p.String()
	m := o.message
	m.Event, m.Answer = "message", &written
	return o.Send("", m)
}

// Progress implements [render.Listener].
func (*stream) Progress(render.Step) error { return nil }

// end ends the stream.
func (o *stream) end(more *metadata) error {
	m := o.message
	m.Event, m.Metadata = "message_end", more
	return o.Send("", m)
}

// fail ends a stream that breaks off.
func (o *stream) fail(f door.Failure) error {
	return o.Send("", struct {
		message
		failure
	}{message{
		Event: "error", Task: o.message.Task, ID: o.message.ID, MessageID: o.message.ID,
		Conversation: o.message.Conversation, CreatedAt: o.message.CreatedAt,
	}, failureOf(f)})
}
