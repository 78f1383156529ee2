package network

import (
	"encoding/binary"
	"sync"
)

// texts remember what the pieces of a text are before any attention and wherever it stands, because
// most texts of a talk come again: titles, and what was said before, which was the utterance then.
// They are safe for concurrent use.
type texts struct {
	mu    sync.Mutex
	known map[string][]float32
	count int // of all numbers
	most  int // how many there may be; then all are forgotten
}

// How many numbers are remembered: six megabytes of texts, a few hundred, and twenty-four of candidates, some four
// hundred.
const (
	mostOfTexts      = 4096 * dimension
	mostOfCandidates = 4 * mostOfTexts
)

func keyOf(ids []int32) string {
	key := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	return string(key)
}

// values are what is known of a text. Nobody changes them.
func (t *texts) values(key string) ([]float32, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	values, ok := t.known[key]
	return values, ok
}

// get copies what is known of a text.
func (t *texts) get(key string, to []float32) bool {
	values, ok := t.values(key)
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
	if t.known == nil || t.count+len(values) > t.most {
		t.known, t.count = map[string][]float32{}, 0
	}
	t.known[key] = append([]float32(nil), values...)
	t.count += len(values)
}
