package venue_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/venue"
)

// pool is a venue with a part of each kind of value.
const pool = small + `hours:
  weekly: {mon: "", daily: "9:00-21:00"}
  holidays: jp
  closed: [{yearly: 12-29/01-03}]
  special: [{days: [2026-11-27], hours: "11:00-15:00"}, {days: [2026-12-10], hours: "8:00-9:30"}, {days: [2026-12-11], hours: "8:00-23:00"}]
parts:
  - name: {ja: 温水プール, en: the pool}
    aliases: {ja: [プール, 25メートルプール], en: [swimming pool]}
    floor: B1F
    where: {ja: 階段の左, en: left of the stairs}
    seats: 8-10
    hours:
      weekly: {wed: "", daily: "10:00-12:00, 13:00-20:00", holiday: "10:00-17:00"}
      lastEntry: 1
    prices:
      - {what: {ja: 午前, en: the morning}, amount: 800, from: "9:00", until: "12:00"}
      - {amount: 1600, from: "13:00", until: "17:00"}
      - {amount: "2,100", from: "9:00", until: "17:00"}
      - {what: Towel, amount: 100+, per: {ja: 1枚, en: each}}
      - {what: Locker, amount: free, maxAge: 12}
      - {what: Locker, amount: 50-80, minAge: 13, days: [sat, sun, holiday]}
    booking: {needed: no, how: {ja: 予約はいりません。, en: No booking is needed.}, contact: 092-000-0000}
    for: {minAge: 6, members: true, who: {ja: 6歳以上の方, en: everybody of six or more}}
    allows: [{ja: 水中歩行, en: walking in the water}]
    forbids: [{ja: 飲食, en: eating}]
    description: A pool of 25 metres.
  - {id: shop, name: Shop, hours: {ownClosedDays: true, weekly: {daily: "10:00-18:00"}}}
  - name: {en: Lounge}
`

