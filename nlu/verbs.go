package nlu

import (
	"strings"
	"sync"
)

// inflection is how a Japanese verb or adjective changes its end.
type inflection int

const (
	godan     inflection = iota // 行く: the last kana changes along its row
	ichidan                     // 見る: る goes
	adjective                   // 大きい: い goes
)

// inflected are the verbs and adjectives, in dictionary form, that people say around what they ask
// for. A noun made of one (話, 会) is none of them where a particle follows it.
var inflected = []struct {
	sort  inflection
	words string
}{
	{godan, "行く|会う|合う|言う|使う|買う|違う|思う|習う|払う|歌う|笑う|洗う|向かう|伺う|行なう|行う|手伝う|間に合う|通う|扱う|似合う|願う|迷う|失う|整う|誘う|吸う|添う|伴う|従う|追う|狙う|祝う|補う|賄う|味わう|出会う|知り合う|話し合う|酔う"},
	{godan, "書く|聞く|訊く|聴く|着く|歩く|働く|開く|空く|動く|届く|続く|置く|引く|弾く|描く|磨く|泣く|叩く|除く|招く|驚く|気づく|気付く|頂く|近づく|抜く|解く|築く|説く|導く|泳ぐ|急ぐ|防ぐ|脱ぐ|騒ぐ|繋ぐ|稼ぐ|注ぐ"},
	{godan, "話す|貸す|出す|返す|探す|捜す|消す|押す|直す|治す|試す|渡す|移す|過ごす|落とす|示す|残す|壊す|無くす|起こす|通す|回す|増やす|減らす|動かす|生かす|活かす|見つけ出す|取り出す|持ち出す|引き出す|繰り返す|目指す|申す|指す|許す|汚す|外す|冷やす|燃やす|鳴らす|乾かす|逃す|話し出す"},
	{godan, "待つ|持つ|立つ|打つ|勝つ|育つ|役立つ|目立つ|保つ|経つ|建つ|死ぬ|呼ぶ|遊ぶ|学ぶ|選ぶ|運ぶ|飛ぶ|並ぶ|結ぶ|喜ぶ|叫ぶ|及ぶ"},
	{godan, "読む|飲む|住む|休む|頼む|込む|混む|組む|進む|済む|包む|楽しむ|申し込む|持ち込む|飛び込む|取り組む|踏む|含む|望む|挟む|悩む|生む|産む|悲しむ|痛む|盗む|打ち込む|書き込む|編む|積む|噛む"},
	{godan, "終わる|聞き取る|教わる|始まる|集まる|決まる|変わる|分かる|関わる|加わる|代わる|替わる|上がる|下がる|曲がる|広がる|繋がる|見つかる|助かる|預かる|掛かる|受かる|儲かる|止まる|泊まる|泊る|停まる|留まる|閉まる|締まる|詰まる|溜まる|高まる|深まる|当たる|渡る|至る|座る|触る|回る|困る|守る|余る|謝る|配る|送る|贈る|戻る|残る|通る|登る|上る|昇る|降る|乗る|載る|取る|撮る|採る|切る|帰る|入る|要る|知る|走る|作る|造る|創る|眠る|売る|貼る|張る|語る|掘る|折る|織る|釣る|塗る|怒る|起こる|踊る|滑る|喋る|限る|散る|照る|鳴る|成る|蹴る|握る|飾る|巡る|頑張る|召し上がる|受け取る|立ち寄る|寄る|移る|写る|映る|直る|治る|減る|頼る|香る|祈る|振る|被る|測る|計る|図る"},
	{ichidan, "来る|見る|降りる|観る|診る|出る|寝る|着る|似る|煮る|得る|経る|居る|食べる|開ける|閉める|始める|終える|集める|決める|変える|換える|替える|伝える|教える|覚える|考える|答える|応える|加える|与える|支える|備える|迎える|抱える|見える|聞こえる|消える|増える|植える|捉える|調べる|比べる|並べる|述べる|連れる|忘れる|遅れる|離れる|晴れる|疲れる|流れる|壊れる|汚れる|別れる|分かれる|生まれる|触れる|慣れる|入れる|訪れる|隠れる|倒れる|売れる|切れる|割れる|折れる|揺れる|現れる|溢れる|優れる|恐れる|呼ばれる|行われる|開かれる|続ける|届ける|助ける|避ける|受ける|預ける|付ける|着ける|点ける|掛ける|欠ける|負ける|分ける|明ける|空ける|片付ける|見つける|見かける|出かける|声かける|心掛ける|向ける|設ける|駆ける|進める|勧める|薦める|止める|辞める|求める|認める|含める|締める|占める|深める|高める|確かめる|温める|冷める|眺める|褒める|努める|勤める|務める|諦める|見せる|載せる|乗せる|任せる|寄せる|知らせる|聞かせる|見られる|聞き取れる|立てる|建てる|育てる|捨てる|当てる|慌てる|企てる|出来る|起きる|生きる|飽きる|着替える|落ちる|下りる|借りる|足りる|過ぎる|感じる|信じる|閉じる|応じる|通じる|生じる|用いる|率いる|延びる|伸びる|浴びる|試みる|逃げる|上げる|下げる|投げる|告げる|広げる|繋げる|挙げる|掲げる|撫でる|茹でる|超える|越える|冷える|申し上げる|差し上げる|取り上げる|組み立てる|持ち帰れる|話しかける"},
	{adjective, "大きい|小さい|新しい|古い|安い|高い|低い|楽しい|面白い|良い|悪い|近い|遠い|早い|速い|遅い|多い|少ない|広い|狭い|長い|短い|重い|軽い|難しい|易しい|優しい|忙しい|珍しい|詳しい|美味しい|正しい|欲しい|暑い|寒い|熱い|冷たい|暖かい|温かい|明るい|暗い|強い|弱い|若い|可愛い|嬉しい|無い|痛い|怖い|甘い|辛い|硬い|柔らかい|厚い|薄い|細い|太い|深い|浅い|白い|黒い|赤い|青い|親しい|激しい|厳しい|涼しい|眠い|凄い|危ない|汚い|煩い|五月蝿い"},
}

