package server

import (
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/graph"
	"annai/server/door"
)

// maxVoted is how many answers are remembered on which there was a word already.
const maxVoted = 4096

// votes says which answers have had their word. It is safe for concurrent use.
type votes struct {
	mu    sync.Mutex
	had   map[string]bool
	order []string // a ring
	next  int
}

// first reports whether there was no word on the run yet.
func (v *votes) first(run string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.had[run] {
		return false
	}
	if len(v.order) < maxVoted {
		v.order = append(v.order, run)
	} else {
		delete(v.had, v.order[v.next])
		v.order[v.next] = run
		v.next = (v.next + 1) % maxVoted
	}
	v.had[run] = true
	return true
}

// feedback is POST /feedback.
func (s *Server) feedback(c *gin.Context) error {
	word, err := readJSON[api.FeedbackRequest](c)
	switch {
	case err != nil:
		return err
	case word.RunID == "" || len(word.RunID) > maxRunID:
		return door.Invalid("runId", "must be that of an answer")
	case !s.answers(word.Route):
		return door.Invalid("route", "must be a node that answers")
	}
	if s.votes.first(word.RunID) {
		s.figures.feedback(word.Route, s.kiosks.label(door.DeviceOf(c.Request)), word.Helpful)
	}
	c.Status(http.StatusNoContent)
	return nil
}

// maxRunID is how many bytes the id of a run may have.
const maxRunID = 128

// answers reports whether the graph of the concierge has such a node.
func (s *Server) answers(route string) bool {
	for _, node := range s.parts.Concierge.Drawing().Nodes {
		if node.Name == route && route != graph.Start && route != graph.End {
			return true
		}
	}
	return false
}
