package grounding

import "slices"

// pair finds two passages that support a clause together and have a word of it in common. All its values are in one of them: parts
// of two prices are no price.
func (t *trial) pair(cl *clause) bool {
	parts := t.parts(cl)
	for i := range parts {
		for j := range i {
			if together(cl, &parts[i], &parts[j]) {
				t.used[parts[i].item], t.used[parts[j].item] = true, true
				return true
			}
		}
	}
	return false
}

// A part is what a passage supports of a clause: each feature, all values, and whether it has the venue.
type part struct {
	item          int
	has           []bool
	values, venue bool
}

// parts are the passages that deny nothing of a clause and support some of it; none if a feature is supported by none.
func (t *trial) parts(cl *clause) []part {
	var out []part
	seen := make([]bool, len(cl.features))
	for i := range t.c.items {
		it := &t.c.items[i]
		if it.Kind == Event || it.contradicts(cl) != nil || !modals(cl, it) || it.needsNothing(cl) {
			continue
		}
		p := part{item: i, has: make([]bool, len(cl.features)), values: true, venue: it.meanings[theVenue] != 0}
		some := false
		for k := range cl.features {
			f := &cl.features[k]
			p.has[k] = t.c.supports(cl, f, it) && !it.byNearness(f)
			p.values = p.values && (p.has[k] || !f.value())
			seen[k], some = seen[k] || p.has[k], some || p.has[k]
		}
		if some {
			out = append(out, p)
		}
	}
	if slices.Contains(seen, false) {
		return nil
	}
	return out
}

// needsNothing reports whether a clause says that something is needed and an item only that something is not.
func (it *item) needsNothing(cl *clause) bool {
	need := words().ids["need"]
	return it.needless && it.meanings[need]&affirmed == 0 && slices.ContainsFunc(cl.features, func(f feature) bool {
		return f.kind == meaning && slices.Contains(f.ids, signed{need, 1}) && !f.negative
	})
}

// together reports whether two passages support all of a clause, one of them all its values, and have a word of it in common.
func together(cl *clause, a, b *part) bool {
	if !a.values && !b.values {
		return false
	}
	common := false
	for k := range cl.features {
		f := &cl.features[k]
		if !a.has[k] && !b.has[k] {
			return false
		}
		venue := f.kind == meaning && f.ids[0].id == theVenue
		common = common || venue && a.venue && b.venue || !venue && a.has[k] && b.has[k] && (f.kind == meaning || f.kind == word && !f.soft)
	}
	return common
}
