// Package mem keeps threads in memory. It is the reference that the other back ends are held against; nothing outlives the process.
//
// Records are kept as the rows they would be on a disk: small, a few in one piece of memory, and nobody else's.
package mem

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"annai/fault"
	"annai/graph"
	"annai/storage/row"
)

// Store is a [graph.Checkpointer] in memory. The zero Store is empty and ready.
type Store struct {
	codec   row.Codec
	mu      sync.Mutex
	threads map[string]*thread
}

// thread is the log of the graph itself, and those of its subgraphs by their namespaces.
type thread struct {
	own log
	sub map[string]*log
}

// log is one namespace of a thread. Record first+i is at i: ids have no gaps. The first is 1 until [Store.Keep] forgot some.
type log struct {
	first   int64
	records []stored
	// few is where the first records are, so that a short thread is one object; piece is where the next small row goes.
	few   [4]stored
	piece []byte
	// at is when the newest record was written.
	at time.Time
}

// pieceSize is how many bytes of small rows are in one piece.
const pieceSize = 384

// add keeps the record with a copy of its row.
func (l *log) add(r stored, row []byte) {
	if l.records == nil {
		l.records = l.few[:0]
	}
	if len(row) > cap(l.piece)-len(l.piece) {
		l.piece = make([]byte, 0, max(pieceSize, len(row)))
	}
	start := len(l.piece)
	l.piece = append(l.piece, row...)
	r.row = l.piece[start:len(l.piece):len(l.piece)]
	l.records = append(l.records, r)
}

// stored is the row of a record with its id, and by task those of what tasks left beside it. Rows never change.
type stored struct {
	id, parent, base int64
	row              []byte
	pending          map[int][]byte
}

// shared is the same for whoever reads it while others write.
func (s stored) shared() stored {
	s.pending = maps.Clone(s.pending)
	return s
}

// New returns an empty store.
func New() *Store { return new(Store) }

// newest is the largest id, 0 where there is no log.
func (l *log) newest() int64 {
	if l == nil || len(l.records) == 0 {
		return 0
	}
	return l.first + int64(len(l.records)) - 1
}

// record returns the record with that id, or nil.
func (l *log) record(id int64) *stored {
	if id < 1 || id > l.newest() || id < l.first {
		return nil
	}
	return &l.records[id-l.first]
}

// log returns the log of the namespace, or nil.
func (s *Store) log(name, namespace string) *log { return s.threads[name].log(namespace) }

func (t *thread) log(namespace string) *log {
	switch {
	case t == nil:
		return nil
	case namespace == "":
		return &t.own
	default:
		return t.sub[namespace]
	}
}

// create makes the log of the namespace, in the thread, which is made if it is nil.
func (s *Store) create(name string, t *thread, namespace string) *log {
	if t == nil {
		if s.threads == nil {
			s.threads = map[string]*thread{}
		}
		t = new(thread)
		s.threads[name] = t
	}
	if namespace == "" {
		return &t.own
	}
	if t.sub == nil {
		t.sub = map[string]*log{}
	}
	l := new(log)
	t.sub[namespace] = l
	return l
}

