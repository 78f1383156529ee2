package langgraph

import (
	"fmt"
	"hash/fnv"

	"annai/runs"
)

// placeOf is the path of the task that an event is of, "node:id", after that of the graphs around it. All of a node's events in a superstep have the same.
func placeOf(e runs.Event) string {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s %s %s %d", e.RunID, e.Namespace, e.Node, e.Step)
	task := fmt.Sprintf("%s:%016x", e.Node, h.Sum64())
	if e.Namespace == "" {
		return task
	}
	return e.Namespace + "|" + task
}
