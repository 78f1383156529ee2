package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/fault"
	"annai/prompts"
	"annai/server/door"
	"annai/server/httpd"
)

// How staff are told: so often, each time for so long, with these pauses between. A visitor waits for the end of it.
const (
	staffTries   = 3
	staffPatient = 3 * time.Second
	// staffAgain is for how long a call that was delivered is the answer to others from the same place.
	staffAgain = time.Minute
)

var staffPauses = []time.Duration{500 * time.Millisecond, 1500 * time.Millisecond}

// The bounds of calls: from one place, and of all.
var (
	callsOfOne = door.Rate{Count: 5, Per: 10 * time.Minute}
	callsOfAll = door.Rate{Count: 60, Per: time.Hour}
)

var callID = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)

// staff are the people of the venue, and who has called them.
type staff struct {
	// tell sends one message; a pause lies between tries.
	tell  func(ctx context.Context, id string, body []byte) error
	pause func(ctx context.Context, d time.Duration)

	one, all *httpd.Limiter[string]

	mu     sync.Mutex
	places map[string]*calling
}

// calling is the call of a place.
type calling struct {
	done chan struct{}
	id   string
	at   time.Time
	err  error
}

func newStaff(tell func(ctx context.Context, id string, body []byte) error) *staff {
	return &staff{
		tell: tell, pause: wait, places: map[string]*calling{},
		one: httpd.NewLimiter[string](callsOfOne), all: httpd.NewLimiter[string](callsOfAll),
	}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// call tells staff, or waits for a call from the same place that does so, or finds one that did it a moment ago, which
// is repeated. The error is a [door.RateError] or [fault.ErrUnavailable].
func (s *staff) call(
	ctx context.Context, place, id string, now func() time.Time, body []byte,
) (c *calling, repeated bool, err error) {
	s.mu.Lock()
	c, ok := s.places[place]
	if ok && (c.at.IsZero() || now().Sub(c.at) < staffAgain) {
		s.mu.Unlock()
		<-c.done // bounded as every call is
		return c, true, c.err
	}
	err = s.one.Take(place, now(), 1)
	if err == nil { // whoever calls all the time takes nothing from others
		err = s.all.Take("", now(), 1)
	}
	if err != nil {
		s.mu.Unlock()
		return nil, false, err
	}
	c = &calling{done: make(chan struct{}), id: id}
	s.places[place] = c
	s.mu.Unlock()
	err = s.deliver(ctx, id, body)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.err, c.at = err, now()
	for other, old := range s.places {
		if other == place && err != nil || !old.at.IsZero() && now().Sub(old.at) >= staffAgain {
			delete(s.places, other)
		}
	}
	close(c.done)
	return c, false, err
}

// deliver tries until one message was taken.
func (s *staff) deliver(ctx context.Context, id string, body []byte) (err error) {
	for try := range staffTries {
		if try > 0 {
			s.pause(ctx, staffPauses[try-1])
		}
		once, cancel := context.WithTimeout(ctx, staffPatient)
		err = s.tell(once, "msg_"+id, body)
		cancel()
		if err == nil {
			return nil
		}
	}
	if errors.Is(err, fault.ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", fault.ErrUnavailable, err)
}

// A staffMessage is what the webhook of a call is told. Text makes it readable for programs of chat, which show that
// alone.
type staffMessage struct {
	Type      string    `json:"type"`
	Timestamp string    `json:"timestamp"`
	Text      string    `json:"text"`
	Data      staffData `json:"data"`
}

type staffData struct {
	ID       string        `json:"id"`
	Device   string        `json:"device,omitempty"`
	Language string        `json:"language,omitempty"`
	Venue    api.LocalText `json:"venue"`
}

// callStaff is POST /staff-calls. It answers once staff were told, or could not be.
func (s *Server) callStaff(c *gin.Context) error {
	if s.staff == nil {
		return fmt.Errorf("no staff-webhook is set: %w", fault.ErrNotFound)
	}
	request, err := readJSON[api.StaffCallRequest](c)
	switch {
	case err != nil:
		return err
	case !callID.MatchString(request.ID):
		return door.Invalid("id", "must be 8 to 64 letters, digits, dashes and underscores")
	case request.Language != "" && request.Language != "ja" && request.Language != "en":
		return door.Invalid("language", "must be ja or en")
	}
	door.SetObject(c, "call", request.ID)
	called, err := s.CallStaff(c.Request.Context(), door.CallerOf(c), door.DeviceOf(c.Request), request)
	if err != nil {
		return door.Tell(err, request.Language, "")
	}
	return httpd.WriteJSON(c, http.StatusOK, called)
}

// CallStaff tells staff that a visitor calls, from a kiosk with that name or else from where the caller is, and returns
// once they were told. Where nobody can be called it is [fault.ErrNotFound], where staff could not be told
// [fault.ErrUnavailable], and a [door.RateError] where they are called too often.
func (s *Server) CallStaff(
	ctx context.Context, caller door.Caller, device string, request api.StaffCallRequest,
) (api.StaffCallResponse, error) {
	if s.staff == nil {
		return api.StaffCallResponse{}, fmt.Errorf("no staff-webhook is set: %w", fault.ErrNotFound)
	}
	place := device
	if place == "" {
		place = caller.Name()
	}
	body, err := json.Marshal(s.staffMessage(request, device))
	if err != nil {
		return api.StaffCallResponse{}, err
	}
	// Staff are told also if the visitor walks away.
	call, repeated, err := s.staff.call(context.WithoutCancel(ctx), place, request.ID, s.parts.Now, body)
	s.figures.staffCall(s.kiosks.label(device), repeated, err)
	if err != nil {
		return api.StaffCallResponse{}, err
	}
	if !repeated {
		s.opts.Log.LogAttrs(ctx, slog.LevelInfo, "staff were called", slog.String("device", device))
	}
	return api.StaffCallResponse{
		ID: call.id, At: call.at.In(s.parts.Venue.Location).Format(time.RFC3339),
	}, nil
}

func (s *Server) staffMessage(request api.StaffCallRequest, device string) staffMessage {
	v := s.parts.Venue
	text := prompts.StaffCalled{Venue: v.Name.In("ja"), Device: device, Speaks: request.Language}.In("ja") + "\n" +
		prompts.StaffCalled{Venue: v.Name.In("en"), Device: device, Speaks: request.Language}.In("en")
	return staffMessage{
		Type: "staff.called", Timestamp: s.parts.Now().UTC().Format(time.RFC3339), Text: text,
		Data: staffData{ID: request.ID, Device: device, Language: request.Language, Venue: local(v.Name)},
	}
}

// readJSON reads a body that is an object with the fields of T; others are left alone.
func readJSON[T any](c *gin.Context) (value T, err error) {
	body, err := httpd.ReadBody(c)
	if err != nil {
		return value, err
	}
	if _, err := object(body); err != nil {
		return value, err
	}
	err = json.Unmarshal(body, &value)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return value, door.Invalid(wrong.Field, "must be a "+wrong.Type.Kind().String())
	}
	return value, err
}
