package flyer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/nlu/flyer"
)

// tokyo is where the texts are read, on Monday, November 16th, 2026.
var tokyo = time.FixedZone("Asia/Tokyo", 9*60*60)

func now() time.Time { return time.Date(2026, 11, 16, 10, 0, 0, 0, tokyo) }

// said is an announcement in one line for each field that was found, with where it came from.
func said(a flyer.Announcement) string {
	var b strings.Builder
	field := func(name string, f flyer.Field) {
		if f.Text != "" {
			fmt.Fprintf(&b, "%s %s (%d %s)\n", name, f.Text, f.Line, f.By)
		}
	}
	field("title", a.Title)
	if w := a.When; !w.Day.IsZero() {
		fmt.Fprintf(&b, "day %s", w.Day)
		if !w.LastDay.IsZero() {
			fmt.Fprintf(&b, " to %s", w.LastDay)
		}
		if w.Conflict {
			b.WriteString(" conflict")
		}
		fmt.Fprintf(&b, " (%d %s)\n", w.DayFrom.Line, w.DayFrom.By)
	}
	for name, minutes := range map[string]*int{"start": a.When.Start} {
		if minutes != nil {
			fmt.Fprintf(&b, "%s %02d:%02d", name, *minutes/60, *minutes%60)
			if end := a.When.End; end != nil {
				fmt.Fprintf(&b, " to %02d:%02d", *end/60, *end%60)
			}
			b.WriteString("\n")
		}
	}
	field("place", a.Place)
	for _, t := range a.Todos {
		fmt.Fprintf(&b, "%s %s %s\n", t.Kind, t.Due, t.What)
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), " \n", "\n"))
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"labels",
			"防災講演会\n■日 時：令和9年1月23日（土）午後1時30分～3時\n■会 場：西部市民センター ２階ホール\n■講 師：田中 一郎\n■定 員：80名（先着順）\n■申込み：1月15日（金）までに電話\n",
			`title 防災講演会 (1 position)
day 2027-01-23 (2 label)
start 13:30 to 15:00
place 西部市民センター ２階ホール (3 label)
apply 2027-01-15`,
		},
		{
			"labels above their values",
			"秋の読書会\n\n日時\n11月28日（土）\n14:00～16:00\n\n場所\n県立図書館 研修室\n\n参加費\n無料\n",
			`title 秋の読書会 (1 position)
day 2026-11-28 (4 label)
start 14:00 to 16:00
place 県立図書館 研修室 (8 label)`,
		},
		{
			"doors behind their times",
			"吹奏楽団 第30回 定期演奏会\n2027.2.21(日)\n13:30開場 14:00開演\nアクロス記念ホール\n主催 吹奏楽団\n",
			`title 吹奏楽団 第30回 定期演奏会 (1 position)
day 2027-02-21 (2 words)
start 14:00
place アクロス記念ホール (4 words)`,
		},
		{
			"English labels",
			"Title: Spring Job Fair\nWhen: March 6, 2027, 10 a.m. - 3 p.m.\n" +
				"Location: Grand Hotel, Ballroom B\nRegister by February 26\n" +
				"Contact: 555-0100\n",
			`title Spring Job Fair (1 label)
day 2027-03-06 (2 label)
start 10:00 to 15:00
place Grand Hotel, Ballroom B (3 label)
apply 2027-02-26`,
		},
		{
			"English without labels",
			"Jazz in the Courtyard\nSaturday, 28 November\n" +
				"Doors 6:30pm, music starts 7:15pm\nMuseum Courtyard\nTickets £8\n",
			`title Jazz in the Courtyard (1 position)
day 2026-11-28 (2 words)
start 19:15
place Museum Courtyard (4 words)`,
		},
		{
			"at stands before the place",
			"Book Club\nMon 7 Dec 19:30 @ Corner Bookshop\nPlease bring your copy.\n",
			`title Book Club (1 position)
day 2026-12-07 (2 words)
start 19:30
place Corner Bookshop (2 words)
bring 2026-12-07 your copy`,
		},
		{
			"several days", "クラフト市\n12月5日(土)・6日(日)\n10時〜16時\n中央公園 芝生広場\n雨天の場合は12月12日に順延\n",
			`title クラフト市 (1 position)
day 2026-12-05 to 2026-12-06 (2 words)
start 10:00 to 16:00
place 中央公園 芝生広場 (4 words)`,
		},
		{
			"a rain date and the date of the issue are not it",
			"2026年11月1日発行\n町内もちつき大会\n12月20日（日）9時〜\n中町公民館前\n雨天時 12月27日に延期\n",
			`title 町内もちつき大会 (2 position)
day 2026-12-20 (3 words)
start 09:00
place 中町公民館前 (4 words)`,
		},
		{"no date", "ヨガ教室\n会場：体育館\n持ち物：タオル\n", `title ヨガ教室 (1 position)
place 体育館 (2 label)
bring  タオル`},
		{"no time", "Flea market\nDecember 19\nCentral Park\n", `title Flea market (1 position)
day 2026-12-19 (2 words)
place Central Park (3 words)`},
		{"nothing", "営業中\n", `title 営業中 (1 position)`},
		{
			"the day of the week is not that of the date", "集会\n12月6日(月) 10:00\n", `title 集会 (1 position)
day 2026-12-06 conflict (2 words)
start 10:00`,
		},
		{
			"a phone number and an address are no dates",
			"忘年会\n日時 12月11日(金) 19:00〜\n場所 居酒屋まるや（福岡市中央区大名1-2-3）\n電話 092-555-0110 平日10:00〜17:00\n支払期限 12月4日\n",
			`title 忘年会 (1 position)
day 2026-12-11 (2 label)
start 19:00
place 居酒屋まるや（福岡市中央区大名1-2-3） (3 label)
pay 2026-12-04`,
		},
		{
			"dates with dots", "写真同好会 作品展\n会期：12.8(火)→12.13(日)\n10:00-18:00（最終日16:00まで）\n市民ギャラリー\n",
			`title 写真同好会 作品展 (1 position)
day 2026-12-08 to 2026-12-13 (2 label)
start 10:00 to 18:00
place 市民ギャラリー (4 words)`,
		},
		{
			"characters that were misread",
			"展覧会\n2027年1月9日(土)~1朋17目(日)\n10:00ー17:00\n美術館\n",
			`title 展覧会 (1 position)
day 2027-01-09 to 2027-01-17 (2 words)
start 10:00 to 17:00
place 美術館 (4 words)`,
		},
		{
			"digits that were misread", "Winter fair\nSunday 13 December 2026\nllam to 4pm\nCity Hall\n",
			`title Winter fair (1 position)
day 2026-12-13 (2 words)
start 11:00 to 16:00
place City Hall (4 words)`,
		},
		{
			"a weekday alone", "Pub quiz\nThis Thursday, 8pm\nat the Crown Inn\n", `title Pub quiz (1 position)
day 2026-11-19 (2 words)
start 20:00
place the Crown Inn (3 words)`,
		},
		{
			"invitations are no titles",
			"You are invited!\nAnnual General Meeting\n" +
				"Tuesday 1 December 2026 at 18:00\nRoom 204, City Library\n" +
				"Reply by 24 November\n",
			`title Annual General Meeting (2 position)
day 2026-12-01 (3 words)
start 18:00
place Room 204, City Library (4 words)
apply 2026-11-24`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, said(flyer.Read(flyer.Lines(c.text), now()))); diff != "" {
				t.Errorf("Read, -want +got:\n%s", diff)
			}
		})
	}
}

