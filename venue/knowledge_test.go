package venue_test

import (
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"testing"

	"annai/internal/text"
	"annai/rag"
	"annai/rag/markdown"
	"annai/venue"
)

// categories are those that the demo's documents use; each has at least one document.
var categories = []string{
	"overview", "hours", "price", "membership", "access", "facility", "makers", "rooms", "cafe", "rules",
	"accessibility", "events", "community", "building", "staff", "contact",
}

// A fact is a passage's key string in each language, in the document (a pair of files) of that name.
type fact struct{ document, ja, en string }

var facts = []fact{
	{"overview", "Hacker Space Fukuoka", "Hacker Space Fukuoka"},
	{"overview", "2019年8月", "August 2019"},
	{"overview", "エンジニアフレンドリーシティ福岡", "Engineer Friendly City Fukuoka"},
	{"overview", "福岡市赤煉瓦文化館", "Akarenga Culture Hall"},
	{"overview", "転職を目指す方", "changing careers"},
	{"overview", "フリーランス", "freelancers"},
	{"hours", "9:00から22:00", "9:00 to 22:00 (9 a.m. to 10 p.m.)"},
	{"hours", "日曜日も祝日も、平日と同じ9:00から22:00", "Sundays and public holidays Engineer Cafe is open"},
	{"hours", "毎月最終月曜日", "last Monday of every month"},
	{"hours", "その次の平日", "next weekday"},
	{"hours", "12月29日から1月3日", "December 29 to January 3"},
	{"hours", "ゴールデンウィークとお盆の期間も開館", "open during Golden Week and Obon"},
	{"hours", "10分前", "10 minutes before closing"},
	{"price", "無料です", "free to use"},
	{"price", "フィラメント", "filament"},
	{"price", "領収書をお出ししていません", "do not issue receipts"},
	{"price", "一日券", "no day pass"},
	{"usage", "郵便物や荷物を代わりに受け取ることはできません", "cannot receive mail or parcels"},
	{"usage", "事業の所在地として使うことはできません", "may not be used as a business address"},
	{"usage", "2時間ほどを目安", "about 2 hours"},
	{"usage", "受付で延長できます", "extend your time at reception"},
	{"usage", "15分以内", "up to 15 minutes"},
	{"usage", "退館の手続き", "check out"},
	{"membership", "一度だけ", "only once"},
	{"membership", "5分から10分", "5 to 10 minutes"},
	{"membership", "身分証明書は必要ありません", "do not need any ID"},
	{"membership", "ウェブのフォーム", "web form"},
	{"membership", "オンラインで会員登録を済ませることはできません", "cannot register online before"},
	{"membership", "会員番号", "member number"},
	{"membership", "受付カードを返して", "give the card back"},
	{"membership", "年齢制限はありません", "no age limit"},
	{"membership", "保護者", "guardian"},
	{"contact", "080-6742-7231", "080-6742-7231"},
	{"contact", "092-722-4666", "092-722-4666"},
	{"contact", "13:00から21:00", "13:00 to 21:00"},
	{"contact", "engineercafe.jp/en", "engineercafe.jp/en"},
	{"contact", "engineercafe.jp/ja/contact", "engineercafe.jp/ja/contact"},
	{"contact", "@EngineerCafeJP", "@EngineerCafeJP"},
	{"contact", "engineercafe.connpass.com", "engineercafe.connpass.com"},
	{"contact", "LINEのアカウントはありません", "no LINE account"},
	{"managers", "13:00から21:00", "13:00 to 21:00"},
	{"managers", "予約はいりません", "do not need a booking"},
	{"managers", "オンラインでの相談", "online"},
	{"managers", "キャリア、転職、スキルの転換、ものづくり", "career, changing jobs, changing skills, making things"},
	{"managers", "英語は限られています", "limited English"},
	{"access", "福岡市中央区天神1丁目15番30号", "1-15-30 Tenjin, Chuo-ku, Fukuoka"},
	{"access", "16番出口", "exit 16"},
	{"access", "歩いて5分", "5 minutes away on foot"},
	{"access", "昭和通りを東へ", "east along Showa-dori"},
	{"access", "天神4丁目", "Tenjin 4-chome"},
	{"access", "11分、運賃は260円", "11 minutes and costs 260 yen"},
	{"access", "6分、運賃は210円", "6 minutes and costs 210 yen"},
	{"access", "アクロス福岡の通路", "passage by ACROS Fukuoka"},
	{"access", "傘の貸し出しはしていません", "do not lend umbrellas"},
	{"access", "専用の駐車場がありません", "no car park"},
	{"access", "専用の駐輪場もありません", "no bicycle parking"},
	{"nearby", "1分から3分", "1 to 3 minutes"},
	{"nearby", "クリニック", "clinics"},
	{"nearby", "天神地下街", "Tenjin underground mall"},
	{"floors", "入口を入って左側", "on your left after the entrance"},
	{"floors", "右奥", "right rear"},
	{"floors", "9:00から17:00", "9:00 to 17:00"},
	{"floors", "三つ", "three paid meeting rooms"},
	{"first-floor", "30席", "30 seats"},
	{"first-floor", "イベントが優先", "event has priority"},
	{"first-floor", "通話やオンライン会議をしていただけます", "take calls and join online meetings"},
	{"first-floor", "雨の日はご利用いただけません", "cannot be used in the rain"},
	{"first-floor", "電源はありません", "no power sockets"},
	{"basement", "6席のブース", "6 booths"},
	{"basement", "会話や通話はご遠慮ください", "do not talk or take calls"},
	{"basement", "10人ほど", "about 10"},
	{"basement", "2人以上", "2 or more people"},
	{"basement", "当日の予約はできません", "cannot book it on the same day"},
	{"basement", "8席から10席", "8 to 10 seats"},
	{"basement", "外部ディスプレイ", "external displays"},
	{"basement", "1回1時間まで、先着順", "1 hour at a time, first come, first served"},
	{"makers", "8席", "8 seats"},
	{"makers", "9:30から21:30", "9:30 to 21:30"},
	{"makers", "Trotec Speedy 100", "Trotec Speedy 100"},
	{"makers", "Bambu Lab P1S", "Bambu Lab P1S"},
	{"makers", "ボール盤、オシロスコープ、帯のこ盤", "drill press, an oscilloscope and a band saw"},
	{"makers", "CNCフライス盤はありません", "no CNC mill"},
	{"makers", "講習は無料で、1時間ほど", "training is free and takes about 1 hour"},
	{"makers", "前日までに予約", "by the day before"},
	{"makers", "予約枠は1回2時間", "slots of 2 hours"},
	{"makers", "15分遅れる", "15 minutes late"},
	{"filament", "1グラム2円", "2 yen per gram"},
	{
		"filament", "PLAが7円、ABSが10円、ポリカーボネートが20円、TPEが50円、ナイロンカーボンが60円",
		"PLA costs 7 yen per gram, ABS 10 yen, polycarbonate 20 yen, TPE 50 yen and nylon-carbon 60 yen",
	},
	{"filament", "持ち込みはできません", "may not use your own filament"},
	{"filament", "福岡市内にお住まいの学生", "students who live in Fukuoka City"},
	{"filament", "10円未満を切り捨て", "rounded down to the nearest 10 yen"},
	{"filament", "cafe&bar sainoのレジ", "register of cafe&bar saino"},
	{"laser", "アクリル、MDF、木材、紙、革、フェルト、ゴム", "acrylic, MDF, wood, paper, leather, felt and rubber"},
	{
		"laser", "（PVC）、ポリカーボネート、ガラス、金属、発泡スチロール、カーボンファイバー",
		"PVC, polycarbonate, glass, metal, styrofoam and carbon fibre cannot",
	},
	{"equipment", "4Kモニター、プロジェクター、スクリーン、マイク、HDMIケーブル、充電器", "4K monitor, a projector, a screen, a microphone, HDMI cables and chargers"},
	{"equipment", "Apple Vision ProやMeta Quest", "Apple Vision Pro and Meta Quest"},
	{"equipment", "Tello", "Tello"},
	{"equipment", "mocopi", "mocopi"},
	{"equipment", "Raspberry PiとM5Stack", "Raspberry Pi and M5Stack"},
	{"equipment", "コピー機、スキャナーはありません", "no paper printer, copier or scanner"},
	{"equipment", "ロッカーはありません", "no lockers"},
	{"equipment", "ウォーターサーバーと自動販売機はありません", "no water server and no vending machine"},
	{"wifi", "テラスも含めて館内のどこでも", "whole building, including the terrace"},
	{"wifi", "受付カードの裏", "back of your reception card"},
	{"wifi", "2.4GHzと5GHz", "2.4 GHz and 5 GHz"},
	{"wifi", "テラスを除くすべての席", "every seat, except on the terrace"},
	{"wifi", "イベントのときのWi-Fiは、スタッフに", "during an event, please ask the staff"},
	{"toilet", "1階のテラスの奥", "first floor, beyond the terrace"},
	{"toilet", "直接は行けません", "cannot be reached directly from inside"},
	{"toilet", "多目的トイレはありません", "no multi-purpose toilet"},
	{"toilet", "授乳室はありません", "no nursing room"},
	{"rooms", "会議室1は12席", "Meeting Room 1 on the second floor has 12 seats"},
	{"rooms", "9時から12時は800円、13時から17時は1,600円、18時から21時は1,400円", "800 yen from 9 a.m. to 12 noon, 1,600 yen from 1 to 5 p.m. and 1,400 yen"},
	{"rooms", "9時から17時は2,100円、13時から21時は2,800円、9時から21時は3,300円", "9 a.m. to 5 p.m. it costs 2,100 yen, from 1 to 9 p.m. it costs 2,800 yen, and from 9 a.m. to 9 p.m. it costs 3,300 yen"},
	{"rooms", "会議室2は8席", "Meeting Room 2 on the second floor has 8 seats"},
	{"rooms", "9時から12時は500円、13時から17時は1,000円、18時から21時は800円", "500 yen from 9 a.m. to 12 noon, 1,000 yen from 1 to 5 p.m. and 800 yen"},
	{"rooms", "9時から17時は1,300円、13時から21時は1,700円、9時から21時は2,000円", "1,300 yen, from 1 to 9 p.m. it costs 1,700 yen, and from 9 a.m. to 9 p.m. it costs 2,000 yen"},
	{"rooms", "会議室3は30席", "Meeting Room 3 on the second floor has 30 seats"},
	{"rooms", "9時から12時は1,700円、13時から17時は3,400円、18時から21時は3,000円", "1,700 yen from 9 a.m. to 12 noon, 3,400 yen from 1 to 5 p.m. and 3,000 yen"},
	{"rooms", "9時から17時は4,500円、13時から21時は6,000円、9時から21時は7,000円", "4,500 yen, from 1 to 9 p.m. it costs 6,000 yen, and from 9 a.m. to 9 p.m. it costs 7,000 yen"},
	{"rooms", "3か月前から前日まで", "3 months before until the day before"},
	{"rooms", "オンライン予約システム", "online reservation system"},
	{"rooms", "お電話では受け付けていません", "cannot be booked by phone"},
	{"rooms", "10日前までは無料", "free until 10 days before"},
	{"rooms", "5日前までは料金の50%", "5 days before you pay 50%"},
	{"rooms", "100%", "100%"},
	{"rooms", "会議、講演会、研修、文化活動", "meetings, lectures, training and cultural activities"},
	{"rooms", "ふたの付いたノンアルコールの飲み物だけ", "non-alcoholic drinks with a lid"},
	{"rooms", "エンジニアカフェの施設ではありません", "not part of Engineer Cafe"},
	{"saino", "火曜・木曜・金曜が12:00から17:00までと、18:00から20:00まで", "Tuesday, Thursday and Friday, cafe&bar saino is open from 12 noon to 5 p.m. and from 6 to 8 p.m."},
	{"saino", "土曜・日曜・祝日は11:00から20:00", "Saturdays, Sundays and public holidays it is open from 11 a.m. to 8 p.m."},
	{"saino", "定休日は月曜日と水曜日", "closed on Mondays and Wednesdays"},
	{"saino", "15席", "15 seats"},
	{"saino", "テイクアウト", "takeaway"},
	{"saino", "キャッシュレス", "cashless"},
	{"saino", "別のお店", "separate business"},
	{"saino-menu", "ブレンドコーヒーが380円、シングルオリジンが460円から、エスプレッソが400円", "blend coffee is 380 yen, single origin coffee is from 460 yen, and an espresso is 400 yen"},
	{"saino-menu", "カフェラテは570円、カフェモカは700円、抹茶ラテは500円", "latte is 570 yen, a mocha 700 yen and a matcha latte 500 yen"},
	{"saino-menu", "650円から700円", "650 to 700 yen"},
	{"saino-menu", "50円引き", "50 yen less"},
	{"saino-menu", "ワッフルは420円、アフォガートは550円", "waffle is 420 yen and an affogato 550 yen"},
	{"saino-menu", "ビールが500円、ハイボールが450円から、カクテルが700円", "beer is 500 yen, a highball is from 450 yen and cocktails are 700 yen"},
	{"food", "持ち込みはご遠慮", "do not bring food"},
	{"food", "sainoの店内、談話室、テラス", "saino itself, in the lounge and on the terrace"},
	{"food", "ふたの付いた飲み物", "drinks with a lid"},
	{"food", "許可があれば", "by permission"},
	{"manners", "全面禁煙", "smoke-free"},
	{"manners", "補助犬", "Service dogs"},
	{"manners", "三脚やフラッシュ", "tripod or flash"},
	{"manners", "営業や勧誘はご遠慮", "do not do sales talk"},
	{"manners", "居眠りはご遠慮", "do not nap"},
	{"manners", "ごみはお持ち帰り", "take your rubbish home"},
	{"manners", "忘れ物は、1階のエンジニアカフェの受付", "lost items, please ask at the Engineer Cafe desk"},
	{"manners", "トイレでの忘れ物は、赤煉瓦文化館の受付", "toilet, ask at the Akarenga desk"},
	{"manners", "1階の正面玄関と、地下1階のスタッフ用通路", "front door on the first floor and the staff passage in the basement"},
	{"accessibility", "スロープのあるテラス側", "terrace side, where there is a ramp"},
	{"accessibility", "事前にお電話", "call ahead"},
	{"accessibility", "エレベーターはありません", "no lift"},
	{"accessibility", "車いすで使えるトイレはありません", "no accessible toilet"},
	{"events", "ハッカソン、LT会、もくもく会、技術の勉強会", "hackathons, lightning talks, mokumoku (quiet coding) sessions and study groups"},
	{"events", "AIのワークショップ、ブロックチェーンのミートアップ", "AI workshops, blockchain meetups"},
	{"events", "Connpass（engineercafe.connpass.com）", "Connpass, at engineercafe.connpass.com"},
	{"events", "先着順", "first come, first served"},
	{"events", "ほとんどが無料", "Most events are free"},
	{"events", "当日に受付で会員登録", "register as a member at the desk"},
	{"hosting", "福岡市の許可", "permission from the city"},
	{"hosting", "30人から50人", "30 to 50 people"},
	{"hosting", "コワーキングのご利用はお休み", "coworking is closed"},
	{"lab", "25歳以下", "up to the age of 25"},
	{"lab", "面接", "interview"},
	{"lab", "期間は1年間", "lasts one year"},
	{"ignition-camp", "2025年12月から2026年2月", "December 2025 to February 2026"},
	{"ignition-camp", "2026年2月23日の18:00", "18:00 (6 p.m.) on February 23, 2026"},
	{"building", "1909年に日本生命の九州支店", "1909 as the Kyushu branch of the insurance company Nippon Life"},
	{"building", "辰野金吾と片岡安", "Tatsuno Kingo and Kataoka Yasushi"},
	{"building", "白い花崗岩の帯", "bands of white granite"},
	{"building", "八角形の塔", "octagonal tower"},
	{"building", "約282平方メートル", "about 282 square metres"},
	{"building", "1969年に国の重要文化財", "Important Cultural Property since 1969"},
	{"building", "1994年", "reopened in 1994"},
	{"building", "夏は館内が暑く", "hot in summer"},
}

