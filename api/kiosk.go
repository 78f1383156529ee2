package api

// VenueKiosk is what kiosks of the venue do besides answering.
type VenueKiosk struct {
	// Volume is how loud they speak, in percent, and Hours where that is another by the time of day: the first that
	// fits counts. 0 is quiet: nothing is heard before a visitor turns the voice on.
	Volume int           `json:"volume"`
	Hours  []VolumeHours `json:"hours"`
	// StaffCall says that POST /staff-calls reaches somebody. StaffWhere and StaffPhone are how a visitor does.
	StaffCall  bool      `json:"staffCall"`
	StaffWhere LocalText `json:"staffWhere"`
	StaffPhone string    `json:"staffPhone"`
	// Phone says that answers can be taken along: POST /handovers.
	Phone bool `json:"phone"`
	// Corner says that there is an operator's corner: POST /corner.
	Corner bool `json:"corner"`
}

// VolumeHours is a volume in percent for a time of day of the venue, which may be over midnight.
type VolumeHours struct {
	From   string `json:"from"`
	Until  string `json:"until"`
	Volume int    `json:"volume"`
}

// StaffCallRequest is the body of POST /staff-calls.
type StaffCallRequest struct {
	// ID names the call: 8 to 64 letters, digits, dashes and underscores, made anew for each. One that is sent again
	// calls once.
	ID string `json:"id"`
	// Language is that of the visitor, for who comes.
	Language string `json:"language,omitempty"`
}

// StaffCallResponse says that staff were told.
type StaffCallResponse struct {
	ID string `json:"id"`
	// At is when they were.
	At string `json:"at"`
}

// FeedbackRequest is the body of POST /feedback: whether an answer helped. It has no words.
type FeedbackRequest struct {
	// RunID names the answer. The first word on each counts.
	RunID string `json:"runId"`
	// Route is the node that answered, as the answer says in processingInfo.
	Route   string `json:"route"`
	Helpful bool   `json:"helpful"`
}

// Heartbeat is the body of POST /heartbeat, by which a kiosk says that it lives. Its name is the header X-Device.
type Heartbeat struct {
	// Version is that of its page.
	Version string `json:"version"`
	// Language is what it shows.
	Language string `json:"language,omitempty"`
}

// KiosksResponse is the answer of GET /admin/kiosks.
type KiosksResponse struct {
	// Kiosks are those that this server has heard of, the latest first: 64 at most.
	Kiosks []Kiosk `json:"kiosks"`
}

// Kiosk is a screen that said that it lives.
type Kiosk struct {
	Device   string `json:"device"`
	Version  string `json:"version"`
	Language string `json:"language,omitempty"`
	// Address is where it is, and SeenAt when it was heard of last.
	Address string `json:"address"`
	SeenAt  string `json:"seenAt"`
}

// CornerRequest is the body of POST /corner: the code of the operator's corner.
type CornerRequest struct {
	Code string `json:"code"`
}

// HandoverRequest is the body of POST /handovers: an answer to be taken along on a telephone.
type HandoverRequest struct {
	// SessionID and RunID name the answer. Only who asked may take it.
	SessionID string `json:"sessionId"`
	RunID     string `json:"runId"`
	// Poster is the address of a poster that was made, as the tool answered it.
	Poster string `json:"poster,omitempty"`
}

// HandoverResponse is where the answer is for a telephone.
type HandoverResponse struct {
	URL string `json:"url"`
	// ExpiresAt is when the page goes; it goes earlier with its session.
	ExpiresAt string `json:"expiresAt"`
}

// KeptResponse is the answer of GET /kept: what a kiosk keeps for when the server can't be reached.
type KeptResponse struct {
	// Apology is said when the line breaks.
	Apology SpokenSentence `json:"apology"`
	// Answers are those to the venue's suggestions, as of AsOf.
	Answers []KeptAnswer `json:"answers"`
	AsOf    string       `json:"asOf"`
}

// KeptAnswer is a question with its answer.
type KeptAnswer struct {
	Question  string           `json:"question"`
	Sentences []SpokenSentence `json:"sentences"`
	Cards     []Card           `json:"cards"`
}
