package langgraph

import (
	"html"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// The paths of the reference.
const (
	pathDocs    = "/docs"
	pathOpenAPI = "/docs/openapi.json"
)

// reference are the routes with which one reads what routes there are.
func (a *handlers) reference() []door.Route {
	return []door.Route{
		{Method: http.MethodGet, Path: pathDocs, Role: door.Anyone, Handle: a.docs},
		{Method: http.MethodGet, Path: pathOpenAPI, Role: door.Anyone, Handle: a.openAPI},
	}
}

// summaries say what each route does.
var summaries = map[string]string{
	"GET /ok":   "Whether the server answers",
	"GET /info": "Version and abilities",

	"POST /assistants":                         "Make an assistant of a graph: graph_id, config, context, …",
	"POST /assistants/search":                  "Find assistants: graph_id, name, metadata, limit, offset, select",
	"POST /assistants/count":                   "How many a search would find",
	"GET /assistants/:id":                      "An assistant, by its id or that of its graph",
	"PATCH /assistants/:id":                    "Change an assistant, which makes a version",
	"DELETE /assistants/:id":                   "Delete an assistant; with its threads if ?delete_threads=true",
	"POST /assistants/:id/versions":            "The versions of an assistant, newest first",
	"POST /assistants/:id/latest":              "Make a version the latest again: version",
	"GET /assistants/:id/graph":                "Nodes and edges; those of graphs inside if ?xray=true",
	"GET /assistants/:id/schemas":              "JSON schemas of input, output, state, config and context",
	"GET /assistants/:id/subgraphs":            "Graphs inside; theirs too if ?recurse=true",
	"GET /assistants/:id/subgraphs/:namespace": "A graph inside",
	"POST /threads":                            "Make a thread: thread_id, metadata, if_exists, ttl, supersteps",
	"POST /threads/search":                     "Find threads: ids, status, metadata, values, extract, …",
	"POST /threads/count":                      "How many a search would find",
	"POST /threads/prune":                      "Shorten or delete threads: thread_ids, strategy",
	"GET /threads/:id":                         "A thread",
	"PATCH /threads/:id":                       "Change metadata or lifetime, write values or messages",
	"DELETE /threads/:id":                      "Delete a thread with all that is kept of it",
	"POST /threads/:id/copy":                   "Copy a thread with its state and history",
	"GET /threads/:id/storage":                 "How many bytes the checkpoints of a thread have",
	"GET /threads/:id/state":                   "The state of a thread: values, what runs next, open interrupts",
	"GET /threads/:id/state/:checkpoint":       "The state at a checkpoint",
	"POST /threads/:id/state/checkpoint":       "The state at a checkpoint: checkpoint",
	"POST /threads/:id/state":                  "Write to the state: values, as_node, checkpoint",
	"PATCH /threads/:id/state":                 "Merge metadata into those of the thread: metadata",
	"GET /threads/:id/history":                 "States, newest first: ?limit, ?before",
	"POST /threads/:id/history":                "States, newest first: limit, before, metadata, checkpoint",
	"GET /threads/:id/stream":                  "What happens in all runs of a thread",
	"POST /threads/:id/stream":                 "As POST /threads/{id}/stream/events",
	"POST /threads/:id/commands":               "A command of the newer protocol: id, method, params",
	"POST /threads/:id/stream/events":          "Events of the newer protocol: channels, namespaces, depth, since",
	"GET /threads/:id/stream/events":           "The newer protocol on a web socket",
	"POST /threads/:id/runs":                   "Run in the background: assistant_id, input or command, …",
	"POST /threads/:id/runs/wait":              "Run, and answer with the state at the end",
	"POST /threads/:id/runs/stream":            "Run, and stream what happens",
	"GET /threads/:id/runs":                    "The runs of a thread: ?limit, ?offset, ?status, ?select",
	"GET /threads/:id/runs/:run":               "A run",
	"DELETE /threads/:id/runs/:run":            "Delete a run",
	"GET /threads/:id/runs/:run/join":          "Wait for a run, and answer with the state at the end",
	"GET /threads/:id/runs/:run/stream":        "What happens in a run, from now on or from Last-Event-ID",
	"POST /threads/:id/runs/:run/cancel":       "Cancel a run: ?action=interrupt or rollback, ?wait=true",
	"POST /threads/:id/runs/crons":             "Run again and again on a thread: schedule, and what a run takes",
	"POST /runs":                               "Run in the background on a thread of its own",
	"POST /runs/wait":                          "Run on a thread of its own, and answer with the state at the end",
	"POST /runs/stream":                        "Run on a thread of its own, and stream what happens",
	"POST /runs/batch":                         "Several runs in the background: a list",
	"POST /runs/cancel":                        "Cancel runs: thread_id and run_ids, or status",
	"POST /runs/search":                        "Find runs, newest first: thread_id, agent_id, status, …",
	"GET /runs/:id":                            "A run",
	"DELETE /runs/:id":                         "Delete a run",
	"GET /runs/:id/wait":                       "Wait for a run: the run, its values and messages",
	"GET /runs/:id/join":                       "Wait for a run, and answer with the state at the end",
	"GET /runs/:id/stream":                     "What happens in a run, from now on or from Last-Event-ID",
	"POST /runs/:id/cancel":                    "Cancel a run",
	"POST /runs/crons":                         "Run again and again, each time on a thread of its own",
	"POST /runs/crons/search":                  "Find crons: assistant_id, thread_id, enabled, metadata, limit, offset",
	"POST /runs/crons/count":                   "How many a search would find",
	"GET /runs/crons/:cron":                    "A cron",
	"PATCH /runs/crons/:cron":                  "Change a cron",
	"DELETE /runs/crons/:cron":                 "Delete a cron",
	"PUT /store/items":                         "Keep an item: namespace, key, value, index, ttl",
	"GET /store/items":                         "An item: ?namespace, with dots, and ?key",
	"DELETE /store/items":                      "Delete an item: namespace, key",
	"POST /store/items/search":                 "Find items: namespace_prefix, filter, query by meaning, limit, offset",
	"POST /store/namespaces":                   "Which namespaces there are: prefix, suffix, max_depth",
	"POST /agents/search":                      "Find agents: name, metadata, limit, offset",
	"GET /agents/:id":                          "An agent, by the id of an assistant or of its graph",
	"GET /agents/:id/schemas":                  "JSON schemas of an agent",
	"GET " + pathDocs:                          "This page",
	"GET " + pathOpenAPI:                       "The routes as OpenAPI",
}

var parameter = regexp.MustCompile(`:(\w+)`)

// groups are the routes with their summaries, by the first parts of their paths.
func (a *handlers) groups() map[string][]map[string]string {
	groups := map[string][]map[string]string{}
	for _, r := range a.routes() {
		first, _, _ := strings.Cut(r.Path[1:], "/")
		groups[first] = append(groups[first], map[string]string{
			"Method": r.Method, "Path": parameter.ReplaceAllString(r.Path, "{$1}"), "Role": string(r.Role),
			"About": summaries[r.Method+" "+r.Path],
		})
	}
	return groups
}

// docsHead is the page up to its tables. It has no script and loads nothing. The tables are written by hand: a template
// would link its machinery, and with it 8 MB of methods, into every program that serves graphs.
const docsHead = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
:root { color-scheme: light dark }
table { border-collapse: collapse; width: 100% }
td { padding: .3rem .6rem .3rem 0; vertical-align: top; border-top: 1px solid #8884 }
td:first-child, td:nth-child(2) { font-family: ui-monospace, monospace; white-space: nowrap }
td:nth-child(2) { white-space: normal; overflow-wrap: anywhere }
@media (max-width: 44rem) {
  tr { display: block; padding: .3rem 0; border-top: 1px solid #8884 }
  td { display: inline; border: 0 }
  td:nth-child(3) { display: block; padding: 0 }
}
</style>
<main>
<h1>API reference</h1>
<p>These are the routes of LangGraph's API and of the open Agent Protocol, for their clients; bodies are JSON, and a
failure is an object with <code>detail</code>. The same for programs: <a href="docs/openapi.json">openapi.json</a>.</p>
`

// docs is GET /docs: which routes there are.
func (a *handlers) docs(c *gin.Context) error {
	var b strings.Builder
	b.WriteString(docsHead)
	groups := a.groups()
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		b.WriteString("<h2>" + html.EscapeString(group) + "</h2>\n<table>")
		for _, r := range groups[group] {
			b.WriteString("<tr>")
			for _, column := range []string{"Method", "Path", "About", "Role"} {
				b.WriteString("<td>" + html.EscapeString(r[column]))
			}
		}
		b.WriteString("</table>\n")
	}
	b.WriteString("</main>\n")
	c.Header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	c.Data(http.StatusOK, "text/html; charset=utf-8", []byte(b.String()))
	return nil
}

// openAPI is GET /docs/openapi.json.
func (a *handlers) openAPI(c *gin.Context) error {
	paths := map[string]gin.H{}
	for group, routes := range a.groups() {
		for _, r := range routes {
			parameters := []gin.H{}
			for _, name := range regexp.MustCompile(`{(\w+)}`).FindAllStringSubmatch(r["Path"], -1) {
				parameters = append(parameters, gin.H{
					"name": name[1], "in": "path", "required": true, "schema": gin.H{"type": "string"},
				})
			}
			operation := gin.H{
				"summary": r["About"], "tags": []string{group}, "parameters": parameters,
				"responses": gin.H{"default": gin.H{"description": "What was asked for, or why not"}},
			}
			if r["Method"] != http.MethodGet {
				operation["requestBody"] = gin.H{"content": gin.H{"application/json": gin.H{"schema": gin.H{}}}}
			}
			if paths[r["Path"]] == nil {
				paths[r["Path"]] = gin.H{}
			}
			paths[r["Path"]][strings.ToLower(r["Method"])] = operation
		}
	}
	return answer(c, gin.H{
		"openapi": "3.1.0", "paths": paths,
		"info": gin.H{"title": "LangGraph's API and the Agent Protocol", "version": a.opts.Version},
	})
}
