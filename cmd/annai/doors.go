package main

import (
	"context"
	"log/slog"

	"annai/internal/config"
	"annai/server/door"
)

// openDoors opens the doors for protocols of others, over one gate. They work until what it returns is called, which waits for that.
func openDoors(ctx context.Context, a *assembly, c config.Config, gate *door.Gate, tryOut bool, log *slog.Logger) (doors []door.Door, stop func() error, err error) {
	chat, err := newOpenAI(a, gate)
	if err != nil {
		return nil, nil, err
	}
	protocol, err := newMCP(a, gate, c, log)
	if err != nil {
		return nil, nil, err
	}
	langGraph, err := openLangGraph(ctx, a, c, gate, tryOut, log)
	if err != nil {
		return nil, nil, err
	}
	return []door.Door{chat, protocol.Door(), langGraph.door}, langGraph.work(ctx), nil
}
