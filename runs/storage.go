package runs

import (
	"context"
	"fmt"

	"annai/graph"
)

// A Storage is how much is kept of a thread, before a store compresses or encrypts it. What graphs inside remember is
// not in it.
type Storage struct {
	// Checkpoints has what is kept besides values, Values what was written to channels, Pending what tasks of
	// supersteps wrote that have not ended.
	Checkpoints, Values, Pending Bytes
	// ByChannel is Values by the names of the channels.
	ByChannel map[string]Bytes
}

// Bytes is how many things there are, and how many bytes they have together.
type Bytes struct {
	Count int   `json:"count"`
	Bytes int64 `json:"bytes"`
}

func (b *Bytes) add(n int) {
	b.Count++
	b.Bytes += int64(n)
}

// Storage returns how much is kept of a thread.
func (s *Service) Storage(ctx context.Context, id string) (Storage, error) {
	empty := Storage{ByChannel: map[string]Bytes{}}
	t, err := s.thread(ctx, id)
	if err != nil {
		return empty, err
	}
	g := s.graphs[t.GraphID]
	if g == nil {
		return empty, nil
	}
	return g.Storage(ctx, id)
}

// Storage implements [Graph].
func (t *typed[S]) Storage(ctx context.Context, thread string) (Storage, error) {
	s := Storage{ByChannel: map[string]Bytes{}}
	for rec, err := range t.records(ctx, thread, 0) {
		if err != nil {
			return s, fmt.Errorf("storage of thread %s: %w", thread, err)
		}
		s.add(rec)
	}
	return s, nil
}

func (s *Storage) add(rec graph.Record) {
	own := len(rec.RunID) + len(rec.Graph)
	for _, task := range rec.Tasks {
		own += len(task.Node) + len(task.Input)
	}
	s.Checkpoints.add(own)
	for _, w := range rec.Writes {
		s.Values.add(len(w.Data))
		channel := s.ByChannel[w.Channel]
		channel.add(len(w.Data))
		s.ByChannel[w.Channel] = channel
	}
	for _, w := range rec.Pending {
		for _, written := range w.Writes {
			s.Pending.add(len(written.Data))
		}
		for _, i := range w.Interrupts {
			s.Pending.add(len(i.Question) + len(i.Answer))
		}
	}
}
