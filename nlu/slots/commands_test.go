package slots_test

import (
	"maps"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"annai/nlu/slots"
)

// spoken are commands as people say them on Wednesday, 15 January 2025, at ten, by what they want.
var spoken = map[string]map[string]said{
	"what is to be made": {
		"明日の15時から16時まで会議室Aで企画会議を登録して":                                           {Operation: slots.Create, Title: "企画会議", Times: "01-16T15:00..01-16T16:00", Place: "会議室A"},
		"金曜の夜に田中さんと飲み会の予定を追加":                                                   {Operation: slots.Create, Title: "田中さんと飲み会", Times: "01-17T18:00..01-18T00:00", People: "田中さん"},
		"来月3日の10時に歯医者の予約を入れてください":                                               {Operation: slots.Create, Title: "歯医者の予約", Times: "02-03T10:00"},
		"12月24日にクリスマスパーティーを入れて":                                                 {Operation: slots.Create, Title: "クリスマスパーティー", Times: "12-24"},
		"明日は終日出張です、予定に入れて":                                                      {Operation: slots.Create, Title: "出張", Times: "01-16"},
		"会議の15分前に知らせて":                                                          {Operation: slots.Create, Title: "会議", Lead: 15 * time.Minute, Remind: true},
		"明日の朝7時に薬を飲むのをリマインドして":                                                  {Operation: slots.Create, Title: "薬を飲む", Times: "01-16T07:00", Remind: true},
		"schedule lunch with Sarah tomorrow at noon":                            {Operation: slots.Create, Title: "lunch with Sarah", Times: "01-16T12:00", People: "Sarah"},
		"add dentist on Friday at 10am":                                         {Operation: slots.Create, Title: "dentist", Times: "01-17T10:00", People: "dentist"},
		"book a meeting with the design team next Monday from 2 to 3 in Room B": {Operation: slots.Create, Title: "meeting with the design team", Times: "01-20T14:00..01-20T15:00", Place: "Room B", People: "design team"},
		"put \"Project kickoff\" on my calendar for March 3rd at 9":             {Operation: slots.Create, Title: "Project kickoff", Times: "03-03T09:00"},
		"I have a doctor's appointment on the 12th at 4:30, add it":             {Operation: slots.Create, Title: "doctor's appointment", Times: "02-12T16:30"},
		"remind me to call mom tomorrow at 6":                                   {Operation: slots.Create, Title: "call mom", Times: "01-16T18:00", People: "mom", Remind: true},
		"remind me 15 minutes before the standup":                               {Operation: slots.Create, Title: "standup", Lead: 15 * time.Minute, Remind: true},
		"block two hours for writing tomorrow morning":                          {Operation: slots.Create, Title: "writing", Times: "01-16T05:00..01-16T12:00", Duration: 120 * time.Minute},
		"来週の火曜日に健康診断":                                                           {Operation: slots.Create, Title: "健康診断", Times: "01-21"},
		"dentist friday 3pm":                                                    {Operation: slots.Create, Title: "dentist", Times: "01-17T15:00", People: "dentist"},
		"lunch with Ken and Mia on Saturday at 1 at Luigi's":                    {Operation: slots.Create, Title: "lunch with Ken and Mia", Times: "01-18T13:00", Place: "Luigi's", People: "Ken|Mia"},
		"vacation from August 1 to August 10":                                   {Operation: slots.Create, Title: "vacation", Times: "08-01..08-11"},
	},
	"answers, plans and days off": {
		"はい":                               {Operation: slots.Create},
		"はい、削除してください":                      {Operation: slots.Delete},
		"Yes, please add it":               {Operation: slots.Create},
		"Sure, delete the meeting":         {Operation: slots.Delete, Title: "meeting"},
		"はいはい教室を入れて":                       {Operation: slots.Create, Title: "はいはい教室"},
		"京都旅行":                             {Operation: slots.Create, Title: "京都旅行", Place: "京都"},
		"出張、終日で":                           {Operation: slots.Create, Title: "出張"},
		"終日の研修を入れて":                        {Operation: slots.Create, Title: "研修"},
		"終日休みを入れて":                         {Operation: slots.Create, Title: "休み"},
		"add an all-day offsite on Friday": {Operation: slots.Create, Title: "offsite", Times: "01-17"},
		"やっぱり明日にして":                        {Operation: slots.Create, Times: "01-16"},
		"やっぱり10時にして":                       {Operation: slots.Create, Times: "01-15T10:00"},
		"明日の夜8時から飲み会":                      {Operation: slots.Create, Title: "飲み会", Times: "01-16T20:00..01-17T00:00"},
		"新宿で忘年会":                           {Operation: slots.Create, Title: "忘年会", Place: "新宿"},
		"明日の19時から新宿で忘年会":                   {Operation: slots.Create, Title: "忘年会", Times: "01-16T19:00..01-17T00:00", Place: "新宿"},
		"英会話は休みにして":                        {Operation: slots.Delete, Title: "英会話"},
		"英会話はなしにして":                        {Operation: slots.Delete, Title: "英会話"},
		"明日の英会話はお休みにして":                    {Operation: slots.Delete, Title: "英会話", Times: "01-16"},
		"add chess night on friday at 7pm": {Operation: slots.Create, Title: "chess night", Times: "01-17T19:00"},
	},
	"what is told of": {
		"明日15時に会議があるんだ":                                 {Operation: slots.Create, Title: "会議", Times: "01-16T15:00"},
		"明日19時に友達と食事する":                                 {Operation: slots.Create, Title: "友達と食事", Times: "01-16T19:00", People: "友達"},
		"金曜の19時に田中さんと飲みに行くんだ":                           {Operation: slots.Create, Title: "田中さんと飲み", Times: "01-17T19:00", People: "田中さん"},
		"明日の10時に子供を迎えに行くんだ":                             {Operation: slots.Create, Title: "子供を迎えに行く", Times: "01-16T10:00"},
		"土曜の14時に映画を見に行く予定です":                            {Operation: slots.Create, Title: "映画", Times: "01-18T14:00"},
		"来週の月曜10時に面接を受けます":                              {Operation: slots.Create, Title: "面接", Times: "01-20T10:00"},
		"we're going to the theatre on Saturday at 7pm": {Operation: slots.Create, Title: "theatre", Times: "01-18T19:00"},
		"my schedule from Jan 20 to Jan 22":             {Operation: slots.Query, Times: "01-20..01-23"},
		"my calendar for January 20":                    {Operation: slots.Query, Times: "01-20"},
	},
	"one of some proposals": {
		"2番目で打ち合わせを入れて":                           {Operation: slots.Create, Title: "打ち合わせ"},
		"二つ目で企画会議を登録して":                           {Operation: slots.Create, Title: "企画会議"},
		"use the second one for a budget meeting": {Operation: slots.Create, Title: "budget meeting"},
		"book number 2 for the review":            {Operation: slots.Create, Title: "review"},
	},
	"a note beside it": {
		"明日14時に山田さんと打ち合わせを入れて。説明は予算の相談": {Operation: slots.Create, Title: "山田さんと打ち合わせ", Times: "01-16T14:00", People: "山田さん", Note: "予算の相談"},

		"明日14時に打ち合わせを入れて、メモは「資料を持参」と書いて": {Operation: slots.Create, Title: "打ち合わせ", Times: "01-16T14:00", Note: "資料を持参"},

		"明日14時に打ち合わせ、備考：資料を3部": {Operation: slots.Create, Title: "打ち合わせ", Times: "01-16T14:00", Note: "資料を3部"},

		"明日14時に打ち合わせを入れて説明は予算の相談でお願いします": {Operation: slots.Create, Title: "打ち合わせ", Times: "01-16T14:00", Note: "予算の相談"},

		"明日14時に予算の説明をする": {Operation: slots.Create, Title: "予算の説明", Times: "01-16T14:00"},

		"会議のメモを教えて": {Operation: slots.Query, Title: "会議", NoteAsked: true},

		"山田さんとの打ち合わせのメモは？": {Operation: slots.Query, Title: "山田さんとの打ち合わせ", People: "山田さん", NoteAsked: true},

		"面接のメモは？": {Operation: slots.Query, Title: "面接", NoteAsked: true},

		"What's the note of the interview?": {Operation: slots.Query, Title: "interview", NoteAsked: true},

		"what are the notes for the dentist appointment": {Operation: slots.Query, Title: "dentist appointment", NoteAsked: true},

		"add a meeting tomorrow at 3pm, description: bring the slides": {Operation: slots.Create, Title: "meeting", Times: "01-16T15:00", Note: "bring the slides"},

		"schedule a meeting tomorrow at 3pm with the note bring slides, please": {Operation: slots.Create, Title: "meeting", Times: "01-16T15:00", Note: "bring slides"},

		"add a call at 5pm tomorrow with the note: confirm Friday at 9": {Operation: slots.Create, Title: "call", Times: "01-16T17:00", Note: "confirm Friday at 9"},
	},
	"what recurs": {
		"毎週の英会話":                                                           {Operation: slots.Create, Title: "英会話", Frequency: "毎週"},
		"平日は毎朝9時":                                                          {Operation: slots.Create, Frequency: "平日は毎朝9時"},
		"平日の朝8時にランニングを入れて":                                                 {Operation: slots.Create, Title: "ランニング", Frequency: "平日の朝8時"},
		"standup weekdays at 9:30":                                         {Operation: slots.Create, Title: "standup", Frequency: "weekdays at 9:30"},
		"standup Monday through Friday at 9:30":                            {Operation: slots.Create, Title: "standup", Frequency: "Monday through Friday at 9:30"},
		"毎週水曜10時に英会話を3月いっぱい入れて":                                            {Operation: slots.Create, Title: "英会話", Times: "01-15..04-01", Frequency: "毎週水曜10時"},
		"毎月第1金曜の15時に月次報告会を登録して":                                            {Operation: slots.Create, Title: "月次報告会", Frequency: "毎月第1金曜の15時"},
		"隔週木曜の午後2時にチームミーティングを設定して":                                         {Operation: slots.Create, Title: "チームミーティング", Frequency: "隔週木曜の午後2時"},
		"毎朝9時に朝会を入れて":                                                      {Operation: slots.Create, Title: "朝会", Frequency: "毎朝9時"},
		"every other Friday at noon lunch with Ken until the end of March": {Operation: slots.Create, Title: "lunch with Ken", Times: "01-15..04-01", People: "Ken", Frequency: "every other Friday at noon"},
		"set up a weekly 1:1 with Tom every Thursday at 11":                {Operation: slots.Create, Title: "1:1 with Tom", People: "Tom", Frequency: "every Thursday at 11"},
		"yoga every Tuesday and Thursday at 7pm":                           {Operation: slots.Create, Title: "yoga", Frequency: "every Tuesday and Thursday at 7pm"},
		"毎月25日に家賃の支払いを登録して":                                                {Operation: slots.Create, Title: "家賃の支払い", Frequency: "毎月25日"},
		"4月から毎週月曜の9時に朝礼を入れて":                                               {Operation: slots.Create, Title: "朝礼", Times: "04-01..04-01", Frequency: "毎週月曜の9時"},
		"毎日22時に日記を書くのをリマインドして":                                             {Operation: slots.Create, Title: "日記を書く", Frequency: "毎日22時", Remind: true},
		"母の誕生日を5月4日に毎年登録して":                                                {Operation: slots.Create, Title: "母の誕生日", Times: "05-04", People: "母", Frequency: "毎年"},
		"every weekday at 8:30 standup":                                    {Operation: slots.Create, Title: "standup", Frequency: "every weekday at 8:30"},
		"remind me every Monday to water the plants":                       {Operation: slots.Create, Title: "water the plants", Frequency: "every Monday", Remind: true},
		"weekly sync with the team on Mondays at 10 for 30 minutes":        {Operation: slots.Create, Title: "sync with the team", People: "team", Frequency: "Mondays at 10", Duration: 30 * time.Minute},
		"add mom's birthday on May 4th every year":                         {Operation: slots.Create, Title: "mom's birthday", People: "mom", Frequency: "May 4th every year"},
	},
	"what is asked": {
		"来週の予定を教えて":                                       {Operation: slots.Query, Times: "01-20..01-27"},
		"明日の午後の予定は？":                                      {Operation: slots.Query, Times: "01-16T12:00..01-16T18:00"},
		"次の会議はいつ？":                                        {Operation: slots.Query, Title: "会議"},
		"今週歯医者の予約はある？":                                    {Operation: slots.Query, Title: "歯医者の予約", Times: "01-13..01-20"},
		"山田さんとの打ち合わせはいつだっけ":                               {Operation: slots.Query, Title: "山田さんとの打ち合わせ", People: "山田さん"},
		"what's on tomorrow afternoon":                    {Operation: slots.Query, Times: "01-16T12:00..01-16T18:00"},
		"do I have anything on Saturday":                  {Operation: slots.Query, Times: "01-18"},
		"when is my next meeting":                         {Operation: slots.Query, Title: "meeting"},
		"what do I have next week":                        {Operation: slots.Query, Times: "01-20..01-27"},
		"what meetings do I have with Sarah next week":    {Operation: slots.Query, Title: "meetings with Sarah", Times: "01-20..01-27", People: "Sarah"},
		"is there anything on my calendar Friday evening": {Operation: slots.Query, Times: "01-17T16:00..01-17T20:00"},
		"find me an hour on Thursday for a workout":       {Operation: slots.Query, Title: "workout", Times: "01-16", Duration: 60 * time.Minute, Suggest: true},
	},
	"free time and proposals": {
		"金曜の午後空いてる？":                                          {Operation: slots.Query, Times: "01-17T12:00..01-17T18:00", Free: true},
		"1時間半の打ち合わせを来週のどこかに":                                  {Operation: slots.Create, Title: "打ち合わせ", Times: "01-20..01-27", Duration: 90 * time.Minute, Suggest: true},
		"来週のどこかで30分の面談を入れたい":                                  {Operation: slots.Create, Title: "面談", Times: "01-20..01-27", Duration: 30 * time.Minute, Suggest: true},
		"来週の火曜の午前中は空いてますか":                                    {Operation: slots.Query, Times: "01-21T00:00..01-21T12:00", Free: true},
		"明日の午後空いてる時間ある？":                                      {Operation: slots.Query, Times: "01-16T12:00..01-16T18:00", Free: true, Suggest: true},
		"3人で1時間集まれる日を提案して":                                    {Operation: slots.Query, Duration: 60 * time.Minute, Suggest: true},
		"今週中に空いている時間を教えて":                                     {Operation: slots.Query, Times: "01-13..01-20", Free: true, Suggest: true},
		"am I free on Tuesday morning":                        {Operation: slots.Query, Times: "01-21T05:00..01-21T12:00", Free: true},
		"find a time next week for a 30 minute call with Ken": {Operation: slots.Query, Title: "call with Ken", Times: "01-20..01-27", People: "Ken", Duration: 30 * time.Minute, Suggest: true},
		"when am I free this week":                            {Operation: slots.Query, Times: "01-13..01-20", Free: true},
		"suggest a slot for a one hour meeting on Thursday":   {Operation: slots.Query, Title: "meeting", Times: "01-16", Duration: 60 * time.Minute, Suggest: true},
		"来週のどこかで山田さんと1時間打ち合わせしたい":                             {Operation: slots.Create, Title: "山田さんと打ち合わせ", Times: "01-20..01-27", People: "山田さん", Duration: 60 * time.Minute, Suggest: true},
		"いつなら空いてる？":                                           {Operation: slots.Query, Free: true, Suggest: true},
		"来週で2時間取れる日はある？":                                      {Operation: slots.Query, Times: "01-20..01-27", Duration: 120 * time.Minute, Suggest: true},
		"book the dentist sometime next week":                 {Operation: slots.Create, Title: "dentist", Times: "01-20..01-27", Suggest: true},
	},
	"what is changed": {
		"打ち合わせの場所を会議室Bに変更して":                                   {Operation: slots.Update, Title: "打ち合わせ", NewPlace: "会議室B"},
		"明日の会議の場所を新宿オフィスに変えて":                                  {Operation: slots.Update, Title: "会議", Times: "01-16", NewPlace: "新宿オフィス"},
		"打ち合わせのタイトルを定例会議に変更して":                                 {Operation: slots.Update, Title: "打ち合わせ", NewTitle: "定例会議"},
		"明日の会議を1時間後ろにずらして":                                     {Operation: slots.Update, Title: "会議", Times: "01-16", Shift: 60 * time.Minute},
		"明日の会議を30分早めて":                                         {Operation: slots.Update, Title: "会議", Times: "01-16", Shift: -30 * time.Minute},
		"火曜の会議を木曜の3時に変更して":                                     {Operation: slots.Update, Title: "会議", Times: "01-21", NewTimes: "01-16T15:00"},
		"歯医者の予約を来週に移して":                                        {Operation: slots.Update, Title: "歯医者の予約", NewTimes: "01-20..01-27"},
		"14時の打ち合わせを15時からにして":                                   {Operation: slots.Update, Title: "打ち合わせ", Times: "01-15T14:00", NewTimes: "01-15T15:00"},
		"定例会議を10時から11時に変更して":                                   {Operation: slots.Update, Title: "定例会議", Times: "01-15T10:00", NewTimes: "01-15T11:00"},
		"会議を30分延長して":                                           {Operation: slots.Update, Title: "会議", Extend: 30 * time.Minute},
		"打ち合わせを1時間に短くして":                                       {Operation: slots.Update, Title: "打ち合わせ", BecomesDuration: 60 * time.Minute},
		"move my dentist appointment to Friday at 3":           {Operation: slots.Update, Title: "dentist appointment", NewTimes: "01-17T15:00"},
		"push the standup back 30 minutes":                     {Operation: slots.Update, Title: "standup", Shift: 30 * time.Minute},
		"reschedule the team meeting to next Wednesday at 10":  {Operation: slots.Update, Title: "team meeting", NewTimes: "01-22T10:00"},
		"move tomorrow's meeting to the big conference room":   {Operation: slots.Update, Title: "meeting", Times: "01-16", NewPlace: "big conference room"},
		"change the location of the kickoff to Room 5":         {Operation: slots.Update, Title: "kickoff", NewPlace: "Room 5"},
		"make the meeting two hours long":                      {Operation: slots.Update, Title: "meeting", BecomesDuration: 120 * time.Minute},
		"extend it by an hour":                                 {Operation: slots.Update, Extend: time.Hour},
		"Reschedule chess club for Sunday":                     {Operation: slots.Update, Title: "chess club", NewTimes: "01-19"},
		"reschedule the meeting for tomorrow at 3":             {Operation: slots.Update, Title: "meeting", NewTimes: "01-16T15:00"},
		"extend the review by 30 minutes":                      {Operation: slots.Update, Title: "review", Extend: 30 * time.Minute},
		"postpone the review until Monday":                     {Operation: slots.Update, Title: "review", NewTimes: "01-20"},
		"rename the meeting to Sprint planning":                {Operation: slots.Update, Title: "meeting", NewTitle: "Sprint planning"},
		"move my 2 o'clock up an hour":                         {Operation: slots.Update, Times: "01-15T14:00", Shift: -60 * time.Minute},
		"明日14時の会議の場所を3階の会議室に変更":                                {Operation: slots.Update, Title: "会議", Times: "01-16T14:00", NewPlace: "3階の会議室"},
		"打ち合わせの時間を15時に変更して":                                    {Operation: slots.Update, Title: "打ち合わせ", NewTimes: "01-15T15:00"},
		"打ち合わせを会議室Bに変更して":                                      {Operation: slots.Update, Title: "打ち合わせ", NewPlace: "会議室B"},
		"田中さんとの面談を来週の水曜に延期して":                                  {Operation: slots.Update, Title: "田中さんとの面談", People: "田中さん", NewTimes: "01-22"},
		"会議の件名を「予算レビュー」に変えて":                                   {Operation: slots.Update, Title: "会議", NewTitle: "予算レビュー"},
		"move the standup to 9:30":                             {Operation: slots.Update, Title: "standup", NewTimes: "01-16T09:30"},
		"change the title of tomorrow's call to budget review": {Operation: slots.Update, Title: "call", Times: "01-16", NewTitle: "budget review"},
		"shorten the planning meeting to 30 minutes":           {Operation: slots.Update, Title: "planning meeting", BecomesDuration: 30 * time.Minute},
	},
	"what is removed": {
		"金曜の歯医者をキャンセルして":                   {Operation: slots.Delete, Title: "歯医者", Times: "01-17"},
		"明日の予定を全部消して":                      {Operation: slots.Delete, Times: "01-16", All: true},
		"山田さんとの打ち合わせを取り消して":                {Operation: slots.Delete, Title: "山田さんとの打ち合わせ", People: "山田さん"},
		"cancel my 3pm meeting":            {Operation: slots.Delete, Title: "meeting", Times: "01-15T15:00"},
		"delete all my meetings on Friday": {Operation: slots.Delete, Title: "meetings", Times: "01-17", All: true},
		"cancel the lunch with Sarah":      {Operation: slots.Delete, Title: "lunch with Sarah", People: "Sarah"},
		"clear my calendar for tomorrow":   {Operation: slots.Delete, Times: "01-16", All: true},
		"cancel yoga this week":            {Operation: slots.Delete, Title: "yoga", Times: "01-13..01-20"},
	},
}

