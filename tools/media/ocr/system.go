package ocr

import (
	"context"
	"image"
	"sync"
)

// System reads with what this machine has. It is looked for when it is first needed, and again as long as
// there is none: it may be installed meanwhile.
type System struct {
	mu    sync.Mutex
	found *Tesseract
}

// Find returns what reads here. See the function [Find].
func (s *System) Find(ctx context.Context) (*Tesseract, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found != nil {
		return s.found, nil
	}
	found, err := Find(ctx)
	if err != nil {
		return nil, err
	}
	s.found = found
	return found, nil
}

// Name says what reads, "tesseract" before it was needed.
func (s *System) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found == nil {
		return "tesseract"
	}
	return s.found.Name()
}

// Read reads a picture.
func (s *System) Read(ctx context.Context, picture *image.Gray) ([]Line, error) {
	t, err := s.Find(ctx)
	if err != nil {
		return nil, err
	}
	return t.Read(ctx, picture)
}