// demoPassages returns the demo's passages, by document ("hours.ja.md") and all of them.
func demoPassages(t *testing.T) (map[string][]rag.Passage, []rag.Passage) {
	t.Helper()
	v := demoVenue(t)
	passages, problems := markdown.Load(v.Files, v.Knowledge)
	for _, p := range problems {
		t.Errorf("markdown.Load(demo): %v", p)
	}
	byDocument := map[string][]rag.Passage{}
	for _, p := range passages {
		name := strings.TrimPrefix(p.Document, "knowledge/")
		byDocument[name] = append(byDocument[name], p)
	}
	return byDocument, passages
}

func demoVenue(t testing.TB) *venue.Venue {
	t.Helper()
	v, err := venue.Demo()
	if err != nil {
		t.Fatalf("Demo() = %v", err)
	}
	return v
}

func TestFacts(t *testing.T) {
	documents, _ := demoPassages(t)
	for _, f := range facts {
		for lang, want := range map[string]string{"ja": f.ja, "en": f.en} {
			name := f.document + "." + lang + ".md"
			says := func(p rag.Passage) bool { return strings.Contains(p.Text, want) }
			if !slices.ContainsFunc(documents[name], says) {
				t.Errorf("no passage of %s says %q", name, want)
			}
		}
	}
}

