package serve_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/internal/peer"
)

var pictures = flag.String("pictures", "", "folder for pictures of the page after it was used")

// The clients of LangGraph's API, with the scripts that use them, are those that judge its door.
const (
	scriptClient = "../server/langgraph/testdata/judge"
	pythonClient = "../server/langgraph/testdata/python"
)

// clients are the commands by which LangGraph's own clients use the examples.
func clients(t *testing.T) map[string][]string {
	t.Helper()
	peer.NPM(t, scriptClient, false)
	return map[string][]string{
		"JavaScript": {"node", filepath.Join(scriptClient, "examples.mjs")},
		"Python":     {peer.Python(t, pythonClient), filepath.Join(pythonClient, "examples.py")},
	}
}

// use runs a script, and returns what came of it.
func use(t *testing.T, client []string, args ...string) map[string]any {
	t.Helper()
	args = append(client[1:len(client):len(client)], args...)
	out, err := exec.CommandContext(t.Context(), client[0], args...).Output()
	var refused *exec.ExitError
	if errors.As(err, &refused) {
		t.Fatalf("%v: %v\n%s", args, err, refused.Stderr)
	}
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
	return got
}

// useSupport has each client be asked about two refunds side by side; the process is killed, and another goes on: one
// refund is edited and one refused, and what was said first is said otherwise in a fork.
func useSupport(t *testing.T, p *program) *program {
	t.Helper()
	all := clients(t)
	threads := map[string]string{}
	for name, client := range all {
		asked := use(t, client, "ask", p.url)
		threads[name], _ = asked["thread"].(string)
		delete(asked, "thread")
		if diff := cmp.Diff(map[string]any{
			"found": "support", "streamed": []any{"messages metadata updates", ""}, "asked": []any{"A-7", "A-8"},
			"answers": []any{"approve", "edit", "reject", "respond"},
		}, asked); diff != "" {
			t.Errorf("%s, asked (-want +got):\n%s", name, diff)
		}
	}
	if err := p.kill(); err == nil {
		t.Error("it ended well though it was killed")
	}
	p = begin(t, p.path, p.data)
	const last = "Here is what happened: A person changed the arguments of this call to {\"order\":\"A-9\"}.\n" +
		"A-9 was paid back. A person refused this call. It is too old."
	for name, client := range all {
		if diff := cmp.Diff(map[string]any{
			"asked": []any{"A-7", "A-8"}, "wrong": "error metadata", "open": []any{"A-7", "A-8"},
			"streamed": []any{"messages metadata updates", last}, "last": last,
			"fork": []any{"A-3 came broken.", []any{"A-3"}}, "kept": true,
		}, use(t, client, "answer", p.url, threads[name])); diff != "" {
			t.Errorf("%s, answered (-want +got):\n%s", name, diff)
		}
	}
	return p
}

// useSummarise has each client see two texts summarised side by side.
func useSummarise(t *testing.T, p *program) {
	t.Helper()
	for name, client := range clients(t) {
		if diff := cmp.Diff(map[string]any{
			"updates": 2.0, "summaries": []any{"a b c d", "f g h i"}, "summary": "a b c d;",
		}, use(t, client, "summarise", p.url)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// usePage has somebody try the example at its page.
func usePage(t *testing.T, p *program, name string, want map[string]any) {
	t.Helper()
	peer.NPM(t, "../web", true)
	peer.Chromium(t)
	args := []string{name, p.url}
	if *pictures != "" {
		args = append(args, filepath.Join(*pictures, name+".png"))
	}
	want["faults"], want["fits"] = []any{}, true
	if diff := cmp.Diff(want, use(t, []string{"node", "testdata/page.mjs"}, args...)); diff != "" {
		t.Errorf("the page of %s (-want +got):\n%s", name, diff)
	}
}
