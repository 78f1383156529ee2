package rag

import (
	"slices"
	"sync"
)

// maxLately is how many searches are remembered: those of the turns under way, which ask the same more
// than once.
const maxLately = 16

// lately remembers what was found lately, which is found again in passages that never change. The zero
// value remembers nothing. It is safe for concurrent use.
type lately struct {
	mu    sync.Mutex
	found []finding // the newest first
}

type finding struct {
	query Query
	hits  []Hit
}

// get returns hits for the caller to change.
func (l *lately) get(q Query) (hits []Hit, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.found, func(f finding) bool { return f.query.same(q) })
	if i < 0 {
		return nil, false
	}
	return slices.Clone(l.found[i].hits), true
}

func (l *lately) put(q Query, hits []Hit) {
	if len(q.Text) > maxQuestion {
		return
	}
	q.Categories = slices.Clone(q.Categories)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.found) == maxLately {
		l.found = l.found[:maxLately-1]
	}
	l.found = slices.Insert(l.found, 0, finding{q, slices.Clone(hits)})
}

func (q Query) same(o Query) bool {
	return q.Text == o.Text && q.Lang == o.Lang && q.On == o.On && q.Limit == o.Limit && q.Near == o.Near &&
		slices.Equal(q.Categories, o.Categories)
}
