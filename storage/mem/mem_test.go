package mem_test

import (
	"testing"

	"annai/graph"
	"annai/graph/graphtest"
	"annai/storage/mem"
)

func TestCheckpointer(t *testing.T) {
	graphtest.Checkpointer(t, func(*testing.T) graph.Checkpointer { return mem.New() })
}
