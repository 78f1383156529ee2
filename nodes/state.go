package nodes

import (
	"encoding/json"
	"time"

	"annai/agent"
	"annai/civil"
	"annai/graph"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/owner"
	"annai/nodes/talk"
	"annai/nodes/wording"
)

// State is what a session remembers and what a turn is working on. It is small, and as large after
// a thousand turns as after one.
type State struct {
	// Messages are what was said on a thread, and Answer is the newest answer as it is sent. Sessions, which end soon,
	// have neither.
	Messages []agent.Message `json:"messages,omitempty"`
	Answer   json.RawMessage `json:"answer,omitempty"`
	// Turn is the utterance being answered and where it was said.
	Turn turn `json:"turn,omitzero"`
	// Language is that of the answer, Understanding what the utterance says.
	Language      nlu.Language      `json:"language,omitempty"`
	Understanding nlu.Understanding `json:"understanding,omitzero"`
	// Asked is what became of a question to the visitor in this turn.
	Asked asked `json:"asked,omitzero"`
	// Route is what the router decided, Draft what the node it chose has to say, and in the end what
	// is answered.
	Route route `json:"route,omitzero"`
	Draft draft `json:"draft,omitzero"`
	// Plan is what shall be written into the owner's calendar and waits for a yes; Dropped is what
	// a plan would have done that was left for something else in this turn.
	Plan    owner.Plan   `json:"plan,omitzero"`
	Dropped owner.Action `json:"dropped,omitempty"`
	// Topic and Seen are what survives the turn.
	Topic topic `json:"topic,omitzero"`
	Seen  seen  `json:"seen,omitzero"`
	// Question is what the utterance asks, with what the talk has filled in; Memory is what the
	// talk has been about.
	Question talk.Question `json:"question,omitzero"`
	Memory   talk.Memory   `json:"memory,omitzero"`
	// Given is nothing any more; sessions of earlier versions have it.
	Given json.RawMessage `json:"-"`
	// Unread says that the passages could not be read while an utterance was read. It is in no channel.
	Unread bool `json:"-"`
}

// The channels of [State].
var (
	schema            = graph.NewSchema[State]()
	messagesChannel   = agent.Messages(schema, func(s *State) *[]agent.Message { return &s.Messages })
	answerChannel     = graph.Last(schema, "answer", func(s *State) *json.RawMessage { return &s.Answer })
	turnChannel       = graph.Ephemeral(schema, "turn", func(s *State) *turn { return &s.Turn })
	languageChannel   = graph.Ephemeral(schema, "language", func(s *State) *nlu.Language { return &s.Language })
	understoodChannel = graph.Ephemeral(schema, "understanding", func(s *State) *nlu.Understanding { return &s.Understanding })
	askedChannel      = graph.Ephemeral(schema, "asked", func(s *State) *asked { return &s.Asked })
	routeChannel      = graph.Ephemeral(schema, "route", func(s *State) *route { return &s.Route })
	draftChannel      = graph.Ephemeral(schema, "draft", func(s *State) *draft { return &s.Draft })
	planChannel       = graph.Ephemeral(schema, "plan", func(s *State) *owner.Plan { return &s.Plan })
	droppedChannel    = graph.Ephemeral(schema, "dropped", func(s *State) *owner.Action { return &s.Dropped })
	topicChannel      = graph.Last(schema, "topic", func(s *State) *topic { return &s.Topic })
	seenChannel       = graph.Last(schema, "seen", func(s *State) *seen { return &s.Seen })
	questionChannel   = graph.Ephemeral(schema, "question", func(s *State) *talk.Question { return &s.Question })
	memoryChannel     = graph.Last(schema, "memory", func(s *State) *talk.Memory { return &s.Memory })
	_                 = graph.Last(schema, "given", func(s *State) *json.RawMessage { return &s.Given })
)

// turn is [Turn] as it is kept.
type turn struct {
	Query string `json:"query"`
	// Language is the one that was asked for; empty: that of the question.
	Language nlu.Language `json:"language,omitempty"`
	// Zone names the visitor's zone, At is the instant of the utterance in it.
	Zone string    `json:"zone"`
	At   time.Time `json:"at"`
	Spec bool      `json:"spec,omitempty"`
	// Owner says that it is an owner who speaks, OwnerName which, if it is one in particular.
	Owner     bool   `json:"owner,omitempty"`
	OwnerName string `json:"ownerName,omitempty"`
	// Before is what is said first: how a turn ended that had been cut off.
	Before    string `json:"before,omitempty"`
	SessionID string `json:"sessionId"`
	RequestID string `json:"requestId"`
	RunID     string `json:"runId"`
	// Caller is who called, for whoever keeps what was written.
	Caller string `json:"caller,omitempty"`
	// Capture is what was read of something that is to be added.
	Capture *owner.Capture `json:"capture,omitempty"`
}

