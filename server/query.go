package server

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/server/door"
	"annai/server/httpd"
)

// query is POST /query.
func (s *Server) query(c *gin.Context) error {
	body, err := httpd.ReadBody(c)
	if err != nil {
		return err
	}
	q, err := parseQuery(body)
	if err != nil {
		return err
	}
	caller := door.CallerOf(c)
	q.turn.Owner, q.turn.OwnerName, q.turn.Caller = caller.Is(door.Owner), caller.Owner, caller.Speaker()
	q.turn.RequestID, q.turn.RunID = httpd.RequestID(c), s.opts.NewID()
	door.SetObject(c, "session", q.turn.SessionID)
	door.SetObject(c, "run", q.turn.RunID)
	s.figures.question(s.kiosks.label(door.DeviceOf(c.Request)))
	if q.stream || wantsStream(c.Request) {
		err = s.stream(c, q)
	} else {
		err = s.answer(c, q.turn)
	}
	return tell(err, q)
}

func (s *Server) answer(c *gin.Context, turn dialog.Turn) error {
	answer, err := s.parts.Gate.Answer(c.Request.Context(), turn)
	if err != nil {
		return err
	}
	s.handovers.remember(turn, answer)
	return httpd.WriteJSON(c, http.StatusOK, whole(answer))
}

// tell makes the error speak the language of the question, and of the lost thread where that is what was resumed.
func tell(err error, q question) error {
	words := ""
	if q.turn.Resume != nil && errors.Is(err, fault.ErrNotFound) {
		words = "resume_lost"
	}
	return door.Tell(err, q.language, words)
}

// wantsStream says whether the Accept header asks for server-sent events.
func wantsStream(r *http.Request) bool {
	for _, accept := range r.Header["Accept"] {
		if strings.Contains(strings.ToLower(accept), "text/event-stream") {
			return true
		}
	}
	return false
}

// whole returns the answer with empty lists where it has none, since null would break the clients of the contract.
func whole(a api.QueryResponse) api.QueryResponse {
	fill(&a.Speech)
	fill(&a.Cards)
	fill(&a.Suggestions)
	fill(&a.Metadata.Sources)
	if a.Metadata.SourceStatus == nil {
		a.Metadata.SourceStatus = map[string]string{}
	}
	if a.Metadata.ProcessingInfo.TimingsMS == nil {
		a.Metadata.ProcessingInfo.TimingsMS = map[string]float64{}
	}
	return a
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}
