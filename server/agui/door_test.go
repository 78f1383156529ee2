package agui_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"annai/runs/probe"
	"annai/server/agui"
	"annai/server/stream/streamtest"
)

// TestRefusals asks for runs that can't be: no stream begins.
func TestRefusals(t *testing.T) {
	t.Parallel()
	url := streamtest.Serve(t, agui.New(newService(t), agui.Options{Assistant: probe.ProbeID}))
	const run = `{"threadId":"t","runId":"r",`
	for _, test := range []struct {
		path, body, want string
		status           int
	}{
		{body: `{`, want: "no RunAgentInput", status: 400},
		{body: `{"threadId":"t"}`, want: "runId", status: 400},
		{body: run + `"state":5}`, want: "state", status: 400},
		{body: run + `"tools":[` + strings.Repeat("{},", 1000) + `{}]}`, want: "1000 tools", status: 400},
		{body: run + `"context":[` + strings.Repeat("{},", 1000) + `{}]}`, want: "1000 tools", status: 400},
		{body: run + `"messages":[{"role":"user","id":"m","content":5}]}`, want: "messages[0]", status: 400},
		{body: run + `"messages":[{"role":"user","id":"m","content":[{"type":"audio"}]}]}`, want: "audio", status: 400},
		{
			body: run + `"messages":[{"role":"assistant","id":"m","toolCalls":[` +
				`{"id":"c","function":{"arguments":"5"}}]}]}`,
			want: `call \"c\"`, status: 400,
		},
		{body: run + `"resume":[{"interruptId":"i","status":"resolved"}]}`, want: `question \"i\"`, status: 400},
		{path: "/nobody", body: run + `"messages":[]}`, status: 404},
	} {
		request, err := http.NewRequestWithContext(
			t.Context(), http.MethodPost, url+"/agui"+test.path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(response.Body)
		if closed := response.Body.Close(); err != nil || closed != nil {
			t.Fatal(err, closed)
		}
		if response.StatusCode != test.status || !strings.Contains(string(said), test.want) {
			t.Errorf("%s = %d %s, want %d and %q in the message",
				test.body, response.StatusCode, said, test.status, test.want)
		}
	}
}

// TestCut: a stream that the server ends before its end says so.
func TestCut(t *testing.T) {
	t.Parallel()
	d := agui.New(newService(t), agui.Options{Assistant: probe.ProbeID})
	said := streamtest.Cut(t, d, "/agui", `{"threadId":"t","runId":"r","messages":[],`+
		`"state":{"mode":"slow","delay_ms":3600000}}`)
	if !strings.Contains(said, `"type":"RUN_ERROR"`) || !strings.Contains(said, "the server is stopping") {
		t.Errorf("the stream ends with %q, want that the server is stopping", said)
	}
}
