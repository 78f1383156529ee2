package langgraph

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"annai/internal/peer"
)

// The checker drives a server through LangGraph's own clients; it is kept outside of the repository.
const checker = "../../../shared/contracts/langgraph-sdk-check"

// tries is how often a client may judge. Its React hook clears its stream in an effect that, on a busy machine, may run only after a quick answer
// is complete; then it waits for ever for what it threw away.
const tries = 2

var totals = regexp.MustCompile(`(?m)^(\d+) passed, 0 failed$`)

// TestClients lets LangGraph's own clients, of both lines, judge the door.
func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED, NOT TESTED: takes a minute or two, most of it waiting for slow runs")
	}
	if _, err := os.Stat(checker); err != nil {
		t.Skipf("SKIPPED, NOT TESTED: the checker is not at %s", checker)
	}
	peer.NPM(t, "testdata/judge", false)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(checker)); err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Abs("testdata/judge/node_modules")
	if err == nil {
		err = os.Symlink(modules, filepath.Join(dir, "node_modules"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, sdk, groups, want string }{
		{"older client", "--sdk=2.0.0", "--groups=core,react,platform", "126"},
		{"newer client", "--sdk=next", "--groups=core,react,platform,v2", "149"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out []byte
			for range tries {
				cmd := exec.CommandContext(t.Context(), "node", "check.mjs", serve(t), test.sdk, test.groups)
				cmd.Dir = dir
				var err error
				out, err = cmd.CombinedOutput()
				if m := totals.FindSubmatch(out); err == nil && m != nil && string(m[1]) == test.want {
					return
				}
				t.Logf("check.mjs %s: %v", test.sdk, err)
			}
			t.Errorf("check.mjs %s, %d times: want %s passed, 0 failed\n%s", test.sdk, tries, test.want, out)
		})
	}
}
