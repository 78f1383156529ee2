package runs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"annai/fault"
	"annai/graph"
)

// NewAssistant is what an assistant is made or changed with; nil is left as it is.
type NewAssistant struct {
	ID          string  `json:"assistant_id"`
	GraphID     string  `json:"graph_id"`
	Config      Object  `json:"config"`
	Context     Object  `json:"context"`
	Metadata    Object  `json:"metadata"`
	Name        *string `json:"name"`
	Description *string `json:"description"`
	// IfExists is "raise", the default, or "do_nothing".
	IfExists string `json:"if_exists"`
}

// CreateAssistant makes an assistant of a graph. An id that exists is [fault.ErrConflict] unless IfExists says otherwise.
func (s *Service) CreateAssistant(ctx context.Context, n NewAssistant) (Assistant, error) {
	if n.ID == "" {
		n.ID = s.opts.NewID()
	}
	if err := checkID("assistant_id", n.ID); err != nil {
		return Assistant{}, err
	}
	if s.graphs[n.GraphID] == nil {
		return Assistant{}, fmt.Errorf("graph_id %q names no graph: %w", n.GraphID, fault.ErrInvalid)
	}
	now := s.now()
	a := Assistant{
		ID: n.ID, GraphID: n.GraphID, Version: 1, Name: "Untitled", Description: n.Description, Config: merged(n.Config, nil, ""),
		Context: merged(n.Context, nil, ""), Metadata: merged(n.Metadata, nil, ""), CreatedAt: now, UpdatedAt: now,
	}
	if n.Name != nil {
		a.Name = *n.Name
	}
	err := s.parts.Store.CreateAssistant(ctx, a)
	if errors.Is(err, fault.ErrConflict) && n.IfExists == "do_nothing" {
		return s.parts.Store.Assistant(ctx, n.ID)
	}
	return a, err
}

// Assistant returns an assistant by its id, or by that of its graph.
func (s *Service) Assistant(ctx context.Context, id string) (Assistant, error) {
	if s.graphs[id] != nil {
		id = AssistantID(id)
	}
	return s.parts.Store.Assistant(ctx, id)
}

// UpdateAssistant makes a new version.
func (s *Service) UpdateAssistant(ctx context.Context, id string, n NewAssistant) (Assistant, error) {
	a, err := s.Assistant(ctx, id)
	if err != nil {
		return Assistant{}, err
	}
	if n.GraphID != "" {
		if s.graphs[n.GraphID] == nil {
			return Assistant{}, fmt.Errorf("graph_id %q names no graph: %w", n.GraphID, fault.ErrInvalid)
		}
		a.GraphID = n.GraphID
	}
	if n.Config != nil {
		a.Config = n.Config
	}
	if n.Context != nil {
		a.Context = n.Context
	}
	if n.Name != nil {
		a.Name = *n.Name
	}
	if n.Description != nil {
		a.Description = n.Description
	}
	a.Metadata, a.UpdatedAt = merged(a.Metadata, n.Metadata, ""), s.now()
	newest, _, err := s.parts.Store.Versions(ctx, a.ID, nil, Page{Limit: 1})
	if err != nil {
		return Assistant{}, err
	}
	a.Version = newest[0].Version + 1
	return a, s.parts.Store.AddVersion(ctx, a)
}

// DeleteAssistant forgets an assistant, with threads also those on which it ran last. That of a graph comes back when the service starts anew.
func (s *Service) DeleteAssistant(ctx context.Context, id string, withThreads bool) error {
	a, err := s.Assistant(ctx, id)
	if err != nil {
		return err
	}
	if withThreads {
		list, _, err := s.parts.Store.SearchThreads(ctx, ThreadFilter{Metadata: Object{"assistant_id": a.ID}, Page: Page{Limit: -1}})
		if err != nil {
			return err
		}
		for _, t := range list {
			if err := s.DeleteThread(ctx, t.ID); err != nil && !errors.Is(err, fault.ErrNotFound) {
				return err
			}
		}
	}
	return s.parts.Store.DeleteAssistant(ctx, a.ID)
}

// SearchAssistants returns assistants, and how many there are in all.
func (s *Service) SearchAssistants(ctx context.Context, f AssistantFilter) ([]Assistant, int, error) {
	return s.parts.Store.SearchAssistants(ctx, f)
}

