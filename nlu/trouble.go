package nlu

import (
	"regexp"
	"strings"
)

// inTrouble knows complaints, and wishes for help with no more said than that.
func (s *sentence) inTrouble() bool {
	if s.has(tEvent | tKind | tHost) {
		return false
	}
	text := string(s.lower)
	return s.has(tTrouble) || containsAny(text, noisy) && noise.MatchString(text) || strings.Contains(text, "help") && helpOnly.MatchString(s.bare)
}

// noisy are words of which one is in all that [noise] finds.
var noisy = []string{"うるさ", "騒がし", "やかまし", "煩", "大き", "loud", "nois", "disturb", "bother", "annoy"}

var (
	// noise is what people do that disturbs somebody.
	noise = regexp.MustCompile(`(?:隣|となり|周り|まわり|近く|後ろ|前の席|人|客|グループ|子ども|子供|学生|声|音|電話)[^?？]{0,8}(?:うるさ[いくす]|騒がし[いく]|やかまし|煩[いく])(?:[^?？か]|て|$)|(?:音|声|ボリューム)[^?？]{0,3}大き(?:すぎ|過ぎ)|` +
		`(?:person|people|man|woman|guys?|kids?|children|neighbou?rs?|group|someone|somebody|they|he|she|table|customers?|visitors?|students?)\b[^?]{0,40}\b(?:(?:too|so|very|really) (?:loud|noisy)|noisy|making (?:a lot of |too much |so much )?noise|disturbing|bothering|annoying)`)
	// helpOnly are whole utterances that want help and do not say with what.
	helpOnly = regexp.MustCompile(`^(?:(?:please|excuse me|hello|hi|sorry) )*(?:help|i need help|i want help|need help|help please|i'd like (?:some )?help|can (?:someone|somebody|anyone) help(?: me)?|could (?:someone|somebody|anyone) help(?: me)?)(?: please)?$`)
	// speaks asks whether somebody speaks a language.
	speaks = regexp.MustCompile(`\b(?:speaks?|talk|understands?) (?:any |some |fluent |good )?(?:english|japanese|chinese|korean|french|spanish|german|vietnamese|other languages)\b|(?:英語|日本語|中国語|韓国語|外国語|ベトナム語|フランス語|スペイン語)[はがをもで]{0,2}(?:話せ|話し|喋れ|しゃべれ|でき|わか|分か|通じ|対応)`)
	// asksLanguages are whole utterances that ask for the languages of whom one speaks to.
	asksLanguages = regexp.MustCompile(`\b(?:what|which|how many|other|any other) languages?\b.*\b(?:you|speak|talk|understand|available|support)|(?:何語|なに語|何か国語|何ヶ国語|何カ国語|何ヵ国語|どの言語|どんな言語)[^の]*(?:話|喋|しゃべ|でき|使|対応|わか|分か|通じ|ok|大丈夫|いけ)|^(?:ここは|あなたは|君は)?日本語(?:は|が|で|も)*(?:話せ|喋れ|しゃべれ|でき|わか|分か|通じ|ok|おっけー|大丈夫|いい)[^、]*$`)
)
