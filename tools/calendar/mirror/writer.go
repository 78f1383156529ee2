package mirror

import (
	"context"

	"annai/tools/calendar"
)

// A write is one that was made through the mirror.
type write struct {
	id string
	// event is what is there now; nil if it was deleted.
	event *calendar.Event
}

// take makes a write in the contents, unless they have something newer.
func (c contents) take(w write) {
	if w.event == nil {
		c.remove(w.id)
		return
	}
	if there, ok := c.Events[w.id]; ok && there.Updated.After(w.event.Updated) {
		return
	}
	c.Events[w.id] = *w.event
	delete(c.Problems, w.id)
}

// A Writer is a [calendar.Writer] whose reads are answered from the copy and whose writes go to the calendar. What was written is in the
// copy when the call returns.
type Writer struct {
	*Mirror
	calendar calendar.Writer
}

// Writer returns the mirror with w, the calendar that its feed is of, to write to.
func (m *Mirror) Writer(w calendar.Writer) *Writer { return &Writer{Mirror: m, calendar: w} }

// Get implements [calendar.Writer]. It asks the calendar, since who asks for one event means to change it.
func (w *Writer) Get(ctx context.Context, id string) (calendar.Event, error) {
	return w.calendar.Get(ctx, id)
}

// Create implements [calendar.Writer].
func (w *Writer) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	made, err := w.calendar.Create(ctx, e)
	w.wrote(made.ID, &made, err)
	return made, err
}

// Update implements [calendar.Writer].
func (w *Writer) Update(ctx context.Context, id string, c calendar.Change, etag string) (calendar.Event, error) {
	made, err := w.calendar.Update(ctx, id, c, etag)
	w.wrote(id, &made, err)
	return made, err
}

// Delete implements [calendar.Writer].
func (w *Writer) Delete(ctx context.Context, id, etag string) error {
	err := w.calendar.Delete(ctx, id, etag)
	w.wrote(id, nil, err)
	return err
}

// wrote takes a write over into the copy. One that failed because the copy is behind asks for a sync.
func (m *Mirror) wrote(id string, e *calendar.Event, err error) {
	if err != nil {
		switch calendar.KindOf(err) {
		case calendar.NotFound, calendar.Gone, calendar.Stale, calendar.Exists, calendar.Ambiguous:
			m.Soon()
		default:
		}
		return
	}
	done := write{id: id}
	if e != nil {
		kept := clone(*e)
		done.event = &kept
		if len(e.Recurrence) > 0 { // what became of its overrides only the calendar knows
			m.Soon()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asOf.IsZero() {
		m.writes = append(m.writes, done)
		return
	}
	next := m.copied.with(Changes{})
	next.take(done)
	m.writes = append(m.writes, done)
	m.copied = newCopied(m.feed, m.opts, next)
	m.kept.changed = true
}
