package grounding

import "annai/internal/civil"

// kind says what a feature is.
type kind uint8

const (
	meaning kind = iota // a word of the list, in either language
	word                // any other word, as it stands
	role                // a word that says which end of a range a time is
	day
	weekday
	clock
	money
	number
	literal // an address of the web, a phone number, an account
	suspect // what no sentence may hold
)

// ends says which part of a range a time is.
type ends uint8

const (
	at ends = iota
	start
	end
	whole // both
)

// A feature is one thing a clause says. Of a meaning, a is its number and sign its own sign; of values see the readers.
type feature struct {
	kind kind
	// text is the word, or the literal in the form in which it is compared, or the unit of a number.
	text string
	// alt are the further meanings of an ambiguous word.
	ids  []signed
	a, b int
	// ends says which end a time is, and of a number whether it is the least (start) or the most (end) that is meant.
	ends ends
	days days
	// lead says of a length that it is how long before something.
	lead bool
	// joined says that a clock time and a day were said as one, so that both are the start or both the end.
	joined bool
	// loose says that 12 hours more or less are meant as well: no half of the day was said.
	loose bool
	// count says that a number counts events.
	count bool
	// negative says that the clause denies it.
	negative bool
	// soft says that a word need not be in the evidence: it may be politeness, or the name of an event.
	soft bool
	// excepted says that it is what is excepted from what is said: 〜を除く, "except".
	excepted bool
	// topic says that it is only what is spoken of, of which something else is denied: テラスに電源はありません.
	topic bool
	// near are, of a word of a sentence, for each of its parts the numbers of the words of the evidence that are near to it; words, of
	// one of the evidence, the numbers of its parts.
	near [][]int32
	// sure are those of near that translate it as it is mostly meant.
	sure  [][]int32
	words []int32
	// way says of a place whether something goes from it or to it.
	way        way
	start, end int
}

// weekend is the weekday that is Saturday or Sunday.
const weekend = 7

// signed is a meaning with its own sign: closed is open with a minus.
type signed struct {
	id   int
	sign int
}

// days are the days of a temporal expression, both ends in. A period (this week) is met by what overlaps it.
type days struct {
	first, last civil.Date
	period      bool
	weekend     bool // 土日, whatever the week
	anyYear     bool
	relative    bool // counted from now
	weekdays    bool // only their weekdays were said
}

// value reports whether the feature is a value, which is bound to the words beside it.
func (f *feature) value() bool { return f.kind >= day && f.kind <= number }

// same reports whether two features say the same, their signs apart.
func (f *feature) same(g *feature) bool {
	if f.kind != g.kind {
		return false
	}
	switch f.kind {
	case meaning:
		for _, x := range f.ids {
			for _, y := range g.ids {
				if x.id == y.id {
					return true
				}
			}
		}
		return false
	case word, literal:
		return f.text == g.text
	case day:
		return f.days.first == g.days.first && f.days.last == g.days.last
	case weekday:
		return f.a == g.a
	case clock:
		if f.days.period != g.days.period { // the morning, and the hours in it
			return f.days.period && g.ends == whole && g.a >= f.a && g.b <= f.b || g.days.period && f.ends == whole && f.a >= g.a && f.b <= g.b
		}
		return sameTime(f, f.a, g.a) && sameTime(f, f.b, g.b) || sameTime(g, g.a, f.a) && sameTime(g, g.b, f.b)
	case money, number:
		return f.a == g.a
	case role, suspect:
	}
	return false
}
