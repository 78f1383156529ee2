package api

import "encoding/json"

// ToolsResponse is the answer of GET /tools.
type ToolsResponse struct {
	// Tools are those that the caller may call now.
	Tools []Tool `json:"tools"`
}

// Tool is a typed function that can be called by POST /tools/{name}.
type Tool struct {
	Name string `json:"name"`
	// Description tells a model when to use it, in the language of Accept-Language.
	Description string `json:"description"`
	// InputSchema and OutputSchema are JSON schemas.
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  ToolAnnotations `json:"annotations"`
}

// ToolAnnotations tell what a call risks, in the names of the Model Context Protocol.
type ToolAnnotations struct {
	ReadOnlyHint bool `json:"readOnlyHint"`
	// DestructiveHint says that it may change or remove what is there.
	DestructiveHint bool `json:"destructiveHint"`
	// IdempotentHint says that the same request again changes nothing more.
	IdempotentHint bool `json:"idempotentHint"`
}

// ToolFailure is an ErrorResponse that also says what went wrong as tools do.
type ToolFailure struct {
	// Success is false.
	Success bool `json:"success"`
	// Message is Text without its tag: what went wrong, in the language of Accept-Language.
	Message   string    `json:"message"`
	Error     ErrorBody `json:"error"`
	RequestID string    `json:"requestId"`
	Text      string    `json:"text"`
	Emotion   string    `json:"emotion"`
	Language  string    `json:"language"`
}

// The values of ErrorBody.Code that only tools have, with their statuses.
const (
	CodeGone      = "gone"      // 410, it was there and is deleted
	CodeAmbiguous = "ambiguous" // 503, nobody knows whether it was written; the same request again may be tried
)
