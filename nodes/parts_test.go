package nodes

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"annai/nlu"
	"annai/venue"
)

// What a text names: of names that overlap that of fewer parts, and then the longer one.
func TestPartsNamed(t *testing.T) {
	v := &venue.Venue{Parts: []venue.Part{
		{
			ID: "1", Name: venue.Text{JA: "会議室1", EN: "Meeting Room 1"},
			Aliases: venue.Words{JA: []string{"2階の会議室"}, EN: []string{"room 1"}},
		},
		{
			ID: "2", Name: venue.Text{JA: "会議室2", EN: "Meeting Room 2"},
			Aliases: venue.Words{JA: []string{"2階の会議室"}},
		},
		{ID: "desk", Name: venue.Text{JA: "受付", EN: "desk"}},
		{ID: "hall desk", Name: venue.Text{JA: "文化館の受付", EN: "Hall Desk"}},
	}}
	for _, test := range []struct{ text, want string }{
		{"2階の会議室はいくら", "1 2"},
		{"2階の会議室1はいくら", "1"},
		{"会議室2と会議室1はどちらが広い", "2 1"},
		{"文化館の受付はどこ", "hall desk"},
		{"受付はどこ", "desk"},
		{"how much does ROOM 1 cost?", "1"},
		{"how much are room 10 and the desktops?", ""},
		{"is the hall desk open?", "hall desk"},
		{"", ""},
	} {
		if got := strings.Join(partsNamed(v, test.text), " "); got != test.want {
			t.Errorf("partsNamed(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// TestPartPassages: a part is looked for by all that the venue file says of it, in each language.
func TestPartPassages(t *testing.T) {
	const file = `name: {ja: 池, en: Pond}
parts:
  - id: swan
    name: {ja: 白鳥, en: swan}
    floor: "2"
    seats: 4
    prices: [{amount: 1600, per: {ja: 30分, en: 30 minutes}}, {what: {ja: 傘, en: umbrella}, amount: free}]
    booking: {needed: "no", how: {ja: 桟橋へどうぞ。, en: Just come to the pier.}}
    for: {who: {ja: 会員, en: members}}
    allows: [{ja: 飲み物, en: drinks}]
    forbids: [{ja: 犬, en: dogs}]
`
	v, err := venue.Parse(fstest.MapFS{"venue.yaml": {Data: []byte(file)}}, "venue.yaml")
	if err != nil {
		t.Fatal(err)
	}
	passages := partPassages(v)
	if len(passages) != 2 {
		t.Fatalf("%d passages of a part, want one in each language", len(passages))
	}
	for i, said := range [][]string{
		{"2階", "1,600円", "30分", "傘", "無料", "4席", "桟橋", "会員", "飲み物", "犬"},
		{"second floor", "1,600 yen", "30 minutes", "umbrella", "free", "4 seats", "pier", "members", "drinks", "dogs"},
	} {
		for _, want := range said {
			if !strings.Contains(strings.ToLower(passages[i].Text), want) {
				t.Errorf("what is written of the part = %q, lacks %q", passages[i].Text, want)
			}
		}
	}
}

// The number that has a mark: an age, a number of people, and neither where there is none.
func TestMarks(t *testing.T) {
	for _, test := range []struct {
		text        string
		age, people int
	}{
		{"10歳だといくら", 10, 0},
		{"my daughter is 8 years old", 8, 0},
		{"a 4-year-old and 3 people", 4, 3},
		{"for children aged 12", 12, 0},
		{"会議室を20人で使いたい", 0, 20},
		{"we are 6", 0, 6},
		{"人が多い、5階", 0, 0},
		{"123456人", 0, 0},
	} {
		age, _ := marked(test.text, "age")
		people, _ := marked(test.text, "people")
		if age != test.age || people != test.people {
			t.Errorf("marked(%q) = age %d, people %d, want %d, %d", test.text, age, people, test.age, test.people)
		}
	}
	if ages, ok := agesIn("小学生の料金"); !ok || ages.MinAge != 6 || *ages.MaxAge != 12 {
		t.Errorf("agesIn(小学生の料金) = %+v, %v, want 6 to 12", ages, ok)
	}
	if wholeDayAsked("朝の部") || !wholeDayAsked("for the whole day") {
		t.Error("wholeDayAsked takes the morning for a day, or misses the whole day")
	}
}

// TestClosedPart: nobody hears yes to the use of a part at a time at which it is closed.
func TestClosedPart(t *testing.T) {
	const file = `name: {ja: 公園, en: Park}
parts:
  - id: kayak
    name: {ja: カヤック, en: kayak}
    where: {ja: 桟橋, en: at the pier}
    hours: {weekly: {sat: "10:00-15:00", sun: "10:00-15:00", daily: ""}}
`
	v, err := venue.Parse(fstest.MapFS{"venue.yaml": {Data: []byte(file)}}, "venue.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wednesday := time.Date(2026, time.June, 10, 12, 0, 0, 0, v.Location)
	for _, test := range []struct {
		ask       nlu.Ask
		day       int
		hour      int
		says, not string
	}{
		{nlu.AskIsThere, 10, 0, "No, the kayak is closed today", "Yes"},
		{nlu.AskMayI, 13, 0, "Yes", "No"},
		{nlu.AskMayI, 13, 16, "No", "Yes"},
		{nlu.AskAvailability, 11, 0, "No", "Yes"},
	} {
		a := partAnswer{venue: v, part: v.Part("kayak"), now: wednesday, lang: nlu.English}
		a.asked.Start = time.Date(2026, time.June, test.day, test.hour, 0, 0, 0, v.Location)
		a.asked.End = a.asked.Start.AddDate(0, 0, 1)
		if a.asked.Clock = test.hour > 0; a.asked.Clock {
			a.asked.End = a.asked.Start.Add(time.Hour)
		}
		said := strings.Join(a.conclude(test.ask), " ")
		if !strings.Contains(said, test.says) || strings.Contains(said, test.not) {
			t.Errorf("%s on %v = %q, want %q and not %q", test.ask, a.asked.Start, said, test.says, test.not)
		}
	}
}

// TestRange: a price without a bound leaves none of the others.
func TestRange(t *testing.T) {
	amount := func(least, most int) venue.Price { return venue.Price{Amount: venue.Amount{Least: least, Most: most}} }
	least, most, ok := rangeOf([]venue.Price{amount(700, 700), amount(2400, 0), amount(900, 900)})
	if least != 700 || most != 0 || !ok {
		t.Errorf("rangeOf = %d, %d, %v, want from 700 on", least, most, ok)
	}
	if least, most, _ := rangeOf([]venue.Price{amount(700, 700), amount(2400, 2400)}); least != 700 || most != 2400 {
		t.Errorf("rangeOf = %d, %d, want 700 to 2400", least, most)
	}
}

// TestLastEntry: whoever hears until when the venue is open hears until when they are let in.
func TestLastEntry(t *testing.T) {
	const file = `name: {ja: 植物園, en: Garden}
hours: {weekly: {mon: "", daily: "9:00-17:00"}, lastEntry: 30 min}
`
	v, err := venue.Parse(fstest.MapFS{"venue.yaml": {Data: []byte(file)}}, "venue.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wednesday := time.Date(2026, time.June, 10, 12, 0, 0, 0, v.Location)
	o := opening{venue: v, now: wednesday, lang: nlu.English}
	o.wish.Range.Start, o.wish.Range.End = wednesday.AddDate(0, 0, 1), wednesday.AddDate(0, 0, 1).Add(time.Hour)
	for _, test := range []struct {
		hours hoursKind
		says  string
	}{
		{hoursNow, "The last entry is at 16:30."},
		{hoursDay, "The last entry is at 16:30."},
		{hoursWeekly, "The last entry is 30 minutes before closing."},
	} {
		o.wish.Hours = test.hours
		if said := o.tell().Text; !strings.Contains(said, test.says) {
			t.Errorf("%s: %q, want %q", test.hours, said, test.says)
		}
	}
}
