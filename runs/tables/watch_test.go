package tables

import (
	"testing"
	"testing/synctest"
	"time"
)

// isWaiting reports whether nothing has happened yet.
func isWaiting(changed <-chan struct{}) bool {
	select {
	case <-changed:
		return false
	default:
		return true
	}
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Watchers
		one, stopOne := w.Watch("t")
		two, stopTwo := w.Watch("t")
		other, stopOther := w.Watch("u")
		w.Wake("t")
		if isWaiting(one) || isWaiting(two) || !isWaiting(other) {
			t.Errorf("after Wake(t) those who watch t wait: %t, %t, who watches u: %t, want false, false, true", isWaiting(one), isWaiting(two), isWaiting(other))
		}
		stopOne()
		again, stopAgain := w.Watch("t")
		stopTwo() // of a topic that is over
		w.Wake("t")
		if isWaiting(again) {
			t.Error("who watches again is not woken")
		}
		stopAgain()
		time.Sleep(longest)
		synctest.Wait()
		if isWaiting(other) {
			t.Errorf("after %s nobody woke who watches u", longest)
		}
		stopOther()
		left, stopLeft := w.Watch("t")
		w.WakeAll()
		if isWaiting(left) {
			t.Error("WakeAll did not wake who watches t")
		}
		stopLeft()
		_, stop := w.Watch("t")
		stop()
		if len(w.threads) != 0 {
			t.Errorf("%d threads are watched by nobody, want none", len(w.threads))
		}
	})
}
