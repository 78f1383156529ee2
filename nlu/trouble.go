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
	return s.has(tTrouble) || s.disturbed() || strings.Contains(s.bare, "help") && helpOnly.MatchString(s.bare)
}

// disturbed knows who is disturbed by what others do.
func (s *sentence) disturbed() bool {
	return containsAny(s.bare, noisy) && noise.MatchString(string(s.lower))
}

// reportsDefect knows who says that a thing of the house does not work: 電気がつかない, "the printer is
// broken". The staff must know.
func (s *sentence) reportsDefect() bool {
	if s.has(tEvent | tKind | tHost | tPlan | tCalendar) {
		return false
	}
	if s.language == Japanese {
		return containsAny(s.bare, failing) && defect.MatchString(string(s.lower))
	}
	return containsAny(s.bare, failingEnglish) && (defectEnglish.MatchString(string(s.lower)) || slowOrOut.MatchString(string(s.lower)))
}

// wantsTalk knows who wants to be talked to, and about nothing: 暇だから何か話して, "tell me a story".
func (s *sentence) wantsTalk() bool {
	return !s.has(substance&^tHappen) && s.ordinal == 0 && len(s.times) == 0 &&
		containsAny(s.bare, chatting) && chat.MatchString(s.bare)
}

// namesMatter knows who wants to talk with somebody about what the venue is there for: "talk to
// someone about my career".
func (s *sentence) namesMatter() bool {
	return s.has(tInfo) && (strings.Contains(string(s.lower), " about ") || strings.Contains(string(s.lower), "について"))
}

// failing and failingEnglish are words of which one is in all that [defect] and [defectEnglish]
// find, chatting those of [chat].
var (
	failing        = []string{"遅", "おそ", "重", "弱", "なくな", "無い", "ない", "ません", "壊れ", "こわれ", "故障", "詰ま", "つま", "漏れ", "もれ", "切れ", "止ま", "おかしい", "調子", "真っ暗", "消え", "落ち"}
	failingEnglish = []string{"n't", " not ", "broken", "broke", "out of order", "clogged", "blocked", "stuck", "jam", "leak", "down", "dead", "stopped", "keeps", "acting up", "went out", "slow", "out of", "no toilet paper", "no soap"}
	chatting       = []string{"話", "はなし", "しゃべ", "喋", "雑談", "story", "stories", "funny", "laugh", "talk to me", "chat", "entertain"}
)

// noisy are words of which one is in all that [noise] finds.
var noisy = []string{"うるさ", "騒がし", "やかまし", "煩", "大き", "loud", "nois", "disturb", "bother", "annoy"}

