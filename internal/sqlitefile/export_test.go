package sqlitefile

import "time"

// Busy is how many changes wait or are being written.
func (w *Writer) Busy() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue) + w.held
}

// Patience sets how long the writer waits for other processes.
func (w *Writer) Patience(d time.Duration) { w.patience = d }
