package nodes_test

import (
	"strings"
	"testing"

	"annai/api"
	"annai/dialog"
	"annai/nodes"
)

// study is a house whose owner has a calendar.
type study struct {
	*house

	own *diaryCalendar
}

// ownEntries are what the owner's calendar has where a test does not say otherwise. It is Wednesday, January 15, 2025, at ten.
var ownEntries = []string{
	"2025-01-16 10:00 - 11:00 | 定例会議 | | 会議室A",
	"2025-01-17 13:00 - 14:00 | Dentist | | Station Clinic",
}

func openStudy(t testing.TB, entries []string, change func(*nodes.Parts, *nodes.Options)) *study {
	t.Helper()
	s := &study{}
	s.house = open(t, func(p *nodes.Parts, o *nodes.Options) {
		s.own = newDiary(t, entries, p.Venue.Location)
		p.Agenda = newAgenda(t, s.own, nil, p.Venue.Location, o.Now)
		if change != nil {
			change(p, o)
		}
	})
	s.now = s.now.AddDate(0, 0, 2)
	return s
}

// owner says something as the owner.
func (s *study) owner(t testing.TB, session, words string) api.QueryResponse {
	t.Helper()
	r, err := s.Answer(t.Context(), dialog.Turn{Query: words, SessionID: session, Owner: true})
	if err != nil {
		t.Fatalf("Answer(%q) = %v, want an answer", words, err)
	}
	check(t, r)
	return r
}

// shelf is what is in the calendar besides what was there at first.
func (s *study) shelf(t testing.TB) string {
	t.Helper()
	var more []string
	for _, line := range s.own.contents(t, s.now.Location()) {
		if !strings.Contains(line, "定例会議") && !strings.Contains(line, "Dentist") {
			more = append(more, line)
		}
	}
	return strings.Join(more, "\n")
}

