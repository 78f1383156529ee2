package nlu

import (
	"slices"
	"strings"

	"annai/nlu/datetime"
)

// reference reads how the utterance hangs on what was said before.
func (r *Reader) reference(s *sentence) Reference {
	ref := Reference{
		Ordinal: s.ordinal,
		Other:   s.has(tOther),
		That:    s.has(tThat),
		Field:   s.field(),
		More:    s.has(tMore) && !s.has(tOther),
	}
	if ref.Field == FieldDescription && s.saysMoreOf() {
		ref.More = false
	}
	ref.ThatDay = s.has(tThatDay) && !s.namesDay()
	ref.Elliptic = (s.corrects || s.elliptic()) && ref.Ordinal == 0 && !ref.Other
	ref.Repeat = s.asksAgain()
	return ref
}

// namesDay reports whether a day is named, and not only an hour.
func (s *sentence) namesDay() bool {
	return slices.ContainsFunc(s.times, func(t datetime.Expression) bool {
		return t.Kind != datetime.KindDuration && (t.Kind != datetime.KindTime || !t.NoDay)
	})
}

// dated reports whether a time is named, or the day that was spoken of.
func (s *sentence) dated() bool { return len(s.times) > 0 || s.has(tThatDay) }

// thatDayIsNoTime takes out 当日 and この日, which the grammar of dates reads as today.
func (s *sentence) thatDayIsNoTime() {
	s.keepTimes(func(i int) bool {
		word, _, _ := strings.Cut(s.times[i].Text, "の")
		return word != "当日" && s.times[i].Text != "この日"
	})
}

// saysMoreOf reports whether "more" asks for details rather than for further items (もっと詳しく, tell me
// more).
func (s *sentence) saysMoreOf() bool { return s.has(tFieldDescription) }

// field is the detail asked for; of several the one that says most.
func (s *sentence) field() Field {
	switch {
	case s.has(tFieldSignUp):
		return FieldSignUp
	case s.has(tFieldPrice) && !s.asksForRoom():
		return FieldPrice
	case s.has(tFieldPlace):
		return FieldPlace
	case s.has(tFieldTime):
		return FieldTime
	case s.has(tFieldDescription):
		return FieldDescription
	}
	return FieldNone
}

// elliptic reports whether a time is named, or the day that was spoken of, and nothing else but
// small words.
func (s *sentence) elliptic() bool {
	if !s.dated() || s.content != "" {
		return false
	}
	for _, h := range s.hits {
		if h.tags&(tThatDay|tAbout|tGreet|tVenue|tFiller|tThat) == 0 && !ellipticWords[string(s.lower[h.start:h.end])] {
			return false
		}
	}
	return true
}

// ellipticWords may stand beside a time when nothing else is said.
var ellipticWords = map[string]bool{
	"は": true, "も": true, "の": true, "って": true, "で": true, "に": true, "を": true, "か": true, "ね": true, "よ": true,
	"が":  true,
	"です": true, "ですか": true, "どう": true, "でしょうか": true, "だと": true, "方": true, "方は": true, "とか": true, "と": true,
	"や":      true,
	"お願いします": true, "教えて": true, "教えてください": true, "だ": true, "から": true, "まで": true, "について": true, "なら": true,
	"だけ":  true,
	"the": true, "on": true, "for": true, "in": true, "at": true, "by": true, "please": true, "instead": true,
	"no": true, "sorry": true, "wait": true, "from": true, "to": true, "of": true, "just": true,
	"during": true, "over": true, "within": true, "throughout": true, "before": true, "after": true, "until": true,
}

// ordinal is the item of a list that is named, or 0, and the words that say so.
func (r *Reader) ordinal(s *sentence) (n int, words [2]int) {
	for i := 0; i < len(s.lower); i++ {
		end, n := r.ordinalAt(s.lower, i)
		if n != 0 && s.namesItem(i, end) {
			return n, [2]int{i, end}
		}
		if n, end = counted(s.lower, i); n != 0 {
			return n, [2]int{i, end}
		}
	}
	return 0, words
}

// beforeFirst is added to the number of an item, of which the last is -1, so that it is above 0.
const beforeFirst = 2

// ordinalAt finds a word of [words.Ordinals] at i.
func (r *Reader) ordinalAt(text []rune, i int) (end, n int) {
	end, tags := r.ordinals.longest(text, i)
	if end == i {
		return i, 0
	}
	return end, int(tags) - beforeFirst
}

// itemNouns may stand behind an ordinal that means an item of a list.
var itemNouns = []string{
	"もの", "やつ", "方", "ほう", "イベント", "勉強会", "件", "の", "は", "を", "に", "で", "が", "って", "について", "ワークショップ", "候補",
	"one", "event", "item", "result", "option", "workshop", "please", "?", "!", ".", "。", "?", ",", "、", "meetup",
	"choice",
}

// longestItem is how far behind an ordinal its noun is looked for, in runes.
const longestItem = 16

// namesItem reports whether what follows an ordinal leaves it an item of a list: not the first
// week, not the last train.
func (s *sentence) namesItem(start, end int) bool {
	word := string(s.lower[start:end])
	if !strings.HasSuffix(word, "の") && !strings.HasPrefix(word, "the ") || strings.HasSuffix(word, " one") {
		return true
	}
	rest := strings.TrimLeft(string(s.lower[end:min(end+longestItem, len(s.lower))]), " ")
	if rest == "" {
		return true
	}
	for _, noun := range itemNouns {
		if strings.HasPrefix(rest, noun) {
			return true
		}
	}
	return false
}

// counted reads 2つ目, 3番目, 2件目, 2個目, 2番, number 2, no. 2, #2 and "option 2".
func counted(text []rune, i int) (n, end int) {
	if text[i] < '1' || text[i] > '9' || i > 0 && isWordRune(text[i-1]) {
		return 0, i
	}
	end = i
	for end < len(text) && '0' <= text[end] && text[end] <= '9' && n < 100 {
		n = n*10 + int(text[end]-'0')
		end++
	}
	after := string(text[end:min(end+3, len(text))])
	for _, suffix := range []string{"つ目", "つめ", "番目", "件目", "個目", "こ目"} {
		if strings.HasPrefix(after, suffix) {
			return n, end + len([]rune(suffix))
		}
	}
	if after == "番" || strings.HasPrefix(after, "番で") || strings.HasPrefix(after, "番を") ||
		strings.HasPrefix(after, "番の") {
		return n, end + 1
	}
	before := strings.TrimRight(string(text[max(0, i-8):i]), " ")
	for _, prefix := range []string{"number", "no.", "option", "#"} {
		if strings.HasSuffix(before, prefix) && (end == len(text) || !isWordRune(text[end])) {
			return n, end
		}
	}
	return 0, i
}
