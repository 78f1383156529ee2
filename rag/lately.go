package rag

import (
	"slices"
	"sync"
)

// maxLately is how many searches are remembered: those of some turns under way, which ask the same more than once,
// for more or fewer hits.
const maxLately = 64

// lately remembers what was ranked lately, which is ranked the same among passages that never change. The zero value
// remembers nothing. It is safe for concurrent use.
type lately struct {
	mu       sync.Mutex
	rankings [maxLately]ranking
	oldest   int
}

// A ranking are the candidates for a question, best first, before any is left out. Nobody changes them.
type ranking struct {
	asked      asked
	candidates []scored
}

// get returns the ranking for a query, if it is remembered, whose question is that query.
func (l *lately) get(q Query) (ranking, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.rankings {
		if r.candidates != nil && r.asked.ranksAs(q) {
			r.asked.Query = q
			return r, true
		}
	}
	return ranking{}, false
}

func (l *lately) put(r ranking) {
	if len(r.asked.Text) > maxQuestion {
		return
	}
	r.asked.Categories = slices.Clone(r.asked.Categories)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rankings[l.oldest] = r
	l.oldest = (l.oldest + 1) % maxLately
}

// ranksAs reports whether two queries rank the same candidates the same, whatever number of hits they want.
func (q Query) ranksAs(o Query) bool {
	return q.Text == o.Text && q.Lang == o.Lang && q.On == o.On && q.pool() == o.pool() &&
		slices.Equal(q.Categories, o.Categories)
}

// pool is how many passages the words and the vectors each propose.
func (q Query) pool() int { return max(poolSize, q.Limit) }
