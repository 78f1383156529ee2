package corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"annai/rag"
)

// batch is how many vectors are made between two commits.
const batch = 64

// A Reuse is a [rag.Embedder] that looks into a store before it has another one embed. It writes
// nothing: what visitors ask is not kept.
type Reuse struct {
	store    *Store
	embedder rag.Embedder
	passing  atomic.Bool
}

// NewReuse returns an embedder with the vectors that the store has of e's fingerprint.
func NewReuse(store *Store, e rag.Embedder) *Reuse { return &Reuse{store: store, embedder: e} }

// Fingerprint implements [rag.Embedder].
func (r *Reuse) Fingerprint() string { return r.embedder.Fingerprint() }

// Pass has the store left alone from now on: questions are not in it, and looking costs time.
func (r *Reuse) Pass() { r.passing.Store(true) }

// Embed implements [rag.Embedder].
func (r *Reuse) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	if r.passing.Load() {
		return r.embedder.Embed(ctx, texts)
	}
	vectors, missing, err := known(ctx, r.store.read, r.embedder.Fingerprint(), texts)
	if err != nil {
		return nil, err
	}
	return fill(ctx, r.embedder, texts, vectors, missing)
}

// known returns the vectors that are in the store, and the numbers of the texts whose are not.
func known(ctx context.Context, db querier, fingerprint string, texts []string) (vectors []rag.Vector, missing []int,
	err error,
) {
	vectors = make([]rag.Vector, len(texts))
	for from := 0; from < len(texts); from += batch {
		to := min(from+batch, len(texts))
		if err := look(ctx, db, fingerprint, texts[from:to], vectors[from:to]); err != nil {
			return nil, nil, err
		}
	}
	for i, v := range vectors {
		if !v.IsUnit() { // none, or a damaged one
			missing = append(missing, i)
		}
	}
	return vectors, missing, nil
}

// look puts the vectors of texts that are in the store where they belong.
func look(ctx context.Context, db querier, fingerprint string, texts []string, into []rag.Vector) error {
	at, args := map[[sha256.Size]byte][]int{}, []any{fingerprint}
	for i, text := range texts {
		hash := hashOf(text)
		if at[hash] = append(at[hash], i); len(at[hash]) == 1 {
			args = append(args, hash[:])
		}
	}
	if len(args) == 1 {
		return nil
	}
	numbers := make([]string, len(args)-1)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("$%d", i+2)
	}
	rows, err := db.QueryContext(ctx, "SELECT hash, vector FROM annai_vectors WHERE fingerprint = $1 AND hash IN ("+
		strings.Join(numbers, ", ")+")", args...)
	if err != nil {
		return trouble(err)
	}
	defer rows.Close()
	for rows.Next() {
		var hash, data []byte
		if err := rows.Scan(&hash, &data); err != nil {
			return trouble(err)
		}
		if len(hash) != sha256.Size {
			continue
		}
		for _, i := range at[[sha256.Size]byte(hash)] {
			into[i] = decode(data)
		}
	}
	return trouble(rows.Err())
}

// fill embeds what is missing.
func fill(ctx context.Context, e rag.Embedder, texts []string, vectors []rag.Vector, missing []int) ([]rag.Vector,
	error,
) {
	if len(missing) == 0 {
		return vectors, ctx.Err()
	}
	ask := make([]string, len(missing))
	for i, m := range missing {
		ask[i] = texts[m]
	}
	made, err := e.Embed(ctx, ask)
	if err != nil {
		return nil, err
	}
	if len(made) != len(ask) {
		return nil, fmt.Errorf("the embedder returned %d vectors for %d texts", len(made), len(ask))
	}
	for i, m := range missing {
		vectors[m] = made[i]
	}
	return vectors, nil
}

// A keeper is the embedder of an ingest: it writes the vectors that it has made, and notes the
// texts that it was asked for. It is safe for concurrent use.
type keeper struct {
	store    *Store
	embedder rag.Embedder

	mu      sync.Mutex
	asked   map[[sha256.Size]byte]bool
	pending made // and not written yet
	made    int
}

// made are new vectors, by the hash of their text.
type made map[[sha256.Size]byte]rag.Vector

// Keeping calls do with an embedder that looks into the store before it has e embed, and writes what e
// made. Of texts that are in no document the next ingest that changes something forgets the vectors.
func (s *Store) Keeping(ctx context.Context, e rag.Embedder, do func(e rag.Embedder) error) error {
	k := newKeeper(s, e)
	if err := do(k); err != nil {
		return err
	}
	return k.flush(ctx)
}

func newKeeper(s *Store, e rag.Embedder) *keeper {
	return &keeper{
		store: s, embedder: e, asked: map[[sha256.Size]byte]bool{},
		pending: made{},
	}
}

// Fingerprint implements [rag.Embedder].
func (k *keeper) Fingerprint() string { return k.embedder.Fingerprint() }

// Embed implements [rag.Embedder].
func (k *keeper) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	vectors, missing, err := known(ctx, k.store.read, k.Fingerprint(), texts)
	if err != nil {
		return nil, err
	}
	if vectors, err = fill(ctx, k.embedder, texts, vectors, missing); err != nil {
		return nil, err
	}
	return vectors, k.write(ctx, k.note(texts, vectors, missing))
}

// note keeps in mind what was asked and made, and returns what is to be written now: nothing until it is worth it.
func (k *keeper) note(texts []string, vectors []rag.Vector, missing []int) made {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, text := range texts {
		k.asked[hashOf(text)] = true
	}
	for _, m := range missing {
		hash := hashOf(texts[m])
		if _, found := k.pending[hash]; !found {
			k.made++
			k.pending[hash] = vectors[m]
		}
	}
	if len(k.pending) < batch {
		return nil
	}
	return k.take()
}

// take returns what was not written yet. It is called with the lock held.
func (k *keeper) take() made {
	all := k.pending
	k.pending = made{}
	return all
}

// flush writes what was not written yet.
func (k *keeper) flush(ctx context.Context) error {
	k.mu.Lock()
	all := k.take()
	k.mu.Unlock()
	return k.write(ctx, all)
}

// write writes vectors, while others are made.
func (k *keeper) write(ctx context.Context, all made) error {
	if len(all) == 0 {
		return nil
	}
	return k.store.place.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		add, err := tx.PrepareContext(ctx, `INSERT INTO annai_vectors VALUES ($1, $2, $3)
			ON CONFLICT (fingerprint, hash) DO UPDATE SET vector = excluded.vector`)
		if err != nil {
			return trouble(err)
		}
		defer func() { _ = add.Close() }() // the transaction's end says what went wrong
		byHash := func(a, b [sha256.Size]byte) int { return bytes.Compare(a[:], b[:]) }
		for _, hash := range slices.SortedFunc(maps.Keys(all), byHash) { // two that write at once keep the same order
			if _, err := add.ExecContext(ctx, k.Fingerprint(), hash[:], encode(all[hash])); err != nil {
				return trouble(err)
			}
		}
		return nil
	})
}

func hashOf(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

func encode(v rag.Vector) []byte {
	data := make([]byte, 0, 4*len(v))
	for _, x := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return data
}

func decode(data []byte) rag.Vector {
	v := make(rag.Vector, len(data)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return v
}
