package nlu_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"annai/nlu"
	"annai/nlu/datetime"
)

// rest is what an understanding says beside language, intent and topic, in the notation of [readings].
func rest(u nlu.Understanding) string {
	var words []string
	add := func(on bool, word string) {
		if on {
			words = append(words, word)
		}
	}
	ref := u.Reference
	add(u.Safety != "", string(u.Safety))
	add(ref.Ordinal != 0, "#"+strconv.Itoa(ref.Ordinal))
	add(ref.Other, "other")
	add(ref.That, "that")
	add(ref.Field != nlu.FieldNone, string(ref.Field)+"?")
	add(ref.Elliptic, "elliptic")
	add(ref.More, "more")
	for _, e := range u.Times {
		add(true, "@"+string(e.Name))
	}
	add(u.Write, "write")
	add(u.Owner, "owner")
	add(u.PastAsked, "past")
	return strings.Join(words, " ")
}

func TestUnderstand(t *testing.T) {
	r := demo()
	for _, c := range readings {
		u := r.Understand(c.text, now(t))
		got := []string{string(u.Language), string(u.Intent), u.Topic, rest(u)}
		want := []string{c.language, c.intent, c.topic, c.rest}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Understand(%q), decided because it %s (-want +got):\n%s", c.text, u.Reason, diff)
		}
		if u.Confidence <= 0 || u.Confidence > 1 || u.Reason == "" {
			t.Errorf("Understand(%q) has confidence %v and reason %q, want one in (0, 1] and some words", c.text,
				u.Confidence, u.Reason)
		}
	}
}

func TestUnderstandText(t *testing.T) {
	r := demo()
	for said, want := range map[string]string{
		"  今日の　イベントは？ ":                 "今日の イベントは?",
		"[2025-01-15T10:00:00] 今日のイベント": "今日のイベント",
		"[太郎さんのコメント] こんにちは":             "こんにちは",
		"[a][b]: hello":                       "hello",
		"[happy]":                             "[happy]",
		"えーと、今日のイベント":                         "今日のイベント",
		"えっと 明日は":                             "明日は",
		"今日の、えーと、イベント":                        "今日の、イベント",
		"um, what's on today":                 "what's on today",
		"well done":                           "well done",
		"まあまあです":                              "まあまあです",
		"エンジニア壁のイベント":                         "エンジニアカフェのイベント",
		"ENGINEER CALF hours":                 "Engineer Cafe hours",
		"ﾄｲﾚはどこ":                              "トイレはどこ",
		"１月１５日":                               "1月15日",
		"to\x00day\u200b":                     "today",
		"えっと今日のイベントは":                         "今日のイベントは",
		"今日のえーっとイベントは":                        "今日のイベントは",
		"うーんと明日の予定":                           "明日の予定",
		"あの、すみません":                            "あの、すみません",
		"教えっとください":                            "教えっとください",
		"um when is uh the hackathon":         "when is the hackathon",
		"what's on today um":                  "what's on today",
		"er where is the toilet":              "where is the toilet",
		"um":                                  "um",
		"明日明日のイベント":                           "明日のイベント",
		"明日の明日のイベント":                          "明日のイベント",
		"イベントイベントはありますか":                      "イベントはありますか",
		"もくもく会とドキドキわくわく":                      "もくもく会とドキドキわくわく",
		"十二十二月":                               "十二十二月",
		"ライブライブラリー":                           "ライブライブラリー",
		"少々お待ち":                               "少々お待ち",
		"what's on on the the third":          "what's on the third",
		"is there is there an event":          "is there an event",
		"room twenty twenty":                  "room twenty twenty",
		"room 2 2":                            "room 2 2",
		"The the TALK":                        "The TALK",
		"エンジニアカフェーと エンジニア壁":                   "エンジニアカフェーと エンジニアカフェ",
		"Engineer Calf のイベント":                 "Engineer Cafe のイベント",
		"reengineer calfs":                    "reengineer calfs",
		"what\u2019s on":                      "what's on",
		"":                                    "",
		strings.Repeat("あ", 5000):             strings.Repeat("あ", 8192/3),
		"今日のイベント\n\n明日のイベント":                  "今日のイベント 明日のイベント",
		"\xff\xfe":                            "",
		"[the bracket is never closed, hello": "[the bracket is never closed, hello",
	} {
		if got := r.Understand(said, now(t)).Text; got != want {
			t.Errorf("Understand(%.40q).Text = %.60q, want %.60q", said, got, want)
		}
	}
}

// Offsets of times refer to the text as understood, not as said.
func TestUnderstandOffsets(t *testing.T) {
	u := demo().Understand("[x] えーと、エンジニア壁で １月１６日 のイベント", now(t))
	if len(u.Times) != 1 || u.Text[u.Times[0].Start:u.Times[0].End] != "1月16日" {
		t.Errorf("Times = %+v in %q, want the words 1月16日", u.Times, u.Text)
	}
}

