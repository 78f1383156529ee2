package door

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
)

// A PanicError is a panic that was caught.
type PanicError struct {
	Value string
	Stack []byte
}

func (e *PanicError) Error() string { return "panic: " + e.Value }

// Safely runs f and turns a panic into a [PanicError]. [http.ErrAbortHandler] goes through: it is how a handler asks for the
// connection to be cut.
func Safely(f func() error) (err error) {
	defer func() { Recovered(recover(), &err) }()
	return f()
}

// Recovered makes an error of a value that was recovered, if it is not nil.
func Recovered(v any, err *error) {
	if v == nil {
		return
	}
	if abort, ok := v.(error); ok && errors.Is(abort, http.ErrAbortHandler) {
		panic(v)
	}
	*err = &PanicError{Value: fmt.Sprint(v), Stack: debug.Stack()}
}
