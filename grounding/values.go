package grounding

import "annai/internal/civil"

// textHas reports whether the text of an item has a value, bound to the words that the clause binds it to: no other value of the
// same sort fits those words better.
func (it *item) textHas(cl *clause, f *feature) bool {
	if f.kind == clock && f.days.period {
		return it.during(f)
	}
	var label []*feature
	labelled := false
	found, best, bestExtra, rival, rivalExtra := false, 0, 0, -1, 0
	for i := range it.values {
		v := &it.values[i]
		if v.kind != f.kind || f.kind == number && !sameUnit(f.text, v.text) {
			continue
		}
		if !labelled {
			label, labelled = cl.label(f), true
		}
		shared, extra := overlap(label, v.label)
		equal := equalValue(f, v.feature) && (f.negative == v.negative || f.topic || v.topic) && (f.kind != weekday || !otherHours(label, v.label))
		switch {
		case equal && (!found || shared > best || shared == best && extra < bestExtra):
			found, best, bestExtra = true, shared, extra
		case !equal && rivals(f, v.feature) && (shared > rival || shared == rival && extra < rivalExtra):
			rival, rivalExtra = shared, extra
		}
	}
	if !found {
		return false
	}
	return rival <= best && (rival < best || rival == 0 || rivalExtra > 0 || bestExtra == 0)
}

// during reports whether a part of the day is one of the hours of a text, if it has any: "in the evening" stands beside times that
// are compared themselves.
func (it *item) during(f *feature) bool {
	hours := false
	for i := range it.values {
		if v := &it.values[i]; v.kind == clock && v.ends == whole && !v.days.period {
			hours = true
			if v.a < f.b && v.b > f.a {
				return true
			}
		}
	}
	return !hours
}

// sameUnit reports whether numbers of two units can be the same: one without a unit may be of people or of any things.
func sameUnit(a, b string) bool {
	vague := func(u string) bool { return u == "" || u == perPerson || u == perCount || u == perAge || u == perEach }
	return a == b || vague(a) && vague(b) && (a == "" || b == "")
}

// otherHours reports whether both labels have clock times and none in common: a weekday with the hours of another.
func otherHours(a, b []*feature) bool {
	said, known := false, false
	for _, f := range a {
		if f.kind != clock || f.days.period {
			continue
		}
		said = true
		for _, g := range b {
			if g.kind == clock && !g.days.period {
				known = true
				if equalClock(f, g) {
					return false
				}
			}
		}
	}
	return said && known
}

// rivals reports whether two values may stand in each other's place.
func rivals(f, v *feature) bool {
	switch f.kind {
	case weekday, day:
		return false
	case clock:
		return !v.days.period
	case meaning, word, role, money, number, literal, suspect:
	}
	if f.ends == start && v.ends != start { // the least is no place of another number
		return false
	}
	return f.text == v.text
}

// overlap is how many features of a label another has, and how many of that other's are not in it.
func overlap(label, of []*feature) (shared, extra int) {
	for _, o := range of {
		in := false
		for _, f := range label {
			if f.same(o) || f.nearTo(o) {
				in = true
				break
			}
		}
		if in {
			shared++
		} else if o.kind == meaning || o.kind == word {
			extra++
		}
	}
	return shared, extra
}

// equalValue reports whether a value of a sentence is one of the evidence.
func equalValue(f, v *feature) bool {
	switch f.kind {
	case day:
		return sameDays(f, v)
	case weekday:
		return f.a == v.a || f.a == weekend && v.a%6 == 0 || v.a == weekend && f.a%6 == 0
	case clock:
		return equalClock(f, v)
	case money:
		return f.a == v.a && f.text == v.text && f.limitedAs(v)
	case number:
		return f.a == v.a && f.limitedAs(v)
	case meaning, word, role, literal, suspect:
	}
	return false
}

func sameDays(f, v *feature) bool {
	a, b := f.days, v.days
	if a.first == b.first && a.last == b.last && (f.ends == v.ends || f.ends == at || v.ends == at) {
		return true
	}
	if f.ends == start && v.ends == whole && a.first == b.first || f.ends == end && v.ends == whole && a.last == b.last {
		return true
	}
	return (a.anyYear || b.anyYear) && sameDay(a.first, b.first) && sameDay(a.last, b.last) && a.last.Sub(a.first) == b.last.Sub(b.first)
}

func sameDay(a, b civil.Date) bool { return a.Month == b.Month && a.Day == b.Day }

// equalClock compares clock times: a range with a range, a start or an end also with that end of a range.
func equalClock(f, v *feature) bool {
	if f.days.period || v.days.period {
		return f.days.period // in the evening, beside times that are compared
	}
	switch {
	case f.ends == whole && v.ends == whole:
		return sameTime(f, f.a, v.a) && sameTime(f, f.b, v.b)
	case f.ends == whole:
		return false
	case v.ends == whole && f.ends == end:
		return sameTime(f, f.a, v.b)
	case v.ends == whole:
		return sameTime(f, f.a, v.a)
	case f.ends == end && v.ends == start, f.ends == start && v.ends == end:
		return false
	}
	return sameTime(f, f.a, v.a)
}
