package nodes

import (
	"slices"
	"strings"
	"sync"

	"annai/nodes/display"
	"annai/tools/calendar"
)

// shownEvents keeps the events that were read of some windows as they may be shown, so that those of a large
// calendar are not made so for each question. What a calendar lends is the same while it is the same memory.
type shownEvents struct {
	mu   sync.Mutex
	kept map[lentEvents]*entries
}

// maxShownWindows is how many windows are kept.
const maxShownWindows = 8

// lentEvents are events by their memory, which is not used for others while they are a key.
type lentEvents struct {
	first *calendar.Event
	n     int
}

// entries are events that may be shown. They don't change any more.
type entries struct {
	all []display.Entry
	// titled are the numbers of those with a title.
	titled map[string][]int
	// names are those in their titles, in lower case.
	names []string
}

// of are the events of a listing that visitors may see.
func (s *shownEvents) of(listing calendar.Listing) *entries {
	events := listing.Events
	if len(events) == 0 || !listing.Lent {
		return entriesOf(events)
	}
	k := lentEvents{&events[0], len(events)}
	s.mu.Lock()
	kept := s.kept[k]
	s.mu.Unlock()
	if kept != nil {
		return kept
	}
	kept = entriesOf(events)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil || len(s.kept) >= maxShownWindows {
		s.kept = map[lentEvents]*entries{}
	}
	s.kept[k] = kept
	return kept
}

func entriesOf(events []calendar.Event) *entries {
	out := &entries{titled: map[string][]int{}}
	for i := range events {
		e := &events[i]
		if e.Visibility == calendar.Private || e.Visibility == calendar.Busy {
			continue
		}
		entry := display.EntryOf(*e)
		out.titled[entry.Title] = append(out.titled[entry.Title], len(out.all))
		out.all = append(out.all, entry)
	}
	out.names = namesOfTitles(out.all)
	return out
}

// entries are the events that a wish is about: those with the titles that are asked about, if there are
// any, and those whose titles have that in them, because only they are told then; and, where they are all,
// the names in their titles.
func (w eventWish) entries(shown *entries) (found []display.Entry, names []string) {
	titles := w.Each
	if w.Subject != "" {
		titles = []string{w.Subject}
	}
	var about []int
	for i, title := range titles {
		if !slices.Contains(titles[:i], title) {
			about = append(about, shown.titled[title]...)
		}
	}
	if len(about) == 0 {
		return shown.all, shown.names
	}
	about = append(about, shown.alike(w.Subject)...) // what is called much the same may be on instead
	slices.Sort(about)
	found = make([]display.Entry, len(about))
	for i, n := range about {
		found[i] = shown.all[n]
	}
	return found, nil
}

// alike are the events whose titles are others, and have a name of that title in them.
func (e *entries) alike(title string) (out []int) {
	names := namesOfTitles([]display.Entry{{Title: title}})
	has := func(other string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(other, name) })
	}
	for other, same := range e.titled {
		if len(names) > 0 && other != title && has(strings.ToLower(other)) {
			out = append(out, same...)
		}
	}
	return out
}