var (
	// defect finds a thing of the house and that it does not do what it should, said and not asked:
	// トイレが使えない is a report, トイレは使えないですか none.
	defect = regexp.MustCompile(`(?:電気|照明|ライト|電球|蛍光灯|灯り|明かり|wi-fi|wifi|ネット|インターネット|回線|プリンタ|プリンター|コピー機|機械|機材|パソコン|pc|モニター|画面|ディスプレイ|マイク|スピーカー|プロジェクター|トイレ|便器|お?水|お湯|蛇口|洗面台|` +
		`エアコン|クーラー|暖房|冷房|ドア|扉|鍵|窓|コンセント|電源|充電器?|カッター|加工機|はんだごて|ボール盤|ブラインド|椅子|机|テーブル|自動ドア|電波|音)` +
		`(?:が|は|も|の調子が|に)?(?:今|いま|全然|ぜんぜん|急に|さっきから|ずっと|うまく|また|まったく)*` +
		`(?:(?:つ[かき]|点[かき]|付[かき]|つなが[らり]|繋が[らり]|動[かき]|うご[かき]|流れ|でて?[こき]?|出て?[こき]?|効[かき]|き[かき]|開[かき]|閉ま[らり]|閉じ|反応し|映[らり]|うつ[らり]|鳴[らり]|回[らり]|切れ|止ま[らり]|入[らり])(?:ない|ません|なく|なかった)(?:$|です|の?で|ん|よ|みたい|けど|けれど|し|な|って|。)|` +
		`壊れ|こわれ|故障|(?:詰まっ|つまっ|つまり|詰まり)|漏れ|もれ|切れて|止まって|止まった|おかしい|消えて|消えた|落ちた|落ちて)|` +
		`(?:電気|照明|wi-fi|wifi|ネット|インターネット|プリンター|コピー機|機械|パソコン|モニター|マイク|プロジェクター|トイレ|エアコン|ドア|鍵|コンセント|電源)が(?:今|全然|急に)?使え(?:ない|ません)(?:$|です(?:$|が|けど)|の?で|んで|んだけど|よ|みたい|けど|けれど|し|。)|(?:wi-fi|wifi|ネット|インターネット|回線|電波|パソコン)[がは](?:とても|すごく|すごい|めっちゃ|かなり|なんか|すぐ)*(?:遅[いくすぎ]|おそい|重[いくた]|弱い)|` +
		`(?:トイレットペーパー|ペーパー|紙|石鹸|石けん|せっけん|ハンドソープ|消毒液)が?(?:ない|ありません|なくな|切れ|無い)(?:$|です|の?で|ん|よ|みたい|けど|っ|。)|水漏れ|真っ暗`)
	defectEnglish = regexp.MustCompile(`\b(?:lights?|lamps?|bulb|wi-?fi|internet|network|printers?|cutter|machines?|screen|monitor|projector|microphone|mic|toilets?|sink|tap|faucet|water|air ?con(?:ditioner|ditioning)?|ac|heat(?:er|ing)|doors?|lock|window|` +
		`sockets?|outlets?|plug|power|charger|computer|laptop|pc|keyboard|chair|table|elevator|lift)\b(?: (?:here|there|over there|downstairs|upstairs|in [^?]{1,30}))?(?: (?:just|really|still|always|also))?(?: ` +
		`(?:(?:does|do|did|is|are|was|has|have)(?:n't| not)(?: been)?|won't|wouldn't|can't) (?:\w+ )?(?:work|turn|switch|open|clos|shut|print|flush|connect|come on|coming on|respond|start|lock|charg|power)|` +
		`(?: ?(?:is|are|was|seems?|looks?|got|gets|went|has) (?:\w+ )?(?:broken|broke|out of order|clogged|blocked|stuck|jammed|leaking|down|dead|out)\b)| (?:broke|stopped|keeps? (?:\w+ing)|leaks|jammed|is acting up)\b)|` +
		`\b(?:can't|cannot|can not|couldn't|unable to) (?:connect to|get (?:on|onto|on to)|join|open|close|turn (?:on|off)|flush) (?:the |your )?(?:wi-?fi|internet|network|door|window|lights?|toilet|tap)\b`)
	// slowOrOut finds what is too slow, or used up.
	slowOrOut = regexp.MustCompile(`\b(?:wi-?fi|internet|network|connection|computer) (?:is|seems|feels|here is) (?:\w+ )?slow\b|\b(?:(?:is|are|there's|there is) no|out of|ran out of) (?:more )?(?:toilet paper|paper towels?|soap)\b`)
	// chat are whole utterances, without punctuation, that want talk.
	chat = regexp.MustCompile(`^(?:(?:暇|ひま|退屈|たいくつ)(?:だ|な|です|すぎ|で)?(?:から|ので|んで|し|よ|なんで|る)*|ねえ|ねぇ|ちょっと|じゃあ|じゃ|何|なに|か|なん|なんか|面白い|おもしろい|楽しい|笑える|怖い|いい|すごい|一つ|ひとつ| )*` +
		`(?:(?:お?話|お?はなし|小話|おしゃべり|お喋り|雑談)(?:を|でも|し|聞かせ|きかせ|よう|て|たい|ください|くれ|くれる|もらえ|ない|ます|ませんか|ね|よ|か|な|お願い| )*|(?:しゃべって|喋って)(?:よ|ください|くれ|ね)*)$|` +
		`^(?:(?:please|can you|could you|i'm bored|i am bored|so|hey|just) )*(?:tell (?:me|us) (?:(?:a|another|some|your) )?(?:\w+ )?(?:story|stories|something (?:funny|interesting|fun|nice))|make me laugh|talk to me|chat with me|entertain me|let's (?:talk|chat)|say something funny)(?: please| i'm bored)*$`)
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
