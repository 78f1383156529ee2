package openai

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/server/door"
	"annai/server/render"
)

// A refusal is an error for which OpenAI's clients have a code.
type refusal struct {
	error
	code, param, message string
}

func (e *refusal) Unwrap() error { return e.error }

// unsupported refuses a field whose value asks for what there is not.
func unsupported(param, message string) error {
	return &refusal{error: door.Invalid(param, message), code: "unsupported_value", param: param, message: message}
}

// missing refuses a request without a field.
func missing(param string) error {
	message := "Missing required parameter: '" + param + "'."
	return &refusal{error: door.Invalid(param, "must not be absent"), code: "missing_required_parameter", param: param, message: message}
}

// errorBody is the shape of every failure.
type errorBody struct {
	Error errorShape `json:"error"`
}

type errorShape struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

// shape says a failure in OpenAI's words.
func shape(f door.Failure) errorShape {
	e := errorShape{Message: f.Message, Type: "invalid_request_error"}
	code := ""
	switch {
	case f.Status == http.StatusUnauthorized:
		code, e.Message = "invalid_api_key", "Incorrect API key provided, or none. Keys are those of this server, as 'Authorization: Bearer KEY'."
	case f.Status == http.StatusTooManyRequests:
		e.Type, code = "requests", "rate_limit_exceeded"
	case f.Status >= http.StatusInternalServerError:
		e.Type, code = "server_error", f.Code
	case f.Status != http.StatusBadRequest:
		code = f.Code
	}
	if len(f.Details) > 0 && f.Details[0].Field != "body" {
		e.Param = &f.Details[0].Field
	}
	var known *refusal
	if errors.As(f.Err, &known) {
		e.Message, code, e.Param = known.message, known.code, &known.param
	}
	if code != "" {
		e.Code = &code
	}
	return e
}

func orText(text *string, otherwise string) *string {
	if text == nil {
		return &otherwise
	}
	return text
}

// fail answers in OpenAI's shape. Whoever can only read a stream is told so that a visitor hears it, unless the operator has to mend something.
func (s *service) fail(c *gin.Context, f door.Failure) {
	mendable := f.Status < http.StatusInternalServerError && f.Status != http.StatusTooManyRequests
	if c.FullPath() == pathAvatar && !mendable {
		out := s.newChatStream(c, modelConcierge, render.Spoken())
		defer out.Close()
		_ = out.apologize(f, nil) // who went away needs no apology
		return
	}
	e := shape(f)
	if strings.HasPrefix(c.Request.URL.Path, pathResponses) { // clients of Open Responses read no null there
		e.Code, e.Param = orText(e.Code, f.Code), orText(e.Param, "")
	}
	_ = render.WriteJSON(c, f.Status, errorBody{e}) // strings and numbers can always be written
}
