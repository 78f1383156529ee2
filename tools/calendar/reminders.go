package calendar

import (
	"fmt"
	"slices"
	"time"
)

// Reminders say how long before its start an event is reminded of, in whole minutes; none: never.
// Nobody changes Reminders that an event has: several may share them.
type Reminders struct{ Before []time.Duration }

// The bounds of [Reminders], which are those of Google.
const (
	MaxReminders   = 5
	MaxRemindAhead = 28 * 24 * time.Hour
)

// RemindBefore returns reminders so long before the start, the last to come first.
func RemindBefore(before ...time.Duration) *Reminders {
	sorted := slices.Clone(before)
	slices.Sort(sorted)
	return &Reminders{Before: slices.Compact(sorted)}
}

// Same reports whether both are nil, or the same times in any order.
func (r *Reminders) Same(o *Reminders) bool {
	if r == nil || o == nil {
		return r == o
	}
	return slices.Equal(RemindBefore(r.Before...).Before, RemindBefore(o.Before...).Before)
}

// check returns what is wrong with them, or "". Nil is fine.
func (r *Reminders) check() string {
	if r == nil {
		return ""
	}
	if len(r.Before) > MaxReminders {
		return fmt.Sprintf("has more than %d reminders", MaxReminders)
	}
	for _, d := range r.Before {
		if d < 0 || d > MaxRemindAhead || d%time.Minute != 0 {
			return fmt.Sprintf("has a reminder %s ahead", d)
		}
	}
	return ""
}
