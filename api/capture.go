package api

// CaptureRequest is the body of POST /capture. One of Image, URL and Text is required.
type CaptureRequest struct {
	// Image is a picture in Base64: PNG, JPEG, WebP or GIF, at most 10 MiB and 25 megapixels. The alias
	// imageBytes is accepted.
	Image string `json:"image,omitempty"`
	// URL is the address of a page, with http:// or https://.
	URL string `json:"url,omitempty"`
	// Text is what a message or a notice says.
	Text string `json:"text,omitempty"`
	// Language is the language of the answer, "ja" or "en"; absent: the one that Accept-Language likes best.
	Language string `json:"language,omitempty"`
	// SessionID names the conversation; absent: the answer names a new one. Alias session_id.
	SessionID string `json:"sessionId,omitempty"`
	// Timezone is an IANA name; absent: the venue's.
	Timezone string `json:"timezone,omitempty"`
}

// Capture is what was read of a picture, a page or a text.
type Capture struct {
	// From is picture, link or text, Reader what read it: "tesseract 5.3.0",
	// "gemini-2.5-flash", "embedded".
	From   string `json:"from"`
	Reader string `json:"reader"`
	// Fields are what was found, in the zone of the request, and Missing what was not: title, date, time, place.
	Fields  []CaptureField `json:"fields"`
	Missing []string       `json:"missing"`
}

// CaptureField is a field that was found.
type CaptureField struct {
	// Name is title, date, until, start, end, doors, place, timezone, apply, pay, submit or bring.
	Name  string `json:"name"`
	Value string `json:"value"`
	// Line is the number of the line it came from, from 1, and By why that one: label, size, position, words or page.
	Line int    `json:"line,omitempty"`
	By   string `json:"by,omitempty"`
}
