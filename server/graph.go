package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/graph"
	"annai/server/door"
	"annai/server/httpd"
)

// graph is GET /graph.
func (s *Server) graph(c *gin.Context) error {
	drawing := s.parts.Concierge.Drawing()
	switch c.Query("format") {
	case "", "json":
		inside := drawn(drawing)
		return httpd.WriteJSON(c, http.StatusOK, api.GraphResponse{
			Mermaid: drawing.Mermaid(), DOT: drawing.DOT(), Nodes: inside.Nodes, Edges: inside.Edges,
		})
	case "mermaid":
		c.String(http.StatusOK, "%s", drawing.Mermaid())
	case "dot":
		c.String(http.StatusOK, "%s", drawing.DOT())
	default:
		return door.Invalid("format", "must be json, mermaid or dot")
	}
	return nil
}

func drawn(d graph.Drawing) api.Subgraph {
	out := api.Subgraph{Nodes: make([]api.Node, 0, len(d.Nodes)), Edges: make([]api.Edge, 0, len(d.Edges))}
	for _, n := range d.Nodes {
		node := api.Node{Name: n.Name}
		if n.Subgraph != nil {
			inside := drawn(*n.Subgraph)
			node.Subgraph = &inside
		}
		out.Nodes = append(out.Nodes, node)
	}
	for _, e := range d.Edges {
		out.Edges = append(out.Edges, api.Edge{From: e.From, To: e.To, Conditional: e.Conditional, Label: e.Label, Joined: e.Joined})
	}
	return out
}
