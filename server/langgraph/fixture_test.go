package langgraph

import (
	"context"
	"net/http"
	"testing"
	"time"

	"annai/runs"
	runsmem "annai/runs/mem"
	"annai/server/door"
	"annai/server/stream/streamtest"
	"annai/storage/mem"
)

func wallClock() time.Time { return time.Now() }

// newService returns a service with the graphs of the probe and those given, which works until the test ends.
func newService(t testing.TB, more ...runs.Graph) *runs.Service {
	t.Helper()
	store := runsmem.New(runsmem.Options{})
	return streamtest.Service(t, streamtest.Parts{
		Checkpointer: mem.New(), Store: store, Queue: runsmem.NewQueue(store, wallClock, runsmem.QueueOptions{}),
		Now: wallClock, Post: post, Graphs: more,
	})
}

func post(ctx context.Context, id, url string, body []byte) error {
	w, err := runs.NewWebhooks(wallClock, runs.WebhookOptions{Loopback: true})
	if err != nil {
		return err
	}
	return w.Post(ctx, id, url, body)
}

// mount serves the door on an engine of its own, as open as the official server is.
func mount(d door.Door) http.Handler { return streamtest.Handler(d) }

// serve returns the address of a server with the door.
func serve(t testing.TB, more ...runs.Graph) string {
	t.Helper()
	return streamtest.Serve(t, New(newService(t, more...), Options{CancelRuns: true}))
}
