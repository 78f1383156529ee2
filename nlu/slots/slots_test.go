package slots_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/nlu/datetime"
	"annai/nlu/slots"
)

// said is a command in short, for tests: only what was said, as text.
type said struct {
	Operation              slots.Operation
	Title, Times           string
	Place, People          string
	Frequency              string
	Duration, Lead         time.Duration
	Remind, All            bool
	Free, Suggest          bool
	NewTimes, NewPlace     string
	NewTitle, Note         string
	NoteAsked, More        bool
	Shift, BecomesDuration time.Duration
	Extend                 time.Duration
}

func inShort(c slots.Command) said {
	s := said{
		Operation: c.Operation, Title: c.Title.Text, Place: c.Place.Text, Frequency: c.Frequency.Text, Duration: c.Duration, Lead: c.Lead,
		Remind: c.Remind, All: c.All, Free: c.Free, Suggest: c.Suggest,
		NewPlace: c.Change.Place.Text, Shift: c.Change.Shift, BecomesDuration: c.Change.Duration,
		More: c.More, Note: c.Note.Text, NoteAsked: c.NoteAsked, NewTitle: c.Change.Title.Text, Extend: c.Change.Extend,
	}
	var people []string
	for _, p := range c.People {
		people = append(people, p.Text)
	}
	s.People, s.Times, s.NewTimes = strings.Join(people, "|"), ranges(c.Times), ranges(c.Change.Times)
	return s
}

// ranges are when expressions are.
func ranges(times []datetime.Expression) string {
	var all []string
	for _, e := range times {
		start, end := e.TimeRange.Start, e.TimeRange.End
		switch {
		case e.Kind == datetime.KindDay:
			all = append(all, start.Format("01-02"))
		case e.Kind == datetime.KindDays:
			all = append(all, start.Format("01-02")+".."+end.Format("01-02"))
		case start.Equal(end):
			all = append(all, start.Format("01-02T15:04"))
		default:
			all = append(all, start.Format("01-02T15:04")+".."+end.Format("01-02T15:04"))
		}
	}
	return strings.Join(all, "|")
}

