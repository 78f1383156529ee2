package postgres

import (
	"context"
	"maps"
	"slices"
	"sync"

	"annai/internal/pgdb"
)

// news tells which threads changed: those who watch them here at once, and the other processes by notifications.
// Those are no part of the transactions that changed something, because PostgreSQL commits transactions with
// notifications one after the other. While one statement is on its way the next collects what is to be told. A word
// that is lost with its process, or with the connection, costs those who watch elsewhere some seconds.
type news struct {
	db *database

	mu     sync.Mutex
	words  map[string]bool
	more   chan struct{} // has room for one
	closed bool
	done   chan struct{} // closed when nothing is told any more
}

func newNews(db *database) *news {
	n := &news{db: db, words: map[string]bool{}, more: make(chan struct{}, 1), done: make(chan struct{})}
	go n.work()
	return n
}

// tell says that threads changed.
func (n *news) tell(threads []string) {
	if len(threads) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return
	}
	for _, thread := range threads {
		word := pgdb.Word(thread)
		n.db.watchers.Wake(word)
		n.words[word] = true
	}
	select {
	case n.more <- struct{}{}:
	default:
	}
}

// close tells what is left. It may be called again.
func (n *news) close() {
	n.mu.Lock()
	if !n.closed {
		n.closed = true
		close(n.more)
	}
	n.mu.Unlock()
	<-n.done
}

func (n *news) work() {
	defer close(n.done)
	for range n.more {
		n.mu.Lock()
		words := slices.Collect(maps.Keys(n.words))
		clear(n.words)
		n.mu.Unlock()
		// What is wrong with the server is told to whoever else uses it.
		_ = n.db.call(context.Background(), func(ctx context.Context) error {
			const query = `SELECT pg_notify($1, word) FROM unnest($2::text[]) word`
			_, err := n.db.pool.Exec(ctx, query, n.db.channel, words)
			return err
		})
	}
}