// Each fact is there in both languages, at the same place of a pair of documents, as one passage.
func TestDocumentsArePaired(t *testing.T) {
	documents, passages := demoPassages(t)
	for name, ours := range documents {
		if !strings.HasSuffix(name, ".ja.md") {
			continue
		}
		other := strings.TrimSuffix(name, ".ja.md") + ".en.md"
		theirs := documents[other]
		if len(ours) != len(theirs) {
			t.Errorf("%s has %d passages, %s has %d, want as many", name, len(ours), other, len(theirs))
			continue
		}
		for i, p := range ours {
			q := theirs[i]
			if p.Pair == "" || p.Pair != q.Pair {
				t.Errorf("pairs of %s and %s = %q and %q, want the same", p.ID, q.ID, p.Pair, q.Pair)
			}
			if p.Category != q.Category || p.UpdatedAt != q.UpdatedAt || p.ValidFrom != q.ValidFrom || p.ValidUntil != q.ValidUntil {
				t.Errorf("%s and %s differ in category or dates, want the same", p.ID, q.ID)
			}
		}
	}
	if ja := len(passages) / 2; ja < 100 {
		t.Errorf("there are %d passages per language, want 100 or more", ja)
	}
}

func TestFrontMatter(t *testing.T) {
	documents, passages := demoPassages(t)
	used := map[string]bool{}
	for _, p := range passages {
		used[p.Category] = true
		if !slices.Contains(categories, p.Category) {
			t.Errorf("category of %s = %q, want one of %v", p.ID, p.Category, categories)
		}
		if !strings.HasSuffix(p.Document, "."+p.Lang+".md") {
			t.Errorf("lang of %s = %q, want that of its file name", p.ID, p.Lang)
		}
		if p.UpdatedAt.IsZero() {
			t.Errorf("updatedAt of %s is missing", p.ID)
		}
		if u, err := url.Parse(p.Source); p.Source == "" || err != nil || (u.Scheme != "" && !strings.HasPrefix(u.Host, "engineercafe.")) {
			t.Errorf("source of %s = %q, want a name or an address of the venue", p.ID, p.Source)
		}
	}
	for _, c := range categories {
		if !used[c] {
			t.Errorf("no document has the category %q", c)
		}
	}
	camp := documents["ignition-camp.ja.md"]
	if len(camp) == 0 || camp[0].ValidFrom.String() != "2025-12-01" || camp[0].ValidUntil.String() != "2026-02-23" {
		t.Errorf("the camp's documents are valid on other days: %+v", camp)
	}
}

