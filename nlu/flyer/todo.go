package flyer

import (
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
)

// kinds are what a cue has done by its date.
var kinds = map[cue]Kind{cueDeadline: Apply, cuePay: Pay, cueSubmit: Submit}

// todos are what is to be done by a day: by the last of a span, and what is to be brought by that of
// the event.
func (p page) todos(day civil.Date) []Todo {
	var out []Todo
	add := func(t Todo) {
		for _, other := range out {
			if other.Kind == t.Kind {
				return
			}
		}
		if len(out) < maxTodos {
			out = append(out, t)
		}
	}
	for _, m := range p.moments() {
		kind, is := kinds[m.cue]
		if !is || m.NoDay {
			continue
		}
		at := m.TimeRange.Start
		if m.TimeRange.End.After(at) {
			at = m.TimeRange.End.Add(-time.Nanosecond)
		}
		if at.IsZero() {
			continue
		}
		due := civil.DateOf(at.In(p.now.Location()))
		if day.IsZero() || !due.After(day) {
			add(Todo{Kind: kind, Due: due, Source: m.source()})
		}
	}
	for _, l := range p.lines {
		switch what, said := bring.begins(l.text); {
		case l.role == roleBring && l.value != "":
			add(Todo{Kind: Bring, What: thing(l.value), Due: day, Source: Source{l.no, ByLabel}})
		case l.role == "" && said && what != "":
			add(Todo{Kind: Bring, What: thing(what), Due: day, Source: Source{l.no, ByWords}})
		}
	}
	return out
}

// thing is what is to be brought, as it stands in a title.
func thing(s string) string { return strings.TrimRight(text.OneLine(s, maxBrings), ".。") }
