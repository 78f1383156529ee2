package nodes

// Agents says under which name and category a node's answers go out.
func Agents() map[string][2]string {
	out := map[string][2]string{}
	for node, a := range agents {
		out[node] = [2]string{a.name, a.category}
	}
	return out
}
