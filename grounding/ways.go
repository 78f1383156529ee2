package grounding

import (
	"slices"
	"strings"
)

// A way says of a place that something goes from it or to it.
type way uint8

const (
	wayFrom way = 1 << iota
	wayTo
	wayGoal  // how one gets to it is what the sentence tells
	wayPlain // neither: only of evidence
)

// giveWays notes of the places of a clause whether something goes from or to them.
func (c *clause) giveWays() {
	for i := range c.features {
		if f := &c.features[i]; f.place() {
			f.way = wayOf(c.text[:min(len(c.text), max(0, f.start-c.start))], c.text[min(len(c.text), f.end-c.start):])
		}
	}
}

// place reports whether a feature is a place that one comes from or goes to: a name, a station.
func (f *feature) place() bool {
	if f.kind != meaning {
		return false
	}
	stops := [...]int{words().ids["station"], words().ids["airport"], words().ids["busstop"]}
	return slices.ContainsFunc(f.ids, func(s signed) bool { return s.id >= firstName || slices.Contains(stops[:], s.id) })
}

// goals are words before and after a place to which the sentence tells the way.
var (
	goalsBefore = []string{"to get to ", "to reach ", "to go to ", "to travel to ", "way to ", "getting to "}
	goalsAfter  = []string{"へ行くには", "に行くには", "まで行くには", "へのアクセス", "への行き方", "までの行き方", "への道", "に行きたい", "へ行きたい", "に着くには"}
)

func wayOf(before, after string) way {
	before = strings.TrimSuffix(before, "the ")
	for _, sort := range [...]string{"駅", "空港", "バス停"} {
		after = strings.TrimPrefix(after, sort)
	}
	switch ends := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.HasSuffix(before, w) })
	}; {
	case ends(goalsBefore...), slices.ContainsFunc(goalsAfter, func(w string) bool { return strings.HasPrefix(after, w) }):
		return wayGoal
	case ends("from "), strings.HasPrefix(after, "から"), strings.HasPrefix(after, "より"):
		return wayFrom
	case ends(" to ", "towards ", "toward ", "bound for "), strings.HasPrefix(after, "へ"), strings.HasPrefix(after, "まで"), strings.HasPrefix(after, "行き"), strings.HasPrefix(after, "方面"):
		return wayTo
	}
	return 0
}

// addWay notes where an item has a place in it.
func (it *item) addWay(f *feature) {
	if !f.place() {
		return
	}
	w := f.way
	if w == 0 {
		w = wayPlain
	}
	for _, id := range f.ids {
		it.ways[id.id] |= w
	}
}

// leadsThere reports whether an item lets something go the way that a sentence says: not to where it only comes from, and not the other
// way round. What a sentence tells the way to must be something that the item has a way to.
func (it *item) leadsThere(f *feature, id int) bool {
	has := it.ways[id]
	switch {
	case has == 0, f.way == 0:
		return true
	case f.way == wayGoal:
		return has&(wayTo|wayGoal) != 0
	case f.way == wayTo:
		return has != wayFrom
	}
	return has&(wayFrom|wayPlain) != 0
}
