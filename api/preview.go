package api

// PreviewResponse is the answer of GET /preview.
type PreviewResponse struct {
	// Status is off (films are not made here), nothing (there is nothing to show, or it is not
	// known what), making (ask again soon) or ready.
	Status string `json:"status"`
	// VideoURL is where the film is, relative to the server, and DurationSeconds how long it
	// plays; only if Status is ready.
	VideoURL        string `json:"videoUrl,omitempty"`
	DurationSeconds int    `json:"durationSeconds,omitempty"`
}