// Put is part of [graph.Checkpointer].
func (s *Store) Put(ctx context.Context, thread string, r graph.Record) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("put: %w", err)
	}
	if len(r.Inner) > 0 {
		return s.putAll(thread, append(slices.Clip(r.Inner), r))
	}
	var room [pieceSize]byte // for most rows, until the log has a copy
	data := row.AppendRecord(room[:0], &r)
	pending, err := s.pending(thread, r.Pending)
	if err != nil {
		return fmt.Errorf("put: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l, err := s.add(thread, &r, data, pending)
	if err == nil {
		l.at = r.At
	}
	return err
}

// putAll puts records, or none of them.
func (s *Store) putAll(thread string, records []graph.Record) (err error) {
	pending := make([]map[int][]byte, len(records))
	for i, r := range records {
		if pending[i], err = s.pending(thread, r.Pending); err != nil {
			return fmt.Errorf("put: %w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range records {
		if _, err := s.add(thread, &records[i], row.AppendRecord(nil, &records[i]), pending[i]); err != nil {
			s.takeBack(thread, records[:i])
			return err
		}
	}
	for _, r := range records {
		s.log(thread, r.Namespace).at = r.At
	}
	return nil
}

// pending encodes what tasks left beside a record.
func (s *Store) pending(thread string, writes []graph.TaskWrites) (pending map[int][]byte, err error) {
	for _, w := range writes {
		if pending == nil {
			pending = make(map[int][]byte, len(writes))
		}
		if pending[w.Task], err = s.codec.EncodeWrites(thread, w); err != nil {
			return nil, err
		}
	}
	return pending, nil
}

// add adds a record to its namespace, if it can come there, and returns that one's log.
func (s *Store) add(thread string, r *graph.Record, data []byte, pending map[int][]byte) (*log, error) {
	t := s.threads[thread]
	l := t.log(r.Namespace)
	switch newest := l.newest(); {
	case r.ID <= newest, r.Parent != 0 && l.record(r.Parent) == nil, r.Base != r.ID && r.Base <= newest && l.record(r.Base) == nil:
		return nil, fmt.Errorf("put record %d of thread %s: %w", r.ID, thread, fault.ErrConflict)
	case r.ID != newest+1 || r.Base > r.ID || r.Base < 1:
		return nil, fmt.Errorf("put record %d after %d of thread %s: %w", r.ID, newest, thread, fault.ErrInvalid)
	}
	if l == nil {
		l = s.create(thread, t, r.Namespace)
	}
	if len(l.records) == 0 {
		l.first = r.ID
	}
	l.add(stored{id: r.ID, parent: r.Parent, base: r.Base, pending: pending}, data)
	return l, nil
}

// takeBack takes back what was just added.
func (s *Store) takeBack(thread string, added []graph.Record) {
	for _, r := range slices.Backward(added) {
		l := s.log(thread, r.Namespace)
		l.records = l.records[:len(l.records)-1]
		if t := s.threads[thread]; len(l.records) == 0 {
			delete(t.sub, r.Namespace)
			if len(t.sub) == 0 && len(t.own.records) == 0 {
				delete(s.threads, thread)
			}
		}
	}
}

// PutWrites is part of [graph.Checkpointer].
func (s *Store) PutWrites(ctx context.Context, thread string, w graph.TaskWrites) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("put writes: %w", err)
	}
	data, err := s.codec.EncodeWrites(thread, w)
	if err != nil {
		return fmt.Errorf("put writes: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.log(thread, w.Namespace).record(w.Checkpoint)
	if r == nil {
		return fmt.Errorf("put writes of record %d of thread %s: %w", w.Checkpoint, thread, fault.ErrNotFound)
	}
	if r.pending == nil {
		r.pending = map[int][]byte{}
	}
	r.pending[w.Task] = data
	return nil
}

// read decodes records with what tasks left beside them.
func (s *Store) read(thread, namespace string, found []stored) ([]graph.Record, error) {
	records := make([]graph.Record, len(found))
	for i, from := range found {
		place := row.Place{Thread: thread, Namespace: namespace, ID: from.id}
		var err error
		if records[i], err = s.codec.DecodeRecord(place, bytes.Clone(from.row)); err != nil {
			return nil, fmt.Errorf("record %d of thread %s: %w", from.id, thread, err)
		}
		for task, data := range from.pending {
			place.Task = task
			w, err := s.codec.DecodeWrites(place, bytes.Clone(data))
			if err != nil {
				return nil, fmt.Errorf("writes of record %d of thread %s: %w", from.id, thread, err)
			}
			records[i].Pending = append(records[i].Pending, w)
		}
	}
	return records, nil
}

// Load is part of [graph.Checkpointer].
func (s *Store) Load(ctx context.Context, thread, namespace string, id int64) ([]graph.Record, int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, fmt.Errorf("load: %w", err)
	}
	found, newest := s.chain(thread, namespace, id)
	if len(found) == 0 && id != 0 {
		return nil, 0, fmt.Errorf("load record %d of thread %s: %w", id, thread, fault.ErrNotFound)
	}
	if len(found) == 0 {
		return nil, 0, nil
	}
	records, err := s.read(thread, namespace, found)
	if err != nil {
		return nil, 0, fmt.Errorf("load: %w", err)
	}
	return records, newest, nil
}

// chain returns the record with that id, or the newest for 0, then its ancestors down to its base.
func (s *Store) chain(thread, namespace string, id int64) (found []stored, newest int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.log(thread, namespace)
	newest = l.newest()
	if id == 0 {
		id = newest
	}
	for r := l.record(id); r != nil; r = l.record(r.parent) {
		found = append(found, r.shared())
		if r.parent < found[0].base {
			break
		}
	}
	return found, newest
}

// Newest is part of [graph.Checkpointer].
func (s *Store) Newest(ctx context.Context, thread, namespace string) (graph.Mark, error) {
	if err := ctx.Err(); err != nil {
		return graph.Mark{}, fmt.Errorf("newest: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.log(thread, namespace)
	if l.newest() == 0 {
		return graph.Mark{}, nil
	}
	return graph.Mark{ID: l.newest(), At: l.at}, nil
}

// List is part of [graph.Checkpointer].
func (s *Store) List(ctx context.Context, thread, namespace string, before int64, limit int) ([]graph.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	records, err := s.read(thread, namespace, s.page(thread, namespace, before, limit))
	if err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	return records, nil
}

// page returns at most limit records with ids below before, newest first.
func (s *Store) page(thread, namespace string, before int64, limit int) (found []stored) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.log(thread, namespace)
	id := l.newest()
	if before != 0 {
		id = min(id, before-1)
	}
	for ; l.record(id) != nil && (limit <= 0 || len(found) < limit); id-- {
		found = append(found, l.record(id).shared())
	}
	return found
}

// Copy is part of [graph.Checkpointer].
func (s *Store) Copy(ctx context.Context, from, to string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	source := s.threads[from]
	switch {
	case source == nil:
		return fmt.Errorf("copy thread %s: %w", from, fault.ErrNotFound)
	case s.threads[to] != nil:
		return fmt.Errorf("copy thread %s to %s, which is not empty: %w", from, to, fault.ErrConflict)
	}
	// Rows can be shared; which rows there are is each thread's own.
	clone := &thread{own: *source.own.clone()}
	for namespace, l := range source.sub {
		if clone.sub == nil {
			clone.sub = map[string]*log{}
		}
		clone.sub[namespace] = l.clone()
	}
	s.threads[to] = clone
	return nil
}

func (l *log) clone() *log {
	c := &log{first: l.first, at: l.at}
	for _, r := range l.records {
		c.records = append(c.records, r.shared())
	}
	return c
}

// Keep is part of [graph.Checkpointer].
func (s *Store) Keep(ctx context.Context, thread string, r graph.Record, namespaces []string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("keep: %w", err)
	}
	data, err := s.codec.EncodeRecord(thread, r)
	if err != nil {
		return fmt.Errorf("keep: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.log(thread, r.Namespace)
	switch {
	case r.ID < 1 || l.newest() != r.ID:
		return fmt.Errorf("keep record %d of thread %s, which is at %d: %w", r.ID, thread, l.newest(), fault.ErrConflict)
	case !r.Snapshot || r.Parent != 0 || r.Base != r.ID:
		return fmt.Errorf("keep record %d of thread %s, which is no snapshot without a parent: %w", r.ID, thread, fault.ErrInvalid)
	}
	pending := l.record(r.ID).pending
	*l = log{first: r.ID, at: r.At}
	l.add(stored{id: r.ID, base: r.ID, pending: pending}, data)
	t := s.threads[thread]
	kept := func(namespace string) bool {
		return namespace == r.Namespace || slices.ContainsFunc(namespaces, func(prefix string) bool { return strings.HasPrefix(namespace, prefix) })
	}
	maps.DeleteFunc(t.sub, func(namespace string, _ *log) bool { return !kept(namespace) })
	if !kept("") {
		t.own = log{}
	}
	return nil
}

// Delete is part of [graph.Checkpointer].
func (s *Store) Delete(ctx context.Context, thread string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.threads, thread)
	return nil
}

// Threads is part of [graph.Lister].
func (s *Store) Threads(ctx context.Context, after string, limit int) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name := range s.threads {
		if name > after {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[:min(len(names), limit)], nil
}

// Prune is part of [graph.Checkpointer].
func (s *Store) Prune(ctx context.Context, since time.Time) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("prune: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for name, t := range s.threads {
		fresh := len(t.own.records) > 0 && !t.own.at.Before(since)
		for _, l := range t.sub {
			fresh = fresh || !l.at.Before(since)
		}
		if !fresh {
			delete(s.threads, name)
			n++
		}
	}
	return n, nil
}
