package owner

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/civil"
	"annai/nlu"
	"annai/tools/calendar"
)

// wednesday is January 15, 2025, at ten.
var wednesday = time.Date(2025, 1, 15, 10, 0, 0, 0, time.FixedZone("JST", 9*60*60))

func understand(text string) nlu.Understanding {
	return nlu.New(nlu.Options{}).Understand(text, wednesday)
}

func TestReadPart(t *testing.T) {
	for _, test := range []struct {
		text string
		want partSaid
	}{
		{"場所は会議室Bで", partSaid{edit: Edit{Place: "会議室B"}}},
		{"いや、タイトルは歯科です", partSaid{edit: Edit{Title: "歯科"}}},
		{"歯医者の場所を中央病院に変更して", partSaid{edit: Edit{Place: "中央病院"}, ordered: true, entry: "歯医者"}},
		{"明日の会議の説明を予算の相談にして", partSaid{edit: Edit{Note: "予算の相談"}, ordered: true, entry: "会議"}},
		{"場所は？", partSaid{}},
		{"the title should be planning", partSaid{edit: Edit{Title: "planning"}}},
		{"call it Dentist, please", partSaid{edit: Edit{Title: "Dentist"}}},
		{"add a note: bring the slides", partSaid{edit: Edit{Note: "bring the slides"}}},
		{"rename the standup to Team sync", partSaid{edit: Edit{Title: "Team sync"}, ordered: true, entry: "standup"}},
		{"change the place of Team sync to Room C", partSaid{
			edit: Edit{Place: "Room C"}, ordered: true, entry: "Team sync",
		}},
		{"change standup's location to Room B", partSaid{edit: Edit{Place: "Room B"}, ordered: true, entry: "standup"}},
		{"what is the location", partSaid{}},
	} {
		if diff := cmp.Diff(test.want, readPart(understand(test.text)), cmp.AllowUnexported(partSaid{})); diff != "" {
			t.Errorf("readPart(%q) (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestRepeatOf(t *testing.T) {
	today := civil.DateOf(wednesday)
	for _, test := range []struct {
		frequency, said string
		want            repeat
		en              string
	}{
		{"毎週水曜10時", "", repeat{Unit: weekly, Every: 1, Weekdays: []time.Weekday{3}, From: today}, "every Wednesday"},
		{"平日は毎朝9時", "", repeat{Unit: weekly, Every: 1, Weekdays: workweek, From: today}, "every weekday"},
		{"every other friday at noon", "for 10 weeks", repeat{
			Unit: weekly, Every: 2, Weekdays: []time.Weekday{5}, From: today, Count: 10,
		}, "every other Friday"},
		{"毎月第2金曜", "", repeat{
			Unit: monthly, Every: 1, Weekdays: []time.Weekday{5}, Nth: 2, From: today,
		}, "the 2nd Friday of every month"},
		{"毎月最終金曜", "", repeat{
			Unit: monthly, Every: 1, Weekdays: []time.Weekday{5}, Nth: -1, From: today,
		}, "the last Friday of every month"},
		{"3日おき", "", repeat{Unit: daily, Every: 3, From: today}, "every 3 days"},
	} {
		r, _, ok := repeatOf(test.frequency, test.said, timesSaid{}, wednesday)
		if diff := cmp.Diff(test.want, r); diff != "" || !ok {
			t.Errorf("repeatOf(%q), %t (-want +got):\n%s", test.frequency, ok, diff)
		}
		if en := r.words(today, nlu.English); en != test.en {
			t.Errorf("%q is %q, want %q", test.frequency, en, test.en)
		}
	}
	if _, _, ok := repeatOf("ときどき", "", timesSaid{}, wednesday); ok {
		t.Error("repeatOf(ときどき) is understood, want it not to be")
	}
}

// TestEditWhen holds what an edit leaves as it was, and what it can't say.
func TestEditWhen(t *testing.T) {
	loc := wednesday.Location()
	at := func(day, hour, minute int) time.Time { return time.Date(2025, 1, day, hour, minute, 0, 0, loc) }
	meeting := calendar.When{Start: at(16, 15, 0), End: at(16, 16, 0)}
	for _, test := range []struct {
		text       string
		start, end time.Time
	}{
		{"16時", at(16, 16, 0), at(16, 17, 0)},
		{"金曜日", at(17, 15, 0), at(17, 16, 0)},
		{"2時間", at(16, 15, 0), at(16, 17, 0)},
		{"明後日の9時から11時", at(17, 9, 0), at(17, 11, 0)},
	} {
		e := readTimes(understand(test.text).Times, wednesday).edit
		if e.Guessed {
			e.Day = civil.Date{}
		}
		w, missing := e.when(meeting, loc)
		if missing != "" || !w.Start.Equal(test.start) || !w.End.Equal(test.end) {
			t.Errorf("%s makes it %s to %s, missing %q, want %s to %s",
				test.text, w.Start, w.End, missing, test.start, test.end)
		}
	}
	if _, missing := (Edit{Day: civil.DateOf(wednesday)}).when(calendar.When{}, loc); missing != awaitClock {
		t.Errorf("a day alone lacks %q, want %q", missing, awaitClock)
	}
	if _, missing := (Edit{Title: "x"}).when(calendar.When{}, loc); missing != awaitTime {
		t.Errorf("a title alone lacks %q, want %q", missing, awaitTime)
	}
}

// TestOrderForAnother holds that an order for one entry corrects no plan for another.
func TestOrderForAnother(t *testing.T) {
	p := Plan{Do: ActionAdd, Edit: Edit{Title: "会議"}, Await: awaitYes}
	for text, want := range map[string]verdict{
		"歯医者の場所を中央病院に変更して":                        verdictOther,
		"change the place of Team sync to Room C": verdictOther,
		"会議の場所を第2会議室に変更して":                        verdictEdit,
		"場所は会議室B":                                 verdictEdit,
	} {
		if got := readCorrection(p, understand(text), wednesday).verdict; got != want {
			t.Errorf("%q to a plan is %q, want %q", text, got, want)
		}
	}
}
