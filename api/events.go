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
	// Picture is the path at which a small JPEG of it is (GET /pictures); absent where there is none.
	Picture    string `json:"picture,omitempty"`
	CalendarID string `json:"calendarId"`
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
	// Today says when the venue is open on the day of Now; absent where its hours are not known.
	Today *VenueDay `json:"today,omitempty"`
	// Appearance is how its kiosk looks, where that differs from ours.
	Appearance VenueAppearance `json:"appearance"`
}

// VenueDay says when the venue is open on a day.
type VenueDay struct {
	Date string `json:"date"`
	// Open has a span for each time it is open, none on a closed day.
	Open []OpenSpan `json:"open"`
	// Reason is why it is closed or open at other hours; absent where the venue gives none.
	Reason *LocalText `json:"reason,omitempty"`
}

// OpenSpan is a time from opening to closing, which may be on the next day.
type OpenSpan struct {
	From  string `json:"from"`
	Until string `json:"until"`
}

// VenueAppearance is how a venue wants its kiosk to look. What is absent is as we have it.
type VenueAppearance struct {
	// Color is that of the curtain and of the main keys, as #rrggbb; Coat, Tie and Glow are those of the lantern.
	Color string `json:"color,omitempty"`
	Coat  string `json:"coat,omitempty"`
	Tie   string `json:"tie,omitempty"`
	Glow  string `json:"glow,omitempty"`
	// Crest is one or two characters, or CrestURL where its picture is.
	Crest    string `json:"crest,omitempty"`
	CrestURL string `json:"crestUrl,omitempty"`
	// AvatarURL is where a VRM model is that stands in the lantern's place.
	AvatarURL string `json:"avatarUrl,omitempty"`
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
