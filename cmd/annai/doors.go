package main

import (
	"context"
	"log/slog"

	"annai/internal/config"
	"annai/server/agui"
	"annai/server/door"
	"annai/server/langgraph"
)

// openDoors opens the doors for protocols of others, over one gate. The one of LangGraph works until
// stop is called, which waits for that.
func openDoors(
	ctx context.Context, a *assembly, c config.Config, gate *door.Gate, tryOut bool, log *slog.Logger,
) (doors []door.Door, graphs *langGraph, stop func() error, err error) {
	chat, err := newOpenAI(a, gate)
	if err != nil {
		return nil, nil, nil, err
	}
	protocol, err := newMCP(a, gate, c, log)
	if err != nil {
		return nil, nil, nil, err
	}
	graphs, err = openLangGraph(ctx, a, c, gate, tryOut, log)
	if err != nil {
		return nil, nil, nil, err
	}
	interfaces := agui.New(graphs.service, agui.Options{
		Assistant: langgraph.AssistantID, MaxBody: c.Runs.MaxBody, Visitors: visitorLimits(c),
	})
	doors = []door.Door{chat, protocol.Door(), graphs.door, newA2A(a, c, graphs.service), interfaces}
	return doors, graphs, graphs.work(ctx), nil
}
