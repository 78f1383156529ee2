package nlu

import (
	"strings"
	"sync"
)

// spellings are everyday words as children write them, and recognisers that do not convert, and how
// they are usually written. One that stands for itself only hides what is in it: きょうみ is no day.
var spellings = []string{
	// Times.
	"きょう=今日|あした=明日|あさって=明後日|きのう=昨日|おととい=一昨日|こんしゅう=今週|らいしゅう=来週|さらいしゅう=再来週|せんしゅう=先週|こんげつ=今月|らいげつ=来月|せんげつ=先月|ことし=今年|らいねん=来年|きょねん=去年",
	"しゅうまつ=週末|こんしゅうまつ=今週末|らいしゅうまつ=来週末|へいじつ=平日|どにち=土日|しゅくじつ=祝日|ごぜん=午前|ごぜんちゅう=午前中|ごご=午後|こんや=今夜|こんばん=今晩|まいにち=毎日|まいしゅう=毎週|まいつき=毎月|ねんまつねんし=年末年始|おしょうがつ=お正月|くりすます=クリスマス|くりすますいぶ=クリスマスイブ",
	"げつようび=月曜日|かようび=火曜日|すいようび=水曜日|もくようび=木曜日|きんようび=金曜日|どようび=土曜日|にちようび=日曜日|なんようび=何曜日|なんじ=何時|なんじから=何時から|なんじまで=何時まで|なんじに=何時に|なんじごろ=何時ごろ|なんじです=何時です|なんにち=何日|なんがつ=何月|なんねん=何年|なんぷん=何分|なんかい=何階|なんにん=何人|なんさい=何歳|なんめい=何名|いまなんじ=今何時|うるうどし=うるう年",
	"きょうと=きょうと|きょうみ=興味|きょうだい=きょうだい|きょうりゅう=きょうりゅう|きょうりょく=協力|きょうゆう=共有|きょうかい=きょうかい|きょうかしょ=教科書|きょうつう=共通|きょうし=きょうし|とうきょう=東京|べんきょう=勉強|えいきょう=影響|きょういく=教育|きょうしつ=教室|こんばんは=こんばんは|こんばんわ=こんばんわ",
	// What is on.
	"いべんと=イベント|べんきょうかい=勉強会|もくもくかい=もくもく会|えるてぃーかい=LT会|はっかそん=ハッカソン|わーくしょっぷ=ワークショップ|せみなー=セミナー|はんずおん=ハンズオン|みーとあっぷ=ミートアップ|こうざ=講座|たいけんかい=体験会|せつめいかい=説明会|こうりゅうかい=交流会|さんか=参加|もうしこみ=申し込み|もうしこむ=申し込む|ちゅうし=中止|ぷろぐらみんぐ=プログラミング|ろぼっと=ロボット|よてい=予定|おもしろい=面白い",
	// The venue.
	"といれ=トイレ|おといれ=トイレ|おてあらい=お手洗い|てあらい=手洗い|けしょうしつ=化粧室|じゅにゅうしつ=授乳室|わいふぁい=Wi-Fi|ぱすわーど=パスワード|いんたーねっと=インターネット|でんげん=電源|こんせんと=コンセント|じゅうでん=充電|じゅうでんき=充電器|ちゅうしゃじょう=駐車場|ちゅうりんじょう=駐輪場|じてんしゃ=自転車|くるま=車|くるまいす=車椅子|くるまで=くるまで",
	"えいぎょう=営業|えいぎょうじかん=営業時間|えいぎょうび=営業日|かいかん=開館|かいかんじかん=開館時間|へいかん=閉館|へいかんじかん=閉館時間|きゅうかんび=休館日|ていきゅうび=定休日|やすみ=休み|やすみのひ=休みの日|おやすみ=おやすみ|おやすみですか=お休みですか|おやすみはいつ=お休みはいつ|おやすみの=お休みの|おやすみなさい=おやすみなさい|じかん=時間|ばしょ=場所|かいじょう=会場|じゅうしょ=住所|いきかた=行き方|いりぐち=入口|でぐち=出口|としょしつ=図書室|としょかん=図書館|ちかく=近く",
	"かいぎしつ=会議室|うけつけ=受付|へや=部屋|ふろあ=フロア|すぺーす=スペース|えれべーたー=エレベーター|かいだん=階段|ろっかー=ロッカー|こいんろっかー=コインロッカー|じはんき=自販機|じどうはんばいき=自動販売機|のみもの=飲み物|たべもの=食べ物|おべんとう=お弁当|べんとう=弁当|かふぇ=カフェ|こーひー=コーヒー|らんち=ランチ|めにゅー=メニュー|きつえん=喫煙|きつえんじょ=喫煙所|きんえん=禁煙|ごみ=ゴミ|ごみばこ=ゴミ箱|みず=水|えあこん=エアコン",
	"かさ=傘|わすれもの=忘れ物|おとしもの=落とし物|こぴー=コピー|こぴーき=コピー機|ぷりんたー=プリンター|すりーでぃーぷりんたー=3Dプリンター|れーざー=レーザー|れーざーかったー=レーザーカッター|ぱそこん=パソコン|すまほ=スマホ|しゃしん=写真|さつえい=撮影|ほわいとぼーど=ホワイトボード|ぷろじぇくたー=プロジェクター|みーてぃんぐ=ミーティング",
	"よやく=予約|とうろく=登録|かいいん=会員|りょうきん=料金|ねだん=値段|むりょう=無料|ゆうりょう=有料|おかね=お金|げんきん=現金|くれじっとかーど=クレジットカード|でんわ=電話|でんわばんごう=電話番号|えき=駅|もよりえき=最寄り駅|もよりのえき=最寄りの駅|ちかてつ=地下鉄|ばす=バス|ばすてい=バス停|こんびに=コンビニ|たくしー=タクシー|すたっふ=スタッフ|かかりのひと=係の人|そうだん=相談|しゅうしょく=就職|てんしょく=転職",
	"がくせい=学生|しょうがくせい=小学生|ちゅうがくせい=中学生|こうこうせい=高校生|だいがくせい=大学生|おとな=大人|がいこくじん=外国人|えいご=英語|にほんご=日本語|ちゅうごくご=中国語|かんこくご=韓国語|てんき=天気|なまえ=名前|おなまえ=お名前|げんきですか=元気ですか",
	// What one does.
	"つかえます=使えます|つかえる=使える|つかえますか=使えますか|つかいたい=使いたい|つかいかた=使い方|つかっても=使っても|かりられ=借りられ|かりたい=借りたい|かしてください=貸してください|たべられ=食べられ|たべても=食べても|たべれ=食べれ|のんでも=飲んでも|のめますか=飲めますか|のめる=飲める|もちこめ=持ち込め|もちこみ=持ち込み|もちこんで=持ち込んで|おけますか=置けますか|すえますか=吸えますか|はいれますか=入れますか|はいっても=入っても|とめられ=停められ|もういっかい=もう一回|もういちど=もう一度",
	// Danger.
	"たすけて=助けて|きゅうきゅうしゃ=救急車|じしんです=地震です|じしんだ=地震だ|かじです=火事です|かじだ=火事だ|ちがでて=血が出て|まいご=迷子",
}

