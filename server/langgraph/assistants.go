package langgraph

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/graph"
	"annai/runs"
)

// search is what all searches have in common.
type search struct {
	Metadata  runs.Object `json:"metadata"`
	Limit     *int        `json:"limit"`
	Offset    int         `json:"offset"`
	SortBy    string      `json:"sort_by"`
	SortOrder string      `json:"sort_order"`
	Select    []string    `json:"select"`
}

// maxLimit is how long a page may be.
const maxLimit = 1000

func (s search) page(otherwise int) (runs.Page, error) {
	limit := otherwise
	if s.Limit != nil {
		limit = *s.Limit
	}
	if limit < 0 || limit > maxLimit || s.Offset < 0 {
		return runs.Page{}, fmt.Errorf("limit is at most %d and offset is not negative: %w", maxLimit, fault.ErrInvalid)
	}
	return runs.Page{Limit: limit, Offset: s.Offset}, nil
}

func (s search) sort() runs.Sort { return runs.Sort{By: s.SortBy, Ascending: s.SortOrder == "asc"} }

// found sends a page of a list, of which there are so many in all.
func found[T any](c *gin.Context, s search, page runs.Page, list []T, all int) error {
	c.Header("X-Pagination-Total", strconv.Itoa(all))
	if next := page.Offset + len(list); next < all && len(list) > 0 {
		c.Header("X-Pagination-Next", strconv.Itoa(next))
	}
	if len(s.Select) == 0 {
		return answer(c, some(list))
	}
	picked := make([]map[string]json.RawMessage, 0, len(list))
	for _, entry := range list {
		data, err := encode(entry)
		if err != nil {
			return err
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(data, &all); err != nil {
			return fmt.Errorf("select: %w", err)
		}
		one := map[string]json.RawMessage{}
		for _, name := range s.Select {
			if value, ok := all[name]; ok {
				one[name] = value
			}
		}
		picked = append(picked, one)
	}
	return answer(c, picked)
}

// some is the list, or one without anything in it, which is not null.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (a *handlers) createAssistant(c *gin.Context) error {
	n, err := decode[runs.NewAssistant](c)
	if err != nil {
		return err
	}
	made, err := a.as(c).CreateAssistant(c.Request.Context(), n)
	if err != nil {
		return err
	}
	return answer(c, made)
}

