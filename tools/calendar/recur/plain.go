package recur

import (
	"iter"
	"slices"
	"time"

	"github.com/teambition/rrule-go"
)

const (
	daySeconds  = 24 * 60 * 60
	weekSeconds = 7 * daySeconds
)

// A plain rule is what nearly all series have: certain times every few days or weeks. It is worked out here, because it is simple and the
// library takes a hundred times as long.
type plain struct {
	// origin is the midnight with which the first period begins, every how many seconds the next does.
	origin, every int64
	// offsets are when in a period, in order.
	offsets []int64
}

// simplify returns the rule as a plain one, or nil if it is none. The filter stays what it is.
func (r *rule) simplify() *plain {
	o := r.opt
	if o.Freq != rrule.DAILY && o.Freq != rrule.WEEKLY || len(o.Bysetpos) > 0 {
		return nil
	}
	days, origin, every := []int64{0}, midnight(r.start).Unix(), int64(daySeconds)
	if o.Freq == rrule.WEEKLY {
		first := o.Wkst.Day()
		origin -= daySeconds * int64((weekday(r.start)-first+7)%7)
		every = weekSeconds
		days = nil
		for _, w := range o.Byweekday {
			days = append(days, int64((w.Day()-first+7)%7))
		}
		slices.Sort(days)
		days = slices.Compact(days)
	}
	p := &plain{origin: origin, every: every * int64(max(1, o.Interval))}
	for _, d := range days {
		for _, h := range o.Byhour {
			for _, m := range o.Byminute {
				for _, s := range o.Bysecond {
					p.offsets = append(p.offsets, d*daySeconds+int64(h)*3600+int64(m)*60+int64(s))
				}
			}
		}
	}
	return p
}

// weekday counts from Monday, which is 0.
func weekday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

// walk yields occurrences from from up to to, of which those before the start are none.
func (p *plain) walk(from, to int64, steps *Budget) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		begin := p.origin
		if from > begin {
			begin += (from - begin) / p.every * p.every
		}
		for ; begin <= to; begin += p.every {
			for _, offset := range p.offsets {
				at := begin + offset
				if at > to {
					return
				}
				if !steps.spend() {
					return
				}
				if at >= from && !yield(at) {
					return
				}
			}
		}
	}
}
