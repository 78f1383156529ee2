package main

import (
	"context"
	"log/slog"

	"annai/internal/config"
	"annai/internal/setup"
	"annai/server/agui"
	"annai/server/door"
	"annai/server/gate"
)

// openDoors opens the doors for protocols of others, over one gate. The one of LangGraph works until
// stop is called, which waits for that.
func openDoors(
	ctx context.Context, a *assembly, c config.Config, turns *gate.Gate, f front, log *slog.Logger,
) (doors []door.Door, service *setup.Service, stop func() error, err error) {
	chat, err := newOpenAI(a, turns, f.speaks.cache, f.hears)
	if err != nil {
		return nil, nil, nil, err
	}
	fronts, err := newFrontEnds(a, turns, f.speaks.cache, f.call)
	if err != nil {
		return nil, nil, nil, err
	}
	protocol, err := newMCP(a, turns, c, log)
	if err != nil {
		return nil, nil, nil, err
	}
	service, graphs, err := openLangGraph(ctx, a, c, turns, f, log)
	if err != nil {
		return nil, nil, nil, err
	}
	interfaces := agui.New(service.Service, agui.Options{
		Assistant: assistantID, MaxBody: c.Runs.MaxBody, Visitors: setup.Limits(c, c.SessionIdle),
	})
	doors = []door.Door{chat, protocol.Door(), graphs, newA2A(a, c, service.Service), interfaces}
	return append(doors, fronts...), service, service.Begin(ctx), nil
}
