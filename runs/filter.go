package runs

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Of is what of all assistants the filter finds: its page of them in its order, and how many there are. All may be changed.
func (f AssistantFilter) Of(all []Assistant) (page []Assistant, total int) {
	name := strings.ToLower(f.Name)
	found := slices.DeleteFunc(all, func(a Assistant) bool {
		return f.GraphID != "" && a.GraphID != f.GraphID || !strings.Contains(strings.ToLower(a.Name), name) || !Contains(a.Metadata, f.Metadata)
	})
	Order(found, f.Sort, assistantOrders, func(a Assistant) string { return a.ID })
	return Paged(found, f.Page), len(found)
}

var assistantOrders = map[string]func(a, b Assistant) int{
	"assistant_id": func(a, b Assistant) int { return cmp.Compare(a.ID, b.ID) },
	"graph_id":     func(a, b Assistant) int { return cmp.Compare(a.GraphID, b.GraphID) },
	"name":         func(a, b Assistant) int { return cmp.Compare(a.Name, b.Name) },
	"created_at":   func(a, b Assistant) int { return a.CreatedAt.Compare(b.CreatedAt) },
	"updated_at":   func(a, b Assistant) int { return a.UpdatedAt.Compare(b.UpdatedAt) },
}

// Of is what of all crons the filter finds: its page of them in its order, and how many there are. All may be changed.
func (f CronFilter) Of(all []Cron) (page []Cron, total int) {
	found := slices.DeleteFunc(all, func(c Cron) bool { return !f.fits(c) })
	Order(found, f.Sort, cronOrders, func(c Cron) string { return c.ID })
	return Paged(found, f.Page), len(found)
}

func (f CronFilter) fits(c Cron) bool {
	switch {
	case f.AssistantID != "" && c.AssistantID != f.AssistantID,
		f.ThreadID != "" && orZero(c.ThreadID) != f.ThreadID,
		f.Enabled != nil && c.Enabled != *f.Enabled,
		!Contains(c.Metadata, f.Metadata):
		return false
	case f.DueBefore.IsZero():
		return true
	default:
		return c.Enabled && c.NextRun != nil && !c.NextRun.After(f.DueBefore)
	}
}

var cronOrders = map[string]func(a, b Cron) int{
	"cron_id":       func(a, b Cron) int { return cmp.Compare(a.ID, b.ID) },
	"assistant_id":  func(a, b Cron) int { return cmp.Compare(a.AssistantID, b.AssistantID) },
	"thread_id":     func(a, b Cron) int { return cmp.Compare(orZero(a.ThreadID), orZero(b.ThreadID)) },
	"next_run_date": func(a, b Cron) int { return orZero(a.NextRun).Compare(orZero(b.NextRun)) },
	"end_time":      func(a, b Cron) int { return orZero(a.EndTime).Compare(orZero(b.EndTime)) },
	"created_at":    func(a, b Cron) int { return a.CreatedAt.Compare(b.CreatedAt) },
	"updated_at":    func(a, b Cron) int { return a.UpdatedAt.Compare(b.UpdatedAt) },
}

func orZero[T string | time.Time](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}

// Order sorts a list by one of the orders, or else by created_at, then by id.
func Order[T any](list []T, s Sort, orders map[string]func(a, b T) int, id func(T) string) {
	by := orders[s.By]
	if by == nil {
		by = orders["created_at"]
	}
	slices.SortFunc(list, func(a, b T) int {
		order := cmp.Or(by(a, b), cmp.Compare(id(a), id(b)))
		if !s.Ascending {
			order = -order
		}
		return order
	})
}

// Paged is the part of a list that is on a page.
func Paged[T any](list []T, p Page) []T {
	if p.Offset >= len(list) {
		return nil
	}
	list = list[max(p.Offset, 0):]
	if p.Limit >= 0 && p.Limit < len(list) {
		list = list[:p.Limit]
	}
	return list
}