// asked says what became of a question to the visitor in this turn: at most one is asked.
type asked struct {
	// Done says that one was asked, Chosen that the visitor picked a reading.
	Done   bool `json:"done,omitempty"`
	Chosen bool `json:"chosen,omitempty"`
	// Either says that it was asked which of two known things is meant.
	Either bool `json:"either,omitempty"`
	// Other is the question in the other of two readings, where one was picked.
	Other string `json:"other,omitempty"`
}

// seen is what is remembered of the visitor: when the last word was said, and in which language.
type seen struct {
	At       time.Time    `json:"at"`
	Language nlu.Language `json:"language"`
	Turns    int          `json:"turns"`
	// Last is where the last utterance was led, for who wants to hear it again.
	Last route `json:"last,omitzero"`
	// Alarm is the danger that was reported last, until it is said to be over.
	Alarm nlu.Danger `json:"alarm,omitempty"`
	// Other is the last question in the other of two readings, for who asks about that one as well.
	Other string `json:"other,omitempty"`
}

// maxItems is how many events are listed, and remembered, at a time.
const maxItems = 10

// topic is what was last spoken of, so that a follow-up can leave it out.
type topic struct {
	// Node is the node that answered; empty before the first question.
	Node string `json:"node,omitempty"`
	// Range is what was spoken of, Wish what an event question asked for in it.
	Range display.Span `json:"range,omitzero"`
	Wish  eventWish    `json:"wish,omitzero"`
	// Items are the events as they were listed, the first at position Offset+1 of all that were found.
	Items  []display.Entry `json:"items,omitempty"`
	Offset int             `json:"offset,omitempty"`
	Total  int             `json:"total,omitempty"`
	// Focus is the place in Items, from 1, of the event spoken of in particular; 0 for none.
	Focus int `json:"focus,omitempty"`
	// Date is what was asked about a date, Hours what was asked about opening hours, Question the
	// words of a question about the venue.
	Date     dateKind  `json:"date,omitempty"`
	Hours    hoursKind `json:"hours,omitempty"`
	Question string    `json:"question,omitempty"`
	// Own are the entries of the owner's calendar as they were told, Look is what was asked about
	// it, Slots are the times that were suggested. Wrote is what was done last, if that was what
	// the talk was about, and WroteTitle to what, if to one entry.
	Own   []owner.Event     `json:"own,omitempty"`
	Look  owner.Request     `json:"look,omitzero"`
	Slots []civil.TimeRange `json:"slots,omitempty"`
	Wrote owner.Action      `json:"wrote,omitempty"`
	// Todos are the owner's tasks as they were told.
	Todos []owner.Todo `json:"todos,omitempty"`

	WroteTitle string `json:"wroteTitle,omitempty"`
}

// route is the router's decision.
type route struct {
	// Node is the node that answers.
	Node string `json:"node"`
	// By is open_question, safety, rule, classifier, context or default; Reason names the rule.
	By         string  `json:"by"`
	Reason     string  `json:"reason"`
	Confidence float64 `json:"confidence"`
	// Inherited says that something left out was taken from the topic.
	Inherited bool `json:"inherited,omitempty"`
	// MS is how long deciding took.
	MS float64 `json:"ms"`

	// Event, Calendar, Date, Info and Ambiguity say what the node is to do; that of the chosen node
	// is set. Say is for respond.
	Event     eventWish     `json:"event,omitzero"`
	Calendar  owner.Request `json:"calendar,omitzero"`
	Date      dateWish      `json:"date,omitzero"`
	Info      infoWish      `json:"info,omitzero"`
	Ambiguity int           `json:"ambiguity,omitempty"`
	// Between are two things of which one is asked for, where that is to be asked back.
	Between []talk.Subject `json:"between,omitempty"`
	Say     nlu.Intent     `json:"say,omitempty"`
	// Second is a second question of the same utterance, which is answered behind the first.
	Second secondQuestion `json:"second,omitzero"`
	// Speak says that it was asked to speak a language, and nothing else. Foreign is the tag of a
	// language that we do not speak.
	Speak   bool   `json:"speak,omitempty"`
	Foreign string `json:"foreign,omitempty"`

	// Model is there if a model was asked to answer with tools; ModelMS is how long that took.
	Model   *wording.Use `json:"model,omitempty"`
	ModelMS float64      `json:"modelMs,omitempty"`
}

