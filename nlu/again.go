package nlu

import (
	"regexp"
	"slices"
	"strings"

	"annai/nlu/datetime"
)

// again are whole utterances, without punctuation, that ask to hear the last answer once more.
var again = regexp.MustCompile(`^(?:すみません|すいません|ごめんなさい|ごめん|ちょっと|あの|えっと|あ|え|えっ|いま|今|今の|いまの|さっき|さっきの|よく|うまく|全然|あまり|あんまり|早くて|声が|音が|悪いけど)*` +
	`(?:(?:(?:わか|分か)(?:らなかった|りませんでした|らない)(?:ので|から|んで)?)?(?:答え|説明|話|お話|案内|返事|の)*を?(?:もう(?:一回|一度|いっかい|いちど|1回|1度|一遍)|もっかい|再度|今一度)(?:だけ)?(?:ゆっくり|言って|いって|話して|はなして|教えて|おしえて|説明して|お願い|おねがい|お?聞かせて|お?きかせて|お?聞かせ|喋って|しゃべって|読んで|読み上げて|繰り返して|くりかえして|案内して|大きな声で)*|` +
	`(?:声|音|話)?が?(?:よく|うまく)?(?:聞こえ|きこえ|聞き取れ|ききとれ|聞きとれ)(?:なかった|ませんでした|ない|ません|にくい|にくかった|づらい|づらかった|なくて)|聞き逃し(?:た|ました|ちゃった|てしまいました)|聞き漏らし(?:た|ました)|` +
	`(?:何|なん|なに)(?:と|て|って)(?:言った|言いました|いった|いいました|言ってた|言ってました|おっしゃった|おっしゃいました|言ってる)|(?:なんて|なんだって|何だって|なんですって)|(?:繰り返|くり返|くりかえ)して|リピート(?:して)?|(?:もっと|もう少し|もうちょっと)?ゆっくり(?:言って|話して|喋って|しゃべって|説明して|お願い)|(?:え|えっ|ええ)(?:何|なに)(?:て|って)?)` +
	`(?:いいですか|いい|ください|下さい|くださいませんか|もらえますか|もらえません|もらえる|もらっていい|いただけますか|いただけません|ほしいです|ほしい|お願いします|おねがいします|できますか|できる|します|です|んですけど|んですが|んだけど|のですが|ですか|の|か|けど|が|ね|よ)*$`)

// againEnglish are the same in English.
var againEnglish = regexp.MustCompile(`^(?:(?:i'm sorry|sorry|excuse me|pardon me|pardon|um|oh|wait|please|hey|what|huh|hm|hmm) )*` +
	`(?:(?:(?:can|could|would|will) you )?(?:please |mind )?(?:(?:say|saying|tell me|tell us|explain|read)(?: (?:that|it|this|what you said|the last (?:part|answer|one|thing)|the answer|your (?:last )?answer|that last part))? (?:again|one more time|once more|once again|another time)|repeat(?:ing)?(?: (?:that|it|this|yourself|what you (?:just )?said|the last (?:part|answer|one|thing)|the answer|your (?:last )?answer))?(?: (?:again|one more time|once more))?)(?: for me)?(?: (?:more slowly|slowly|slower|louder))?|` +
	`(?:(?:can|could|would|will) you )?(?:please )?(?:say|speak|talk)(?: (?:it|that))?(?: a (?:little|bit))?(?: bit)? (?:more slowly|slower|slowly)|come again|pardon(?: me)?|(?:i )?beg your pardon|i beg your pardon|again|one more time|once more|once again|what did you (?:just )?say|what was that(?: again)?|what's that again|what are you saying|say what|you said what|` +
	`(?:i )?(?:didn't|did not|couldn't|could not|can't|cannot|don't|do not)(?: quite| really)? (?:catch|hear|get|follow)(?: (?:that|it|you|what you said|a word|the last part|all of that))?|(?:i )?missed (?:that|it|what you said)|hard to hear(?: you)?)(?: please)?(?: again)?$`)

// queries are words that ask to hear it again only as a question of their own.
var queries = map[string]bool{
	"え": true, "えっ": true, "えー": true, "ええ": true, "は": true, "はあ": true, "ん": true, "んん": true, "なに": true, "何": true,
	"なんて":  true,
	"what": true, "huh": true, "sorry": true, "excuse me": true, "pardon": true, "eh": true, "hm": true, "hmm": true,
	"sorry what": true, "wait what": true, "what sorry": true,
}

// longestPardon is how many runes such an utterance may have.
const longestPardon = 60

// asksAgain reports whether the utterance only asks to hear the last answer again.
func (s *sentence) asksAgain() bool {
	if slices.ContainsFunc(s.times, func(t datetime.Expression) bool {
		return t.Text != "今" && t.Text != "いま" && !strings.EqualFold(t.Text, "now")
	}) || len(s.lower) > longestPardon || s.has(tEvent|tKind|tInfo|tOpen|tPlan|tCalendar|tMeeting|tHost|tDate|tOut) {
		return false
	}
	bare := strings.TrimSpace(s.bare)
	asks := strings.ContainsAny(string(s.text), "?？")
	if queries[bare] {
		return asks
	}
	if s.language == Japanese {
		return again.MatchString(strings.ReplaceAll(bare, " ", ""))
	}
	return againEnglish.MatchString(bare)
}

// repetition knows utterances that ask to hear the last answer again.
func repetition(_ *sentence, u *Understanding) (decision, bool) {
	if !u.Reference.Repeat {
		return decision{}, false
	}
	return known(Unclear, 0.6, "asks to hear the last answer again")
}
