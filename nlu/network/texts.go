package network

import (
	"encoding/binary"
	"sync"
)

// texts remember what the pieces of a text are before any attention and wherever it stands, because
// most texts of a talk come again: titles, and what was said before, which was the utterance then.
// The zero value remembers none yet. They are safe for concurrent use.
type texts struct {
	mu     sync.Mutex
	known  map[string][]float32
	values int // of all
}

// mostValues is how many numbers are remembered, six megabytes: those of a few hundred texts. Then
// all are forgotten.
const mostValues = 4096 * dimension

func keyOf(ids []int32) string {
	key := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	return string(key)
}

// get copies what is known of a text.
func (t *texts) get(key string, to []float32) bool {
	t.mu.Lock()
	values, ok := t.known[key]
	t.mu.Unlock()
	copy(to, values)
	return ok
}

// put remembers a copy.
func (t *texts) put(key string, values []float32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.known[key]; ok {
		return
	}
	if t.known == nil || t.values+len(values) > mostValues {
		t.known, t.values = map[string][]float32{}, 0
	}
	t.known[key] = append([]float32(nil), values...)
	t.values += len(values)
}
