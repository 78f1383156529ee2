package gemini

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"annai/fault"
)

// maxTrouble is how much of an error's body is read.
const maxTrouble = 64 << 10

// status is an error as Google writes it (google.rpc.Status): its message may repeat what was
// asked, and is not kept.
type status struct {
	Code   int    `json:"code"`
	Status string `json:"status"`
}

// refused is the error of an answer that is none. Its text has Google's word for it, and nothing
// of what was asked.
func refused(response *http.Response) error {
	var body struct {
		Error status `json:"error"`
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxTrouble))
	if err == nil {
		_ = json.Unmarshal(data, &body) // what is no JSON has no word
	}
	code := response.StatusCode
	return fmt.Errorf("google answered %d %s: %w", code, word(body.Error.Status), kindOf(code))
}

// kindOf is the kind of an HTTP status.
func kindOf(code int) error {
	switch code {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return fault.ErrInvalid
	case http.StatusUnauthorized, http.StatusForbidden:
		return fault.ErrDenied
	case http.StatusNotFound:
		return fault.ErrNotFound
	default:
		return fault.ErrUnavailable
	}
}

// ended is the error of an operation that failed, by its google.rpc.Code.
func ended(s status) error {
	kind := fault.ErrUnavailable
	switch s.Code {
	case 3, 9, 11: // INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE
		kind = fault.ErrInvalid
	case 7, 16: // PERMISSION_DENIED, UNAUTHENTICATED
		kind = fault.ErrDenied
	case 5: // NOT_FOUND
		kind = fault.ErrNotFound
	}
	return fmt.Errorf("google ended with code %d: %w", s.Code, kind)
}

// blocked is the error of content that Google does not make, with its word for why.
func blocked(why string) error {
	return fmt.Errorf("google declined: %s: %w", word(why), fault.ErrDenied)
}

// word returns a constant of Google's, such as RESOURCE_EXHAUSTED, and "" for what is none.
func word(s string) string {
	if len(s) > 40 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return ""
	}
	return s
}
