package api

// The events of a streamed POST /query, in order: run.started, then node.started and node.finished, sentence, cards,
// suggestions and confirm as they come, and last exactly one of final (a [QueryResponse]) and error (an [ErrorResponse]).
// Each has an id line that counts from 1.
const (
	EventRunStarted   = "run.started"
	EventNodeStarted  = "node.started"
	EventNodeFinished = "node.finished"
	EventSentence     = "sentence"
	EventCards        = "cards"
	EventSuggestions  = "suggestions"
	EventConfirm      = "confirm"
	EventFinal        = "final"
	EventError        = "error"
)

// RunStarted is the data of run.started.
type RunStarted struct {
	RunID     string `json:"runId"`
	SessionID string `json:"sessionId"`
	Language  string `json:"language"`
}

// NodeProgress is the data of node.started and node.finished.
type NodeProgress struct {
	Node string `json:"node"`
	// LabelJA and LabelEN say what is being done, for people: "予定を確認しています".
	LabelJA string `json:"labelJa"`
	LabelEN string `json:"labelEn"`
	// MS is how long it took; only in node.finished.
	MS float64 `json:"ms,omitempty"`
}

// SpokenSentence is the data of sentence: one complete sentence, counted from 0.
type SpokenSentence struct {
	Index   int    `json:"i"`
	Text    string `json:"text"`
	Emotion string `json:"emotion"`
	// Filler says that the sentence is no part of the answer, which takes a moment.
	Filler bool `json:"filler,omitempty"`
	// Audio is where the sentence can be heard, at GET /speech/{name}, where the server speaks.
	Audio string `json:"audio,omitempty"`
	// Mouth is how the mouth moves with that. Where it is not known before there is sound, it is at the
	// same address with .json.
	Mouth []Viseme `json:"mouth,omitempty"`
}

// Cards is the data of cards.
type Cards struct {
	Cards []Card `json:"cards"`
}

// Suggestions is the data of suggestions.
type Suggestions struct {
	Suggestions []string `json:"suggestions"`
}