// TestExtract reads commands as said on Wednesday, 15 January 2025, at ten.
func TestExtract(t *testing.T) {
	for text, want := range map[string]said{
		"来週月曜14時に山田さんと打ち合わせを入れて":                     {Operation: slots.Create, Title: "山田さんと打ち合わせ", Times: "01-20T14:00", People: "山田さん"},
		"明日の14時にミーティング入れて":                           {Operation: slots.Create, Title: "ミーティング", Times: "01-16T14:00"},
		"家族旅行を8月1日から3日まで登録":                          {Operation: slots.Create, Title: "家族旅行", Times: "08-01..08-04"},
		"18時に新宿駅で健太と待ち合わせを入れて":                       {Operation: slots.Create, Title: "健太と待ち合わせ", Times: "01-15T18:00", Place: "新宿駅", People: "健太"},
		"毎週水曜の10時から英会話を入れて":                          {Operation: slots.Create, Title: "英会話", Frequency: "毎週水曜の10時"},
		"2時間の打ち合わせを明日入れて":                            {Operation: slots.Create, Title: "打ち合わせ", Times: "01-16", Duration: 2 * time.Hour},
		"会議の30分前にリマインドして":                            {Operation: slots.Create, Title: "会議", Lead: 30 * time.Minute, Remind: true},
		"今夜はママに電話するようにリマインドする":                       {Operation: slots.Create, Title: "ママに電話する", Times: "01-15T18:00..01-16T00:00", Remind: true},
		"免許の更新をリマインドして":                              {Operation: slots.Create, Title: "免許の更新", Remind: true},
		"クリスマス会を12月24日の18時に入れて":                      {Operation: slots.Create, Title: "クリスマス会", Times: "12-24T18:00"},
		"何か予定を入れて":                                   {Operation: slots.Create},
		"今日の予定は？":                                    {Operation: slots.Query, Times: "01-15"},
		"山田さんとの会議は何時から？":                             {Operation: slots.Query, Title: "山田さんとの会議", People: "山田さん"},
		"来週空いてる日はある？":                                {Operation: slots.Query, Times: "01-20..01-27", Free: true, Suggest: true},
		"打ち合わせの候補日を提案して":                             {Operation: slots.Query, Title: "打ち合わせ", Suggest: true},
		"火曜の会議を木曜の3時に変更して":                           {Operation: slots.Update, Title: "会議", Times: "01-21", NewTimes: "01-16T15:00"},
		"会議を月曜から火曜に変更":                               {Operation: slots.Update, Title: "会議", Times: "01-20", NewTimes: "01-21"},
		"明日の会議を1時間遅らせて":                              {Operation: slots.Update, Title: "会議", Times: "01-16", Shift: time.Hour},
		"来週の予定を全部消して":                                {Operation: slots.Delete, Times: "01-20..01-27", All: true},
		"明日の歯医者をキャンセルして":                             {Operation: slots.Delete, Title: "歯医者", Times: "01-16"},
		"予定を消して":                                     {Operation: slots.Delete},
		"put lunch with my mother on friday at noon": {Operation: slots.Create, Title: "lunch with my mother", Times: "01-17T12:00", People: "mother"},
		"Schedule a 1:1 with Sarah Jones tomorrow at 3pm at Starbucks.": {
			Operation: slots.Create, Title: "1:1 with Sarah Jones", Times: "01-16T15:00", Place: "Starbucks", People: "Sarah Jones",
		},
		"Can you book a haircut for next Tuesday at 2?":           {Operation: slots.Create, Title: "haircut", Times: "01-21T14:00"},
		"add yoga every other wednesday at 10":                    {Operation: slots.Create, Title: "yoga", Frequency: "every other wednesday at 10"},
		"schedule a two hour meeting tomorrow":                    {Operation: slots.Create, Title: "meeting", Times: "01-16", Duration: 2 * time.Hour},
		"remind me 30 minutes before the meeting tomorrow at 3pm": {Operation: slots.Create, Title: "meeting", Times: "01-16T15:00", Lead: 30 * time.Minute, Remind: true},
		"Set a reminder to water the plants on Monday at 4 PM":    {Operation: slots.Create, Title: "water the plants", Times: "01-20T16:00", Remind: true},
		"Remind me to get paper towels at the store tomorrow":     {Operation: slots.Create, Title: "get paper towels at the store", Times: "01-16", Remind: true},
		"add an event":                                      {Operation: slots.Create},
		"What's on my calendar today?":                      {Operation: slots.Query, Times: "01-15"},
		"when is my meeting with mr. yamada?":               {Operation: slots.Query, Title: "meeting with mr. yamada", People: "mr. yamada"},
		"Am I free on Friday afternoon?":                    {Operation: slots.Query, Times: "01-17T12:00..01-17T18:00", Free: true},
		"reschedule lunch with bob to friday":               {Operation: slots.Update, Title: "lunch with bob", People: "bob", NewTimes: "01-17"},
		"move my meeting from 3 to 4 pm":                    {Operation: slots.Update, Title: "meeting", Times: "01-15T15:00", NewTimes: "01-15T16:00"},
		"push the meeting back by an hour":                  {Operation: slots.Update, Title: "meeting", Shift: time.Hour},
		"Cancel all my meetings tomorrow":                   {Operation: slots.Delete, Title: "meetings", Times: "01-16", All: true},
		"Delete the dentist appointment on Friday, please.": {Operation: slots.Delete, Title: "dentist appointment", Times: "01-17"},
		"":     {Operation: slots.Query},
		"。？ !": {Operation: slots.Query},
	} {
		lang := slots.English
		if strings.ContainsAny(text, "のをにてはで。") {
			lang = slots.Japanese
		}
		if diff := cmp.Diff(want, inShort(extract(t, text, lang))); diff != "" {
			t.Errorf("Extract(%q) (-want +got):\n%s", text, diff)
		}
	}
}

// TestNoUpdate says that a word for a change alone makes no change of what is something else.
func TestNoUpdate(t *testing.T) {
	for lang, texts := range map[string][]string{
		slots.English:  {"my shift on friday", "what is the change in my schedule", "remind me to move the car tomorrow", "give me an update on the election"},
		slots.Japanese: {"みんなに場所の変更を知らせる予定を入れて", "予定の変更はありますか", "免許の更新をリマインドして"},
	} {
		for _, text := range texts {
			if got := extract(t, text, lang); got.Operation == slots.Update {
				t.Errorf("Extract(%q) is an update, to %+v", text, got.Change)
			}
		}
	}
}