// Versions returns the versions of an assistant, newest first. None at all is [fault.ErrNotFound].
func (s *Service) Versions(ctx context.Context, id string, metadata Object, page Page) ([]Assistant, error) {
	a, err := s.Assistant(ctx, id)
	if err != nil {
		return nil, err
	}
	list, n, err := s.parts.Store.Versions(ctx, a.ID, metadata, page)
	if err == nil && n == 0 {
		err = fmt.Errorf("versions of assistant %s: %w", id, fault.ErrNotFound)
	}
	return list, err
}

// SetLatest makes an old version the one that runs use.
func (s *Service) SetLatest(ctx context.Context, id string, version int) (Assistant, error) {
	a, err := s.Assistant(ctx, id)
	if err != nil {
		return Assistant{}, err
	}
	return s.parts.Store.SetLatest(ctx, a.ID, version, s.now())
}

// Drawing returns the picture of an assistant's graph.
func (s *Service) Drawing(ctx context.Context, id string) (graph.Drawing, error) {
	_, g, err := s.graphOf(ctx, id)
	if err != nil {
		return graph.Drawing{}, err
	}
	return g.Drawing(), nil
}

// Schemas returns the id of an assistant's graph and its schemas.
func (s *Service) Schemas(ctx context.Context, id string) (string, Schemas, error) {
	_, g, err := s.graphOf(ctx, id)
	if err != nil {
		return "", Schemas{}, err
	}
	return g.ID(), g.Schemas(), nil
}

// assistantCache has assistants as they were when they were last read. The zero assistantCache is empty.
type assistantCache struct {
	mu   sync.Mutex
	read map[string]cachedAssistant
}

// cachedAssistant is an assistant as it is until changed is closed.
type cachedAssistant struct {
	Assistant

	changed <-chan struct{}
	stop    func()
}

// mostCached is how many assistants are cached at most.
const mostCached = 1000

func (c *assistantCache) get(id string) (Assistant, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.read[id]
	if !ok {
		return Assistant{}, false
	}
	select {
	case <-a.changed:
		a.stop()
		delete(c.read, id)
		return Assistant{}, false
	default:
		return a.Assistant, true
	}
}

func (c *assistantCache) put(a cachedAssistant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.read) >= mostCached {
		for _, old := range c.read {
			old.stop()
		}
		clear(c.read)
	}
	if old, ok := c.read[a.ID]; ok {
		old.stop()
	}
	if c.read == nil {
		c.read = map[string]cachedAssistant{}
	}
	c.read[a.ID] = a
}

// current is [Service.Assistant] for who only runs it: what changed elsewhere a moment ago may not be there yet.
func (s *Service) current(ctx context.Context, id string) (Assistant, error) {
	if s.graphs[id] != nil {
		id = AssistantID(id)
	}
	if a, ok := s.assistants.get(id); ok {
		return a, nil
	}
	changed, stop := s.parts.Store.Watch(id)
	a, err := s.parts.Store.Assistant(ctx, id)
	if err != nil {
		stop()
		return Assistant{}, err
	}
	s.assistants.put(cachedAssistant{a, changed, stop})
	return a, nil
}

// graphOf returns an assistant and its graph.
func (s *Service) graphOf(ctx context.Context, id string) (Assistant, Graph, error) {
	a, err := s.current(ctx, id)
	if err != nil {
		return Assistant{}, nil, fmt.Errorf("no assistant %q; give the id of an assistant or of a graph: %w", id, err)
	}
	g := s.graphs[a.GraphID]
	if g == nil {
		return Assistant{}, nil, fmt.Errorf("graph %q is not served any more: %w", a.GraphID, fault.ErrNotFound)
	}
	return a, g, nil
}

// expiry is when a thread is over that is used now.
func (s *Service) expiry(t *TTL, graphID string, now time.Time) *time.Time {
	lives := s.opts.ThreadTTL
	if t != nil && t.Minutes > 0 {
		lives = time.Duration(t.Minutes * float64(time.Minute))
	}
	if longest := s.opts.GraphTTL[graphID]; longest > 0 && (lives < 0 || lives > longest) {
		lives = longest
	}
	if lives < 0 {
		return nil
	}
	at := now.Add(lives)
	return &at
}
