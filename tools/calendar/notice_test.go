package calendar_test

import (
	"testing"

	"annai/tools/calendar"
)

func TestWithNotice(t *testing.T) {
	for _, tt := range []struct {
		title, want string
		status      calendar.Status
		notice      calendar.Notice
	}{
		{"【満席】Goハンズオン", "Goハンズオン", "", calendar.Full},
		{"Goハンズオン（満席御礼）", "Goハンズオン", "", calendar.Full},
		{"Go入門 【オンライン】 【満席】", "Go入門 【オンライン】", "", calendar.Full},
		{"もくもく会【満席】 / Mokumoku Night [FULL]", "もくもく会 / Mokumoku Night", "", calendar.Full},
		{"ＳＯＬＤ ＯＵＴ", "ＳＯＬＤ ＯＵＴ", "", calendar.Full},
		{"Sold out cities", "Sold out cities", "", ""},
		{"(Sold Out) Jazz Night", "Jazz Night", "", calendar.Full},
		{"Jazz Night (FULLY BOOKED!)", "Jazz Night", "", calendar.Full},
		{"［ＳＯＬＤ ＯＵＴ］Jazz", "Jazz", "", calendar.Full},
		{"SOLD OUT - Jazz Night", "Jazz Night", "", calendar.Full},
		{"Full: Yoga", "Yoga", "", calendar.Full},
		{"★満席★ヨガ", "ヨガ", "", calendar.Full},
		{"満席 ヨガ", "ヨガ", "", calendar.Full},
		{"貸切：メインホール", "メインホール", "", calendar.Reserved},
		{"貸切", "貸切", "", calendar.Reserved},
		{"[Private event] Main Hall", "Main Hall", "", calendar.Reserved},
		{"【中止】夏まつり", "夏まつり", calendar.Cancelled, ""},
		{"CANCELLED Summer Fair", "Summer Fair", calendar.Cancelled, ""},
		{"Canceled: Summer Fair", "Summer Fair", calendar.Cancelled, ""},
		{"【延期】夏まつり", "夏まつり", calendar.Cancelled, calendar.Postponed},
		{"【中止】【満席】夏まつり", "夏まつり", calendar.Cancelled, calendar.Full},

		{"Full Stack Day", "Full Stack Day", "", ""},
		{"FULL STACK DAY", "FULL STACK DAY", "", ""},
		{"Full-stack day", "Full-stack day", "", ""},
		{"Cancelled stamps, an exhibition", "Cancelled stamps, an exhibition", "", ""},
		{"貸切バスツアー", "貸切バスツアー", "", ""},
		{"満員電車を語る会", "満員電車を語る会", "", ""},
		{"【満席間近】ヨガ", "【満席間近】ヨガ", "", ""},
		{"中止しない勇気", "中止しない勇気", "", ""},
		{"【", "【", "", ""},
		{"", "", "", ""},
	} {
		got := calendar.Event{Title: tt.title}.WithNotice()
		if got.Title != tt.want || got.Status != tt.status || got.Notice != tt.notice {
			t.Errorf("WithNotice of %q = %q, status %q, notice %q, want %q, %q, %q",
				tt.title, got.Title, got.Status, got.Notice, tt.want, tt.status, tt.notice)
		}
	}
	known := calendar.Event{Title: "【満席】夏まつり", Status: calendar.Cancelled, Notice: calendar.Postponed}.WithNotice()
	if known.Status != calendar.Cancelled || known.Title != "夏まつり" {
		t.Errorf("WithNotice of an event that is off = %+v, want it still off", known)
	}
}

func TestSaysOf(t *testing.T) {
	for word, want := range map[string]calendar.Event{
		"満席": {Notice: calendar.Full}, " Cancelled ": {Status: calendar.Cancelled},
		"tentative": {Status: calendar.Tentative},
		"延期":        {Status: calendar.Cancelled, Notice: calendar.Postponed},
		"reserved":  {Notice: calendar.Reserved},
		"confirmed": {Status: calendar.Confirmed},
	} {
		got, known := calendar.Event{}.SaysOf(word)
		if !known || got.Status != want.Status || got.Notice != want.Notice {
			t.Errorf("SaysOf(%q) = %q, %q (known %v), want %q, %q", word, got.Status, got.Notice, known,
				want.Status, want.Notice)
		}
	}
	if _, known := (calendar.Event{}).SaysOf("open"); known {
		t.Error("SaysOf(open) is known, want it to say nothing")
	}
}

func FuzzWithNotice(f *testing.F) {
	for _, title := range []string{"【満席】a", "(full", "★中止★", "SOLD OUT - a", "\xff【"} {
		f.Add(title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		if got := (calendar.Event{Title: title}).WithNotice(); title != "" && got.Title == "" {
			t.Errorf("WithNotice of %q left no title", title)
		}
	})
}

// A read looks at the title of each event.
func BenchmarkWithNotice(b *testing.B) {
	titles := []string{"Goハンズオン入門", "Friday talks: compilers", "【満席】もくもく会", "開発者の集い（オンライン）"}
	for b.Loop() {
		for _, title := range titles {
			_ = calendar.Event{Title: title}.WithNotice()
		}
	}
}