// What is said aloud is short, has no marks for the eye, and nothing that isn't ours to say.
func TestPassagesAreSpeakable(t *testing.T) {
	_, passages := demoPassages(t)
	for _, p := range passages {
		if n := len(text.Sentences(p.Text)); n > 4 {
			t.Errorf("%s has %d sentences, want at most 4: %s", p.ID, n, p.Text)
		}
		if strings.ContainsAny(p.Text, "*|`#\n[]") {
			t.Errorf("%s has marks or line breaks: %q", p.ID, p.Text)
		}
		if p.Lang == "ja" && !strings.HasSuffix(p.Text, "。") || p.Lang == "en" && !strings.HasSuffix(p.Text, ".") {
			t.Errorf("%s does not end a sentence: %q", p.ID, p.Text)
		}
		if strings.Contains(p.Text, "AED") {
			t.Errorf("%s speaks of the AED, which staff are asked about: %q", p.ID, p.Text)
		}
	}
}

// The knowledge and the computed hours must not contradict each other.
func TestDocumentsAreOfTheVenueFile(t *testing.T) {
	v := demoVenue(t)
	files, err := fs.Glob(v.Files, "knowledge/*")
	if err != nil || len(files) < 2 {
		t.Fatalf("Glob(knowledge/*) = %v, %v", files, err)
	}
	for day, hours := range v.Hours.Weekly {
		if hours != "09:00-22:00" {
			t.Errorf("hours.weekly.%s = %q, want 09:00-22:00 as hours.ja.md says", day, hours)
		}
	}
}
