package agui_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/agent"
	"annai/graph"
	"annai/internal/peer"
	"annai/llm"
	"annai/runs"
	runsmem "annai/runs/mem"
	"annai/runs/probe"
	"annai/server/agui"
	"annai/server/stream/streamtest"
	"annai/storage/mem"
)

// newService returns a service with the graphs of the probe and one that books, if a person approves.
func newService(t testing.TB) *runs.Service {
	t.Helper()
	store, threads := runsmem.New(runsmem.Options{}), mem.New()
	return streamtest.Service(t, streamtest.Parts{
		Checkpointer: threads, Store: store, Queue: runsmem.NewQueue(store, time.Now, runsmem.QueueOptions{}),
		Now: time.Now, Graphs: []runs.Graph{booker(t, threads)},
	})
}

func booker(t testing.TB, threads graph.Checkpointer) runs.Graph {
	t.Helper()
	var ids atomic.Int64
	newID := func() string { return "m" + strconv.FormatInt(ids.Add(1), 10) }
	type rooms struct {
		N int `json:"n"`
	}
	book := agent.NewTool("book", "Books rooms.", func(_ context.Context, r rooms) (int, error) { return r.N, nil })
	call := llm.ToolCall{ID: "c", Name: "book", Arguments: json.RawMessage(`{"n":1}`)}
	model := &llm.Script{Answer: llm.Turns(llm.Ask(call), llm.Say("Booked", "."))}
	react, err := agent.React(model, []agent.Tool{book}, agent.Options{
		InterruptOn: map[string]agent.Review{"book": {}}, NewID: newID,
	})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := react.Compile(graph.Options{Name: "booker", Checkpointer: threads, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	g, err := runs.Typed(runs.Definition[agent.State]{
		Graph: compiled,
		Fields: []runs.Field[agent.State]{{
			Name: agent.StateMessages.Name(),
			Read: func(data json.RawMessage) (graph.Write[agent.State], error) {
				list, err := agent.ReadMessages(data, newID)
				return agent.StateMessages.Write(list), err
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// judged is what the client has to say.
func judged() map[string]any {
	type list = []any
	text := list{"TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"}
	step := list{"STEP_STARTED", "STEP_FINISHED"}
	begins, ends := list{"RUN_STARTED"}, list{"RUN_FINISHED"}
	call := list{"TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"}
	return map[string]any{
		"echo": list{slices.Concat(
			begins, list{"STATE_SNAPSHOT"}, step, text, list{"STATE_DELTA"}, ends,
		), "success", "hello", "hello"},
		"again": list{list{"hi", "hello", "and again", "again"}, "again"},
		"tokens": list{slices.Concat(
			begins, list{"STATE_SNAPSHOT", "STEP_STARTED"}, text[:2],
			list{"STEP_FINISHED", "TEXT_MESSAGE_END", "STATE_DELTA"}, ends,
		), "alpha beta gamma"},
		"collects": 3.0, "custom": true, "nobody": true,
		"asks": list{"interrupt", 1.0, "input_required", "approve?"}, "answered": list{"success", `resumed:"yes"`},
		"dropped": list{2.0, "cancelled"},
		"failed":  map[string]any{"type": "error", "message": "run probe: node fail: probe failure: oh"},
		"tool":    list{slices.Concat(begins, step, call, step, ends), "interrupt"},
		"booked": list{slices.Concat(
			begins, step, list{"TOOL_CALL_RESULT", "STEP_STARTED"}, text[:2],
			list{"STEP_FINISHED", "TEXT_MESSAGE_END"}, ends,
		), list{
			list{"user", "book one", ""},
			list{"assistant", "", "book"},
			list{"tool", "1", ""},
			list{"assistant", "Booked.", ""},
		}},
	}
}

// TestClients lets the protocol's own client from npm use the door and hold all events against the protocol's schemas;
// what came over the wire is judged by ag-ui-validate from PyPI too, and has to be without a warning.
func TestClients(t *testing.T) {
	t.Parallel()
	peer.NPM(t, "testdata/judge", false)
	service, folder := newService(t), t.TempDir()
	url := streamtest.Serve(t, agui.New(service, agui.Options{Assistant: probe.ProbeID}))

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "judge.mjs", url, folder)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = "testdata/judge", &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("judge.mjs: %v\n%s", err, errs.String())
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("judge.mjs: %v: %s", err, out.String())
	}
	thread, _ := got["thread"].(string)
	delete(got, "thread")
	if diff := cmp.Diff(judged(), got); diff != "" {
		t.Errorf("what came of it (-want +got):\n%s", diff)
	}
	list, _, err := service.ListRuns(t.Context(), runs.RunFilter{ThreadID: thread, Page: runs.Page{Limit: 9}})
	if err != nil || len(list) != 1 {
		t.Fatalf("runs of the client that went away: %d, %v", len(list), err)
	}
	if r, err := service.Wait(ctx, list[0]); err != nil || r.Status != runs.RunInterrupted {
		t.Errorf("the run whose client went away is %s, %v, want %s", r.Status, err, runs.RunInterrupted)
	}
	validate(ctx, t, folder)
}

// validate lets ag-ui-validate judge what came over the wire. It knows one stream at a time, and so takes the result of
// a call that a person approved meanwhile for one of no call.
func validate(ctx context.Context, t *testing.T, folder string) {
	t.Helper()
	program := filepath.Join(filepath.Dir(peer.Python(t, "testdata/judge")), "ag-ui-validate")
	files, err := filepath.Glob(filepath.Join(folder, "*.sse"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d recorded streams, %v", len(files), err)
	}
	for _, file := range files {
		arguments := []string{"--no-color", "--max-warnings", "0", "--off", "AGUI207", file}
		said, err := exec.CommandContext(ctx, program, arguments...).CombinedOutput()
		if err != nil {
			wire, _ := os.ReadFile(file)
			t.Errorf("ag-ui-validate %s: %v\n%s\n%s", filepath.Base(file), err, said, strings.TrimSpace(string(wire)))
		}
	}
}
