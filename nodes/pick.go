package nodes

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/internal/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
)

// sorted is what the calendar has for the question.
type sorted struct {
	listed []display.Entry
	// over counts events that would be listed but are over.
	over int
	// other says that none fits the words and listed are the others, later that they are beyond the range.
	other, later bool
	// less says that listed fit only what the question is about, and not all that it says of it.
	less bool
	// named says that listed are the times ahead of one event that was named, without a time.
	named bool
}

// sort picks the events to tell: in the range, not over unless the past was asked for, fitting the
// words.
func (t telling) sort() sorted {
	var inRange, ahead []display.Entry
	over := 0
	window := t.wish.Range.TimeRange()
	past := t.wish.PastAsked || t.wish.Range.Past || !t.now.Before(window.End)
	for _, e := range t.calendar.Events {
		when := e.Span(t.now.Location())
		switch {
		case !t.wish.onWeekday(when), !t.wish.Hours.Hold(e, when, t.wish.Range),
			t.wish.Without != "" && text.ContainsWord(e.Title, t.wish.Without):
		case t.wish.Next && !when.Start.After(t.now):
		case !when.Overlaps(window):
			if t.wish.Ahead && when.Start.After(t.now) && !e.Cancelled() {
				ahead = append(ahead, e)
			}
		case !past && display.Ended(when, t.now):
			if t.wish.fits(e) && !e.Cancelled() {
				over++
			}
		default:
			inRange = append(inRange, e)
		}
	}
	here, later := t.wish.fitting(inRange), t.wish.fitting(ahead)
	if len(here) == 0 && t.wish.Range.Explicit { // there is none then: the next of any such is told
		later = slices.DeleteFunc(slices.Clone(ahead), func(e display.Entry) bool { return !t.wish.fits(e) })
	}
	switch {
	case t.wish.Regular > 0:
		if list := regular(append(inRange, ahead...), t.wish.Regular, t.now.Location()); len(list) > 0 {
			return sorted{listed: list, later: true}
		}
		return sorted{listed: inRange, other: true}
	case t.wish.Title != "" && !t.wish.Range.Explicit && len(here)+len(later) > 0:
		here = append(here, later...)
		here = here[:min(len(here), maxSpokenEvents)]
		return sorted{listed: here, later: true, named: sameTitle(here)}
	case t.wish.Next && len(here) > 0: // and what comes after it
		return sorted{listed: append(here, later...)}
	case len(here) > 0:
		return sorted{listed: here}
	case len(later) > 0:
		later = later[:min(len(later), maxSpokenEvents)]
		return sorted{listed: later, later: true, named: len(t.wish.Keywords) > 0 && !t.wish.Range.Explicit && sameTitle(later)}
	}
	if over > 0 {
		return sorted{over: over}
	}
	// React勉強会: where there is none, a hands-on about React is worth telling.
	if subject := withoutKinds(t.wish.Keywords); len(subject) > 0 {
		if fitting := fitting(inRange, subject); len(fitting) > 0 {
			return sorted{listed: fitting}
		}
		if fitting := fitting(ahead, subject); len(fitting) > 0 {
			return sorted{listed: fitting[:min(len(fitting), maxSpokenEvents)], later: true, named: !t.wish.Range.Explicit && sameTitle(fitting)}
		}
	}
	if len(t.wish.Less) > 0 {
		if about := eachOnce(fitting(append(slices.Clone(inRange), ahead...), t.wish.Less)); len(about) > 0 {
			return sorted{listed: about[:min(len(about), maxSpokenEvents)], later: true, less: true}
		}
	}
	return sorted{listed: inRange, other: true}
}

// onWeekday reports whether a time touches the day of the week that is wished for.
func (w eventWish) onWeekday(when civil.TimeRange) bool {
	if w.Weekdays == 0 {
		return true
	}
	for d := civil.DateOf(when.Start); d.In(when.Start.Location()).Before(when.End); d = d.AddDays(1) {
		if w.Weekdays.Has(d.Weekday()) {
			return true
		}
	}
	return false
}

// sameTitle reports whether events are times of one.
func sameTitle(events []display.Entry) bool {
	return !slices.ContainsFunc(events, func(e display.Entry) bool { return e.Title != events[0].Title })
}

// eachOnce keeps the first of the events that have one title.
func eachOnce(events []display.Entry) []display.Entry {
	var out []display.Entry
	for _, e := range events {
		if !slices.ContainsFunc(out, func(o display.Entry) bool { return o.Title == e.Title }) {
			out = append(out, e)
		}
	}
	return out
}

// regular keeps the next time of each event that takes place again within so many days.
func regular(events []display.Entry, within int, loc *time.Location) []display.Entry {
	var list, again []display.Entry
	for _, e := range events {
		if e.Cancelled() {
			continue
		}
		i := slices.IndexFunc(list, func(o display.Entry) bool { return o.Title == e.Title })
		if i < 0 {
			list = append(list, e)
			continue
		}
		days := civil.DateOf(e.Span(loc).Start).Sub(civil.DateOf(list[i].Span(loc).Start))
		titled := func(o display.Entry) bool { return o.Title == e.Title }
		if days > 0 && days <= within && !slices.ContainsFunc(again, titled) {
			again = append(again, list[i])
		}
	}
	return again
}

