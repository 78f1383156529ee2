package a2a_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"annai/server/stream/streamtest"
)

// TestRefusals asks for what can't be done: what the protocol has a code for is a 200.
func TestRefusals(t *testing.T) {
	t.Parallel()
	url := serve(t)
	send := func(message string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{"message":` + message + `}}`
	}
	for _, test := range []struct {
		path, body, version string
		status, code        int
	}{
		{body: `{`, code: -32700},
		{body: `[]`, code: -32600},
		{body: `{"id":7,"method":"GetTask"}`, code: -32600},
		{body: `{"jsonrpc":"2.0","id":7}`, code: -32600},
		{body: `{"jsonrpc":"2.0","id":7,"method":"Nothing"}`, code: -32601},
		{body: `{"jsonrpc":"2.0","id":7,"method":"GetTask","params":{"id":"x"}}`, version: "2.0", code: -32009},
		{body: `{"jsonrpc":"2.0","id":7,"method":"GetTask","params":{"id":"x"}}`, version: "1.0.3", code: -32001},
		{body: `{"jsonrpc":"2.0","id":7,"method":"GetTask","params":{"id":5}}`, code: -32602},
		{body: `{"jsonrpc":"2.0","id":7,"method":"GetTask","params":{}}`, code: -32602},
		{body: `{"jsonrpc":"2.0","id":7,"method":"GetTask"}`, code: -32602},
		{body: `{"jsonrpc":"2.0","id":7,"method":"GetExtendedAgentCard"}`, code: -32007},
		{body: send(`{}`), code: -32602},
		{body: send(`{"messageId":"m","parts":[{"text":" "}]}`), code: -32602},
		{body: send(`{"messageId":"m","parts":[{"data":[1]}]}`), code: -32602},
		{body: send(`{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"x"}]}`), code: -32602},
		{body: send(`{"messageId":"m","parts":[{"url":"https://a.example/b.png"}]}`), code: -32005},
		{body: send(`{"messageId":"m","parts":[{"text":" ","data":null,"url":null}]}`), code: -32602},
		{body: send(`{"messageId":"m","taskId":"x","parts":[{"text":"x"}]}`), code: -32001},
		{
			path: "/nobody", body: send(`{"messageId":"m","parts":[{"text":"x"}]}`),
			status: http.StatusNotFound, code: -32000,
		},
	} {
		request, err := http.NewRequestWithContext(
			t.Context(), http.MethodPost, url+"/a2a"+test.path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("A2A-Version", test.version)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(response.Body)
		if closed := response.Body.Close(); err != nil || closed != nil {
			t.Fatal(err, closed)
		}
		var answer struct {
			ID    any
			Error struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal(said, &answer); err != nil {
			t.Fatalf("%s: %v in %s", test.body, err, said)
		}
		if test.status == 0 {
			test.status = http.StatusOK
		}
		known := bytes.Contains([]byte(test.body), []byte(`"id":7`))
		if response.StatusCode != test.status || answer.Error.Code != test.code || answer.Error.Message == "" ||
			known != (fmt.Sprint(answer.ID) == "7") {
			t.Errorf("%s (version %q) = %d %s, want %d and code %d",
				test.body, test.version, response.StatusCode, said, test.status, test.code)
		}
	}
}

// TestCut: a stream that the server ends before its end says so.
func TestCut(t *testing.T) {
	t.Parallel()
	said := streamtest.Cut(t, newDoor(t), "/a2a", `{"jsonrpc":"2.0","id":7,"method":"message/stream",`+
		`"params":{"message":{"messageId":"m","role":"user","parts":[`+
		`{"kind":"data","data":{"mode":"slow","delay_ms":3600000}}]}}}`)
	if !strings.Contains(said, `"error":{"code":-32000,"message":"the server is stopping`) {
		t.Errorf("the stream ends with %q, want that the server is stopping", said)
	}
}
