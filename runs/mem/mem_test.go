package mem_test

import (
	"testing"
	"time"

	"annai/runs"
	"annai/runs/mem"
	"annai/runs/runstest"
)

func clock() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func TestStore(t *testing.T) {
	store := mem.New(mem.Options{})
	runstest.TestStore(t, func(*testing.T) runs.Store { return store })
}

func TestQueue(t *testing.T) {
	runstest.TestQueue(t, func(*testing.T) (runs.Store, runs.Queue) {
		store := mem.New(mem.Options{})
		return store, mem.NewQueue(store, clock, mem.QueueOptions{Every: 50 * time.Millisecond})
	}, clock)
}
