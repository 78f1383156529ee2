package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/tools"
	"annai/tools/calendar"
)

// tools is GET /tools.
func (s *Server) tools(c *gin.Context) error {
	caller, err := s.caller(c)
	if err != nil {
		return err
	}
	answer := api.ToolsResponse{Tools: []api.Tool{}}
	for _, d := range s.parts.Tools.Offered(caller) {
		answer.Tools = append(answer.Tools, api.Tool{
			Name: d.Name, Description: d.Description, InputSchema: d.InputSchema, OutputSchema: d.OutputSchema,
			Annotations: api.ToolAnnotations{
				ReadOnlyHint: d.Annotations.ReadOnly, DestructiveHint: d.Annotations.Destructive, IdempotentHint: d.Annotations.Idempotent,
			},
		})
	}
	return writeJSON(c, http.StatusOK, answer)
}

// callTool is POST /tools/{name}.
func (s *Server) callTool(c *gin.Context) error {
	return s.useTools(c, func(caller tools.Caller, input json.RawMessage) (json.RawMessage, error) {
		return s.parts.Tools.Call(c.Request.Context(), caller, c.Param("name"), input)
	})
}

// callFamily is POST /tools/calendar and POST /tools/date.
func (s *Server) callFamily(family string) handler {
	return func(c *gin.Context) error {
		return s.useTools(c, func(caller tools.Caller, input json.RawMessage) (json.RawMessage, error) {
			return s.parts.Tools.CallFamily(c.Request.Context(), caller, family, input)
		})
	}
}

func (s *Server) useTools(c *gin.Context, call func(tools.Caller, json.RawMessage) (json.RawMessage, error)) error {
	caller, err := s.caller(c)
	if err != nil {
		return err
	}
	var input json.RawMessage
	if c.Request.ContentLength != 0 { // a tool may want no input
		if input, err = s.readBody(c); err != nil {
			return err
		}
	}
	answer, err := call(caller, input)
	if err != nil {
		return s.failTool(c, why(c.Request.Context(), err), caller.Language)
	}
	c.Data(http.StatusOK, typeJSON[0], answer)
	return nil
}

// caller returns who asks: the owner by their key, or else a visitor.
func (s *Server) caller(c *gin.Context) (tools.Caller, error) {
	caller := tools.Caller{
		Role: tools.Visitor, Language: preferred(c.Request.Header.Get("Accept-Language")), RequestID: requestID(c),
	}
	owner, err := s.isOwner(c)
	if owner {
		caller.Role = tools.Owner
	}
	return caller, err
}

// failTool answers with the envelope of failures, and with what tools say of theirs. A client that went away is told nothing.
func (s *Server) failTool(c *gin.Context, err error, language string) error {
	f := toolFailure(err)
	if f.status == statusGone {
		return err
	}
	s.log(c.Request.Context(), c, f, err)
	if f.retry > 0 {
		c.Header("Retry-After", strconv.Itoa(f.retry))
	}
	message := tools.Message(err, language)
	return writeJSON(c, f.status, api.ToolFailure{
		Message:   message,
		Error:     api.ErrorBody{Code: f.code, Message: tools.Message(err, "en"), Details: toolDetails(err)},
		RequestID: requestID(c), Text: tags["apologetic"] + message, Emotion: "apologetic", Language: language,
	})
}

// toolDetails names the fields that do not fit a tool's schema.
func toolDetails(err error) []api.ErrorDetail {
	var wrong *tools.InputError
	if !errors.As(err, &wrong) {
		return nil
	}
	details := make([]api.ErrorDetail, 0, len(wrong.Problems))
	for _, p := range wrong.Problems {
		details = append(details, api.ErrorDetail{Field: p.Field, Message: p.Message("en")})
	}
	return details
}

// How many seconds a client is asked to wait where the calendar did not say.
const (
	retrySoon  = 5
	retryQuota = 3600
)

// toolFailure is [failureOf] for tools, which knows more of calendars.
func toolFailure(err error) failure {
	var f *calendar.Failure
	if !errors.As(err, &f) {
		return failureOf(err)
	}
	wait := int((f.RetryAfter + time.Second - 1) / time.Second)
	if wait == 0 {
		wait = retrySoon
	}
	switch f.Kind {
	case calendar.Invalid, calendar.InvalidText, calendar.Instance:
		return failure{status: http.StatusBadRequest, code: api.CodeInvalid}
	case calendar.Auth, calendar.Scope, calendar.Forbidden:
		return failure{status: http.StatusForbidden, code: api.CodeDenied}
	case calendar.NotFound:
		return failure{status: http.StatusNotFound, code: api.CodeNotFound}
	case calendar.Gone:
		return failure{status: http.StatusGone, code: api.CodeGone}
	case calendar.Exists, calendar.Stale:
		return failure{status: http.StatusConflict, code: api.CodeConflict}
	case calendar.RateLimited:
		return failure{status: http.StatusTooManyRequests, code: api.CodeRateLimited, retry: wait}
	case calendar.Quota:
		return failure{status: http.StatusTooManyRequests, code: api.CodeRateLimited, retry: max(wait, retryQuota)}
	case calendar.Unavailable:
		return failure{status: http.StatusServiceUnavailable, code: api.CodeUnavailable}
	case calendar.Ambiguous:
		return failure{status: http.StatusServiceUnavailable, code: api.CodeAmbiguous, retry: retrySoon}
	}
	return failureOf(err)
}