func poolVenue(t *testing.T) *venue.Venue {
	t.Helper()
	v, err := parse(pool)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestParts(t *testing.T) {
	v := poolVenue(t)
	p := v.Part("the pool")
	if p == nil || v.Part("shop") == nil || v.Part("Lounge") == nil || v.Part("bar") != nil {
		t.Fatalf("Part() finds %v, want those of their ids", p)
	}
	for lang, want := range map[string][]string{
		"ja": {"温水プール", "プール", "25メートルプール"},
		"en": {"the pool", "swimming pool"},
		"":   {"温水プール", "the pool", "プール", "25メートルプール", "swimming pool"},
	} {
		if diff := cmp.Diff(want, p.Names(lang)); diff != "" {
			t.Errorf("Names(%q) (-want +got):\n%s", lang, diff)
		}
	}
	if got := v.Part("shop").Names("ja"); !slices.Equal(got, []string{"Shop"}) {
		t.Errorf("Names(ja) of a plain name = %v, want it", got)
	}
	if p.Floor != "B1" || p.Seats.Least != 8 || p.Seats.Most != 10 || p.Booking.Needed != venue.BookingNone {
		t.Errorf("Part() = %+v, want floor B1, 8 to 10 seats, no booking", p)
	}
	if p.For.MinAge != 6 || !p.For.Members || p.For.Hold(5) || !p.For.Hold(99) || p.Description.In("ja") != "A pool of 25 metres." {
		t.Errorf("Part().For = %+v, %v", p.For, p.Description)
	}
	if len(p.Allows) != 1 || len(p.Forbids) != 1 || p.Booking.Contact.JA != "092-000-0000" {
		t.Errorf("Part() = %+v", p)
	}
}

func TestPartHours(t *testing.T) {
	v := poolVenue(t)
	for _, c := range []struct {
		part, day, want string
		with            bool
	}{
		{"the pool", "2026-11-26", "10:00-12:00, 13:00-20:00", false},
		{"the pool", "2026-11-25", "closed (weekly wed)", false},
		{"the pool", "2026-11-30", "closed (weekly mon)", true}, // the venue is
		{"the pool", "2026-12-31", "closed (12-29/01-03)", true},
		{"the pool", "2026-11-03", "10:00-17:00 (weekly holiday)", false},
		{"the pool", "2026-11-27", "11:00-12:00, 13:00-15:00 (2026-11-27)", true}, // within the venue's hours of that day
		{"the pool", "2026-12-10", "closed (2026-12-10)", true},
		{"the pool", "2026-12-11", "10:00-12:00, 13:00-20:00", false},
		{"shop", "2026-11-27", "10:00-18:00", false},
		{"shop", "2026-12-31", "10:00-18:00", false},
		{"Lounge", "2026-11-26", "09:00-21:00", false}, // the venue's
	} {
		hours := v.HoursOf(v.Part(c.part))
		d := at(t, v, c.day+" 12:00")
		day := hours.Day(date(d.Year(), d.Month(), d.Day()))
		if got := told(day); got != c.want || day.WithVenue != c.with {
			t.Errorf("HoursOf(%s).Day(%s) = %s, %v, want %s, %v", c.part, c.day, got, day.WithVenue, c.want, c.with)
		}
	}
	if v.Part("Lounge").Hours.Day(date(2026, 11, 26)).Known {
		t.Error("Hours of a part without any are known, want them unknown")
	}
	last := v.Part("the pool").Hours.Day(date(2026, 11, 26)).Spans[0].LastEntry
	if want := at(t, v, "2026-11-26 11:59"); !last.Equal(want) {
		t.Errorf("LastEntry = %v, want %v", last, want)
	}
}

func TestPricesAt(t *testing.T) {
	v := poolVenue(t)
	p := v.Part("the pool")
	age := func(n int) *int { return &n }
	for _, c := range []struct {
		from, until string
		age         *int
		want        string
	}{
		{"", "", nil, "800 1600 2100 100+ free 50-80"},
		{"2026-11-26 13:00", "2026-11-26 17:00", nil, "1600 2100 100+ free"},
		{"2026-11-26 14:00", "", age(12), "1600 2100 100+ free"},
		{"2026-11-26 12:00", "", age(13), "2100 100+"},
		{"2026-11-26 11:59", "", age(13), "800 2100 100+"},
		{"2026-11-26 10:00", "2026-11-26 16:00", age(13), "2100 100+"},
		{"2026-11-26 10:00", "2026-11-26 18:00", age(13), "100+"},
		{"2026-11-26 23:00", "2026-11-27 10:00", nil, "100+ free"},
		{"2026-11-28 18:00", "", age(20), "100+ 50-80"}, // Saturday
		{"2026-11-23 18:00", "", age(20), "100+ 50-80"}, // a public holiday
	} {
		q := venue.PriceQuery{Age: c.age}
		if c.from != "" {
			q.From = at(t, v, c.from)
		}
		if c.until != "" {
			q.Until = at(t, v, c.until)
		}
		var got []string
		for _, row := range p.PricesAt(q) {
			got = append(got, row.Amount.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("PricesAt(%s to %s) = %v, want %s", c.from, c.until, got, c.want)
		}
	}
	if yen, ok := p.Prices[0].Amount.Fixed(); yen != 800 || !ok {
		t.Errorf("Fixed(800) = %d, %v", yen, ok)
	}
	if _, ok := p.Prices[3].Amount.Fixed(); ok {
		t.Error("Fixed(100+) = true, want false")
	}
}

// A price holds at an instant if and only if it holds for every stretch within it that begins there
// and ends in its time.
func TestPricesWithin(t *testing.T) {
	v := poolVenue(t)
	p := v.Part("the pool")
	day := date(2026, 11, 26).In(v.Location)
	for from := 0; from < 24*60; from += 15 {
		for until := from + 15; until <= 24*60; until += 15 {
			q := venue.PriceQuery{From: day.Add(time.Duration(from) * time.Minute), Until: day.Add(time.Duration(until) * time.Minute)}
			rows := p.PricesAt(q)
			for _, row := range p.Prices {
				r, timed := row.Clock()
				want := timed && int(r.From) <= from && until <= int(r.Until)
				has := slices.ContainsFunc(rows, func(o venue.Price) bool { return o.Amount == row.Amount })
				if timed && has != want {
					t.Fatalf("PricesAt(%v to %v) has %v: %v, want %v", q.From, q.Until, row.Amount, has, want)
				}
			}
		}
	}
}

func TestPartsRefused(t *testing.T) {
	_, err := parse(small + `parts:
  - {floor: attic, seats: many}
  - {name: Hall, aliases: {en: [Hall, room, room]}, floor: 2F, booking: {needed: perhaps}}
  - name: Hall
    hours: {weekly: {daily: "9-17"}, holidays: jp}
    for: {minAge: 10, maxAge: 5}
    allows: [{ja: ""}]
    prices:
      - {what: a}
      - {amount: cheap, from: "9:00"}
      - {amount: 5-3, minAge: -1, days: [someday, holiday]}
`)
	want := `venue.yaml: line 3: parts[0].name: is missing; give it as ja, en or both
venue.yaml: line 3: parts[0].floor: "attic" is not like 1, 2 or B1
venue.yaml: line 3: parts[0].seats: "many" is not like 8 or "8-10"
venue.yaml: line 4: parts[1].aliases.en[0]: "Hall" is empty or given twice
venue.yaml: line 4: parts[1].aliases.en[2]: "room" is empty or given twice
venue.yaml: line 4: parts[1].booking.needed: "perhaps" is not yes, no or possible
venue.yaml: line 5: parts[2]: "Hall" is another part too; give each a name or id of its own
venue.yaml: line 6: parts[2].hours.holidays: belongs to the venue's hours; a part has the same holidays
venue.yaml: line 6: parts[2].hours.weekly.daily: "9-17" is not like 09:00-22:00, or 10:00-12:00, 13:00-17:00
venue.yaml: line 10: parts[2].prices[0].amount: is missing; give yen or free
venue.yaml: line 11: parts[2].prices[1].amount: "cheap" is not free, nor yen like 800, "460+" or "650-700"
venue.yaml: line 11: parts[2].prices[1]: from "9:00" until "" is not like from 9:00 until 12:00
venue.yaml: line 12: parts[2].prices[2].amount: "5-3" is not free, nor yen like 800, "460+" or "650-700"
venue.yaml: line 12: parts[2].prices[2].days[0]: "someday" is not one of mon, tue, wed, thu, fri, sat, sun, holiday
venue.yaml: line 12: parts[2].prices[2].days: needs hours.holidays, to say whose holidays
venue.yaml: line 12: parts[2].prices[2].minAge: -1 is no age
venue.yaml: line 7: parts[2].for.maxAge: 5 is below minAge, or no age
venue.yaml: line 8: parts[2].allows[0]: is empty`
	if err == nil {
		t.Fatal("Parse(wrong parts) = nil, want problems")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("Parse(wrong parts) (-want +got):\n%s", diff)
	}
}

func TestPlainTexts(t *testing.T) {
	v, err := parse("name: My Museum\nstaff: {where: {ja: 受付, en: the desk}}\nsuggestions: [\"Hours?\"]\n")
	if err != nil {
		t.Fatal(err)
	}
	if v.Name != (venue.Text{JA: "My Museum", EN: "My Museum"}) || v.Staff.Where.EN != "the desk" {
		t.Errorf("Parse() has the name %+v and the staff %+v", v.Name, v.Staff)
	}
	if len(v.Suggestions) != 3 || v.Suggestions[0].EN != "Hours?" {
		t.Errorf("Parse() has the suggestions %v, want its own and two common ones", v.Suggestions)
	}
}
