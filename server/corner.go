package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/fault"
	"annai/server/door"
)

// The bounds of tries of the code: from one network, and of all.
var (
	codesOfOne = door.Rate{Count: 5, Per: 15 * time.Minute}
	codesOfAll = door.Rate{Count: 50, Per: time.Hour}
)

// corner is POST /corner: whether the code of the operator's corner is right. It is compared in a time that says
// nothing of it.
func (s *Server) corner(c *gin.Context) error {
	if s.parts.Code == "" {
		return fmt.Errorf("no kiosk-code is set: %w", fault.ErrNotFound)
	}
	request, err := readJSON[api.CornerRequest](c)
	if err != nil {
		return err
	}
	if request.Code == "" {
		return door.Invalid("code", "is missing")
	}
	now := s.parts.Now()
	if err := s.codeTries.Take(door.CallerOf(c).Network, now, 1); err != nil {
		return err
	}
	if err := s.allCodeTries.Take("", now, 1); err != nil {
		return err
	}
	given, right := sha256.Sum256([]byte(request.Code)), sha256.Sum256([]byte(s.parts.Code))
	if subtle.ConstantTimeCompare(given[:], right[:]) == 0 {
		return fmt.Errorf("the code of the operator's corner: %w", fault.ErrDenied)
	}
	c.Status(http.StatusNoContent)
	return nil
}
