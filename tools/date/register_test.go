package date_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/tools"
	"annai/tools/date"
)

func family(t *testing.T) *tools.Registry {
	t.Helper()
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Date(2026, 3, 1, 8, 20, 0, 0, time.UTC) }
	r := tools.New(now, tools.Options{})
	if err := date.Register(r, now, tokyo); err != nil {
		t.Fatal(err)
	}
	return r
}

// The answers are those of the specification, by name and by which fields are there.
func TestRegister(t *testing.T) {
	const (
		current = `{"success":true,"current":{"date":"2026-03-01","time":"17:20","weekday":"日曜日","weekday_number":6,"iso_week":9,"iso_year":2026},
			"message":"現在は 2026-03-01（日曜日）17:20 です。第9週。"}`
		weeks = `{"success":true,"base_date":{"date":"2026-03-01","weekday":"日曜日","weekday_number":6},
			"result":{"date":"2026-03-15","weekday":"日曜日","weekday_number":6},"offset":{"days":0,"weeks":2,"months":0},
			"message":"今日の2週間後は 2026-03-15（日曜日）です。"}`
		tuesdays = `{"success":true,"weekday":"火曜日","range":{"start":"2026-03-01","end":"2026-03-31"},"dates":[
			{"date":"2026-03-03","weekday":"火曜日","weekday_number":1},{"date":"2026-03-10","weekday":"火曜日","weekday_number":1},
			{"date":"2026-03-17","weekday":"火曜日","weekday_number":1},{"date":"2026-03-24","weekday":"火曜日","weekday_number":1},
			{"date":"2026-03-31","weekday":"火曜日","weekday_number":1}],"count":5,"message":"2026-03-01 〜 2026-03-31 の火曜日は 5 日あります。"}`
	)
	r := family(t)
	for _, role := range []tools.Role{tools.Visitor, tools.Owner, tools.Operator} {
		for _, tt := range []struct{ tool, in, want string }{
			{"get_current_datetime", ``, current},
			{"", `{}`, current},
			{"calculate_date", `{"offset_weeks":2}`, weeks},
			{"", `{"base_date":"2026-03-01","offset_weeks":2}`, weeks},
			{"list_dates_in_range", `{"start_date":"2026-03-01","end_date":"2026-03-31","weekday":"火"}`, tuesdays},
			{"", `{"start_date":"2026-03-01","end_date":"2026-03-31","weekday":"Tuesday"}`, tuesdays},
		} {
			got, err := call(t, r, tools.Caller{Role: role, Language: "ja"}, tt.tool, tt.in)
			var want bytes.Buffer
			if err := json.Compact(&want, []byte(tt.want)); err != nil {
				t.Fatal(err)
			}
			if err != nil || got != want.String() {
				t.Errorf("%s(%s) as %s = %s, %v, want\n%s", tt.tool, tt.in, role, got, err, &want)
			}
		}
	}
}

func TestRegisteredToolsSayWhatIsWrong(t *testing.T) {
	r := family(t)
	for _, tt := range []struct{ in, ja, en string }{
		{`{"start_date":"2026-03-01","end_date":"2026-03-31"}`, "「weekday」が必要です。", `The field "weekday" is required.`},
		{`{"start_date":"2026-03-02","end_date":"2026-03-01","weekday":"火"}`, "終わりの日が始まりの日より前になっています。", "The last day is before the first day."},
		{`{"start_date":"2026-03-02","end_date":"2027-03-03","weekday":"火"}`, "一度に調べられる期間は366日までです。", "I can look at no more than 366 days at once."},
		{`{"base_date":"3月1日"}`, "「3月1日」という日付が分かりません。2026-03-01 のようにご指定ください。", `I do not understand the date "3月1日". Please write it like 2026-03-01.`},
		{
			`{"base_date":"[happy]\u0007` + strings.Repeat("長", 10_000) + `"}`,
			"「happy" + strings.Repeat("長", 35) + "…」という日付が分かりません。2026-03-01 のようにご指定ください。",
			`I do not understand the date "happy` + strings.Repeat("長", 35) + `…". Please write it like 2026-03-01.`,
		},
		{`{"offset_days":36526}`, "計算できるのは前後100年までです。", "I can count up to 100 years back or ahead."},
		{`{"offset_days":"2"}`, "「offset_days」は整数で指定してください。", `"offset_days" must be a whole number.`},
		{`{"when":"now"}`, "「when」という項目はありません。", `There is no field "when".`},
	} {
		_, err := call(t, r, tools.Caller{Role: tools.Visitor}, "", tt.in)
		if !errors.Is(err, fault.ErrInvalid) || tools.Message(err, "ja") != tt.ja || tools.Message(err, "en") != tt.en {
			t.Errorf("CallFamily(%s) = %v, %q, %q, want %q, %q", tt.in, err, tools.Message(err, "ja"), tools.Message(err, "en"), tt.ja, tt.en)
		}
	}
}

func call(t *testing.T, r *tools.Registry, caller tools.Caller, tool, in string) (string, error) {
	t.Helper()
	if tool == "" {
		got, err := r.CallFamily(t.Context(), caller, "date", json.RawMessage(in))
		return string(got), err
	}
	got, err := r.Call(t.Context(), caller, tool, json.RawMessage(in))
	return string(got), err
}
