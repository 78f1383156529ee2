package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/door"
	"annai/server/httpd"
	"annai/tools"
)

// tools is GET /tools.
func (s *Server) tools(c *gin.Context) error {
	answer := api.ToolsResponse{Tools: []api.Tool{}}
	for _, d := range s.parts.Tools.Offered(toolCaller(c)) {
		answer.Tools = append(answer.Tools, api.Tool{
			Name: d.Name, Description: d.Description, InputSchema: d.InputSchema, OutputSchema: d.OutputSchema,
			Annotations: api.ToolAnnotations{
				ReadOnlyHint: d.Annotations.ReadOnly, DestructiveHint: d.Annotations.Destructive, IdempotentHint: d.Annotations.Idempotent,
			},
		})
	}
	return httpd.WriteJSON(c, http.StatusOK, answer)
}

// maxToolBody is the largest input of any tool, which bounds itself in [tools.Spec].
const maxToolBody = 16 << 20

// maxLargeInputs is how many inputs may be held at once that are larger than other requests.
const maxLargeInputs = 2

// callTool is POST /tools/{name}.
func (s *Server) callTool(c *gin.Context) error {
	if err := door.Charge(c, s.parts.Tools.Requests(c.Param("name"))-1); err != nil {
		return err
	}
	free, err := s.boundInput(c)
	if err != nil {
		return err
	}
	defer free()
	return s.useTools(c, func(caller tools.Caller, input json.RawMessage) (json.RawMessage, error) {
		defer free() // who does not read the answer keeps nobody from being answered
		return s.parts.Tools.Call(c.Request.Context(), caller, c.Param("name"), input)
	})
}

// boundInput bounds the input of a tool. One that is larger than other requests needs a place, for
// it takes several times its size in memory until the tool has answered; free gives it back.
func (s *Server) boundInput(c *gin.Context) (free func(), err error) {
	return s.place(c, max(s.opts.MaxBody, s.parts.Tools.MaxInput(c.Param("name"))))
}

// place bounds the body of a request that may be large, and holds a place for it as [Server.boundInput] does.
func (s *Server) place(c *gin.Context, limit int64) (free func(), err error) {
	if err := httpd.LimitBody(c, limit); err != nil {
		return nil, err
	}
	if length := c.Request.ContentLength; limit <= s.opts.MaxBody || length >= 0 && length <= s.opts.MaxBody {
		return func() {}, nil
	}
	select {
	case s.largeInputs <- struct{}{}:
		return sync.OnceFunc(func() { <-s.largeInputs }), nil
	default:
		return nil, door.ErrOverloaded
	}
}

// callFamily is POST /tools/calendar and POST /tools/date.
func (s *Server) callFamily(family string) door.Handler {
	return func(c *gin.Context) error {
		return s.useTools(c, func(caller tools.Caller, input json.RawMessage) (json.RawMessage, error) {
			return s.parts.Tools.CallFamily(c.Request.Context(), caller, family, input)
		})
	}
}

func (s *Server) useTools(c *gin.Context, call func(tools.Caller, json.RawMessage) (json.RawMessage, error)) error {
	caller := toolCaller(c)
	var input json.RawMessage
	if c.Request.ContentLength != 0 { // a tool may want no input
		var err error
		if input, err = httpd.ReadBody(c); err != nil {
			return err
		}
	}
	answer, err := call(caller, input)
	if err != nil {
		return s.failTool(c, door.Because(c.Request.Context(), err), caller.Language)
	}
	if err := door.Hold(c, len(answer)); err != nil {
		return s.failTool(c, err, caller.Language)
	}
	c.Data(http.StatusOK, httpd.TypeJSON, answer)
	return nil
}

// toolCaller is who asks, as tools know them: an operator calls in the place of the owner.
func toolCaller(c *gin.Context) tools.Caller {
	caller := tools.Caller{
		Role: tools.Visitor, Language: door.Preferred(c.Request.Header.Get("Accept-Language")),
		RequestID: httpd.RequestID(c),
		Name:      door.CallerOf(c).Speaker(),
	}
	if door.CallerOf(c).Is(door.Owner) {
		caller.Role, caller.Owner = tools.Owner, door.CallerOf(c).Owner
	}
	return caller
}

// failTool answers with the envelope of failures, and with what tools say of theirs. A client that went away is
// told nothing.
func (s *Server) failTool(c *gin.Context, err error, language string) error {
	f := toolFailure(err)
	if f.Status == door.StatusGone {
		return err
	}
	s.http.Log(c, f)
	if f.Retry > 0 {
		c.Header("Retry-After", strconv.Itoa(f.Retry))
	}
	message := tools.Message(err, language)
	return httpd.WriteJSON(c, f.Status, api.ToolFailure{
		Message:   message,
		Error:     api.ErrorBody{Code: f.Code, Message: tools.Message(err, "en"), Details: toolDetails(err)},
		RequestID: httpd.RequestID(c), Text: tags["apologetic"] + message, Emotion: "apologetic", Language: language,
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

// toolStatuses are of what tools are answered with besides the kinds of package fault.
var toolStatuses = map[string]int{
	api.CodeGone: http.StatusGone, api.CodeRateLimited: http.StatusTooManyRequests,
	api.CodeAmbiguous: http.StatusServiceUnavailable,
}

// toolFailure is [door.Explain] for tools, of which some say a code themselves, and how long to wait.
func toolFailure(err error) door.Failure {
	var coded interface {
		Code() (code string, wait time.Duration)
	}
	if errors.As(err, &coded) {
		code, wait := coded.Code()
		if status := toolStatuses[code]; status != 0 {
			return door.Failure{Err: err, Status: status, Code: code, Retry: int((wait + time.Second - 1) / time.Second)}
		}
	}
	return door.Explain(err, "")
}
