package door

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"annai/api"
	"annai/fault"
)

// Failures that only a door can have. Besides these, errors are known by the kinds of package fault.
var (
	ErrNoRoute   = errors.New("no such path")
	ErrMethod    = errors.New("no such method here")
	ErrMediaType = errors.New("body is not of a type that is read here")
	ErrTooLarge  = errors.New("body is over the limit")
	ErrTooSlow   = errors.New("body did not arrive in time")
	ErrKey       = errors.New("key is not known")
	// ErrNoKey is the lack of a key where one is needed.
	ErrNoKey = errors.New("no key was sent")
	// ErrExpired is an address that was right and is over.
	ErrExpired    = errors.New("address has expired")
	ErrOverloaded = errors.New("too many runs at once")
	ErrCancelled  = errors.New("run was cancelled")
	ErrStopping   = errors.New("server is stopping")
	// ErrGone says that nobody waits for the answer any more.
	ErrGone = errors.New("client went away")
)

// StatusGone stands in figures and logs for a client that went away; it is never sent.
const StatusGone = 499

// A Failure is what the outside sees of an error.
type Failure struct {
	Err error
	// Status is that of HTTP, Code one of api's: "not_found". Message is English, for whoever wrote the client, and Details names each field
	// that is wrong.
	Status        int
	Code, Message string
	Details       []api.ErrorDetail
	// Words names what an avatar says to the visitor, in Language ("ja" or "en"), with Emotion. Say is said in its
	// place as it stands, where it is not empty.
	Words, Say, Language, Emotion string
	// Retry is after how many seconds it may be tried again, 0: not said.
	Retry int
	// Cut says that the connection is closed after the answer, because what is left of the request was not read.
	Cut bool
}

// kinds maps kinds of error to what the outside sees. The first that fits counts; what fits none is internal.
var kinds = []struct {
	kind error
	Failure
}{
	{ErrGone, Failure{Status: StatusGone, Code: api.CodeCancelled, Words: "cancelled"}},
	{ErrCancelled, cancelled},
	{ErrOverloaded, Failure{
		Status: http.StatusServiceUnavailable, Code: api.CodeOverloaded, Message: "too many turns at once; try again shortly", Words: "overloaded", Retry: 1,
	}},
	{ErrStopping, Failure{
		Status: http.StatusServiceUnavailable, Code: api.CodeUnavailable, Message: "the server is stopping; try again shortly", Words: "unavailable", Retry: 5,
	}},
	{ErrNoRoute, Failure{Status: http.StatusNotFound, Code: api.CodeNotFound, Message: "there is nothing at this path", Words: "not_found"}},
	{ErrExpired, Failure{
		Status: http.StatusGone, Code: api.CodeGone, Message: "this address has expired", Words: "not_found",
	}},
	{ErrMethod, Failure{
		Status: http.StatusMethodNotAllowed, Code: api.CodeMethodNotAllowed, Message: "this path has other methods: see the Allow header", Words: "invalid",
	}},
	{ErrKey, Failure{Status: http.StatusUnauthorized, Code: api.CodeUnauthorized, Message: "the key is not known here", Words: "denied"}},
	{ErrNoKey, Failure{
		Status: http.StatusUnauthorized, Code: api.CodeUnauthorized, Message: "a key is needed: send it as Authorization: Bearer KEY or X-Api-Key: KEY", Words: "denied",
	}},
	{ErrMediaType, Failure{
		Status: http.StatusUnsupportedMediaType, Code: api.CodeMediaType, Message: "the body must be sent as Content-Type: application/json, in UTF-8, not compressed",
		Words: "invalid", Cut: true,
	}},
	{ErrTooLarge, Failure{
		Status: http.StatusRequestEntityTooLarge, Code: api.CodeTooLarge, Message: "the body is over the limit", Words: "too_long", Cut: true,
	}},
	{ErrTooSlow, Failure{
		Status: http.StatusRequestTimeout, Code: api.CodeTooSlow, Message: "the body did not arrive in time", Words: "invalid", Cut: true,
	}},
	{context.DeadlineExceeded, Failure{Status: http.StatusGatewayTimeout, Code: api.CodeDeadline, Message: "the answer took too long", Words: "deadline"}},
	{context.Canceled, cancelled}, // by the end of its session: whoever else ends a run leaves a cause
	{fault.ErrInvalid, Failure{Status: http.StatusBadRequest, Code: api.CodeInvalid, Message: "the request can't be right", Words: "invalid"}},
	{fault.ErrDenied, Failure{Status: http.StatusForbidden, Code: api.CodeDenied, Message: "this is not allowed from here", Words: "denied"}},
	{fault.ErrNotFound, Failure{Status: http.StatusNotFound, Code: api.CodeNotFound, Message: "what was named does not exist", Words: "not_found"}},
	{fault.ErrConflict, Failure{
		Status: http.StatusConflict, Code: api.CodeConflict, Message: "a run is active on this session; wait for its end or cancel it", Words: "conflict",
	}},
	{fault.ErrUnavailable, Failure{
		Status: http.StatusServiceUnavailable, Code: api.CodeUnavailable, Message: "something that is needed could not be reached", Words: "unavailable",
	}},
}

