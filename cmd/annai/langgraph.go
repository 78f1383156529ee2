package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/embedded"
	"annai/runs"
	"annai/runs/probe"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/langgraph"
)

// probeUsage is the help of the flag --probe-graph of serve.
const probeUsage = "also serve the graphs \"agent\" and \"probe\", with which clients of LangGraph's API can be tried, and let pages served on this machine ask"

// openLangGraph opens what executes runs, and the door to it. The concierge is its assistant; with tryOut there
// are those of the probe too.
func openLangGraph(
	ctx context.Context, a *assembly, c config.Config, turns *gate.Gate, f front, log *slog.Logger,
) (*setup.Service, door.Door, error) {
	meaning, err := embedded.New()
	if err != nil {
		return nil, door.Door{}, fmt.Errorf("embedder: %w", err)
	}
	service, err := setup.OpenService(ctx, c, a.now, log, func(threads graph.Checkpointer) ([]runs.Graph, error) {
		answering, err := newAssistant(a, threads, turns, f.figures.Turn, log)
		graphs := []runs.Graph{answering}
		if err != nil || !f.tryOut {
			return graphs, err
		}
		more, err := probe.Graphs(threads, a.now, rand.Text)
		return append(graphs, more...), err
	}, setup.ServiceOptions{
		Program: program(), Meaning: itemMeaning{meaning}, NewVectors: newItemVectors,
		// What visitors say lives as long as their session.
		GraphTTL: map[string]time.Duration{assistantID: c.SessionIdle},
	})
	if err != nil {
		return nil, door.Door{}, err
	}
	return service, langgraph.New(service.Service, langgraph.Options{
		Version: version(), Visitors: setup.Limits(c, c.SessionIdle), MaxBody: c.Runs.MaxBody,
	}), nil
}

// itemMeaning lets items of the store be found by what they mean. It is the model inside the program, whichever
// the settings name for knowledge: what programs keep about people is sent nowhere.
type itemMeaning struct{ *embedded.Embedder }

// maxItemPieces is how many pieces of an item's text get a vector; the rest is not found.
const maxItemPieces = 32

// Vectors implements [runs.Meaning]. Pieces without a word that the model knows have none.
func (m itemMeaning) Vectors(ctx context.Context, text string) ([][]float32, error) {
	cut := pieces(text)
	var vectors [][]float32
	for _, piece := range cut[:min(len(cut), maxItemPieces)] {
		v, err := m.Embed(ctx, []string{piece})
		switch {
		case errors.Is(err, fault.ErrInvalid):
		case err != nil:
			return nil, err
		default:
			vectors = append(vectors, v[0])
		}
	}
	return vectors, nil
}

// itemVectors is the index of what items mean.
type itemVectors struct{ *chromem.Mutable }

func newItemVectors() (runs.Vectors, error) {
	index, err := chromem.NewMutable()
	return itemVectors{index}, err
}

// Put implements [runs.Vectors].
func (x itemVectors) Put(ctx context.Context, id string, vectors [][]float32) error {
	given := make([]rag.Vector, len(vectors))
	for n, v := range vectors {
		given[n] = v
	}
	return x.Mutable.Put(ctx, id, given)
}

// Nearest implements [runs.Vectors].
func (x itemVectors) Nearest(ctx context.Context, v []float32, n int) ([]runs.Near, error) {
	found, err := x.Mutable.Nearest(ctx, v, n)
	near := make([]runs.Near, len(found))
	for i, f := range found {
		near[i] = runs.Near{ID: f.ID, Cosine: f.Cosine}
	}
	return near, err
}
