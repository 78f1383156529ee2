package corpus

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
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
	for i, text := range texts {
		hash := hashOf(text)
		var data []byte
		err := db.QueryRowContext(ctx, "SELECT vector FROM vectors WHERE fingerprint = ? AND hash = ?", fingerprint,
			hash[:]).Scan(&data)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, nil, trouble(err)
		}
		if vectors[i] = decode(data); !vectors[i].IsUnit() { // none, or a damaged one
			missing = append(missing, i)
		}
	}
	return vectors, missing, nil
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
	pending map[[sha256.Size]byte]rag.Vector // made, and not written yet
	made    int
}

func newKeeper(s *Store, e rag.Embedder) *keeper {
	return &keeper{
		store: s, embedder: e, asked: map[[sha256.Size]byte]bool{},
		pending: map[[sha256.Size]byte]rag.Vector{},
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
		return vectors, nil
	}
	return vectors, k.write(ctx)
}

// flush writes what was not written yet.
func (k *keeper) flush(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.write(ctx)
}

// write is called with the lock held.
func (k *keeper) write(ctx context.Context) error {
	err := k.store.file.Transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for hash, vector := range k.pending {
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", k.Fingerprint(),
				hash[:], encode(vector)); err != nil {
				return trouble(err)
			}
		}
		return nil
	})
	if err == nil {
		clear(k.pending)
	}
	return err
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
