package langgraph

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"annai/runs"
	runsmem "annai/runs/mem"
	"annai/runs/probe"
	"annai/server/door"
	"annai/storage/mem"
)

func wallClock() time.Time { return time.Now() }

// newService returns a service with the graphs of the probe and those given, which works until the test ends.
func newService(t testing.TB, more ...runs.Graph) *runs.Service {
	t.Helper()
	ids := 0
	var mu sync.Mutex
	newID := func() string {
		mu.Lock()
		defer mu.Unlock()
		ids++
		return runs.AssistantID(time.Duration(ids).String()) // any UUIDs
	}
	graphs, err := probe.Graphs(mem.New(), wallClock, newID)
	if err != nil {
		t.Fatal(err)
	}
	graphs = append(graphs, more...)
	store := runsmem.New(runsmem.Options{})
	service, err := runs.New(runs.Parts{
		Store: store, Queue: runsmem.NewQueue(store, wallClock, runsmem.QueueOptions{}), Graphs: graphs, Now: wallClock, Post: post,
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

func post(ctx context.Context, id, url string, body []byte) error {
	w, err := runs.NewWebhooks(wallClock, runs.WebhookOptions{Loopback: true})
	if err != nil {
		return err
	}
	return w.Post(ctx, id, url, body)
}

// mount serves the door on an engine of its own, as open as the official server is.
func mount(d door.Door) http.Handler {
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

// serve returns the address of a server with the door.
func serve(t testing.TB, more ...runs.Graph) string {
	t.Helper()
	server := httptest.NewServer(mount(New(newService(t, more...), Options{})))
	t.Cleanup(server.Close)
	return server.URL
}
