package graph

import (
	"fmt"
	"runtime/debug"
)

// PanicError is the error of a run in which something panicked: a node, or, where Node is empty, a route, a reducer
// or the like.
type PanicError struct {
	// Node is the node's name.
	Node string
	// Value is what the panic was called with, Stack the goroutine's then.
	Value any
	Stack []byte
}

// Error says which node panicked, without the stack.
func (e *PanicError) Error() string {
	if e.Node == "" {
		return fmt.Sprintf("a route, a reducer or another function of the graph panicked: %v", e.Value)
	}
	return fmt.Sprintf("node %s panicked: %v", e.Node, e.Value)
}

// caught, deferred, makes a panic an error.
func caught(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}