// rows are the kana that the last of a godan verb becomes: before ない, before ます, before る and ば,
// before う, and before て.
var rows = map[rune][5]string{
	'う': {"わ", "い", "え", "お", "っ"}, 'く': {"か", "き", "け", "こ", "い"}, 'ぐ': {"が", "ぎ", "げ", "ご", "い"},
	'す': {"さ", "し", "せ", "そ", "し"},
	'つ': {"た", "ち", "て", "と", "っ"}, 'ぬ': {"な", "に", "ね", "の", "ん"}, 'ぶ': {"ば", "び", "べ", "ぼ", "ん"},
	'む': {"ま", "み", "め", "も", "ん"},
	'る': {"ら", "り", "れ", "ろ", "っ"},
}

// ends are the kana of which one stands behind each of [rows], so that a particle behind a noun is
// none.
var ends = [5]string{"なれせずさ", "またてなそやに", "るまたてなばそら", "う", "てたでだとどちじ"}

// behindStem are the kana behind the stem of a verb that loses its る.
const behindStem = "るたてなまよれらろずせちやそにさ"

// behindAdjective are those behind the stem of an adjective.
const behindAdjective = "いくかけさそすき"

// inflectedForms are the beginnings of all forms of [inflected], as far as they tell it from a noun
// with a particle.
var inflectedForms = sync.OnceValue(func() *matcher {
	m := newMatcher()
	for _, sort := range inflected {
		for word := range strings.SplitSeq(sort.words, "|") {
			for _, form := range forms([]rune(word), sort.sort) {
				m.addWord(form, tAside)
			}
		}
	}
	return m
})

// forms are the beginnings of the forms of a word in dictionary form.
func forms(word []rune, sort inflection) []string {
	stem, last := string(word[:len(word)-1]), word[len(word)-1]
	var all []string
	add := func(before, kana string) {
		for _, k := range kana {
			all = append(all, before+string(k))
		}
	}
	switch sort {
	case ichidan:
		if scriptOf(word[len(word)-2]) == scriptHiragana {
			return []string{stem}
		}
		add(stem, behindStem)
	case adjective:
		add(stem, behindAdjective)
		if stem == "大き" || stem == "小さ" {
			add(stem, "な")
		}
	case godan:
		row := rows[last]
		if stem == "行" {
			row[4] = "っ"
		}
		all = append(all, string(word))
		for i, kana := range row {
			add(stem+kana, ends[i])
		}
	}
	return all
}

// verbAt is where the beginning of a verb or an adjective at rune i ends, or i. Inside a run of
// kanji it is one only with two kana, so that no noun made of several (勉強会) is cut in two.
func verbAt(text []rune, i int, inRun bool) int {
	if scriptOf(text[i]) != scriptKanji {
		return i
	}
	end, _ := inflectedForms().longest(text, i)
	if inRun && i > 0 && scriptOf(text[i-1]) == scriptKanji && (end-i < 3 || scriptOf(text[end-2]) == scriptKanji) {
		return i
	}
	return end
}
