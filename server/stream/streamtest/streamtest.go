// Package streamtest serves doors over [runs.Service] in tests, with the graphs of the probe and no key.
package streamtest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"annai/graph"
	"annai/runs"
	"annai/runs/probe"
	"annai/server/door"
)

// Parts are what a service is made of in tests. All but Post and Graphs are required.
type Parts struct {
	Checkpointer graph.Checkpointer
	Store        runs.Store
	Queue        runs.Queue
	// Now is the clock.
	Now func() time.Time
	// Post is [runs.Parts].Post.
	Post func(ctx context.Context, id, url string, body []byte) error
	// Graphs are served besides those of the probe.
	Graphs []runs.Graph
}

// Service returns a service that works until the test ends.
func Service(t testing.TB, parts Parts) *runs.Service {
	t.Helper()
	ids := 0
	var mu sync.Mutex
	newID := func() string {
		mu.Lock()
		defer mu.Unlock()
		ids++
		return runs.AssistantID(time.Duration(ids).String()) // any UUIDs
	}
	graphs, err := probe.Graphs(parts.Checkpointer, parts.Now, newID)
	if err != nil {
		t.Fatal(err)
	}
	service, err := runs.New(runs.Parts{
		Store: parts.Store, Queue: parts.Queue, Graphs: append(graphs, parts.Graphs...), Now: parts.Now,
		Post: parts.Post,
	}, runs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var work sync.WaitGroup
	work.Go(func() {
		if err := service.Work(ctx); err != nil {
			t.Errorf("Work = %v", err)
		}
	})
	t.Cleanup(func() { cancel(); work.Wait() })
	return service
}

// Handler serves the door to operators, from any page.
func Handler(d door.Door) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.Use(func(c *gin.Context) {
		c.Header("Access-Control-Allow-Origin", "*")
		c.Header("Access-Control-Expose-Headers", "content-location,location,x-pagination-total,x-pagination-next")
		door.SetCaller(c, door.Caller{Role: door.Operator})
		if c.Request.Method == http.MethodOptions {
			c.AbortWithStatus(http.StatusNoContent)
		}
	})
	for _, r := range d.Routes {
		engine.Handle(r.Method, r.Path, func(c *gin.Context) {
			if err := r.Handle(c); err != nil && !c.Writer.Written() {
				d.Fail(c, door.Explain(err, ""))
			}
		})
	}
	return engine
}

// Serve returns the address of a server with the door, which lasts until the test ends.
func Serve(t testing.TB, d door.Door) string {
	t.Helper()
	server := httptest.NewServer(Handler(d))
	t.Cleanup(server.Close)
	return server.URL
}