// spelling is the usual way of writing a word.
type spelling struct {
	of    *matcher // its tags are places in usual, plus one
	usual []string
}

var spelled = sync.OnceValue(func() spelling {
	s := spelling{of: newMatcher()}
	for _, list := range spellings {
		for pair := range strings.SplitSeq(list, "|") {
			kana, usual, _ := strings.Cut(pair, "=")
			s.usual = append(s.usual, usual)
			s.of.addWord(kana, tag(len(s.usual)))
		}
	}
	return s
})

// spellUsually writes everyday words as they usually are.
func spellUsually(text string) string {
	words, runes := spelled(), []rune(text)
	var out strings.Builder
	done := 0 // up to where runes are known words
	for i := 0; i < len(runes); {
		end, n := i, tag(0)
		if scriptOf(runes[i]) == scriptHiragana {
			end, n = words.of.longest(runes, i)
		}
		if end == i || !(i == done && i > 0 || mayBegin(runes, i, end)) || !words.mayEnd(runes, i, end) {
			out.WriteRune(runes[i])
			i++
			continue
		}
		out.WriteString(words.usual[n-1])
		i, done = end, end
	}
	return out.String()
}

const (
	shortWord = 3 // words of so many kana or fewer are also parts of others
	particles = "はがをにでとものへやか"
	// behindWord are kana with which the next word may begin: particles, です, だ, よ, ね, どこ, ある, いつ,
	// なに and って.
	behindWord = particles + "だよねどあいなっ"
	// beforeWord are kana with which the word before may end.
	beforeWord = particles + "んすーねよ"
)

// mayBegin reports whether a word may begin at rune i, so that it is no part of another and no
// particle with a verb (会議といれて).
func mayBegin(runes []rune, i, end int) bool {
	if i == 0 {
		return true
	}
	before, kind := runes[i-1], scriptOf(runes[i-1])
	switch {
	case kind == scriptNone:
		return true
	case strings.ContainsRune(particles, runes[i]) && kind != scriptHiragana:
		return false
	}
	return kind != scriptHiragana || end-i > shortWord || strings.ContainsRune(beforeWord, before)
}

// mayEnd reports whether a word that begins at rune i may end before rune end.
func (s spelling) mayEnd(runes []rune, i, end int) bool {
	if end == len(runes) || scriptOf(runes[end]) != scriptHiragana && runes[end] != 'ー' {
		return true
	}
	if strings.ContainsRune("ぁぃぅぇぉゃゅょんー", runes[end]) {
		return false
	}
	if end-i > shortWord || strings.ContainsRune(behindWord, runes[end]) || runes[end] == 'ま' && end+1 < len(runes) &&
		runes[end+1] == 'で' {
		return true
	}
	next, _ := s.of.longest(runes, end)
	return next > end
}