func TestUnderstandZone(t *testing.T) {
	loc, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	u := demo().Understand("今日のイベントは？", now(t).In(loc)) // still the evening before in New York
	if got := u.Times[0].TimeRange.Start.Format(time.RFC3339); got != "2025-01-14T00:00:00-05:00" {
		t.Errorf("today starts %s, want 2025-01-14T00:00:00-05:00", got)
	}
}

func TestUnderstandInvalidDate(t *testing.T) {
	u := demo().Understand("2月30日のイベントは？", now(t))
	if len(u.Times) != 1 || !u.Times[0].Invalid || u.Times[0].Text != "2月30日" || u.Intent != nlu.Event {
		t.Errorf("Understand(2月30日のイベントは？) = %s %+v, want an event with an invalid date", u.Intent, u.Times)
	}
}

func TestLanguage(t *testing.T) {
	r := demo()
	for text, want := range map[string]nlu.Language{
		"TypeScriptの勉強会ある？":       nlu.Japanese,
		"Is there a もくもく会 today?": nlu.English,
		"Tell me about もくもく会":     nlu.English,
		"Wi-Fi":                   nlu.English,
		"wifiは":                   nlu.Japanese,
		"トイレ":                     nlu.Japanese,
		"会議室":                     nlu.Japanese,
		"ok":                      nlu.English,
		"15:00":                   nlu.Japanese,
		"the second oneでお願いします":   nlu.Japanese,
		"Engineer Cafeの営業時間は？":    nlu.Japanese,
		"what's 赤煉瓦文化館?":          nlu.English,
		"React Nativeのハンズオンは next week？": nlu.Japanese,
		"？":                      nlu.Japanese,
		"eventはありますか":            nlu.Japanese,
		"Is there an イベント today": nlu.English,
		"show me 今日のイベント":        nlu.English,
		"when is 春のハッカソン":        nlu.English,
		"toiletはどこ":              nlu.Japanese,
		"next week のイベント":        nlu.Japanese,
		"今日の schedule を please":  nlu.Japanese,
		"LT会":                    nlu.Japanese,
		"Python勉強会":              nlu.Japanese,
		"TypeScript":             nlu.English,
		"toilet":                 nlu.English,
		"hello さくら":              nlu.Japanese,
		"connpassのページを見せて":       nlu.Japanese,
		"can I talk to 田中さん":     nlu.English,
		"OKです":                   nlu.Japanese,
		"Wi-Fi パスワード":            nlu.Japanese,
		"where's エンジニアカフェ":       nlu.English,
		"What does 勉強会 mean?":    nlu.English,
		"GitHub ActionsのCIについて勉強したいです": nlu.Japanese,
	} {
		if got := r.Understand(text, now(t)).Language; got != want {
			t.Errorf("Understand(%q).Language = %s, want %s", text, got, want)
		}
	}
	other := nlu.New(nlu.Options{Fallback: nlu.English})
	if got := other.Understand("15:00", now(t)).Language; got != nlu.English {
		t.Errorf("with Fallback en, Understand(15:00).Language = %s, want en", got)
	}
}

// Words of the venue are words of the lexicon, too.
func TestOptions(t *testing.T) {
	r := nlu.New(nlu.Options{
		VenueNames: []string{"Café Zwölf"}, StaffWords: []string{"ranger"}, EventWords: []string{"jam"},
		InfoWords:   []string{"sauna"},
		Corrections: map[string]string{"cafe twelve": "Café Zwölf"},
	})
	for text, want := range map[string]nlu.Intent{
		"call the ranger":        nlu.CallStaff,
		"is there a jam tonight": nlu.Event,
		"the sauna":              nlu.Info,
		"what is cafe twelve":    nlu.Info,
	} {
		if got := r.Understand(text, now(t)); got.Intent != want {
			t.Errorf("Understand(%q).Intent = %s (%s), want %s", text, got.Intent, got.Reason, want)
		}
	}
	if got := r.Understand("jam at cafe twelve tonight", now(t)).Topic; got != "jam" {
		t.Errorf("Topic = %q, want %q: the venue's name is cut", got, "jam")
	}
}

