package langgraph

import (
	"errors"
	"fmt"
	"net/http"
	"time"

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

// quotaWait is after how long somebody may ask again who has made as much as is kept: threads of
// visitors end by themselves.
const quotaWait = 30 * time.Second

// known makes what only this package knows of errors known to the server.
func known(do door.Handler) door.Handler {
	return func(c *gin.Context) error {
		err := do(c)
		switch {
		case errors.Is(err, runs.ErrQuota):
			return errors.Join(&door.RateError{Wait: quotaWait}, err)
		case errors.Is(err, runs.ErrQueue):
			return errors.Join(door.ErrOverloaded, err)
		}
		return err
	}
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
