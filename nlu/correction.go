package nlu

import (
	"slices"
	"strings"

	"annai/nlu/words"
)

// takeBack takes out the times that are said not to be meant (日曜じゃなくて土曜日のこと), and notes whether the
// utterance only says which time is meant. An order to change something needs both.
func (s *sentence) takeBack() {
	said := string(s.lower)
	if len(s.times) == 0 || s.has(tWrite|tRemind) || !words.MayCorrect.In(said) || words.OrderToChange.In(said) {
		return
	}
	between := s.aroundTimes()
	var dropped []int
	for i := 1; i < len(s.spans); i++ {
		if n := denied(between[i-1], between[i]); n >= 0 && !slices.Contains(dropped, i-1+n) {
			dropped = append(dropped, i-1+n)
			s.notSaid(s.spans[i-1+n])
		}
	}
	s.corrects = len(dropped) < len(s.times) && onlyCorrects(between, len(dropped) > 0)
	s.keepTimes(func(i int) bool { return !slices.Contains(dropped, i) })
}

// aroundTimes are what stands before the first time, between the times and behind the last one.
func (s *sentence) aroundTimes() []string {
	from := 0
	var out []string
	for _, span := range s.spans {
		out = append(out, string(s.lower[min(from, span[0]):span[0]]))
		from = span[1]
	}
	return append(out, string(s.lower[from:]))
}

// maxDenied is how many runes stand at most between a denial and the other time.
const maxDenied = 6

// denied is which of two times is not meant, 0 or 1, by what stands before the first and between
// them; -1 for none.
func denied(before, between string) int {
	low := strings.Trim(between, "、。,.;: ")
	what, _ := words.ThatOne.Begin(low)
	if rest, ok := words.Denies.Begin(what); ok && len([]rune(rest)) <= maxDenied { // 日曜じゃなくて土曜
		return 0
	}
	if words.RatherThat.In(low) && words.Nothing(low, words.RatherThat, words.ButTheTime) { // 土曜、いや日曜
		return 0
	}
	_, not := words.NotTheTime.End(before)
	if not && words.Nothing(low, words.ButTheTime) { // not on Sunday but on Saturday
		return 0
	}
	if words.NotTheTime.In(low+" ") && words.Nothing(low, words.AndNot) { // Saturday, not Sunday
		return 1
	}
	return -1
}

// onlyCorrects reports whether what stands around the times says nothing but that another time is
// meant. swapped says that one was taken back in it.
func onlyCorrects(around []string, swapped bool) bool {
	said := swapped
	for _, text := range around {
		for text = strings.TrimLeft(text, marks); text != ""; text = strings.TrimLeft(text, marks) {
			rest, is := words.Corrects.Begin(text)
			if said = said || is; !is && swapped {
				rest, is = words.Denies.Begin(text)
			}
			if !is && swapped {
				rest, is = words.AndNot.Begin(text)
			}
			if !is {
				rest, is = words.BesideATime.Begin(text)
			}
			if !is {
				return false
			}
			text = rest
		}
	}
	return said
}

// marks stand around words that correct a time.
const marks = "、。,.!！ "

// correction knows utterances that only say which time was meant.
func correction(s *sentence, _ *Understanding) (decision, bool) {
	if !s.corrects {
		return decision{}, false
	}
	return s.whatIsOn(slight, "corrects a time: what is on then, unless something was spoken of")
}