// No danger is missed for how it is said, and no topic is taken for one.
func TestSafety(t *testing.T) {
	r := demo()
	for text, want := range map[string]nlu.Danger{
		"火事だ！":                     nlu.Fire,
		"ガスのにおいがします":               nlu.Gas,
		"it smells of gas in here": nlu.Gas,
		"もう死にたいです":                 nlu.Suicide,
		"I want to kill myself":    nlu.Suicide,
		"レーザー加工機使いたいんやけど、いくら？": "",
		"AED course": "",
		"救急車来てくれはった、ありがとう":                    "",
		"the ambulance came, thank you":       "",
		"found him!":                          "",
		"えーと、2階で煙が出ています":                      nlu.Fire,
		"何か燃えてるみたい":                           nlu.Fire,
		"焦げ臭いです":                              nlu.Fire,
		"消火器はどこですか":                           nlu.Fire,
		"there is smoke in the basement":      nlu.Fire,
		"Fire!":                               nlu.Fire,
		"the printer is on fire":              nlu.Fire,
		"友達が怪我をしました":                          nlu.Injury,
		"倒れている人がいます":                          nlu.Life,
		"友達の意識がないです":                          nlu.Life,
		"救急車を呼んでください":                         nlu.Life,
		"AEDはありますか":                           nlu.Injury,
		"help, he is not breathing":           nlu.Life,
		"my friend is bleeding":               nlu.Injury,
		"I don't feel well":                   nlu.Injury,
		"is there a first aid kit?":           nlu.Injury,
		"娘とはぐれてしまいました":                        nlu.LostChild,
		"子どもがいないんです":                          nlu.LostChild,
		"there is a lost child at the door":   nlu.LostChild,
		"バッグを盗まれました":                          nlu.Crime,
		"怪しい人がいます":                            nlu.Crime,
		"警察を呼んでください":                          nlu.Crime,
		"a man has a knife":                   nlu.Crime,
		"揺れてます":                               nlu.Quake,
		"it's an earthquake":                  nlu.Quake,
		"AI火事場トークはいつ？":                        "",
		"fireside chat":                       "",
		"Firebaseについて教えて":                     "",
		"Firefox meetup":                      "",
		"地震についての勉強会はありますか":                    "",
		"防災訓練はいつですか":                          "",
		"fireworks this summer?":              "",
		"喫煙所はどこですか":                           "",
		"煙草は吸えますか":                            "",
		"迷子にならない行き方を教えて":                      "",
		"名札はどこでもらえますか":                        "",
		"I lost my umbrella":                  "",
		"the workshop on earthquake planning": "",
	} {
		u := r.Understand(text, now(t))
		if u.Safety != want || (u.Intent == nlu.Safety) != (want != "") {
			t.Errorf("Understand(%q) = %s %q, want danger %q", text, u.Intent, u.Safety, want)
		}
	}
}

func TestNormalizeAndWords(t *testing.T) {
	for text, want := range map[string]string{
		"  Ｈｅｌｌｏ　Ｗｏｒｌｄ ": "hello world",
		"ﾊﾝｽﾞｵﾝ":         "ハンズオン",
		"A\tB\x01C":      "a bc",
	} {
		if got := nlu.Normalize(text); got != want {
			t.Errorf("Normalize(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestUnderstandAtOnce(t *testing.T) {
	r, at := demo(), now(t)
	want := r.Understand("来週のTypeScriptの勉強会を教えて", at)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := r.Understand("来週のTypeScriptの勉強会を教えて", at); cmp.Diff(want, got) != "" {
					t.Errorf("Understand differs between goroutines (-first +now):\n%s", cmp.Diff(want, got))
					return
				}
			}
		})
	}
	wg.Wait()
}

func FuzzUnderstand(f *testing.F) {
	for _, c := range readings {
		f.Add(c.text)
	}
	for _, text := range hostileTexts() {
		f.Add(text)
	}
	f.Add("100A'0会議0A0") // a rule, and no n-gram that is known
	f.Add("[[[]]] \xff火事\x00 the the the 2つ目番")
	r, at := demo(), now(f)
	f.Fuzz(func(t *testing.T, said string) {
		u := r.Understand(said, at)
		if u.Intent == "" || u.Language == "" || !utf8.ValidString(u.Text) || u.Confidence <= 0 || u.Confidence > 1 {
			t.Fatalf("Understand(%q) = %+v, want an intent, a language, valid text and a confidence", said, u)
		}
		for _, e := range u.Times {
			if e.Start < 0 || e.End > len(u.Text) || u.Text[e.Start:e.End] != e.Text {
				t.Fatalf("Understand(%q): time %+v is not in %q", said, e, u.Text)
			}
		}
		if (u.Intent == nlu.Safety) != (u.Safety != "") {
			t.Fatalf("Understand(%q) = %s with danger %q", said, u.Intent, u.Safety)
		}
	})
}

func BenchmarkUnderstand(b *testing.B) {
	r, at := demo(), now(b)
	for name, text := range map[string]string{
		"ja": "来週の金曜日の14時から16時までのTypeScriptの勉強会はどこでやりますか？",
		"en": "What workshops are there between 2 and 4 on Friday next week, and where is the main hall?",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Understand(text, at)
			}
		})
	}
}

var _ nlu.Understander = (*nlu.Reader)(nil)

// Times stay in order and keep what the parser noted.
func TestUnderstandTimes(t *testing.T) {
	u := demo().Understand("今週の土曜か来週の土曜のイベント", now(t))
	var names []datetime.Name
	for _, e := range u.Times {
		names = append(names, e.Name)
	}
	if diff := cmp.Diff([]datetime.Name{datetime.Date, datetime.Date}, names); diff != "" {
		t.Errorf("names of times (-want +got):\n%s", diff)
	}
}
