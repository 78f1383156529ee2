package serve_test

import (
	"os"
	"testing"

	"annai/serve"
	"annai/storage/postgres/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// TestPostgres: a thread that one server ran on is there for another one, in the same PostgreSQL.
func TestPostgres(t *testing.T) {
	address := pgtest.Shared(t).Schema(t)
	var thread struct {
		ID string `json:"thread_id"`
	}
	const ask = `{"assistant_id":"greeter","input":{"name":"Ada"}}`
	t.Run("one", func(t *testing.T) {
		p := start(t, []serve.Source{greeter()}, "--postgres", address)
		p.ask(t, "/threads", `{}`, &thread)
		var begun struct {
			ID string `json:"run_id"`
		}
		p.ask(t, "/threads/"+thread.ID+"/runs", ask, &begun) // in the background, by way of the queue
		var got struct{ Words string }
		p.ask(t, "/threads/"+thread.ID+"/runs/"+begun.ID+"/join", "", &got)
		if got.Words != "Hello, Ada" {
			t.Errorf("it says %q", got.Words)
		}
	})
	t.Run("another", func(t *testing.T) {
		p := start(t, []serve.Source{greeter()}, "--postgres", address)
		var state struct{ Values struct{ Words string } }
		p.ask(t, "/threads/"+thread.ID+"/state", "", &state)
		if state.Values.Words != "Hello, Ada" {
			t.Errorf("it knows %+v", state)
		}
	})
}
