package nlu

import (
	"regexp"
	"strings"
	"time"

	"annai/nlu/datetime"
	"annai/nlu/slots"
)

// entryRole is what an utterance does with an entry of a calendar that it calls by what it is:
// dinner, ヨガ.
type entryRole int

const (
	entryNone    entryRole = iota
	entryChanged           // change dinner to 8
	entryAsked             // when's my flight to Osaka, ヨガの時間を教えて
	entryNoted             // vacation from August 1 to August 10: nothing but what it is and when
)

var (
	changed   = regexp.MustCompile(`(?i)^(?:(?:please|can you|could you) )*(?:change|move|reschedule|push|shift|postpone) (.+?) (to|until|for) (.+)$`)
	bareHour  = regexp.MustCompile(`(?i)^(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:,? (?:please|instead))*[.!?]*$`)
	askedOwn  = regexp.MustCompile(`(?i)^(?:when|what time|what day)(?:'s| is) (?:my|our) ([^?]+?)(?: (?:to|from|with|in) [^?]+)?[?]*$`)
	askedTime = regexp.MustCompile(`^(.+?)の(?:開始|終了)?(?:時間|時刻|日時)(?:を教えて|を知りたい|は[?]*$|はいつ)`)
)

// entryIn reads what is done with an entry. An hour to which it is changed is a time also where
// nothing else says so.
func (s *sentence) entryIn(text string, at time.Time) entryRole {
	if s.language == Japanese {
		if m := askedTime.FindStringSubmatch(text); m != nil && slots.NamesEntry(m[1], slots.Japanese) {
			return entryAsked
		}
		return entryNone
	}
	if m := changed.FindStringSubmatchIndex(text); m != nil {
		what := strings.ToLower(text[m[2]:m[3]])
		if what != "it" && what != "that" && !slots.NamesEntry(what, slots.English) {
			return entryNone
		}
		if len(s.times) == 0 && m[5]-m[4] == len("at") && bareHour.MatchString(text[m[6]:m[7]]) {
			s.times = datetime.Parse(text[:m[4]]+"at"+text[m[5]:], at)
		}
		return entryChanged
	}
	// a due date is no entry
	if m := askedOwn.FindStringSubmatch(text); m != nil && slots.NamesEntry(m[1], slots.English) &&
		!strings.HasSuffix(m[1], " date") {
		return entryAsked
	}
	if n := len(s.times); n > 0 && isRest(text[s.times[n-1].End:]) &&
		slots.NamesEntry(text[:s.times[0].Start], slots.English) {
		return entryNoted
	}
	return entryNone
}

// isRest reports whether nothing is said in a text.
func isRest(text string) bool { return strings.Trim(text, " .!") == "" }

// lengthsAreNoTimes makes a length of 30分で, by which an utterance ends: so long it shall take, and
// not in so long it is.
func lengthsAreNoTimes(times []datetime.Expression, text string) {
	if len(times) != 1 || times[0].Start > 0 {
		return
	}
	switch rest, ok := strings.CutPrefix(text[times[0].End:], "で"); {
	case !ok, !isRest(strings.TrimRight(rest, "。")):
		return
	}
	if alone := datetime.Parse(times[0].Text, time.Time{}); len(alone) == 1 &&
		alone[0].Kind == datetime.KindDuration && alone[0].Text == times[0].Text {
		times[0] = alone[0]
	}
}
