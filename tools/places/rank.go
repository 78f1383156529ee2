package places

import (
	"cmp"
	"slices"

	"annai/internal/geo"
	"annai/tools/places/gazetteer"
)

const (
	// samePlace is how far two entries of one name may be from each other that are one place, in metres.
	samePlace = 15_000
	// around is how far from the venue a place is that visitors mean rather than one far away, in metres.
	around = 50_000
	// larger is how many times as many people live in the place that a name means everywhere.
	larger = 8
	// unknownPeople stands for a number of people that the list does not have.
	unknownPeople = 50_000
	// maxCandidates is how many places are named where none is chosen.
	maxCandidates = 12
)

// choose returns the place that is meant of those that have a name: the only one; else the only one around
// the venue; else one that is far larger than the others; else the only one in the country of the venue. Where
// none of these says which, all are candidates. ok is false where there are none at all.
func (s *search) choose(rows []gazetteer.Place) (found Found, ok bool) {
	slices.SortStableFunc(rows, func(a, b gazetteer.Place) int { return cmp.Compare(people(b), people(a)) })
	rows = distinct(rows)
	if len(rows) == 0 {
		return Found{}, false
	}
	near := keep(rows, func(p gazetteer.Place) bool {
		return s.e.venue.At.Known && geo.Distance(s.e.venue.At.Point, p.Location) <= around
	})
	country := s.e.country()
	home := keep(rows, func(p gazetteer.Place) bool { return p.Country == country })
	switch {
	case len(rows) == 1:
		return s.found(rows[0]), true
	case len(near) == 1:
		return s.found(near[0]), true
	case people(rows[0]) >= larger*people(rows[1]):
		return s.found(rows[0]), true
	case len(home) == 1:
		return s.found(home[0]), true
	}
	var candidates []Place
	for _, p := range rows[:min(len(rows), maxCandidates)] {
		candidates = append(candidates, s.place(p))
	}
	return Found{Candidates: candidates}, true
}

func (s *search) found(p gazetteer.Place) Found {
	place := s.place(p)
	return Found{Place: &place}
}

func people(p gazetteer.Place) int {
	if p.Population == 0 {
		return unknownPeople
	}
	return p.Population
}

// distinct leaves out what is the same place as one before it.
func distinct(rows []gazetteer.Place) []gazetteer.Place {
	var kept []gazetteer.Place
	for _, p := range rows {
		same := func(k gazetteer.Place) bool {
			return k.Country == p.Country && geo.Distance(k.Location, p.Location) <= samePlace
		}
		if !slices.ContainsFunc(kept, same) {
			kept = append(kept, p)
		}
	}
	return kept
}

func keep(rows []gazetteer.Place, fits func(gazetteer.Place) bool) []gazetteer.Place {
	return slices.DeleteFunc(slices.Clone(rows), func(p gazetteer.Place) bool { return !fits(p) })
}
