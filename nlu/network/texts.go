package network

import (
	"encoding/binary"
	"slices"
	"sync"
)

// texts remember what the pieces of a text are before any attention and wherever it stands, because
// most texts of a talk come again: titles, and what was said before, which was the utterance then.
// Once there are so many, those that did not come again since the last time are forgotten. They are safe for concurrent
// use.
type texts struct {
	mu            sync.Mutex
	known, before map[string][]float32
	count         int // of all numbers of what is known
	most          int // how many there may be, and as many in before
}

// How many numbers are remembered, twice: at most four megabytes of texts, some two hundred, and fifteen of candidates,
// some two hundred and fifty.
const (
	mostOfTexts      = 1280 * dimension
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
	if values, ok := t.known[key]; ok {
		return values, true
	}
	values, ok := t.before[key]
	if ok {
		t.remember(key, values)
	}
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
	if _, ok := t.known[key]; !ok {
		t.remember(key, slices.Clone(values))
	}
}

func (t *texts) remember(key string, values []float32) {
	if t.known == nil || t.count+len(values) > t.most {
		t.before, t.known, t.count = t.known, map[string][]float32{}, 0
	}
	t.known[key] = values
	t.count += len(values)
}
