package date

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/fault"
)

var now = time.Date(2026, 3, 1, 17, 20, 59, 0, time.FixedZone("JST", 9*60*60))

// wantJSON compares with the JSON as people write it, order of fields included.
func wantJSON(t *testing.T, call string, got any, want string) {
	t.Helper()
	text, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(want), string(text)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", call, diff)
	}
}

func TestGetCurrentDatetime(t *testing.T) {
	wantJSON(t, "GetCurrentDatetime(ja)", GetCurrentDatetime(now, "ja"), `
{
  "success": true,
  "current": {
    "date": "2026-03-01",
    "time": "17:20",
    "weekday": "日曜日",
    "weekday_number": 6,
    "iso_week": 9,
    "iso_year": 2026
  },
  "message": "現在は 2026-03-01（日曜日）17:20 です。第9週。"
}`)
	got := GetCurrentDatetime(now, "en")
	if want := "It is 17:20 on 2026-03-01 (Sunday), in week 9."; got.Message != want || got.Current.Weekday != "Sunday" {
		t.Errorf("GetCurrentDatetime(en) = %+v, want message %q", got, want)
	}
	january := GetCurrentDatetime(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), "ja").Current
	if january.ISOYear != 2026 || january.ISOWeek != 53 || january.WeekdayNumber != 4 || january.Time != "00:00" {
		t.Errorf("GetCurrentDatetime(2027-01-01) = %+v, want week 53 of 2026, a Friday", january)
	}
}

func TestCalculateDate(t *testing.T) {
	got, err := CalculateDate(Calculation{OffsetWeeks: 2}, now, "ja")
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, "CalculateDate(2 weeks)", got, `
{
  "success": true,
  "base_date": {
    "date": "2026-03-01",
    "weekday": "日曜日",
    "weekday_number": 6
  },
  "result": {
    "date": "2026-03-15",
    "weekday": "日曜日",
    "weekday_number": 6
  },
  "offset": {
    "days": 0,
    "weeks": 2,
    "months": 0
  },
  "message": "今日の2週間後は 2026-03-15（日曜日）です。"
}`)
}

func TestCalculateDateMessages(t *testing.T) {
	tests := []struct{ in, date, ja, en string }{
		{
			`{}`, "2026-03-01",
			"今日は 2026-03-01（日曜日）です。", "Today is 2026-03-01 (Sunday).",
		},
		{
			`{"offset_days": -5}`, "2026-02-24",
			"今日の5日前は 2026-02-24（火曜日）です。", "5 days before today is 2026-02-24 (Tuesday).",
		},
		{
			`{"base_date": "2026-01-31", "offset_months": 1}`, "2026-02-28",
			"2026-01-31（土曜日）の1か月後は 2026-02-28（土曜日）です。",
			"1 month after 2026-01-31 (Saturday) is 2026-02-28 (Saturday).",
		},
		{
			`{"base_date": "2024-01-31", "offset_months": 1}`, "2024-02-29",
			"2024-01-31（水曜日）の1か月後は 2024-02-29（木曜日）です。",
			"1 month after 2024-01-31 (Wednesday) is 2024-02-29 (Thursday).",
		},
		{
			`{"base_date": "2024-02-29", "offset_months": -12}`, "2023-02-28",
			"2024-02-29（木曜日）の12か月前は 2023-02-28（火曜日）です。",
			"12 months before 2024-02-29 (Thursday) is 2023-02-28 (Tuesday).",
		},
		{
			`{"offset_months": 1, "offset_weeks": 2, "offset_days": 3}`, "2026-04-18",
			"今日の1か月と2週間と3日後は 2026-04-18（土曜日）です。",
			"1 month, 2 weeks and 3 days after today is 2026-04-18 (Saturday).",
		},
		{
			`{"offset_months": 1, "offset_days": -3}`, "2026-03-29",
			"今日の1か月後の3日前は 2026-03-29（日曜日）です。",
			"3 days before 1 month after today is 2026-03-29 (Sunday).",
		},
		{
			`{"base_date": "2026-12-31", "offset_days": 1}`, "2027-01-01",
			"2026-12-31（木曜日）の1日後は 2027-01-01（金曜日）です。",
			"1 day after 2026-12-31 (Thursday) is 2027-01-01 (Friday).",
		},
	}
	for _, tt := range tests {
		var in Calculation
		if err := json.Unmarshal([]byte(tt.in), &in); err != nil {
			t.Fatal(err)
		}
		for lang, want := range map[string]string{"ja": tt.ja, "en": tt.en} {
			got, err := CalculateDate(in, now, lang)
			if err != nil || got.Result.Date.String() != tt.date || got.Message != want {
				t.Errorf("CalculateDate(%s, %s) = %s %q, %v, want %s %q", tt.in, lang, got.Result.Date, got.Message, err, tt.date, want)
			}
		}
	}
}

