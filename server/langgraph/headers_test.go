package langgraph

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What came with a request is the run's configuration, and wins over what the body says; secrets and addresses are not, and the thread keeps none of it.
func TestHeaders(t *testing.T) {
	s := site{t, serve(t)}
	thread := s.thread()
	headers := []string{
		"X-User-Id", "u1", "X-Organization-Id", "o1", "User-Agent", "probe/1", "X-Api-Key", "k", "X-Service-Key", "k", "X-Tenant-Id", "t", "Authorization", "Bearer k",
		"Cookie", "c=1", "X-Access-Token", "k", "X-Forwarded-For", "192.0.2.1", "X-Real-Ip", "192.0.2.1", "X-Auth-Request-Email", "a@example.com", "Accept-Language", "ja",
	}
	const body = `{"assistant_id":"probe","input":{"mode":"config"},"config":{"configurable":{"tag":"t1","x-user-id":"another"}}}`
	own := func(config map[string]any) map[string]any {
		for _, ids := range []string{"run_id", "thread_id", "graph_id", "assistant_id"} {
			delete(config, ids)
		}
		return config
	}
	for _, path := range []string{"/threads/" + thread + "/runs", "/runs"} {
		var run struct {
			ID     string `json:"run_id"`
			Kwargs struct {
				Config struct{ Configurable map[string]any }
			}
		}
		s.read("POST", path, body, &run, headers...)
		want := map[string]any{"tag": "t1", "x-user-id": "u1", "x-organization-id": "o1", "user-agent": "probe/1"}
		if diff := cmp.Diff(want, own(run.Kwargs.Config.Configurable)); diff != "" {
			t.Errorf("POST %s with headers: configurable of the run (-want +got):\n%s", path, diff)
		}
	}
	var kept struct {
		Config struct{ Configurable map[string]any }
	}
	s.read("GET", "/threads/"+thread, "", &kept)
	want := map[string]any{"tag": "t1", "x-user-id": "another"}
	if diff := cmp.Diff(want, own(kept.Config.Configurable)); diff != "" {
		t.Errorf("configurable of the thread (-want +got):\n%s", diff)
	}
}

// read decodes the answer to a request that is good.
func (s site) read(method, path, body string, into any, header ...string) {
	s.Helper()
	got := s.do(method, path, body, header...)
	if got.status != 200 {
		s.Fatalf("%s %s = %d %s, want 200", method, path, got.status, got.body)
	}
	if err := json.Unmarshal(got.body, into); err != nil {
		s.Fatalf("%s %s = %s: %v", method, path, got.body, err)
	}
}