// TestDigits says that what is typed in digits is read like what is said in words.
func TestDigits(t *testing.T) {
	for _, c := range []struct{ lang, words, digits string }{
		{"en", "add lunch with bob on march twenty third at twelve thirty p. m.", "add lunch with bob on march 23rd at 12:30 pm"},
		{"en", "meeting at nine am tomorrow", "meeting at 9am tomorrow"},
		{"ja", "三月二十三日の十二時半に花子とランチを入れて", "3月23日の12時半に花子とランチを入れて"},
		{"ja", "明日午後三時の会議を消して", "明日午後3時の会議を消して"},
	} {
		a, b := extract(t, c.words, c.lang), extract(t, c.digits, c.lang)
		if diff := cmp.Diff(types(a), types(b)); diff != "" || a.Title.Text != b.Title.Text {
			t.Errorf("Extract(%q) and Extract(%q) differ: titles %q and %q, slots:\n%s", c.words, c.digits, a.Title.Text, b.Title.Text, diff)
		}
	}
}

func types(c slots.Command) []slots.Type {
	var all []slots.Type
	for _, s := range c.Slots {
		all = append(all, s.Type)
	}
	return all
}

// check holds what is true of every command.
func check(t *testing.T, text string, c slots.Command) {
	t.Helper()
	end := 0
	for _, s := range c.Slots {
		if s.Start < end || s.End <= s.Start || s.End > len(text) || text[s.Start:s.End] != s.Text {
			t.Fatalf("Extract(%q): slot %+v behind %d is no piece of the text", text, s, end)
		}
		end = s.End
	}
	for _, p := range append([]slots.Piece{c.Title, c.Place, c.Frequency, c.Change.Place, c.Change.Title}, c.People...) {
		if p == (slots.Piece{}) {
			continue
		}
		if p.Start < 0 || p.End > len(text) || p.End-p.Start < len(p.Text) || p.Text == "" {
			t.Fatalf("Extract(%q): %+v is no piece of the text", text, p)
		}
		if p.End-p.Start == len(p.Text) && text[p.Start:p.End] != p.Text {
			t.Fatalf("Extract(%q): %+v, want %q", text, p, text[p.Start:p.End])
		}
	}
	if c.Confidence < 0 || c.Confidence > 1 {
		t.Fatalf("Extract(%q).Confidence = %v", text, c.Confidence)
	}
}

// hostile are words that, said over and over, make the most work.
var hostile = []string{
	"明日の会議を消して", "cancel my meeting tomorrow at nine ", "remind me to ", "三十分前に", "ten minutes before ", "ください", "の", "a ", "、", "1", "山田さんと", "at the office ", "🙂", "\xff", "ﾊﾝｶｸ", "ａ",
}

// TestHostile says that the work on a text grows with its length and no faster, counted in allocations; the benchmarks look at the clock.
func TestHostile(t *testing.T) {
	for _, word := range hostile {
		n := 2000 / len([]rune(word))
		for _, lang := range []string{slots.Japanese, slots.English, "tlh"} {
			work := func(n int) float64 {
				text := strings.Repeat(word, n)
				times := datetime.Parse(text, now(t))
				check(t, text, slots.Extract(text, lang, times))
				return testing.AllocsPerRun(1, func() { slots.Extract(text, lang, times) })
			}
			if a, b := work(n/2), work(n); b > 3*a+100 {
				t.Errorf("Extract(%q x %d, %s) allocates %v times, half of it %v times", word, n, lang, b, a)
			}
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, c := range commands {
		f.Add(c.text)
	}
	for _, word := range hostile {
		f.Add(word)
		f.Add(strings.Repeat(word, 2000/len([]rune(word))))
	}
	for _, all := range []map[string]map[string]said{spoken, ordered} {
		for _, commands := range all {
			for text := range commands {
				f.Add(text)
			}
		}
	}
	at := now(f)
	f.Fuzz(func(t *testing.T, text string) {
		times := datetime.Parse(text, at)
		for _, lang := range []string{slots.Japanese, slots.English} {
			c := slots.Extract(text, lang, times)
			check(t, text, c)
			if diff := cmp.Diff(c, slots.Extract(text, lang, times)); diff != "" {
				t.Fatalf("Extract(%q) says something else the second time:\n%s", text, diff)
			}
			slots.Explain(text, lang, times)
		}
	})
}