// fits reports whether an event is one that is wished for.
func (w eventWish) fits(e display.Entry) bool {
	if w.Title != "" {
		return text.ContainsWord(e.Title, w.Title)
	}
	return fits(e, w.Keywords)
}

// fitting keeps the events that are wished for; of those with the name of one, those that have no
// other name if there are any: もくもく会 is not the もくもく会 of winter.
func (w eventWish) fitting(events []display.Entry) []display.Entry {
	var out, exact []display.Entry
	for _, e := range events {
		if !w.fits(e) {
			continue
		}
		out = append(out, e)
		if slices.ContainsFunc(namesOfTitle(e.Title), func(name string) bool { return strings.EqualFold(name, w.Title) }) {
			exact = append(exact, e)
		}
	}
	if len(exact) > 0 && !w.Often && w.Edge == 0 { // how often is asked of them all, and which is the last
		return exact
	}
	return out
}

// lone reports whether a word is one character, which stands within many that mean something else:
// 中 in 途中.
func lone(word string) bool { return utf8.RuneCountInString(word) == 1 }

// kinds are words for kinds of events: they say less than the others beside them.
var kinds = []string{
	"勉強会", "もくもく会", "ハンズオン", "ワークショップ", "セミナー", "講座", "交流会", "ミートアップ", "会", "相談会", "ハッカソン", "lt会", "発表会",
	"workshop", "meetup", "seminar", "study", "group", "session", "talk", "talks", "class", "hackathon", "hands-on", "party",
}

func withoutKinds(keywords []string) []string {
	return slices.DeleteFunc(slices.Clone(keywords), func(w string) bool { return slices.Contains(kinds, w) })
}

// fitting keeps the events in which all the words occur.
func fitting(events []display.Entry, words []string) []display.Entry {
	if len(words) == 0 {
		return events
	}
	var out []display.Entry
	for _, e := range events {
		if fits(e, words) {
			out = append(out, e)
		}
	}
	return out
}

// fits reports whether all the words, in lower case, occur in the event.
func fits(e display.Entry, words []string) bool {
	if len(words) == 0 {
		return true
	}
	in := strings.ToLower(e.Title + " " + e.Description + " " + e.Location)
	stems := nlu.Words(in) // "robotics" and the visitor's "robotic" are one word
	has := func(word string) bool {
		stands := text.ContainsWord(in, word) || slices.Contains(stems, word)
		return stands && (!lone(word) || wholeWord(in, word) >= 0)
	}
	return !slices.ContainsFunc(words, func(word string) bool { return !has(word) && !slices.ContainsFunc(likewise(word), has) })
}

// alikes are words of visitors and of titles for whom an event is.
var alikes = [][]string{
	{"初心者", "初めて", "はじめて", "入門", "ビギナー", "未経験", "beginner", "beginners", "first-timer", "newcomer", "introduction", "introductory", "for people who are new"},
	{"子ども", "子供", "こども", "お子さま", "親子", "キッズ", "小学生", "中学生", "家族", "kid", "kids", "child", "children", "family", "families"},
	{"外国", "外国人", "海外", "世界", "国際", "foreign", "foreigner", "foreigners", "abroad", "overseas", "international"},
	{"英語", "英会話", "english"},
	{"予約なし", "予約不要", "申し込み不要", "申込不要", "without a booking", "no booking", "without a reservation", "no reservation", "no registration", "no sign-up"},
}

// lessOf are the words of a question that say what it is about, where there are others that only
// say something of that: ハッカソン of ハッカソンの優勝賞金, hackathon of "the prize of the hackathon", and all
// but for whom it is. None if there are no others.
func lessOf(text string, keywords []string) []string {
	text = strings.ToLower(text)
	about := text
	for _, kind := range kinds {
		if head, _, found := strings.Cut(text, kind+"の"); found && !lone(kind) {
			about = head + kind
			break
		}
		if _, tail, found := cutBefore(text, kind); found {
			about = tail
			break
		}
	}
	var out []string
	for _, word := range keywords {
		if strings.Contains(about, word) && !slices.Contains(alikes[1], word) {
			out = append(out, word)
		}
	}
	if len(out) == len(keywords) || !slices.ContainsFunc(out, func(word string) bool { return !lone(word) }) {
		return nil
	}
	return out
}

// cutBefore cuts a text before the words that hang with of, at or for on what goes before, if kind
// is one of them.
func cutBefore(said, kind string) (head, tail string, found bool) {
	for _, by := range [...]string{" of the ", " of your ", " at the ", " at your ", " for the ", " from the "} {
		if head, tail, found = strings.Cut(said, by); found && text.ContainsWord(tail, kind) {
			return head, tail, true
		}
	}
	return said, "", false
}

// likewise are the words that say the same as one.
func likewise(word string) []string {
	for _, list := range alikes {
		if slices.Contains(list, word) {
			return list
		}
	}
	return nil
}
