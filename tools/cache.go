package tools

import (
	"container/list"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// A cache holds so many answers, and forgets the one that was used longest ago for a new one.
type cache struct {
	size int

	mu    sync.Mutex
	byKey map[string]*list.Element // of *cached
	order *list.List               // the last used first
}

type cached struct {
	key    string
	answer json.RawMessage
	until  time.Time
}

func newCache(size int) *cache {
	return &cache{size: size, byKey: map[string]*list.Element{}, order: list.New()}
}

func (c *cache) get(key string, now time.Time) (json.RawMessage, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[key]
	if !ok {
		return nil, false
	}
	kept := at.Value.(*cached)
	if !now.Before(kept.until) {
		c.drop(at)
		return nil, false
	}
	c.order.MoveToFront(at)
	return slices.Clone(kept.answer), true
}

func (c *cache) put(key string, answer json.RawMessage, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byKey[key]; ok {
		c.drop(at)
	}
	for c.order.Len() >= c.size {
		c.drop(c.order.Back())
	}
	c.byKey[key] = c.order.PushFront(&cached{key: key, answer: slices.Clone(answer), until: until})
}

// drop forgets an answer. The caller holds the lock.
func (c *cache) drop(at *list.Element) {
	c.order.Remove(at)
	delete(c.byKey, at.Value.(*cached).key)
}
