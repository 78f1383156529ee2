package nodes_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"annai/venue"
)

// otherVenue is open by other rules than the demonstration venue: closed on every Monday, shorter at the weekend, with a rule for a day of the week, and
// with single days that are days of the week apart.
const otherVenue = `
name: {ja: 茶房, en: Tea House}
hours:
  weekly: {mon: "", tue: "10:00-20:00", wed: "10:00-20:00", thu: "10:00-20:00", fri: "10:00-24:00", sat: "10:00-17:00", sun: "10:00-17:00"}
  closed:
    - nthWeekday: second wed
      reason: {ja: 清掃, en: cleaning}
    - days: ["2026-11-24", "2026-12-01"]
      reason: {ja: 貸し切り, en: a private party}
`

// at returns a stage at another venue, on Friday, November 20, 2026, 10:00.
func at(t *testing.T, yaml string) *stage {
	t.Helper()
	yaml = strings.ReplaceAll(yaml, "24:00", "24:00")
	v, err := venue.Parse(fstest.MapFS{"venue.yaml": {Data: []byte(yaml)}}, "venue.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, talk{sections: map[string][]string{"setup": {"now: 2026-11-20T10:00:00+09:00"}}})
	s.parts.Venue = v
	s.open()
	return s
}

// answer is what is answered.
func (s *stage) answer(words string) string {
	n := len(s.out)
	s.say(words)
	var lines []string
	for _, line := range s.out[n:] {
		if mark, rest, _ := strings.Cut(line, " "); mark == "<" || mark == "|" {
			lines = append(lines, tag.ReplaceAllString(rest, ""))
		}
	}
	return strings.Join(lines, "\n")
}

func TestHoursOfAnotherVenue(t *testing.T) {
	s := at(t, otherVenue)
	for _, test := range []struct{ said, want string }{
		{"月曜日は休み？", "月曜日は、お休みです。"},
		{"Are you open on Mondays?", "On Mondays, we are closed."},
		{"水曜は開いてますか", "水曜日は、10:00から20:00まで開いています。毎月第2水曜日は、お休みです。次は、12月9日(水)です。"},
		{"火曜日は開いていますか", "火曜日は、10:00から20:00まで開いています。11月24日(火)は、貸し切りのため、お休みです。\n12月1日(火)は、貸し切りのため、お休みです。"},
		{"土日は開いていますか", "土日は、10:00から17:00まで開いています。"},
		{"Are you open on weekends?", "On weekends, we are open from 10:00 to 17:00."},
		{"Are you open at New Year?", "On Tue, Dec 29 – Thu, Dec 31, we are open from 10:00 to 20:00.\nOn Fri, Jan 1, 2027, we are open from 10:00 to 24:00.\n" +
			"On Sat, Jan 2 – Sun, Jan 3, 2027, we are open from 10:00 to 17:00."},
		{"毎日開いていますか", "月曜日は、お休みです。\n火曜日・水曜日・木曜日は、10:00から20:00まで開いています。\n金曜日は、10:00から24:00まで開いています。\n土日は、10:00から17:00まで開いています。\n\n" +
			"休館日は、毎週月曜日と、毎月第2水曜日です。これから1か月の休館日は、11月23日(月)〜24日(火)、11月30日(月)〜12月1日(火)、12月7日(月)、12月9日(水)、12月14日(月)です。"},
	} {
		if got := s.answer(test.said); got != test.want {
			t.Errorf("Answer(%s) = %q, want %q", test.said, got, test.want)
		}
	}
}

// TestHoursPastMidnight asks for times around the end of a day that closes on the next one.
func TestHoursPastMidnight(t *testing.T) {
	s := at(t, strings.NewReplacer(`fri: "10:00-24:00"`, `fri: "18:00-02:00"`).Replace(otherVenue))
	for _, test := range []struct{ said, want string }{
		{"明日の午前1時は開いていますか", "今日、11月20日(金)は、18:00から2:00まで開いています。"},
		{"明日の午前3時は開いていますか", "その時間は、閉館しています。明日、11月21日(土)は、10:00から17:00まで開いています。"},
		{"Are you open at 11 pm?", "Today, Fri, Nov 20, we are open from 18:00 to 02:00."},
	} {
		if got := s.answer(test.said); got != test.want {
			t.Errorf("Answer(%s) = %q, want %q", test.said, got, test.want)
		}
	}
}

// TestHoursUnknown looks for hours that a venue file does not give: not known is not closed.
func TestHoursUnknown(t *testing.T) {
	s := at(t, "name: {ja: 茶房, en: Tea House}\n")
	for _, said := range []string{"月曜日は休み？", "Are you open on Mondays?", "今開いていますか", "Are you open every day?", "明日は開いていますか"} {
		if got := s.answer(said); strings.Contains(got, "お休みです") || strings.Contains(got, "閉館しています") || strings.Contains(got, "we are closed") || strings.Contains(got, "We are") {
			t.Errorf("Answer(%s) = %q, want no word about being open or closed where the hours are not known", said, got)
		}
	}
}

// museum is closed on Mondays or, where that is a public holiday, on the next weekday; it has a break on Wednesdays, and days with other hours.
const museum = `
name: {ja: 灯台資料館, en: Lighthouse Museum}
hours:
  weekly: {mon: "", daily: "9:30-17:00", wed: "10:00-12:00, 13:00-17:00", holiday: "9:00-18:00"}
  moveIfHoliday: true
  holidays: jp
  special:
    - days: ["2026-11-28"]
      hours: "10:00-15:00"
      reason: {ja: 灯台まつり, en: the lighthouse festival}
`

// TestHoursWithBreaksAndMovedDays asks a venue whose Monday moves, with a break at noon and days with other hours. It is Friday, November 20, and
// Monday the 23rd is a public holiday.
func TestHoursWithBreaksAndMovedDays(t *testing.T) {
	s := at(t, museum)
	for _, test := range []struct{ said, want string }{
		{"水曜は何時まで？", "水曜日は、10:00から12:00までと、13:00から17:00まで開いています。"},
		{"Are you open on Wednesday?", "On Wed, Nov 25, we are open from 10:00 to 12:00 and from 13:00 to 17:00."},
		{"11月23日は開いていますか", "11月23日(月)は、9:00から18:00まで開いています。"},
		{"11月24日は開いていますか", "11月24日(火)は、11月23日(月)の振替のため、お休みです。"},
		{"Are you open on November 28?", "On Sat, Nov 28, we are open from 10:00 to 15:00 for the lighthouse festival."},
		{"11月28日は何時まで？", "11月28日(土)は、灯台まつりのため、10:00から15:00まで開いています。"},
		{"休館日は？", "休館日は、毎週月曜日（祝日の場合は、次の平日）です。これから1か月の休館日は、11月24日(火)、11月30日(月)、12月7日(月)、12月14日(月)です。"},
		{"When are you closed?", "Our closing days are Mondays (if that is a public holiday, the next weekday). " +
			"For the next month, we are closed on Tue, Nov 24; Mon, Nov 30; Mon, Dec 7 and Mon, Dec 14."},
		{"月曜日は休み？", "休館日は、毎週月曜日（祝日の場合は、次の平日）です。11月23日(月)は、9:00から18:00まで開いています。"},
	} {
		if got := s.answer(test.said); got != test.want {
			t.Errorf("Answer(%s) = %q, want %q", test.said, got, test.want)
		}
	}
}

// TestHoursAtABreak asks while a venue has its break.
func TestHoursAtABreak(t *testing.T) {
	s := at(t, strings.Replace(museum, `daily: "9:30-17:00"`, `daily: "9:00-9:30, 10:30-17:00"`, 1))
	for _, test := range []struct{ said, want string }{
		{"今開いていますか", "ただいまは閉館しています。今日の10:30に開館します。"},
		{"Are you open now?", "We are closed right now. We open at 10:30 today."},
	} {
		if got := s.answer(test.said); got != test.want {
			t.Errorf("Answer(%s) = %q, want %q", test.said, got, test.want)
		}
	}
}
