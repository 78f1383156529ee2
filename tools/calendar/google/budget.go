package google

import "sync"

const (
	// retriesPerRequest is how many retries a request pays for, and retryBurst how many may be saved up.
	retriesPerRequest = 0.1
	retryBurst        = 10
)

// A budget keeps retries to a small part of all requests, so that a Google that is down is not asked several times as much as one that is
// well.
type budget struct {
	mu    sync.Mutex
	saved float64
}

func newBudget() *budget { return &budget{saved: retryBurst} }

// earn counts a request that is no retry.
func (b *budget) earn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.saved = min(retryBurst, b.saved+retriesPerRequest)
}

// spend takes a retry; false says that there is none left.
func (b *budget) spend() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.saved < 1 {
		return false
	}
	b.saved--
	return true
}