func TestCommands(t *testing.T) {
	all := maps.Clone(spoken)
	maps.Copy(all, ordered)
	for what, commands := range all {
		t.Run(what, func(t *testing.T) {
			for text, want := range commands {
				lang := slots.English
				if utf8.RuneCountInString(text) < len(text) {
					lang = slots.Japanese
				}
				if diff := cmp.Diff(want, inShort(extract(t, text, lang))); diff != "" {
					t.Errorf("Extract(%q) (-want +got):\n%s", text, diff)
				}
			}
		})
	}
}

// TestTitlesInHiragana: what looks like a particle may be part of a name.
func TestTitlesInHiragana(t *testing.T) {
	for text, want := range map[string]string{
		"明日14時にすいかを入れて":        "すいか",
		"明日14時にすいか入れて":         "すいか",
		"明日14時にはるかを入れて":        "はるか",
		"明日14時に「はるか」を入れて":      "はるか",
		"用事すかかを入れて":            "用事すかか",
		"明日15時にとらやを登録して":       "とらや",
		"明日の15時にのはらを入れて":       "のはら",
		"明日15時にがっこうを入れて":       "がっこう",
		"明日10時にもちつき大会を入れて":     "もちつき大会",
		"明日10時にともだちとなべを入れて":    "ともだちとなべ",
		"明日10時に会議とかを入れて":       "会議",
		"明日10時からは会議を入れて":       "会議",
		"明日10時には会議を入れて":        "会議",
		"1時間半の打ち合わせを来週のどこかに":   "打ち合わせ",
		"明日10時におかあさんと買い物を入れて":  "おかあさんと買い物",
		"来週の月曜10時になまごみの日を追加して": "なまごみの日",
	} {
		if got := extract(t, text, slots.Japanese).Title.Text; got != want {
			t.Errorf("title of %s = %q, want %q", text, got, want)
		}
	}
}
