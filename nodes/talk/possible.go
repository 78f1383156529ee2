package talk

import (
	"slices"
	"strings"

	"annai/nlu"
	"annai/nlu/words"
)

// possible are the options that the reading allows. A reading may be sure what kind of thing is meant, and
// after a list what was spoken of last is what was listed.
func possible(options []Option, r nlu.Reading, m Memory) []Option {
	if i := slices.IndexFunc(options, func(o Option) bool { return r.Abouts[o.About] == 1 }); i >= 0 {
		return options[i : i+1]
	}
	out := without(options, r, m)
	if i := slices.IndexFunc(out, func(o Option) bool { return asksOn(o, r, m) }); i >= 0 {
		return out[i : i+1]
	}
	if SaysEvent(r.Text) || hasContent(r.Keywords) || r.Ref != nlu.RefLast || !m.Listed || r.Ask == nlu.AskEvents {
		return out
	}
	listed := func(o Option) bool { return slices.ContainsFunc(m.InView, o.Subject.Same) }
	if slices.ContainsFunc(out, listed) {
		return slices.DeleteFunc(out, func(o Option) bool { return !listed(o) })
	}
	return out
}

// asksOn reports whether an utterance that names nothing asks a detail of what was spoken of last, which has it: 定員は？,
// "How many people can use it?"
func asksOn(o Option, r nlu.Reading, m Memory) bool {
	bare := r.Ref == nlu.RefLast && r.Named < leastNamed && !hasContent(r.Keywords) && !SaysEvent(r.Text)
	if !bare || m.Listed || len(m.Subjects) == 0 || !m.Subjects[0].Same(o.Subject) {
		return false
	}
	return o.near.Answers
}

// without are the options but those that the words rule out. Which events there are is asked of no single
// event, and the next time of none that is over; who says that it is an event means one; and a part that is
// named is meant rather than what was spoken of.
func without(options []Option, r nlu.Reading, m Memory) []Option {
	some := func(is func(Option) bool) bool { return slices.ContainsFunc(options, is) }
	event := meansEvent(r, some(eventMeant))
	part := some(partNamed)                                                     // かしの間は？, after the pool
	may := r.Ask == nlu.AskMayI && r.Second == nlu.AskContact && some(allowing) // 電話してもいい？ of no phone number
	next := r.Ask == nlu.AskNext && some(func(o Option) bool { return eventMeant(o) && !o.near.Over })
	return slices.DeleteFunc(slices.Clone(options), func(o Option) bool {
		switch {
		case r.Ask == nlu.AskEvents && o.Subject.Kind == Event, next && o.near.Over:
			return true
		case o.About == nlu.AboutVenue:
			return SaysEvent(r.Text)
		case part && o.Kept && o.features[featureTitled] == 0:
			return true
		case may && o.Subject.Kind == Passage && !o.Kept && !o.near.States:
			return true
		}
		return guessedBehind(o, r, m) || event && noEvent(o, r)
	})
}

// meansEvent reports whether events are asked for by that word; near says that one comes near enough:
// 祝日にイベントはありますか, はんだ付けのイベントいつ？
func meansEvent(r nlu.Reading, near bool) bool {
	timed := len(r.Times) > 0 && slices.Contains(timedEventAsks, r.Ask)
	return SaysEvent(r.Text) && (slices.Contains(eventAsks, r.Ask) || timed || near)
}

// noEvent reports whether an option is no event, and nothing that was spoken of that may be asked of beside events.
func noEvent(o Option, r nlu.Reading) bool {
	if o.Subject.Kind == Part {
		return guessed(o)
	}
	return o.Subject.Kind == Passage && (!o.Kept || slices.Contains(ofSeveral, r.Ask))
}

// guessedBehind reports whether an option is a part that the words do not name, where they point at what was spoken of:
// まだ空きはありますか？
func guessedBehind(o Option, r nlu.Reading, m Memory) bool {
	return guessed(o) && r.Ref == nlu.RefLast && len(m.Subjects) > 0
}

// guessed reports whether an option is a part that neither the words name nor the talk had.
func guessed(o Option) bool { return o.Subject.Kind == Part && !o.Kept && !partNamed(o) }

// SaysEvent reports whether a text says that it is about an event.
func SaysEvent(said string) bool {
	return words.Details()[words.DetailEvent].AskedIn(strings.ToLower(said))
}

// partNamed reports whether an option is a part that the words name anew.
func partNamed(o Option) bool { return o.Subject.Kind == Part && !o.Kept && o.near.Strength > 0 }

// allowing reports whether an option is a passage that the words come near enough to, and that says whether something
// may be done.
func allowing(o Option) bool {
	return o.Subject.Kind == Passage && o.near.Strength > 0 && o.near.States
}

// eventMeant reports whether an option is an event that the words come near enough to.
func eventMeant(o Option) bool { return o.Subject.Kind == Event && o.near.Strength > 0 }

// eventAsks are the kinds of answers by which events are asked for, where one is named by that word.
var eventAsks = []nlu.Ask{nlu.AskIsThere, nlu.AskEvents, nlu.AskCount, nlu.AskNext, nlu.AskHowOften}

// ofSeveral are those that ask of events and of nothing that was told.
var ofSeveral = []nlu.Ask{nlu.AskEvents, nlu.AskCount, nlu.AskNext}

// timedEventAsks are those where a time is said as well.
var timedEventAsks = []nlu.Ask{nlu.AskWhen, nlu.AskStillOn}
