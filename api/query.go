// Package api is the HTTP contract: the Go types of what crosses the wire, and openapi.yaml, which is made from them.
//
// Its one idea: every door speaks these types and nothing else; a change here is a change for everybody outside.
// Times are strings in RFC 3339 with an offset, dates "2006-01-02". The package knows no HTTP library and no graph.
package api

import "encoding/json"

// QueryRequest is the body of POST /query. Only Query is required.
type QueryRequest struct {
	// Query is what the visitor said: 1 to 2,000 characters after trimming. The aliases question, text and message are accepted.
	Query string `json:"query"`
	// Language is the language of the answer, "ja" or "en"; absent: that of the question.
	Language string `json:"language,omitempty"`
	// SessionID names the conversation; absent: the answer names a new one. Alias session_id.
	SessionID string `json:"sessionId,omitempty"`
	// Timezone is an IANA name; absent: the venue's.
	Timezone string `json:"timezone,omitempty"`
	// Stream asks for typed server-sent events instead of one JSON answer, as Accept: text/event-stream does.
	Stream bool `json:"stream,omitempty"`
	// Format "spec" asks for the literal lines of the specification. Absent: "natural".
	Format string `json:"format,omitempty"`
	// Resume answers an open interrupt explicitly; then Query may be absent.
	Resume *Resume `json:"resume,omitempty"`
}

// Resume answers an interrupt.
type Resume struct {
	InterruptID string `json:"interruptId"`
	// Value is the text of an option, its number from 1, or other words.
	Value json.RawMessage `json:"value"`
}

// QueryResponse is the answer of POST /query.
type QueryResponse struct {
	// Text is the answer with its emotion tag first: "[happy]...".
	Text string `json:"text"`
	// Emotion is excited, helpful, apologetic, surprised or neutral.
	Emotion   string   `json:"emotion"`
	AgentName string   `json:"agentName"`
	Language  string   `json:"language"`
	Metadata  Metadata `json:"metadata"`
	// Speech is the answer as short sentences to be spoken one by one, without markup.
	Speech []Sentence `json:"speech"`
	VRM    VRM        `json:"vrm"`
	Cards  []Card     `json:"cards"`
	// Suggestions are questions that the visitor may want to ask next.
	Suggestions []string `json:"suggestions"`
	SessionID   string   `json:"sessionId"`
	RunID       string   `json:"runId"`
	// Interrupt is the question that the run waits to have answered, or null.
	Interrupt *Interrupt `json:"interrupt"`
	// Offer is what the visitor wants beside words, for a front end that can do it: "staff", that somebody comes
	// (POST /staff-calls). Absent: nothing.
	Offer string `json:"offer,omitempty"`
	// Capture is what was read of something that an owner gave to be added.
	Capture *Capture `json:"capture,omitempty"`
}

// OfferStaff is the value of QueryResponse.Offer where somebody of the venue is wanted.
const OfferStaff = "staff"

// Metadata is the evidence of an answer and how it came about.
type Metadata struct {
	// Confidence is in 0..1: 0.8 with evidence from a calendar, 0.7 otherwise, minus 0.1 per failed source and 0.05 when the range was assumed.
	Confidence float64 `json:"confidence"`
	// Category is events, calendar, dates or info.
	Category string `json:"category"`
	// Sources lists what contributed evidence: calendar, knowledge_base.
	Sources        []string       `json:"sources"`
	ProcessingInfo ProcessingInfo `json:"processingInfo"`
	// SourceStatus says how each source fared: ok, empty, error or disabled.
	SourceStatus map[string]string `json:"sourceStatus"`
	TimeRange    *TimeRange        `json:"timeRange,omitempty"`
	// Passages are the pieces of knowledge that the answer uses.
	Passages  []Passage `json:"passages,omitempty"`
	AgentName string    `json:"agentName"`
	Language  string    `json:"language"`
	RequestID string    `json:"requestId"`
	// Demo says that the facts are demonstration data.
	Demo bool `json:"demo,omitempty"`
}

// ProcessingInfo says how an answer was made.
type ProcessingInfo struct {
	EnhancedRAG bool `json:"enhancedRag"`
	// Route is the node that answered, RoutedBy what chose it: open_question, safety, rule, classifier, model, context or default.
	Route    string `json:"route"`
	RoutedBy string `json:"routedBy"`
	// Reason names the rule, or says what else it was.
	Reason           string `json:"reason,omitempty"`
	ContextInherited bool   `json:"contextInherited"`
	// Understood is the question as it was read in its talk. Absent where it was not read so.
	Understood *Understood        `json:"understood,omitempty"`
	TimingsMS  map[string]float64 `json:"timingsMs"`
	// Model is there if a language model was asked.
	Model *ModelUse `json:"model,omitempty"`
}

// Understood is a question with everything that the utterance left out filled in.
type Understood struct {
	// Question is one sentence that says all of it.
	Question string `json:"question"`
	// Act is what the utterance does, Ask the kind of answer wanted, Second that of a second question, About the kind of thing it is about.
	Act    string `json:"act"`
	Ask    string `json:"ask"`
	Second string `json:"second,omitempty"`
	About  string `json:"about"`
	// Subject is what it is about, and When the words for the time.
	Subject string `json:"subject,omitempty"`
	When    string `json:"when,omitempty"`
	// AskFrom, SubjectFrom and WhenFrom say where each came from: said, inherited or absent.
	AskFrom     string `json:"askFrom"`
	SubjectFrom string `json:"subjectFrom"`
	WhenFrom    string `json:"whenFrom"`
	// Confidence is how sure the reading is, in 0..1.
	Confidence float64 `json:"confidence"`
}

