package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Drawing is a graph as data, to be drawn.
type Drawing struct {
	Name  string      `json:"name"`
	Nodes []DrawnNode `json:"nodes"`
	Edges []DrawnEdge `json:"edges"`
}

// A DrawnNode is a node. [Start] and [End] are among them.
type DrawnNode struct {
	Name string `json:"name"`
	// Subgraph is the graph inside, if the node is one; else nil.
	Subgraph *Drawing `json:"subgraph,omitempty"`
}

// A DrawnEdge is an edge between two nodes by name. It is conditional if a route or a command decides; Label is the
// route's label where that is not the name of the target. It is joined if it belongs to a join.
type DrawnEdge struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Conditional bool   `json:"conditional,omitempty"`
	Label       string `json:"label,omitempty"`
	Joined      bool   `json:"joined,omitempty"`
}

// Drawing returns the graph as data, to be drawn. It must not be changed.
func (g *Graph[S]) Drawing() Drawing { return g.drawing }

func (g *StateGraph[S]) draw(name string) Drawing {
	d := Drawing{Name: name, Nodes: []DrawnNode{{Name: Start}}}
	for _, n := range g.nodes {
		d.Nodes = append(d.Nodes, DrawnNode{Name: n.name, Subgraph: n.sub})
	}
	d.Nodes = append(d.Nodes, DrawnNode{Name: End})
	for n := range g.all() {
		d.drawEdges(n.name, n.edges, n.opts.Destinations)
		for _, r := range n.routes {
			for _, label := range slices.Sorted(maps.Keys(r.targets)) {
				e := DrawnEdge{From: n.name, To: r.targets[label], Conditional: true}
				if label != e.To {
					e.Label = label
				}
				d.Edges = append(d.Edges, e)
			}
		}
	}
	for _, j := range g.joins {
		for _, from := range j.sources {
			d.Edges = append(d.Edges, DrawnEdge{From: from, To: j.target, Joined: true})
		}
	}
	return d
}

func (d *Drawing) drawEdges(from string, edges, destinations []string) {
	for _, to := range edges {
		d.Edges = append(d.Edges, DrawnEdge{From: from, To: to})
	}
	for _, to := range destinations {
		d.Edges = append(d.Edges, DrawnEdge{From: from, To: to, Conditional: true})
	}
}

// Mermaid returns the drawing as a Mermaid flowchart.
func (d Drawing) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	d.mermaid(&b, "", "  ")
	return b.String()
}

func (d Drawing) mermaid(b *strings.Builder, prefix, indent string) {
	for _, n := range d.Nodes {
		id := prefix + mermaidID(n.Name)
		switch {
		case n.Name == Start || n.Name == End:
			fmt.Fprintf(b, "%s%s([%s])\n", indent, id, strings.Trim(n.Name, "_"))
		case n.Subgraph != nil:
			fmt.Fprintf(b, "%ssubgraph %s [%q]\n", indent, id, n.Name)
			n.Subgraph.mermaid(b, id+"_", indent+"  ")
			fmt.Fprintf(b, "%send\n", indent)
		default:
			fmt.Fprintf(b, "%s%s[%q]\n", indent, id, n.Name)
		}
	}
	for _, e := range d.Edges {
		arrow := "-->"
		if e.Conditional {
			arrow = "-.->"
		}
		if e.Label != "" {
			arrow += fmt.Sprintf("|%q|", e.Label)
		}
		fmt.Fprintf(b, "%s%s %s %s\n", indent, prefix+mermaidID(e.From), arrow, prefix+mermaidID(e.To))
	}
}

// mermaidID makes a name that Mermaid takes for an identifier, another one for each node; "end" alone is a word of
// its language.
func mermaidID(name string) string {
	switch plain := strings.Trim(name, "_"); {
	case name == Start || name == End:
		return "n_" + plain
	case plain != name || "__"+name+"__" == Start || "__"+name+"__" == End || strings.ContainsFunc(name, isNoLetter):
		return fmt.Sprintf("x_%x", name)
	}
	return "n_" + name
}

// isNoLetter reports whether Mermaid may not take it in an identifier.
func isNoLetter(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// DOT returns the drawing in the language of Graphviz.
func (d Drawing) DOT() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n", d.Name)
	d.dot(&b, "", "  ")
	b.WriteString("}\n")
	return b.String()
}

func (d Drawing) dot(b *strings.Builder, prefix, indent string) {
	for _, n := range d.Nodes {
		id := prefix + n.Name
		switch {
		case n.Name == Start || n.Name == End:
			fmt.Fprintf(b, "%s%q [label=%q, shape=oval];\n", indent, id, strings.Trim(n.Name, "_"))
		case n.Subgraph != nil:
			fmt.Fprintf(b, "%s%q [label=%q, shape=component];\n", indent, id, n.Name)
			fmt.Fprintf(b, "%ssubgraph %q {\n%s  label=%q;\n", indent, "cluster_"+id, indent, n.Name)
			n.Subgraph.dot(b, id+"/", indent+"  ")
			fmt.Fprintf(b, "%s}\n", indent)
		default:
			fmt.Fprintf(b, "%s%q [label=%q, shape=box];\n", indent, id, n.Name)
		}
	}
	for _, e := range d.Edges {
		var attributes []string
		if e.Conditional {
			attributes = append(attributes, "style=dashed")
		}
		if e.Label != "" {
			attributes = append(attributes, fmt.Sprintf("label=%q", e.Label))
		}
		fmt.Fprintf(b, "%s%q -> %q [%s];\n", indent, prefix+e.From, prefix+e.To, strings.Join(attributes, ", "))
	}
}