// FuzzRead: whatever a text says, what is read of it is bounded, comes from a line of it, and is read the same again.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"秋の読書会\n日時：12.6(日)10時て15時\n会場　県立図書館", "Fair\nDoors 7pm / Show llpm\n@ City Hall", "時\n1朋3目\n：：\n(",
		"開場18:00/開演18:30\n12月5日(土)・6日(日)\n〒810\n締切 25:99", "\xff\xfe12/\xff(土)\n-:-\n■■■日　時",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines := flyer.Lines(s)
		a := flyer.Read(lines, now())
		for name, field := range map[string]flyer.Field{"title": a.Title, "place": a.Place} {
			if len([]rune(field.Text)) > 200 || field.Line > len(lines) || (field.Line == 0) != (field.Text == "") {
				t.Errorf("%s = %+v of %d lines", name, field, len(lines))
			}
		}
		for name, m := range map[string]*int{"start": a.When.Start, "end": a.When.End, "doors": a.When.Doors} {
			if m != nil && (*m < 0 || *m >= 24*60) {
				t.Errorf("%s = %d minutes", name, *m)
			}
		}
		if w := a.When; !w.LastDay.IsZero() && (w.Day.IsZero() || w.LastDay.Before(w.Day)) || len(a.Todos) > 5 {
			t.Errorf("from %s to %s, %d todos", w.Day, w.LastDay, len(a.Todos))
		}
		if diff := cmp.Diff(a, flyer.Read(lines, now())); diff != "" {
			t.Errorf("read again, -first +again:\n%s", diff)
		}
	})
}