// TimeRange is the range an answer is about: Start is in, End is out.
type TimeRange struct {
	Name     string `json:"name"`
	Start    string `json:"start"`
	End      string `json:"end"`
	Explicit bool   `json:"explicit"`
}

// Passage names a piece of knowledge.
type Passage struct {
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Source   string  `json:"source"`
	Language string  `json:"language"`
	Score    float64 `json:"score"`
	// UpdatedAt is when the facts were last checked.
	UpdatedAt string `json:"updatedAt,omitempty"`
}

// Sentence is one spoken sentence. Emotion is the face: happy, sad, relaxed, surprised or neutral.
type Sentence struct {
	Text    string `json:"text"`
	Emotion string `json:"emotion"`
}

// VRM says what a three-dimensional avatar does.
type VRM struct {
	Expression string `json:"expression"`
	// Intensity is in 0..1.
	Intensity float64 `json:"intensity"`
	Gesture   string  `json:"gesture"`
}

// Card is something to show beside the words. Type is "event", "passage", "date", of a passage
// that says what something costs "prices", and of a sketch of the surroundings "map".
type Card struct {
	Type  string `json:"type"`
	Title string `json:"title"`
	// Reading is the title in Latin letters, in an English answer whose title is in Japanese alone.
	Reading string `json:"reading,omitempty"`
	// Start and End are times with offsets, or dates (End included) if AllDay.
	Start       string `json:"start,omitempty"`
	End         string `json:"end,omitempty"`
	AllDay      bool   `json:"allDay,omitempty"`
	Location    string `json:"location,omitempty"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url,omitempty"`
	// Picture is the path at which a small JPEG of it is (GET /pictures); absent where there is none.
	Picture string `json:"picture,omitempty"`
	// When is the time as it is read in the language of the answer.
	When string `json:"when,omitempty"`
	// Status is "cancelled" or "tentative"; absent: it takes place.
	Status string `json:"status,omitempty"`
	// Notice is "full", "reserved" (for a group) or, with the status cancelled, "postponed".
	Notice string `json:"notice,omitempty"`
	// Rows are a table: of a price list what is paid for and how much it is, of a map places and how far they are.
	Rows []Field `json:"rows,omitempty"`
	// Points are where the places of a map are, as many as there are rows. The venue is at 0, 0.
	Points []MapPoint `json:"points,omitempty"`
}

// MapPoint is a place on a map, in metres from the venue.
type MapPoint struct {
	East  int `json:"east"`
	North int `json:"north"`
}

// Interrupt is a question that only a person can answer.
type Interrupt struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Question string   `json:"question"`
	Options  []string `json:"options,omitempty"`
	// Confirmation is what a confirm is about, in parts; absent where no yes or no is asked for. The first of the
	// options is then the yes.
	Confirmation *Confirmation `json:"confirmation,omitempty"`
}

// Confirmation is what somebody is asked to agree to, for whoever shows it and does not only say it.
type Confirmation struct {
	// Do is what a yes does: add, change or remove an entry, todo_add, todo_tick or todo_remove a task.
	Do string `json:"do"`
	// Intro says what would be done, and Ask is the question.
	Intro string `json:"intro,omitempty"`
	Ask   string `json:"ask"`
	// Fields are absent where the cards say what it is about.
	Fields []Field `json:"fields,omitempty"`
	// Warnings are what should be known before a yes, such as what else is at that time; Notes what else there is to
	// say.
	Warnings []string `json:"warnings,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// Field is one fact and what it is called, both in the language of the answer.
type Field struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// ErrorResponse is the one envelope of every failure; an avatar can always say its Text.
type ErrorResponse struct {
	Error     ErrorBody `json:"error"`
	RequestID string    `json:"requestId"`
	Text      string    `json:"text"`
	Emotion   string    `json:"emotion"`
	Language  string    `json:"language"`
}

// ErrorBody says what was wrong.
type ErrorBody struct {
	// Code is one of the Code constants.
	Code string `json:"code"`
	// Message is English, for whoever wrote the client.
	Message string `json:"message"`
	// Details names the fields that are wrong.
	Details []ErrorDetail `json:"details,omitempty"`
}

// The values of ErrorBody.Code, with their statuses.
const (
	CodeInvalid          = "invalid_request"        // 400
	CodeUnauthorized     = "unauthorized"           // 401, the key is not known
	CodeDenied           = "denied"                 // 403
	CodeNotFound         = "not_found"              // 404
	CodeMethodNotAllowed = "method_not_allowed"     // 405, with an Allow header
	CodeTooSlow          = "request_timeout"        // 408, the body did not arrive in time
	CodeConflict         = "conflict"               // 409, a run is active on the session
	CodeCancelled        = "cancelled"              // 409, the run was cancelled, or its session ended
	CodeTooLarge         = "too_large"              // 413
	CodeMediaType        = "unsupported_media_type" // 415
	CodeRateLimited      = "rate_limited"           // 429, with a Retry-After header
	CodeInternal         = "internal"               // 500
	CodeOverloaded       = "overloaded"             // 503, with a Retry-After header
	CodeUnavailable      = "unavailable"            // 503, what is needed could not be reached
	CodeDeadline         = "deadline"               // 504
)

// ErrorDetail names a field and what is wrong with it.
type ErrorDetail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}
