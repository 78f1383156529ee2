package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/internal/fault"
	"annai/prompts"
)

// Failures that only a door can have.
var (
	errNoRoute    = errors.New("no such path")
	errMethod     = errors.New("no such method here")
	errMediaType  = errors.New("body is not JSON")
	errTooLarge   = errors.New("body is over the limit")
	errTooSlow    = errors.New("body did not arrive in time")
	errOverloaded = errors.New("too many turns at once")
	errCancelled  = errors.New("run was cancelled")
	errStopping   = errors.New("server is stopping")
	// errGone says that nobody waits for the answer any more.
	errGone = errors.New("client went away")
)

// statusGone stands in figures and logs for a client that went away; it is never sent.
const statusGone = 499

// A failure is what the outside sees of an error.
type failure struct {
	status int
	code   string
	// message is English, for whoever wrote the client; the error itself stays in the log.
	message string
	// words names what is said to the visitor.
	words string
	// retry is the Retry-After header in seconds, 0 for none.
	retry int
	// cut closes the connection, because what is left of the request was not read.
	cut bool
}

// failures maps kinds of error to what the outside sees. The first that fits counts; what fits none is internal.
var failures = []struct {
	kind error
	failure
}{
	{errGone, failure{status: statusGone, code: api.CodeCancelled}},
	{errCancelled, cancelled},
	{errOverloaded, failure{
		status: http.StatusServiceUnavailable, code: api.CodeOverloaded, message: "too many turns at once; try again shortly", words: "overloaded", retry: 1,
	}},
	{errStopping, failure{
		status: http.StatusServiceUnavailable, code: api.CodeUnavailable, message: "the server is stopping; try again shortly", words: "unavailable", retry: 5,
	}},
	{errNoRoute, failure{status: http.StatusNotFound, code: api.CodeNotFound, message: "there is nothing at this path", words: "not_found"}},
	{errMethod, failure{
		status: http.StatusMethodNotAllowed, code: api.CodeMethodNotAllowed, message: "this path has other methods: see the Allow header", words: "invalid",
	}},
	{errKey, failure{status: http.StatusUnauthorized, code: api.CodeUnauthorized, message: "the key is not known here", words: "denied"}},
	{errMediaType, failure{
		status: http.StatusUnsupportedMediaType, code: api.CodeMediaType, message: "the body must be sent as Content-Type: application/json, in UTF-8, not compressed",
		words: "invalid", cut: true,
	}},
	{errTooLarge, failure{
		status: http.StatusRequestEntityTooLarge, code: api.CodeTooLarge, message: "the body is over the limit", words: "too_long", cut: true,
	}},
	{errTooSlow, failure{
		status: http.StatusRequestTimeout, code: api.CodeTooSlow, message: "the body did not arrive in time", words: "invalid", cut: true,
	}},
	{context.DeadlineExceeded, failure{status: http.StatusGatewayTimeout, code: api.CodeDeadline, message: "the answer took too long", words: "deadline"}},
	{context.Canceled, cancelled}, // by the end of its session: whoever else ends a run leaves a cause
	{fault.ErrInvalid, failure{status: http.StatusBadRequest, code: api.CodeInvalid, message: "the request can't be right", words: "invalid"}},
	{fault.ErrDenied, failure{status: http.StatusForbidden, code: api.CodeDenied, message: "this is not allowed from here", words: "denied"}},
	{fault.ErrNotFound, failure{status: http.StatusNotFound, code: api.CodeNotFound, message: "what was named does not exist", words: "not_found"}},
	{fault.ErrConflict, failure{
		status: http.StatusConflict, code: api.CodeConflict, message: "a run is active on this session; wait for its end or cancel it", words: "conflict",
	}},
	{fault.ErrUnavailable, failure{
		status: http.StatusServiceUnavailable, code: api.CodeUnavailable, message: "something that is needed could not be reached", words: "unavailable",
	}},
}

var cancelled = failure{status: http.StatusConflict, code: api.CodeCancelled, message: "the run was cancelled", words: "cancelled"}