func TestListDatesInRange(t *testing.T) {
	got, err := ListDatesInRange(Selection{StartDate: "2026-03-01", EndDate: "2026-03-31", Weekday: "火"}, "ja")
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, "ListDatesInRange(火)", got, `
{
  "success": true,
  "weekday": "火曜日",
  "range": {
    "start": "2026-03-01",
    "end": "2026-03-31"
  },
  "dates": [
    {
      "date": "2026-03-03",
      "weekday": "火曜日",
      "weekday_number": 1
    },
    {
      "date": "2026-03-10",
      "weekday": "火曜日",
      "weekday_number": 1
    },
    {
      "date": "2026-03-17",
      "weekday": "火曜日",
      "weekday_number": 1
    },
    {
      "date": "2026-03-24",
      "weekday": "火曜日",
      "weekday_number": 1
    },
    {
      "date": "2026-03-31",
      "weekday": "火曜日",
      "weekday_number": 1
    }
  ],
  "count": 5,
  "message": "2026-03-01 〜 2026-03-31 の火曜日は 5 日あります。"
}`)
}

func TestListDatesInRangeMessages(t *testing.T) {
	tests := []struct {
		start, end, weekday string
		count               int
		ja, en              string
	}{
		{
			"2026-03-01", "2026-03-31", "平日", 22,
			"2026-03-01 〜 2026-03-31 の平日は 22 日あります。", "There are 22 weekdays from 2026-03-01 to 2026-03-31.",
		},
		{
			"2026-03-01", "2026-03-31", "Weekend", 9,
			"2026-03-01 〜 2026-03-31 の週末は 9 日あります。", "There are 9 weekend days from 2026-03-01 to 2026-03-31.",
		},
		{
			"2026-03-01", "2026-03-03", "tue", 1,
			"2026-03-01 〜 2026-03-03 の火曜日は 1 日あります。", "There is 1 Tuesday from 2026-03-01 to 2026-03-03.",
		},
		{
			"2026-03-01", "2026-03-01", "水曜", 0,
			"2026-03-01 〜 2026-03-01 に水曜日はありません。", "There are no Wednesdays from 2026-03-01 to 2026-03-01.",
		},
		{
			"2024-01-01", "2024-12-31", "月", 53,
			"2024-01-01 〜 2024-12-31 の月曜日は 53 日あります。", "There are 53 Mondays from 2024-01-01 to 2024-12-31.",
		},
	}
	for _, tt := range tests {
		for lang, want := range map[string]string{"ja": tt.ja, "en": tt.en} {
			in := Selection{StartDate: tt.start, EndDate: tt.end, Weekday: tt.weekday}
			got, err := ListDatesInRange(in, lang)
			if err != nil || got.Count != tt.count || len(got.Dates) != tt.count || got.Message != want {
				t.Errorf("ListDatesInRange(%+v, %s) = %d %q, %v, want %d %q", in, lang, got.Count, got.Message, err, tt.count, want)
			}
		}
	}
	empty, err := ListDatesInRange(Selection{StartDate: "2026-03-01", EndDate: "2026-03-01", Weekday: "水"}, "ja")
	if text, _ := json.Marshal(empty); err != nil || !strings.Contains(string(text), `"dates":[]`) {
		t.Errorf("ListDatesInRange(none) = %s, %v, want an empty list of dates", text, err)
	}
}

