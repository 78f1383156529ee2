package nodes

import (
	"annai/nlu"
	"annai/nodes/owner"
)

// sayAgain leads where the last utterance was led: it is answered anew, perhaps in another
// language. ok is false where nothing was said that can be said again.
func sayAgain(last, r route) (route, bool) {
	r.By, r.Reason, r.Inherited = byContext, "once more", true
	r.Node, r.Event, r.Date, r.Info, r.Calendar, r.Say, r.Second = last.Node, last.Event, last.Date, last.Info, last.Calendar, last.Say, last.Second
	switch last.Node {
	case nodeEvent, nodeDate, nodeInfo:
		return r, true
	case nodeCalendar:
		return r, last.Calendar.Do != "" && last.Calendar.Do != owner.DoWrite
	}
	return r, false
}

// repeats reads an utterance that asks for what was said, in a language or once more.
func repeats(s State, r route) (route, bool) {
	u := s.Understanding
	if u.Speak == "" && !u.Reference.Repeat {
		return r, false
	}
	again, ok := sayAgain(s.Seen.Last, r)
	switch {
	case ok:
		return again, true
	case u.Speak != "":
		r.Node, r.By, r.Reason, r.Say, r.Speak = nodeRespond, byRule, "a language", nlu.Identity, true
	case s.Seen.Last.Node == nodeRespond:
		return again, true
	default:
		r.Node, r.By, r.Say = nodeRespond, byDefault, nlu.Unclear
	}
	return r, true
}