// TestAnswersToAPlan says many things to the question whether a meeting shall be added, and looks at what becomes of it.
func TestAnswersToAPlan(t *testing.T) {
	const (
		written = "written"
		dropped = "dropped"
		puzzled = "puzzled"
		other   = "other"
	)
	ja, en := "明日の15時に会議を入れて", "Add a meeting tomorrow at 3 pm"
	for _, test := range []struct{ order, say, want string }{
		{ja, "はい", written},
		{ja, "うん", written},
		{ja, "ええ、お願いします", written},
		{ja, "お願いします", written},
		{ja, "OK", written},
		{ja, "オッケー", written},
		{ja, "OKです", written},
		{ja, "はい、登録してください", written},
		{ja, "登録して", written},
		{ja, "それでお願い", written},
		{ja, "それでいいよ", written},
		{ja, "大丈夫です", written},
		{ja, "よろしく", written},
		{ja, "いいですよ", written},
		{ja, "そうして", written},
		{ja, "問題ありません", written},
		{ja, "入れて", written},
		{ja, "はい、それで", written},
		{ja, "進めて", written},
		{en, "yes", written},
		{en, "yes please", written},
		{en, "Yes, please add it", written},
		{en, "go ahead", written},
		{en, "sure", written},
		{en, "sounds good", written},
		{en, "ok", written},
		{en, "okay, do it", written},
		{en, "add it", written},
		{en, "please do", written},
		{en, "that's fine", written},
		{en, "perfect, thanks", written},
		{en, "yep", written},
		{ja, "いいえ", dropped},
		{ja, "やめて", dropped},
		{ja, "やめておきます", dropped},
		{ja, "やっぱりいいです", dropped},
		{ja, "キャンセルして", dropped},
		{ja, "いらない", dropped},
		{ja, "いや、やめとく", dropped},
		{ja, "登録しないで", dropped},
		{ja, "違います", dropped},
		{ja, "取り消して", dropped},
		{ja, "やっぱりなしで", dropped},
		{ja, "結構です", dropped},
		{en, "no", dropped},
		{en, "never mind", dropped},
		{en, "cancel", dropped},
		{en, "cancel that", dropped},
		{en, "No, leave it", dropped},
		{en, "forget it", dropped},
		{en, "don't add it", dropped},
		{en, "no thanks", dropped},
		{en, "actually no", dropped},
		{en, "not now", dropped},
		{ja, "いや、16時", "2025年1月16日(木) 16:00〜17:00"},
		{ja, "16時にして", "2025年1月16日(木) 16:00〜17:00"},
		{ja, "16時から18時で", "2025年1月16日(木) 16:00〜18:00"},
		{ja, "やっぱり金曜日", "2025年1月17日(金) 15:00〜16:00"},
		{ja, "来週の月曜にして", "2025年1月20日(月) 15:00〜16:00"},
		{ja, "いや、明後日の10時", "2025年1月17日(金) 10:00〜11:00"},
		{ja, "2時間にして", "2025年1月16日(木) 15:00〜17:00"},
		{ja, "30分で", "2025年1月16日(木) 15:00〜15:30"},
		{ja, "1時間半", "2025年1月16日(木) 15:00〜16:30"},
		{ja, "終日で", "2025年1月16日(木) 終日"},
		{ja, "1時間遅らせて", "2025年1月16日(木) 16:00〜17:00"},
		{ja, "30分早めて", "2025年1月16日(木) 14:30〜15:30"},
		{ja, "場所は会議室B", "場所: 会議室B"},
		{ja, "場所は会議室Bで", "場所: 会議室B"},
		{ja, "場所を会議室Bにして", "場所: 会議室B"},
		{ja, "会議室Bで", "場所: 会議室B"},
		{ja, "タイトルは歯科", "予定: 歯科"},
		{ja, "タイトルを歯科に変えて", "予定: 歯科"},
		{ja, "名前は企画会議にして", "予定: 企画会議"},
		{ja, "メモは資料を持参", "メモ: 資料を持参"},
		{ja, "はい、でも16時で", "2025年1月16日(木) 16:00〜17:00"},
		{ja, "いや、金曜の16時に、場所は会議室B", "会議室B"},
		{en, "no, 4 pm", "Thu, Jan 16, 2025, 16:00–17:00"},
		{en, "make it 4", "Thu, Jan 16, 2025, 16:00–17:00"},
		{en, "no, Friday", "Fri, Jan 17, 2025, 15:00–16:00"},
		{en, "make it an hour and a half", "15:00–16:30"},
		{en, "make it two hours", "15:00–17:00"},
		{en, "from 4 to 5", "16:00–17:00"},
		{en, "Friday at 10 instead", "Fri, Jan 17, 2025, 10:00–11:00"},
		{en, "all day", "Thu, Jan 16, 2025, all day"},
		{en, "the place is room B", "Where: room B"},
		{en, "change the place to room B", "Where: room B"},
		{en, "in room B", "Where: room B"},
		{en, "call it planning", "What: Planning"},
		{en, "the title should be planning", "What: Planning"},
		{en, "yes but at 4 pm", "16:00–17:00"},
		{en, "half an hour later", "15:30–16:30"},
		{ja, "もう少し遅くでお願いします", puzzled},
		{ja, "田中さんも入れてお願いします", puzzled},
		{en, "sounds good but tell Ken too", puzzled},
		{ja, "ありがとう", puzzled},
		{en, "yes if Ken agrees", puzzled},
		{ja, "はい、でも田中さんにも伝えて", puzzled},
		{ja, "それって何曜日？", "2025年1月16日(木) 15:00〜16:00"},
		{en, "what day is that?", "Thu, Jan 16, 2025"},
		{ja, "はいはい", written},
		{ja, "えーと", puzzled},
		{ja, "うーん", puzzled},
		{en, "hmm", puzzled},
		{ja, "分からない", puzzled},
		{en, "maybe", puzzled},
		{ja, "今日のイベントは？", other},
		{ja, "明日の予定は？", other},
		{ja, "Wi-Fiは使えますか？", other},
		{ja, "今日は何曜日？", other},
		{ja, "明日の14時は空いてる？", other},
		{en, "What's on today?", other},
		{en, "What do I have tomorrow?", other},
		{en, "Is there Wi-Fi?", other},
		{en, "Am I free tomorrow at 5?", other},
		{ja, "金曜の10時に歯医者を入れて", "予定: 歯医者"},
		{en, "Schedule lunch on Friday at noon", "What: Lunch"},
		{ja, "火事です", other},
	} {
		t.Run(test.say, func(t *testing.T) {
			s := openStudy(t, ownEntries, nil)
			if asked := s.owner(t, "s", test.order); asked.Interrupt == nil || asked.Interrupt.Kind != "confirm" {
				t.Fatalf("Answer(%q) = %q, want to be asked", test.order, asked.Text)
			}
			r := s.owner(t, "s", test.say)
			wrote := s.shelf(t)
			sorry := strings.Contains(r.Text, "よく分かりません") || strings.Contains(r.Text, "didn't quite understand")
			left := strings.Contains(r.Text, "登録していません") || strings.Contains(r.Text, "nothing was added") || strings.Contains(r.Text, "haven't added")
			got := other
			switch {
			case wrote != "":
				got = written
			case r.Interrupt != nil && sorry:
				got = puzzled
			case r.Interrupt != nil:
				got = r.Text
			case r.AgentName == "CalendarAgent" && left && len(r.Cards) == 0 && r.Metadata.ProcessingInfo.RoutedBy == "open_question":
				got = dropped
			case !left && r.Emotion != "neutral":
				got = "nothing said of the plan"
			}
			if got != test.want && !(len(got) > 20 && strings.Contains(got, test.want)) {
				t.Errorf("%q, then %q: %s (answer %q, calendar %q), want %s", test.order, test.say, got, r.Text, wrote, test.want)
			}
		})
	}
}

