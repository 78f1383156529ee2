package api

// EventsResponse is the answer of GET /events?from=2026-01-01&to=2026-01-31, both days included, in the venue's zone.
type EventsResponse struct {
	Events []Event `json:"events"`
	Window Window  `json:"window"`
	// Complete is false where a calendar could not be read: then a missing event means unknown, not none.
	Complete bool `json:"complete"`
	// AsOf is when the oldest source was last known to be up to date; empty where that is not known.
	AsOf string `json:"asOf"`
}

// Window is the range that was read: Start is in, End is out.
type Window struct {
	Start    string `json:"start"`
	End      string `json:"end"`
	Timezone string `json:"timezone"`
}

// Event is an entry in a public calendar. Start and End are times with offsets, or dates (End included) if AllDay.
type Event struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Start       string `json:"start"`
	End         string `json:"end"`
	AllDay      bool   `json:"allDay"`
	Location    string `json:"location"`
	Description string `json:"description"`
	URL         string `json:"url"`
	CalendarID  string `json:"calendarId"`
	// Status is confirmed, tentative or cancelled.
	Status string `json:"status"`
	// Notice is full, reserved (for a group) or, with the status cancelled, postponed.
	Notice string `json:"notice,omitempty"`
}

// EmotionsResponse is the answer of GET /emotions.
type EmotionsResponse struct {
	Emotions []Emotion `json:"emotions"`
	// Aliases maps words of other systems to the emotion here.
	Aliases map[string]string `json:"aliases"`
}

// Emotion is one face: the word in JSON, the tag in text, the expression of an avatar.
type Emotion struct {
	Emotion    string `json:"emotion"`
	Tag        string `json:"tag"`
	Expression string `json:"expression"`
}

// GraphResponse is the answer of GET /graph.
type GraphResponse struct {
	Mermaid string `json:"mermaid"`
	DOT     string `json:"dot"`
	Nodes   []Node `json:"nodes"`
	Edges   []Edge `json:"edges"`
}

// Node is a node of the concierge's graph. The first and the last are "__start__" and "__end__".
type Node struct {
	Name string `json:"name"`
	// Subgraph is what is inside, for a node that is a graph itself.
	Subgraph *Subgraph `json:"subgraph,omitempty"`
}

// Subgraph is the graph inside a node.
type Subgraph struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// Edge is an edge of the concierge's graph. Conditional edges may have a label.
type Edge struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Conditional bool   `json:"conditional"`
	Label       string `json:"label,omitempty"`
	// Joined says that the target waits for all edges into it that say so.
	Joined bool `json:"joined,omitempty"`
}

// VenueResponse is the answer of GET /venue: what a front end needs before the first question.
type VenueResponse struct {
	Name        LocalText   `json:"name"`
	Timezone    string      `json:"timezone"`
	Website     string      `json:"website"`
	Demo        bool        `json:"demo"`
	Now         string      `json:"now"`
	Suggestions []LocalText `json:"suggestions"`
	// IdleSeconds is how long a session lives without a word.
	IdleSeconds int `json:"idleSeconds"`
	// Voice is what speaks its sentences; absent where nothing does.
	Voice *VenueVoice `json:"voice,omitempty"`
	// Kiosk is what kiosks do besides answering.
	Kiosk VenueKiosk `json:"kiosk"`
	// Hearing says that POST /v1/audio/transcriptions hears.
	Hearing bool `json:"hearing"`
}

// VenueVoice is what speaks.
type VenueVoice struct {
	// Credit names the voices and whoever made them, as their licences want it shown.
	Credit string `json:"credit"`
}

// LocalText is a text in both languages.
type LocalText struct {
	JA string `json:"ja"`
	EN string `json:"en"`
}

// ReadyResponse is the answer of GET /healthz and /readyz.
type ReadyResponse struct {
	// Status is ok, or stopping (with status 503) when the server takes no more work.
	Status  string `json:"status"`
	Version string `json:"version"`
	// Parts says how what the server depends on fares: ok, degraded or error. Only in /readyz.
	Parts map[string]string `json:"parts,omitempty"`
}
