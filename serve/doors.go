package serve

import (
	"context"
	"embed"
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/runs"
	"annai/server/a2a"
	"annai/server/agui"
	"annai/server/door"
	"annai/server/httpd"
	"annai/server/langgraph"
	mcp "annai/server/mcp/graphs"
	openai "annai/server/openai/graphs"
	"annai/server/stream"
)

// doorsOf are the protocols by which the graphs are reached. The page's is the first.
func doorsOf(
	ctx context.Context, c config.Config, program string, service *runs.Service, graphs []Source, log *slog.Logger,
) ([]door.Door, error) {
	limits := setup.Limits(c, 0)
	as := func(c *gin.Context) *runs.Service { return stream.As(c, service, limits) }
	var tools []mcp.Tool
	var models []string
	agents := map[string]a2a.Agent{}
	for _, g := range graphs {
		_, schemas, err := service.Schemas(ctx, g.Name)
		if err != nil {
			return nil, err
		}
		description := g.Description
		if description == "" {
			description = "Runs the graph " + g.Name + "."
		}
		agents[g.Name] = a2a.Agent{Name: g.Name, Description: description, Skills: []a2a.Skill{{
			ID: g.Name, Name: g.Name, Description: description, Tags: []string{g.Name},
		}}}
		tools = append(tools, mcp.Tool{Name: g.Name, Description: description, Input: schemas.Input})
		if hasMessages(schemas.Input) {
			models = append(models, g.Name)
		}
	}
	protocol, err := mcp.New(tools, as, mcp.Options{ //nolint:contextcheck // handlers have those of their requests
		Name: program, Version: version(), MaxBody: c.Runs.MaxBody, Log: log,
	})
	doors := []door.Door{
		pageDoor(service), //nolint:contextcheck // see above
		langgraph.New(service, langgraph.Options{
			Version: version(), Visitors: limits, MaxBody: c.Runs.MaxBody, CancelRuns: true,
		}),
		protocol,
		a2a.New(service, a2a.Options{ // the first graph is who is asked where none is named
			Assistant: graphs[0].Name, Agents: agents, Version: version(), Visitors: limits, MaxBody: c.Runs.MaxBody,
		}),
		agui.New(service, agui.Options{Assistant: graphs[0].Name, MaxBody: c.Runs.MaxBody, Visitors: limits}),
	}
	if len(models) > 0 {
		doors = append(doors, openai.New(models, as, setup.Clock(c.Now), openai.Options{MaxBody: c.Runs.MaxBody}))
	}
	return doors, err
}

// hasMessages says whether an input has messages.
func hasMessages(schema json.RawMessage) bool {
	var input struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	return json.Unmarshal(schema, &input) == nil && input.Properties["messages"] != nil
}

//go:embed page
var page embed.FS

// pageRules let the page load what is here, and ask this server.
const pageRules = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// pageDoor shows the graphs and lets one try them. What the page shows it asks for by LangGraph's API, with the
// key that is typed into it, so that everybody may load it.
func pageDoor(service *runs.Service) door.Door {
	file := func(name, mediaType string) door.Handler {
		return func(c *gin.Context) error {
			data, err := page.ReadFile("page/" + name)
			if err != nil {
				return err
			}
			c.Header("Content-Security-Policy", pageRules)
			c.Data(http.StatusOK, mediaType, data)
			return nil
		}
	}
	get := func(path string, role door.Role, handle door.Handler) door.Route {
		return door.Route{Method: http.MethodGet, Path: path, Role: role, Handle: handle}
	}
	return door.Door{Name: "page", Fail: fail, Routes: []door.Route{
		get("/", door.Anyone, file("index.html", "text/html; charset=utf-8")),
		get("/page/page.js", door.Anyone, file("page.js", "text/javascript; charset=utf-8")),
		get("/page/page.css", door.Anyone, file("page.css", "text/css; charset=utf-8")),
		get("/graphs/:id", door.Visitor, func(c *gin.Context) error {
			drawing, err := service.Drawing(c.Request.Context(), c.Param("id"))
			if err != nil {
				return err
			}
			c.String(http.StatusOK, "%s", drawing.Mermaid())
			return nil
		}),
	}}
}

// fail answers as the server's own routes do.
func fail(c *gin.Context, f door.Failure) {
	// Plain texts always encode.
	_ = httpd.WriteJSON(c, f.Status, struct {
		Error     api.ErrorBody `json:"error"`
		RequestID string        `json:"requestId"`
	}{api.ErrorBody{Code: f.Code, Message: f.Message, Details: f.Details}, httpd.RequestID(c)})
}