var cancelled = Failure{Status: http.StatusConflict, Code: api.CodeCancelled, Message: "the run was cancelled", Words: "cancelled"}

var internal = Failure{Status: http.StatusInternalServerError, Code: api.CodeInternal, Message: "something went wrong here", Words: "internal"}

// Explain returns what the outside sees of the error. It speaks the language that the error was told in, see [Tell], or else the one of ours that the
// Accept-Language header likes best.
func Explain(err error, acceptLanguage string) Failure {
	f := internal
	if isHungUp(err) {
		f = Failure{Status: StatusGone, Code: api.CodeCancelled, Words: "cancelled"}
	}
	for _, k := range kinds {
		if errors.Is(err, k.kind) {
			f = k.Failure
			break
		}
	}
	var often *RateError
	if errors.As(err, &often) {
		f = Failure{
			Status: http.StatusTooManyRequests, Code: api.CodeRateLimited, Message: "too many requests; try again after Retry-After seconds", Words: "overloaded",
			Retry: max(1, int(math.Ceil(often.Wait.Seconds()))),
		}
	}
	f.Err, f.Emotion = err, "apologetic"
	if f.Code == api.CodeCancelled {
		f.Emotion = "neutral"
	}
	var wrong *InputError
	if errors.As(err, &wrong) {
		f.Words = pick(wrong.Words, f.Words)
		f.Message, f.Details = wrong.Error(), wrong.Details
	}
	var how *told
	if errors.As(err, &how) {
		f.Language = how.language
		f.Words = pick(how.words, f.Words)
	}
	if f.Language == "" {
		f.Language = Preferred(acceptLanguage)
	}
	if how != nil && how.say != "" {
		f.Say, f.Message = how.say, how.message
	}
	return f
}

// isHungUp reports whether nothing could be written because the other side is not there any more: mostly a
// client that went away before the server noticed. Where it was another service, its back end has said of
// which kind that is.
func isHungUp(err error) bool {
	var at *net.OpError
	return errors.As(err, &at) && at.Op == "write" &&
		(errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET))
}

// An InputError is a request whose fields are wrong. It is the one error whose text is told outside: door and fields
// are all it knows.
type InputError struct {
	Details []api.ErrorDetail
	// Words names what is said to the visitor, see [Failure]; empty: the general words.
	Words string
}

func (e *InputError) Error() string {
	texts := make([]string, 0, len(e.Details))
	for _, d := range e.Details {
		texts = append(texts, d.Field+" "+d.Message)
	}
	return strings.Join(texts, "; ")
}

func (e *InputError) Unwrap() error { return fault.ErrInvalid }

// A RateError is a request that came too soon after others.
type RateError struct {
	// Wait is after how long the next one may come.
	Wait time.Duration
}

func (e *RateError) Error() string { return "too many requests, the next in " + e.Wait.String() }

// Invalid returns an [InputError] for one field: "must be ja or en".
func Invalid(field, message string) error {
	return &InputError{Details: []api.ErrorDetail{{Field: field, Message: message}}}
}

// A told error knows better than its kind how to speak of itself.
type told struct {
	error
	language, words string
	// say is said as it stands, and message is for whoever wrote the client.
	say, message string
}

func (e *told) Unwrap() error { return e.error }

// Tell makes the error speak the language, unless that is empty, and say the words of that name in place of its kind's, unless that is empty.
func Tell(err error, language, words string) error {
	if err == nil {
		return nil
	}
	return &told{error: err, language: language, words: words}
}

// Say makes the error say a sentence in a language, and tell whoever wrote the client the message.
func Say(err error, language, sentence, message string) error {
	return &told{error: err, language: language, say: sentence, message: message}
}

// Because adds to the error for what reason its context had ended: that it was cancelled, that the server stops, or that the client went away.
func Because(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, context.Canceled) {
		cause = ErrGone
	}
	if errors.Is(err, cause) {
		return err
	}
	return fmt.Errorf("%w: %w", cause, err)
}

func pick(first, second string) string {
	if first != "" {
		return first
	}
	return second
}