var internal = failure{status: http.StatusInternalServerError, code: api.CodeInternal, message: "something went wrong here", words: "internal"}

func failureOf(err error) failure {
	for _, f := range failures {
		if errors.Is(err, f.kind) {
			return f.failure
		}
	}
	return internal
}

// An invalidRequest is a request whose fields are wrong. It is the one error whose text is told outside: door and fields
// are all it knows.
type invalidRequest struct {
	details []api.ErrorDetail
	// words names what is said to the visitor; empty: the general words.
	words string
}

func (e *invalidRequest) Error() string {
	texts := make([]string, 0, len(e.details))
	for _, d := range e.details {
		texts = append(texts, d.Field+" "+d.Message)
	}
	return strings.Join(texts, "; ")
}

func (e *invalidRequest) Unwrap() error { return fault.ErrInvalid }

func invalid(field, message string) error {
	return &invalidRequest{details: []api.ErrorDetail{{Field: field, Message: message}}}
}

// A told error knows better than its kind how to speak of itself.
type told struct {
	error
	// language is that of the visitor; empty: not known.
	language string
	// words replaces the words of the kind, unless empty.
	words string
}

func (e *told) Unwrap() error { return e.error }

// envelope returns what is sent for the error, and its failure.
func envelope(err error, requestID, acceptLanguage string) (failure, api.ErrorResponse) {
	f := failureOf(err)
	language := preferred(acceptLanguage)
	var how *told
	if errors.As(err, &how) {
		language = pick(how.language, language)
		f.words = pick(how.words, f.words)
	}
	body := api.ErrorBody{Code: f.code, Message: f.message}
	var wrong *invalidRequest
	if errors.As(err, &wrong) {
		f.words = pick(wrong.words, f.words)
		body.Message, body.Details = wrong.Error(), wrong.details
	}
	emotion := "apologetic"
	if f.code == api.CodeCancelled {
		emotion = "neutral"
	}
	return f, api.ErrorResponse{
		Error: body, RequestID: requestID, Language: language, Emotion: emotion,
		Text: tags[emotion] + prompts.Failure{Name: f.words}.In(language),
	}
}

// fail answers the request with the error's envelope, unless something was sent already or nobody listens, logs it and returns the status.
func (s *Server) fail(c *gin.Context, err error) int {
	f, answer := envelope(err, requestID(c), c.Request.Header.Get("Accept-Language"))
	s.log(c.Request.Context(), c, f, err)
	if f.status == statusGone || c.Writer.Written() {
		return f.status
	}
	if f.retry > 0 {
		c.Header("Retry-After", strconv.Itoa(f.retry))
	}
	if f.status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", "Bearer")
	}
	if f.cut {
		c.Header("Connection", "close")
	}
	if err := writeJSON(c, f.status, answer); err != nil {
		s.opts.Log.ErrorContext(c.Request.Context(), "error envelope not encoded", slog.String("request_id", answer.RequestID), slog.Any("err", err))
	}
	return f.status
}

// log writes one line about a failed request: what the visitor's client did wrong, what is out of order, or what is broken.
func (s *Server) log(ctx context.Context, c *gin.Context, f failure, err error) {
	level := slog.LevelInfo
	switch {
	case f.status == statusGone:
		level = slog.LevelDebug
	case f.status == http.StatusInternalServerError:
		level = slog.LevelError
	case f.status > http.StatusInternalServerError:
		level = slog.LevelWarn
	}
	attributes := []slog.Attr{
		slog.String("request_id", requestID(c)), slog.String("method", c.Request.Method), slog.String("route", c.FullPath()),
		slog.Int("status", f.status), slog.Any("err", err),
	}
	var caught *panicError
	if errors.As(err, &caught) {
		attributes = append(attributes, slog.String("stack", string(caught.stack)))
	}
	s.opts.Log.LogAttrs(ctx, level, "request failed", attributes...)
}

func pick(first, second string) string {
	if first != "" {
		return first
	}
	return second
}
