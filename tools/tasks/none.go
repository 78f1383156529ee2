package tasks

import (
	"context"
	"errors"

	"annai/fault"
)

// None is the list of an owner who has none: every call is kind [fault.ErrDenied].
var None List = none{}

type none struct{}

func (none) failure() error {
	return &Failure{Kind: fault.ErrDenied, Err: errors.New("this owner has no list")}
}

func (n none) Tasks(context.Context) ([]Task, error)                { return nil, n.failure() }
func (n none) Create(context.Context, string, Task) (Task, error)   { return Task{}, n.failure() }
func (n none) Complete(context.Context, string, bool) (Task, error) { return Task{}, n.failure() }
func (n none) Delete(context.Context, string) error                 { return n.failure() }
