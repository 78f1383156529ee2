package nodes

import (
	"annai/nlu"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/venue"
)

// safetyWords is what is said to a danger.
func safetyWords(danger nlu.Danger, v *venue.Venue, lang string) string {
	p := prompts.Safety{Danger: string(danger), Staff: v.Staff.Where.In(lang)}
	if danger == nlu.Suicide {
		p.CrisisLine = v.Staff.CrisisLine.In(lang)
	}
	return p.In(lang)
}

// afterAlarm is an understanding in a talk in which a danger was reported: who asks then where
// something is that helps with it wants to know where, and has been told to call for help. The danger is kept.
func afterAlarm(u nlu.Understanding, alarm nlu.Danger) nlu.Understanding {
	if u.Intent == nlu.Safety && u.Reference.Field == nlu.FieldPlace && sameHelp(u.Safety, alarm) {
		u.Intent = nlu.Info
	}
	return u
}

// sameHelp reports whether the same helps with two dangers.
func sameHelp(a, b nlu.Danger) bool {
	bodily := func(d nlu.Danger) bool { return d == nlu.Life || d == nlu.Injury }
	return a == b || bodily(a) && bodily(b)
}

// isOver reports whether an utterance says that a danger is over that was reported before, or
// thanks for the help.
func isOver(s State) bool {
	u := s.Understanding
	return s.Seen.Alarm != "" && u.Intent != nlu.Safety && (u.Over || u.Intent == nlu.Thanks)
}

// ofDanger routes a report of danger, and what says that it is over.
func ofDanger(s State, r route) (route, bool) {
	switch {
	case s.Understanding.Intent == nlu.Safety, asksForHelp(s) && !knowsWhere(s.Question):
		r.Node, r.By, r.Say = nodeRespond, bySafety, nlu.Safety
	case isOver(s):
		r.Node, r.Say = nodeRespond, nlu.Thanks
	default:
		return r, false
	}
	return r, true
}

// asksForHelp reports whether an utterance asks where something is that helps with a danger that was reported.
func asksForHelp(s State) bool {
	return s.Understanding.Intent == nlu.Info && s.Understanding.Safety != ""
}

// knowsWhere reports whether it is sure enough what a question is about to answer it in danger: an answer about
// something else takes time that nobody has.
func knowsWhere(q talk.Question) bool {
	return q.About == nlu.AboutSubject && q.Sure() && q.Likely >= likelyInDanger
}

// likelyInDanger is how likely that has to be.
const likelyInDanger = 0.6

// alarmAfter is the danger that is remembered after a turn.
func alarmAfter(s State) nlu.Danger {
	switch {
	case s.Route.By == bySafety:
		return s.Understanding.Safety
	case isOver(s):
		return ""
	}
	return s.Seen.Alarm
}
