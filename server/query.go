package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/internal/fault"
	"annai/nodes"
)

// query is POST /query.
func (s *Server) query(c *gin.Context) error {
	body, err := s.readBody(c)
	if err != nil {
		return err
	}
	q, err := parseQuery(body)
	if err != nil {
		return err
	}
	if q.turn.Owner, err = s.isOwner(c); err != nil {
		return tell(err, q)
	}
	q.turn.RequestID, q.turn.RunID = requestID(c), s.opts.NewID()
	ctx, end, err := s.runs.start(c.Request.Context(), q.turn.RunID)
	if err != nil {
		return tell(err, q)
	}
	defer end()
	if q.stream || wantsStream(c.Request) {
		err = s.stream(ctx, c, q)
	} else {
		err = s.answer(ctx, c, q.turn)
	}
	return tell(why(ctx, err), q)
}

func (s *Server) answer(ctx context.Context, c *gin.Context, turn nodes.Turn) error {
	var answer api.QueryResponse
	err := safely(func() (err error) {
		answer, err = s.parts.Concierge.Answer(ctx, turn)
		return err
	})
	if err != nil {
		s.metrics.failed()
		return err
	}
	s.metrics.answered(answer)
	return writeJSON(c, http.StatusOK, whole(answer))
}

// why adds to the error for what reason its context had ended: that it was cancelled, that the server stops, or that the client went away.
func why(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, context.Canceled) {
		cause = errGone
	}
	return fmt.Errorf("%w: %w", cause, err)
}

// tell makes the error speak the language of the question, and of the lost thread where that is what was resumed.
func tell(err error, q question) error {
	if err == nil {
		return nil
	}
	words := ""
	if q.turn.Resume != nil && errors.Is(err, fault.ErrNotFound) {
		words = "resume_lost"
	}
	return &told{error: err, language: q.language, words: words}
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