// TestOrders says what an owner says, and looks for what they are asked or told. Words that must be there are separated by |, those behind ! must not.
func TestOrders(t *testing.T) {
	entries := append([]string{
		"2025-01-20 10:00 - 11:00 | ジム",
		"2025-01-21 15:00 - 16:00 | 山田さんと会食 | | 銀座",
		"2025-01-08 18:00 - 19:00 | ヨガ | | スタジオ | FREQ=WEEKLY",
	}, ownEntries...)
	for _, test := range []struct{ say, want string }{
		// new entries
		{"来週月曜14時に山田さんと打ち合わせを入れて", "予定: 山田さんと打ち合わせ|2025年1月20日(月) 14:00〜15:00|登録してよろしいですか？"},
		{"明日の14時から15時半まで企画会議を会議室Bで予約して", "企画会議|14:00〜15:30|場所: 会議室B"},
		{"明後日の18時に新宿駅で健太と待ち合わせを登録して", "予定: 健太と待ち合わせ|2025年1月17日(金) 18:00〜19:00|場所: 新宿駅"},
		{"2週間後の10時に健康診断を入れて", "予定: 健康診断|2025年1月29日(水) 10:00〜11:00"},
		{"2週間後に予定入れて", "何の予定ですか？"},
		{"1月30日に締め切りを終日で登録", "予定: 締め切り|2025年1月30日(木) 終日"},
		{"来月の3日から5日まで家族旅行を入れて", "予定: 家族旅行|2025年2月3日(月)〜5日(水) 終日"},
		{"2時間の打ち合わせを明日の13時に入れて", "予定: 打ち合わせ|13:00〜15:00"},
		{"明日の夜8時から飲み会", "予定: 飲み会|2025年1月16日(木) 20:00〜21:00"},
		{"来週の金曜日、歯医者に行く予定を入れといて", "1月24日(金)の何時から"},
		{"来週打ち合わせを入れて", "来週で1時間の空き|1. "},
		{"明日の午後に打ち合わせを入れて", "1時間の空き|1. 1月16日(木) 12:00〜13:00"},
		{"1月20日(火)の10時に面談を入れて", "2025年1月20日(月) 10:00|曜日"},
		{"2月30日に会議を入れて", "2月30日という日付は、ありません"},
		{"Schedule a call with Ken next Monday from 2 to 3:30 pm", "What: Call with Ken|Mon, Jan 20, 2025, 14:00–15:30"},
		{"Put lunch with Maria on my calendar for Friday at 12:30", "Lunch with Maria|Fri, Jan 17, 2025, 12:30–13:30"},
		{"Book a haircut on January 28 at 11 am for 45 minutes", "What: Haircut|Tue, Jan 28, 2025, 11:00–11:45"},
		{"I have a dentist appointment on the 28th at 9", "What: Dentist appointment|Tue, Jan 28, 2025, 09:00–10:00|!on the"},
		{"Create an all-day event called Offsite on February 3", "Offsite|Mon, Feb 3, 2025, all day"},
		{"Add vacation from February 3 to February 7", "Vacation|Mon, Feb 3 – Fri, Feb 7, 2025, all day"},
		{"Add a team dinner tomorrow", "What time on Thu, Jan 16?"},
		{"Set up a meeting next week", "1. |next week"},
		{"remind me to call mom tomorrow at 6 pm", "Call mom|Thu, Jan 16, 2025, 18:00"},
		{"毎週木曜の19時にヨガを入れて", "毎週木曜日 19:00〜20:00|1月16日(木)、23日(木)"},
		{"平日は毎朝9時に朝会を2月末まで入れて", "平日|9:00〜10:00|最後は2月28日(金)"},
		{"Add standup every weekday at 9:30 until January 31", "every weekday|09:30–10:30|Fri, Jan 31"},
		{"Piano lesson every Tuesday and Thursday at 5 pm for 10 times", "every Tuesday and Thursday|17:00–18:00|10 in all"},
		{"毎月15日の10時に支払いを登録して", "毎月15日 10:00〜11:00|1月15日(水)"},
		// changes
		{"定例会議を来週の木曜に変更して", "2025年1月23日(木) 10:00〜11:00|変更してよろしいですか？"},
		{"明日の定例会議を14時からに変更して", "1月16日(木) 14:00〜15:00"},
		{"定例会議を2時間にして", "10:00〜12:00"},
		{"定例会議の場所を会議室Cに変えて", "会議室A → 会議室C"},
		{"ジムを火曜の18時に移動して", "2025年1月21日(火) 18:00〜19:00"},
		{"ヨガを19時に変更して", "19:00〜20:00|シリーズ全体を変更してよろしいですか？"},
		{"Move my dentist appointment to next Monday at 3 pm", "Mon, Jan 20, 2025, 15:00–16:00|Shall I change it?"},
		{"Reschedule the dentist to 4 pm", "Fri, Jan 17, 2025, 16:00–17:00"},
		{"Make my dentist appointment two hours long", "13:00–15:00"},
		{"定例会議を30分短くして", "10:00〜10:30"},
		{"定例会議を30分延ばして", "10:00〜11:30"},
		{"定例会議を1時間半に延ばして", "10:00〜11:30"},
		{"定例会議を来週に延期して", "2025年1月23日(木) 10:00〜11:00"},
		{"Extend the dentist by half an hour", "13:00–14:30"},
		{"Move the dentist to next week", "Fri, Jan 24, 2025, 13:00–14:00"},
		{"昨日は田中さんと飲み会だったんだ", "昨日"},
		// deletions
		{"明日の定例会議をキャンセルして", "定例会議|削除してよろしいですか？"},
		{"来週の火曜の予定を消して", "山田さんと会食|削除してよろしいですか？"},
		{"山田さんとの会食を取り消して", "山田さんと会食|削除してよろしいですか？"},
		{"ヨガをやめて", "ヨガ|シリーズ全体を削除してよろしいですか？"},
		{"Cancel my dentist appointment", "Dentist|Shall I delete it?"},
		{"Remove the dentist from my calendar", "Dentist|Shall I delete it?"},
		{"消して", "どの予定を削除しますか？"},
		{"全部消して", "どの予定を削除しますか？"},
		{"Delete everything", "Which entry shall I delete?"},
		{"予定を変更したい", "どの予定を変更しますか？"},
		{"Can you suggest some times for a 90 minute workshop this week?", "an hour and a half free|1. "},
		// looking
		{"今日の予定は？", "今日の予定は"},
		{"私の今日の予定を教えて", "今日の予定は"},
		{"明日って何か予定入ってる？", "明日の予定は、1件です"},
		{"今週のスケジュールを見せて", "今週の予定は"},
		{"ジムはいつ？", "「ジム」は、1月20日(月) 10:00〜11:00です"},
		{"山田さんと会うのはいつ？", "1月21日(火)"},
		{"次のヨガはいつ？", "「ヨガ」は、1月15日(水) 18:00"},
		{"明日の午後空いてる？", "空いています"},
		{"明日10時半から会議できる？", "予定が1件あります"},
		{"今週末は暇？", "どの日も空いています"},
		{"来週で空いてる日を教えて", "来週で空いている日は"},
		{"来週で1時間空いてるところを探して", "来週で1時間の空き"},
		{"What do I have on Friday?", "Dentist"},
		{"Show me my schedule for next week", "next week"},
		{"Do I have anything tomorrow morning?", "定例会議"},
		{"When am I free tomorrow?", "tomorrow"},
		{"Do I have time on Friday at 1 pm?", "one thing planned"},
		{"Find a free hour tomorrow afternoon", "free on Thu, Jan 16"},
		{"what's my next appointment?", "ヨガ"},
	} {
		t.Run(test.say, func(t *testing.T) {
			s := openStudy(t, entries, nil)
			before := strings.Join(s.own.contents(t, s.now.Location()), "\n")
			r := s.owner(t, "s", test.say)
			for want := range strings.SplitSeq(test.want, "|") {
				words, not := strings.CutPrefix(want, "!")
				if strings.Contains(r.Text, words) == not {
					t.Errorf("Answer(%q) = %q (%s), want %q in it", test.say, r.Text, r.AgentName, want)
				}
			}
			if after := strings.Join(s.own.contents(t, s.now.Location()), "\n"); after != before {
				t.Errorf("Answer(%q) changed the calendar from\n%s\nto\n%s", test.say, before, after)
			}
		})
	}
}

// FuzzOwner says anything to a question about a plan, and as an order: nothing panics, and every answer is a whole one.
func FuzzOwner(f *testing.F) {
	for _, seed := range []string{"はい", "いや、16時", "make it 4", "1月2", "毎月第5金曜", "every 0 weeks", "99999回", "タイトルは", "場所は", "2番目", "-1番", "終日で30分", "来週", "全部消して", "[x]\x00\u202e"} {
		f.Add(seed)
	}
	s := openStudy(f, ownEntries, nil)
	f.Fuzz(func(t *testing.T, words string) {
		if words = strings.TrimSpace(words); words == "" || len(words) > 2000 {
			return
		}
		for _, first := range []string{"明日の15時に会議を入れて", "定例会議を消して", "会議を変更して", "予定を入れて", "やめて"} {
			r := s.owner(t, "s", first)
			t.Logf("%q: %q", first, r.Text)
			r = s.owner(t, "s", words)
			t.Logf("%q: %q", words, r.Text)
			if log := s.log.String(); strings.Contains(log, "panicked") {
				t.Fatalf("%q, then %q: %s", first, words, log)
			}
		}
	})
}
