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
	out := without(options, r)
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
func without(options []Option, r nlu.Reading) []Option {
	some := func(is func(Option) bool) bool { return slices.ContainsFunc(options, is) }
	// 祝日にイベントはありますか, はんだ付けのイベントいつ？
	event := SaysEvent(r.Text) && (slices.Contains(eventAsks, r.Ask) || some(eventMeant))
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
		return event && o.Subject.Kind == Passage && !o.Kept
	})
}

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
var eventAsks = []nlu.Ask{nlu.AskIsThere, nlu.AskEvents, nlu.AskCount, nlu.AskNext}
