package nlu

import (
	"regexp"
	"slices"
	"strings"
)

// aTime stands for a temporal expression in the patterns below.
const aTime = "\uE000"

// denied are the ways to take back a time and to say another: the first group is the one that is
// taken back.
var denied = compileAll(
	`(T)(?:の(?:こと|方|ほう|話)?)?(?:じゃ|では|で)な(?:く|い|かった)[^T]{0,6}T`, // 日曜じゃなくて土曜
	`(T)[、。,. ]*(?:の[^T]{0,6})?(?:いやいや|いや|いえ|違う|違います|違った|ちがう|間違えました|間違えた|まちがえた|ごめんなさい|ごめん|すみません|じゃなくて|やっぱり|やっぱ)[、。,. ]*T`,
	`\bnot (?:(?:on|for|the|in|at) )*(T)[ ,.;:]*(?:(?:but|rather|i meant?|it's|it is|make it|just|on|for|the|in|at) )*T`,
	`T[ ,.;:]*(?:(?:and|but) )?(?:not|instead of|rather than) (?:(?:on|for|the|in|at) )*(T)`,
	`(T)[ ,.;:]*(?:(?:no|wait|sorry|oops|i meant?|or rather|make that|actually|scratch that)\b[ ,.;:]*)+(?:(?:on|for|the|in|at) )*T`,
)

// corrects and beside are the words of an utterance that only says another time than was
// understood: those that say that it was another, and those that may stand beside them. Both are
// cut from its start over and over.
var (
	corrects = regexp.MustCompile(`^(?:いやいや|いや|いいえ|いえ|違くて|違います|違う|ちがいます|ちがう|そうじゃなくて|そうではなくて|そうじゃない|やっぱり|やっぱ|やはり|ううん|ごめんなさい|ごめん|間違えました|間違えた|まちがえました|まちがえた|(?:の)?間違い|訂正|` +
		`のことです|のこと|の話です|の話|の方です|の方|のほう|のつもり(?:でした|です|だった)?|(?:って|と)(?:言いました|言った|いいました|いった|言ってる|言ってます|言いたかった)(?:んです|のです|んだ|の)?|` +
		`(?:nope|no|wrong|my mistake|my bad|that should be|it should be|should be|i wanted|actually|i meant|i mean|i said|i was (?:asking|talking) about|i'm (?:asking|talking) about|i asked (?:about|for)|instead|rather|correction|sorry|wait|oops|scratch that)\b)`)
	denies = regexp.MustCompile(`^(?:(?:の(?:こと|方|ほう|話)?)?(?:じゃ|では|で)な(?:くて|く|かったです|かった|いです|いよ|い)|(?:not|instead of|rather than)\b)`)
	beside = regexp.MustCompile(`^(?:なんですけど|なんだけど|なんです|んですけど|んだけど|ですけど|だけど|ですよ|です|だよ|だった|でした|でしょう|でしょ|じゃん|けど|もう一回|もう一度|もういっかい|もういちど|でお願いします|お願いします|おねがいします|教えてください|教えて|おしえて|見せて|言って|ください|ごめんなさい|ごめん|すみません|どう|` +
		`[あえだのがはをでにもねよか、。,.!?？！…・ ]|(?:oh|well|i want|i'd like|on|for|the|in|at|about|but|it's|it is|please|and|then|just|again|one more time|once more|ok|okay|that's|was|what about|how about|make that)\b)`)
)

func compileAll(patterns ...string) []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(patterns))
	for i, p := range patterns {
		all[i] = regexp.MustCompile(strings.ReplaceAll(p, "T", aTime))
	}
	return all
}

// takeBack takes out the times that are said not to be meant (日曜じゃなくて土曜日のこと), and notes whether the
// utterance only says which time is meant. An order to change something needs both.
func (s *sentence) takeBack() {
	if len(s.times) == 0 || s.has(tWrite|tRemind) || !containsAny(string(s.lower), mayCorrect) ||
		orders.MatchString(string(s.lower)) {
		return
	}
	text := s.withMarks()
	var dropped []int
	for _, re := range denied {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if n := strings.Count(text[:m[2]], aTime); !slices.Contains(dropped, n) {
				dropped = append(dropped, n)
				s.notSaid(s.spans[n])
			}
		}
	}
	s.keepTimes(func(i int) bool { return !slices.Contains(dropped, i) })
	s.corrects = len(s.times) > 0 && onlyCorrects(text, len(dropped) > 0)
}

// mayCorrect are words of which one is in every correction.
var mayCorrect = []string{
	"じゃな", "ではな", "でな", "いや", "いえ", "違", "ちが", "間違", "まちが", "ごめん", "すみません", "やっぱ", "やはり", "訂正", "のこと", "の話", "の方",
	"のほう", "つもり", "言", "いった", "いいました",
	"no", "wait", "sorry", "oops", "mean", "mistake", "should be", "wanted", "ううん", "rather", "actually", "scratch",
	"instead", "said", "about", "asked", "wrong", "make that", "correction",
}

// orders are endings of an order to change what is planned.
var orders = regexp.MustCompile(`に(?:して|する|したい|変え|変更|ずらし|移)|\b(?:change|move|shift|push|reschedule) `)

// withMarks is the text with a mark for each time.
func (s *sentence) withMarks() string {
	var b strings.Builder
	for i := 0; i < len(s.lower); {
		if end := s.spanEnds[i]; end > i {
			b.WriteString(aTime)
			i = end
			continue
		}
		b.WriteRune(s.lower[i])
		i++
	}
	return b.String()
}

// onlyCorrects reports whether a text says nothing but that another time is meant. swapped says
// that one was taken back in it.
func onlyCorrects(text string, swapped bool) bool {
	said := swapped
	if rest, ok := strings.CutPrefix(text, "じゃなくて"); ok {
		text, said = rest, true
	}
	for text != "" {
		rest, isTime := strings.CutPrefix(text, aTime)
		switch {
		case isTime:
		case corrects.MatchString(text):
			rest, said = text[corrects.FindStringIndex(text)[1]:], true
		case swapped && denies.MatchString(text):
			rest = text[denies.FindStringIndex(text)[1]:]
		case beside.MatchString(text):
			rest = text[beside.FindStringIndex(text)[1]:]
		default:
			return false
		}
		text = rest
	}
	return said
}

// correction knows utterances that only say which time was meant.
func correction(s *sentence, _ *Understanding) (decision, bool) {
	if !s.corrects {
		return decision{}, false
	}
	return s.whatIsOn(slight, "corrects a time: what is on then, unless something was spoken of")
}
