package a2a_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/internal/peer"
	runsmem "annai/runs/mem"
	"annai/runs/probe"
	"annai/server/a2a"
	"annai/server/door"
	"annai/server/stream/streamtest"
	"annai/storage/mem"
)

// serve returns the address of a server with the door.
func serve(t testing.TB) string {
	t.Helper()
	return streamtest.Serve(t, newDoor(t))
}

// newDoor returns the door over the graphs of the probe.
func newDoor(t testing.TB) door.Door {
	t.Helper()
	store := runsmem.New(runsmem.Options{})
	service := streamtest.Service(t, streamtest.Parts{
		Checkpointer: mem.New(), Store: store, Queue: runsmem.NewQueue(store, time.Now, runsmem.QueueOptions{}),
		Now: time.Now,
	})
	return a2a.New(service, a2a.Options{Assistant: probe.ProbeID})
}

// judge runs a program in testdata/judge that prints JSON.
func judge(t *testing.T, command ...string) (said map[string]any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = "testdata/judge", &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &said); err != nil {
		t.Fatalf("%s: %v: %s", command, err, out.String())
	}
	return said
}

// judged is what a client has to say of either version, with its names for errors.
func judged(params, noTask, noCancel, unsupported string) map[string]any {
	const done, asks = "TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED"
	const works, gone = "TASK_STATE_WORKING", "TASK_STATE_CANCELED"
	type list = []any
	return map[string]any{
		"echo": list{done, list{"hello"}}, "got": list{done, list{"hello"}}, "first": list{done, list{"hello"}},
		"history": list{list{true, "hello"}, list{false, "hello"}}, "context": list{true, false, done, list{"again"}},
		"tokens": list{works, list{works, done}, "alpha beta gamma"}, "custom": list{works, done}, "values": 1.0,
		"asks": list{asks, "approve?{}"}, "answered": list{true, done}, "both": list{asks, 2.0},
		"unclear": params, "answers": done, "late": unsupported,
		"slow": true, "canceled": gone, "followed": list{works, gone}, "twice": noCancel, "dropped": gone,
		"moved":  done,
		"failed": list{"TASK_STATE_FAILED", list{}}, "unknown": noTask, "badContext": params,
		"push": "PushNotificationNotSupportedError",
	}
}

// TestClients lets the clients of the protocol's SDKs, from npm and from PyPI, use the door in versions 1.0 and 0.3.
func TestClients(t *testing.T) {
	for _, test := range []struct {
		name    string
		command func(*testing.T) []string
		want    map[string]any
	}{{"npm", func(t *testing.T) []string {
		peer.NPM(t, "testdata/judge", false)
		return []string{"node", "judge.mjs"}
	}, judged(
		"JsonRpcRequestMalformedError", "JsonRpcTaskNotFoundError", "JsonRpcTaskNotCancelableError",
		"JsonRpcUnsupportedOperationError",
	)}, {"PyPI", func(t *testing.T) []string {
		return []string{peer.Python(t, "testdata/judge"), "judge.py"}
	}, judged("InvalidParamsError", "TaskNotFoundError", "TaskNotCancelableError", "UnsupportedOperationError")}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := judge(t, append(test.command(t), serve(t))...)
			want := map[string]any{
				"card": []any{"probe", true, []any{"1.0", "0.3"}, 1.0}, "new": test.want, "old": test.want,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what came of it (-want +got):\n%s", diff)
			}
		})
	}
}