// bare is the decision without how it was made.
func (r route) bare() route {
	return route{Node: r.Node, Event: r.Event, Calendar: r.Calendar, Date: r.Date, Info: r.Info, Say: r.Say, Second: r.Second}
}

// The nodes of the concierge.
const (
	nodeUnderstand = "understand"
	nodeRouter     = "router"
	nodeEvent      = "event"
	nodeCalendar   = "calendar"
	nodeDate       = "date"
	nodeInfo       = "info"
	nodeClarify    = "clarify"
	nodeConfirm    = "confirm"
	nodeCommit     = "commit"
	nodeVerify     = "verify"
	nodeRespond    = "respond"
	// In the graph of the event node:
	nodeCalendarSearch  = "calendar_search"
	nodeKnowledgeSearch = "knowledge_search"
	nodeMerge           = "merge"
)

// What chose a node.
const (
	byOpenQuestion = "open_question"
	bySafety       = "safety"
	byRule         = "rule"
	byClassifier   = "classifier"
	byContext      = "context"
	byDefault      = "default"
)

// status says how a source fared.
type status string

const (
	statusOK       status = "ok"
	statusEmpty    status = "empty"
	statusError    status = "error"
	statusDisabled status = "disabled" // was not asked
)

// The sources of evidence.
const (
	sourceCalendar  = "calendar"
	sourceKnowledge = "knowledge_base"
)

// draft is what a node has to say: words and evidence. What face goes with it is decided by respond.
type draft struct {
	// Text is written, Spoken is said; without Spoken the sentences of Text are said.
	Text   string   `json:"text"`
	Spoken []string `json:"spoken,omitempty"`

	Cards       []display.Card `json:"cards,omitempty"`
	Suggestions []string       `json:"suggestions,omitempty"`
	// Confirmation is there if a yes is asked for.
	Confirmation *display.Confirmation `json:"confirmation,omitempty"`
	Passages     []display.Passage     `json:"passages,omitempty"`
	// Range is what the answer is about.
	Range display.Span `json:"range,omitzero"`
	Facts facts        `json:"facts"`

	// IfMeant says that it is told as the answer only if that was meant.
	IfMeant bool `json:"ifMeant,omitempty"`

	// Notes are the remarks at the end of Text. Evidence is there if a model may word the draft anew.
	Notes []string `json:"notes,omitempty"`
	// About is what the answer is about, where the evidence does not say it.
	About    []talk.Subject `json:"about,omitempty"`
	Evidence *evidence      `json:"evidence,omitempty"`
	// Model is what a model had to do with it, ModelMS how long that took.
	Model   *wording.Use `json:"model,omitempty"`
	ModelMS float64      `json:"modelMs,omitempty"`
}

// facts are what the face and the confidence of an answer follow from.
type facts struct {
	// Calendar and Knowledge say how the sources fared; empty: not asked.
	Calendar  status `json:"calendar,omitempty"`
	Knowledge status `json:"knowledge,omitempty"`
	// Events is how many events of calendars are told.
	Events int `json:"events,omitempty"`
	// Partial says that one of several calendars could not be read.
	Partial bool `json:"partial,omitempty"`
	// Nothing says that nothing was found, Unknown that nobody here knows.
	Nothing bool `json:"nothing,omitempty"`
	Unknown bool `json:"unknown,omitempty"`
	// Sorry says that the visitor complains, or hears that there is no room.
	Sorry bool `json:"sorry,omitempty"`
	// Changed says that something told is cancelled, Asking that the visitor is asked, Grave that
	// it is about safety.
	Changed bool `json:"changed,omitempty"`
	Asking  bool `json:"asking,omitempty"`
	Grave   bool `json:"grave,omitempty"`
	// Assumed says that the range was assumed.
	Assumed bool `json:"assumed,omitempty"`
	// Gesture is what the avatar does, where the face does not say it.
	Gesture string `json:"gesture,omitempty"`
}
