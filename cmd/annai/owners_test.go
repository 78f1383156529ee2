package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownersVenue has a calendar of each of two owners.
const ownersVenue = `name: {ja: 集会所, en: The Hall}
calendars:
  - {id: hers, label: {ja: 花子, en: Hanako}, source: local, visibility: private, writable: true, owner: hanako}
  - {id: his, label: {ja: 太郎, en: Taro}, source: local, visibility: private, writable: true, owner: taro}
`

// A keyholder speaks to a running server with a key.
type keyholder struct {
	*testing.T

	server running
	key    string
}

// post sends JSON and returns what comes back, and the session that it names.
func (k keyholder) post(path, body string, header ...string) (answer, session string) {
	k.Helper()
	request, err := http.NewRequestWithContext(k.Context(), http.MethodPost, k.server.url+path, strings.NewReader(body))
	if err != nil {
		k.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+k.key)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Accept-Language", "en")
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		k.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil || response.StatusCode/100 != 2 {
		k.Fatalf("POST %s %s = %s %s, %v", path, body, response.Status, text, err)
	}
	return string(text), response.Header.Get("Mcp-Session-Id")
}

// mcp calls a tool by the Model Context Protocol.
func (k keyholder) mcp(tool, arguments string) string {
	k.Helper()
	_, session := k.post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{`+
		`"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	k.post("/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", session)
	answer, _ := k.post("/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+tool+
		`","arguments":`+arguments+`}}`, "Mcp-Session-Id", session)
	return answer
}

// run asks by LangGraph's API.
func (k keyholder) run(words string) string {
	k.Helper()
	question, err := json.Marshal(words)
	if err != nil {
		k.Fatal(err)
	}
	answer, _ := k.post("/runs/wait", `{"assistant_id":"annai","input":{"messages":[{"role":"user","content":`+
		string(question)+`}]}}`)
	return answer
}

// A key that names an owner reads and writes that owner's calendars and tasks, at every door, and no
// other's. What ids of another owner's lead to is in the table of TestAccess.
func TestOwnersApart(t *testing.T) {
	folder := t.TempDir()
	venue, data := filepath.Join(folder, "venue.yaml"), filepath.Join(folder, "data")
	if err := os.WriteFile(venue, []byte(ownersVenue), 0o600); err != nil {
		t.Fatal(err)
	}
	keysOf := map[string]string{}
	for _, owner := range []string{"hanako", "taro"} {
		args := []string{"keys", "add", "--role", "owner", "--name", owner, "--owner", owner, "--data", data}
		_, out, errs := command(t, "", args...)
		if keysOf[owner] = aKey.FindString(out); keysOf[owner] == "" {
			t.Fatalf("annai keys add = %q, %q", out, errs)
		}
	}
	server := start(t, "--venue", venue, "--data", data)
	people := map[string]keyholder{}
	for owner, key := range keysOf {
		k := keyholder{t, server, key}
		people[owner] = k
		k.post("/tools/create_event", `{"title":"Meeting of `+owner+`","start":"2026-11-20T14:00"}`)
		k.post("/tools/tasks_write", `{"todos":[{"title":"Errand of `+owner+`"}]}`)
	}
	const friday = `{"date":"2026-11-20"}`
	for owner, k := range people {
		other := map[string]string{"hanako": "taro", "taro": "hanako"}[owner]
		events, _ := k.post("/tools/list_events", friday)
		list, _ := k.post("/tools/tasks_list", `{}`)
		asked, _ := k.post("/query", `{"query":"What do I have on November 20?"}`)
		toDo, _ := k.post("/query", `{"query":"What is on my to-do list?"}`)
		for door, answer := range map[string]string{
			"tool, events": events, "tool, tasks": list, "talk, events": asked, "talk, tasks": toDo,
			"MCP, events": k.mcp("list_events", friday), "MCP, tasks": k.mcp("tasks_list", `{}`),
			"LangGraph, events": k.run("What do I have on November 20?"),
			"LangGraph, tasks":  k.run("What is on my to-do list?"),
		} {
			if !strings.Contains(answer, " of "+owner) || strings.Contains(answer, " of "+other) {
				t.Errorf("%s, %s: %s\nwant theirs, and not %s's", owner, door, answer, other)
			}
		}
	}
}