func TestErrors(t *testing.T) {
	list := func(start, end, weekday string) func() error {
		return func() error {
			_, err := ListDatesInRange(Selection{StartDate: start, EndDate: end, Weekday: weekday}, "ja")
			return err
		}
	}
	calculate := func(in Calculation) func() error {
		return func() error {
			_, err := CalculateDate(in, now, "ja")
			return err
		}
	}
	maxInt := int(^uint(0) >> 1)
	tests := []struct {
		name string
		call func() error
		want Kind
	}{
		{"reversed", list("2026-03-02", "2026-03-01", "月"), RangeReversed},
		{"367 days", list("2026-01-01", "2027-01-02", "月"), RangeTooLong},
		{"the whole calendar", list("0001-01-01", "9999-12-31", "月"), RangeTooLong},
		{"unknown weekday", list("2026-03-01", "2026-03-02", "someday"), UnknownWeekday},
		{"no weekday", list("2026-03-01", "2026-03-02", ""), UnknownWeekday},
		{"start is no date", list("2026-02-30", "2026-03-02", "月"), NoDate},
		{"end is no date", list("2026-02-01", "3月2日", "月"), NoDate},
		{"no end", list("2026-02-01", "", "月"), NoDate},
		{"year nought", list("0000-02-01", "0000-02-02", "月"), NoDate},
		{"base is no date", calculate(Calculation{BaseDate: "tomorrow"}), NoDate},
		{"1,201 months", calculate(Calculation{OffsetMonths: 1201}), OffsetTooFar},
		{"all together", calculate(Calculation{OffsetMonths: 1200, OffsetDays: 36000}), OffsetTooFar},
		{"overflow of days", calculate(Calculation{OffsetDays: maxInt}), OffsetTooFar},
		{"overflow of weeks", calculate(Calculation{OffsetWeeks: maxInt}), OffsetTooFar},
		{"overflow of months", calculate(Calculation{OffsetMonths: -maxInt - 1}), OffsetTooFar},
		{"before year 1", calculate(Calculation{BaseDate: "0001-01-01", OffsetDays: -1}), OffsetTooFar},
		{"after year 9999", calculate(Calculation{BaseDate: "9999-12-31", OffsetDays: 1}), OffsetTooFar},
	}
	for _, tt := range tests {
		err := tt.call()
		var input *InputError
		if !errors.Is(err, fault.ErrInvalid) || !errors.As(err, &input) || input.Kind != tt.want {
			t.Errorf("%s: error = %v, want an InputError %s that is ErrInvalid", tt.name, err, tt.want)
			continue
		}
		ja, en := input.Message("ja"), input.Message("en")
		if !strings.HasSuffix(ja, "。") || !strings.HasSuffix(en, ".") {
			t.Errorf("%s: messages = %q, %q, want a sentence each", tt.name, ja, en)
		}
		if tt.want == NoDate && input.Value != "" && (!strings.Contains(ja, input.Value) || !strings.Contains(en, input.Value)) {
			t.Errorf("%s: messages = %q, %q, want them to repeat %q", tt.name, ja, en, input.Value)
		}
	}
}

func TestLimitsAreIncluded(t *testing.T) {
	if _, err := ListDatesInRange(Selection{StartDate: "2026-01-01", EndDate: "2027-01-01", Weekday: "月"}, "ja"); err != nil {
		t.Errorf("ListDatesInRange(366 days) = %v, want dates", err)
	}
	got, err := CalculateDate(Calculation{OffsetMonths: -1200}, now, "ja")
	if err != nil || got.Result.Date.String() != "1926-03-01" {
		t.Errorf("CalculateDate(100 years back) = %s, %v, want 1926-03-01", got.Result.Date, err)
	}
}

func TestParseWeekdays(t *testing.T) {
	names := strings.Fields("日 月 火 水 木 金 土")
	for d := time.Sunday; d <= time.Saturday; d++ {
		long := d.String()
		for _, s := range []string{
			names[d], names[d] + "曜", names[d] + "曜日", long, strings.ToLower(long), strings.ToUpper(long[:3]), long[:3], " " + long + "s ",
		} {
			if got, err := ParseWeekdays(s); err != nil || got != Only(d) {
				t.Errorf("ParseWeekdays(%q) = %s, %v, want %s", s, got.Name("en"), err, d)
			}
		}
	}
	for s, want := range map[string]Weekdays{
		"平日": WorkingDays, "weekdays": WorkingDays, "Weekday": WorkingDays, "週末": Weekend, "土日": Weekend, "weekend": Weekend,
	} {
		if got, err := ParseWeekdays(s); err != nil || got != want {
			t.Errorf("ParseWeekdays(%q) = %s, %v, want %s", s, got.Name("en"), err, want.Name("en"))
		}
	}
	for _, s := range []string{"", "曜", "曜日", "月火", "m", "祝日", "0"} {
		if got, err := ParseWeekdays(s); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("ParseWeekdays(%q) = %s, %v, want ErrInvalid", s, got.Name("en"), err)
		}
	}
}

func TestHelpers(t *testing.T) {
	a, b := civil.Date{Year: 2024, Month: 2, Day: 28}, civil.Date{Year: 2024, Month: 3, Day: 1}
	if got := DaysBetween(a, b); got != 2 {
		t.Errorf("DaysBetween(%s, %s) = %d, want 2", a, b, got)
	}
	if got := DaysBetween(b, a); got != -2 {
		t.Errorf("DaysBetween(%s, %s) = %d, want -2", b, a, got)
	}
	if year, week := ISOWeek(civil.Date{Year: 2025, Month: 12, Day: 29}); year != 2026 || week != 1 {
		t.Errorf("ISOWeek(2025-12-29) = %d, %d, want 2026, 1", year, week)
	}
	if got := fmt.Sprint(WeekdayShort(time.Friday, "ja"), WeekdayShort(time.Friday, "en"), WeekdayName(time.Friday, "en")); got != "金FriFriday" {
		t.Errorf("names of Friday = %q, want 金, Fri, Friday", got)
	}
}
