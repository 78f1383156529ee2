package langgraph

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
)

// errRejected says that a run was refused because its thread is busy.
var errRejected = errors.New("thread is already running a task: wait for it to finish or choose a different multitask strategy")

// refused turns a busy thread into the refusal of a new run.
func refused(err error) error {
	if errors.Is(err, runs.ErrBusy) {
		return fmt.Errorf("%w: %w", errRejected, fault.ErrConflict)
	}
	return err
}

// fail answers with an object whose detail says what is wrong. Clients look at the status: they try again after 429 and 5xx.
func fail(c *gin.Context, f door.Failure) {
	status, detail := f.Status, f.Message
	switch {
	case errors.Is(f.Err, errMalformed):
		status, detail = http.StatusBadRequest, f.Err.Error()
	case errors.Is(f.Err, errRejected):
		status, detail = http.StatusUnprocessableEntity, errRejected.Error()
	case errors.Is(f.Err, fault.ErrInvalid):
		status, detail = http.StatusUnprocessableEntity, f.Err.Error()
	case errors.Is(f.Err, fault.ErrNotFound):
		status, detail = http.StatusNotFound, f.Err.Error()
	case errors.Is(f.Err, fault.ErrConflict):
		status, detail = http.StatusConflict, f.Err.Error()
	}
	c.JSON(status, gin.H{"detail": detail})
}