func (a *handlers) assistant(c *gin.Context) error {
	found, err := a.as(c).Assistant(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return answer(c, found)
}

func (a *handlers) updateAssistant(c *gin.Context) error {
	n, err := decode[runs.NewAssistant](c)
	if err != nil {
		return err
	}
	changed, err := a.as(c).UpdateAssistant(c.Request.Context(), c.Param("id"), n)
	if err != nil {
		return err
	}
	return answer(c, changed)
}

func (a *handlers) deleteAssistant(c *gin.Context) error {
	if err := a.as(c).DeleteAssistant(c.Request.Context(), c.Param("id"), flag(c, "delete_threads")); err != nil {
		return err
	}
	return answer(c, []string{c.Param("id")})
}

type assistantSearch struct {
	search

	GraphID string `json:"graph_id"`
	Name    string `json:"name"`
}

func (s assistantSearch) filter(page runs.Page) runs.AssistantFilter {
	return runs.AssistantFilter{GraphID: s.GraphID, Name: s.Name, Metadata: s.Metadata, Sort: s.sort(), Page: page}
}

// assistantsFound are the assistants that a search asks for; n is how many there are in all.
func (a *handlers) assistantsFound(c *gin.Context) (
	s assistantSearch, page runs.Page, list []runs.Assistant, n int, err error,
) {
	if s, err = decode[assistantSearch](c); err != nil {
		return s, page, nil, 0, err
	}
	if page, err = s.page(10); err != nil {
		return s, page, nil, 0, err
	}
	list, n, err = a.as(c).SearchAssistants(c.Request.Context(), s.filter(page))
	return s, page, list, n, err
}

func (a *handlers) searchAssistants(c *gin.Context) error {
	s, page, list, n, err := a.assistantsFound(c)
	if err != nil {
		return err
	}
	return found(c, s.search, page, list, n)
}

func (a *handlers) countAssistants(c *gin.Context) error {
	s, err := decode[assistantSearch](c)
	if err != nil {
		return err
	}
	_, n, err := a.as(c).SearchAssistants(c.Request.Context(), s.filter(runs.Page{}))
	if err != nil {
		return err
	}
	return answer(c, n)
}

func (a *handlers) versions(c *gin.Context) error {
	s, err := decode[search](c)
	if err != nil {
		return err
	}
	page, err := s.page(10)
	if err != nil {
		return err
	}
	list, err := a.as(c).Versions(c.Request.Context(), c.Param("id"), s.Metadata, page)
	if err != nil {
		return err
	}
	return answer(c, some(list))
}

func (a *handlers) setLatest(c *gin.Context) error {
	body, err := decode[struct {
		Version int `json:"version"`
	}](c)
	if err != nil {
		return err
	}
	latest, err := a.as(c).SetLatest(c.Request.Context(), c.Param("id"), body.Version)
	if err != nil {
		return err
	}
	return answer(c, latest)
}

type (
	drawnNode struct {
		ID   string `json:"id"`
		Type string `json:"type"`
		Data any    `json:"data"`
	}
	drawnEdge struct {
		Source      string `json:"source"`
		Target      string `json:"target"`
		Data        string `json:"data,omitempty"`
		Conditional bool   `json:"conditional"`
	}
	drawn struct {
		Nodes []drawnNode `json:"nodes"`
		Edges []drawnEdge `json:"edges"`
	}
)

// drawing is GET /assistants/{id}/graph. With xray the graphs inside are drawn too, their nodes named with a colon.
func (a *handlers) drawing(c *gin.Context) error {
	d, err := a.as(c).Drawing(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	picture := drawn{Nodes: []drawnNode{}, Edges: []drawnEdge{}}
	xray := c.Query("xray")
	picture.draw(d, "", xray != "" && xray != "false" && xray != "0")
	return answer(c, picture)
}

// draw adds a graph, whose nodes have the prefix. A graph inside stands in the place of its node, between its own start and end.
func (p *drawn) draw(d graph.Drawing, prefix string, xray bool) {
	inside := map[string]bool{}
	for _, n := range d.Nodes {
		switch {
		case n.Name == graph.Start, n.Name == graph.End:
			p.Nodes = append(p.Nodes, drawnNode{prefix + n.Name, "schema", struct{}{}})
		case n.Subgraph != nil && xray:
			inside[n.Name] = true
			p.draw(*n.Subgraph, prefix+n.Name+":", true)
		default:
			data := map[string]any{"id": []string{"annai", "graph", "Node"}, "name": n.Name}
			p.Nodes = append(p.Nodes, drawnNode{prefix + n.Name, "runnable", data})
		}
	}
	for _, e := range d.Edges {
		from, to := prefix+e.From, prefix+e.To
		if inside[e.From] {
			from += ":" + graph.End
		}
		if inside[e.To] {
			to += ":" + graph.Start
		}
		p.Edges = append(p.Edges, drawnEdge{from, to, e.Label, e.Conditional})
	}
}

// anyObject is the schema of what has none.
var anyObject = json.RawMessage(`{"type":"object"}`)

func schemaOr(schema json.RawMessage) json.RawMessage {
	if schema == nil {
		return anyObject
	}
	return schema
}

func (a *handlers) schemas(c *gin.Context) error {
	id, s, err := a.as(c).Schemas(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return answer(c, gin.H{
		"graph_id": id, "input_schema": schemaOr(s.Input), "output_schema": schemaOr(s.Output), "state_schema": schemaOr(s.State),
		"config_schema": schemaOr(s.Config), "context_schema": schemaOr(s.Context),
	})
}

// subgraphs is GET /assistants/{id}/subgraphs, and below it one of them, by its path with "|".
func (a *handlers) subgraphs(c *gin.Context) error {
	d, err := a.as(c).Drawing(c.Request.Context(), c.Param("id"))
	if err != nil {
		return err
	}
	all := map[string]any{}
	inside(d, "", flag(c, "recurse") || c.Param("namespace") != "", all)
	if only := c.Param("namespace"); only != "" {
		one, ok := all[only]
		if !ok {
			return fmt.Errorf("subgraph %q: %w", only, fault.ErrNotFound)
		}
		all = map[string]any{only: one}
	}
	return answer(c, all)
}

func inside(d graph.Drawing, prefix string, recurse bool, all map[string]any) {
	for _, n := range d.Nodes {
		if n.Subgraph == nil {
			continue
		}
		schemas := gin.H{}
		for _, name := range []string{"state", "input", "output", "config"} {
			schemas[name], schemas[name+"_schema"] = anyObject, anyObject // for clients of JavaScript and of Python
		}
		all[prefix+n.Name] = schemas
		if recurse {
			inside(*n.Subgraph, prefix+n.Name+"|", true, all)
		}
	}
}

func (a *handlers) noContent(c *gin.Context) error {
	c.Status(http.StatusNoContent)
	c.Writer.WriteHeaderNow()
	return nil
}
