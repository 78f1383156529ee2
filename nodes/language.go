package nodes

import (
	"regexp"
	"strings"

	"annai/nlu"
)

var (
	otherEnglish  = regexp.MustCompile(`^(?:sorry,? |excuse me,? )?(?:(?:can|could|will|would|do) (?:you|we|i) )?(?:please )?(?:speak|talk|answer|reply|go on|continue|switch|change|repeat|say|explain|tell me|have)?(?: (?:that|this|it|me|to me|to|with me))?(?: again)?(?: ?in)? ?(english|japanese)(?: version)?(?:,? please)?[.?!]*$`)
	otherJapanese = regexp.MustCompile(`^(?:すみません、?|すいません、?)?(英語|日本語)(?:で|に|を)、?(?:もう一度|もう一回)?(?:お?(?:願い|ねがい)(?:します|できますか|いたします)?|話して|はなして|しゃべって|喋って|答えて|説明して|教えて|言って|案内して|変えて|切り替えて|して)?(?:ください|下さい|くれますか|もらえますか|もらえる|ほしい|欲しい)?[。？！?!]*$`)
)

// languageWish is the language that an utterance asks us to speak, if it asks nothing else: 英語でお願いします.
func languageWish(text string) (lang nlu.Language, ok bool) {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	m := otherEnglish.FindStringSubmatch(text)
	if m == nil {
		m = otherJapanese.FindStringSubmatch(text)
	}
	switch {
	case m == nil:
		return "", false
	case m[1] == "english" || m[1] == "英語":
		return nlu.English, true
	}
	return nlu.Japanese, true
}
