package corpus

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The same value is written in many ways.
func TestValues(t *testing.T) {
	for text, want := range map[string]map[kind]string{
		"開館時間は9:00から22:00までです。":                             {hours: "9:00 22:00"},
		"open from 9 a.m. to 10 p.m.":                       {hours: "9:00 22:00"},
		"午後１時半から17時まで":                                      {hours: "13:30 17:00"},
		"from 12 noon to 5 p.m. and from 6 to 8 p.m.":       {hours: "12:00 17:00 18:00 20:00"},
		"from 9 to 12 p.m.":                                 {hours: "9:00 12:00"},
		"2時間ほど、15分":                                         {duration: "2 hours 15 minutes"},
		"a 15-minute break, about 2 hours":                  {duration: "15 minutes 2 hours"},
		"1,600円、￥500、1万2000円、3万円":                           {price: "1600 500 12000 30000"},
		"1,600 yen and 20 JPY":                              {price: "1600 20"},
		"電話は０９２−７２２−４６６６です":                                 {phone: "0927224666"},
		"call +81-92-722-4666":                              {phone: "0927224666"},
		"30席、6 seats、10人":                                   {capacity: "30 6"},
		"2026年2月23日の18:00から、2025年12月、1909年":                 {date: "2026-02-23 2025-12 1909", hours: "18:00"},
		"on February 23, 2026, December 2025, in 1909":      {date: "2026-02-23 2025-12 1909"},
		"12月29日から1月3日まで":                                    {date: "--12-29 --01-03"},
		"from December 29 to January 3":                     {date: "--12-29 --01-03"},
		"料金の50%、100 %":                                      {percent: "50 100"},
		"夜9時半に閉まり、夜の11時に灯が消えます":                             {hours: "21:30 23:00"},
		"円い窓があります":                                          {},
		"The 3D printer, Route 202 and the 4K monitor cost": {},
	} {
		for _, k := range []kind{hours, price, phone, capacity, date, duration, percent} {
			var got []string
			for _, v := range valuesOf(k, fold(text)) {
				got = append(got, strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(v, " yen"), " places"),
					" %"))
			}
			if want := want[k]; strings.Join(got, " ") != want {
				t.Errorf("valuesOf(%s, %q) = %q, want %q", k, text, got, want)
			}
		}
	}
}

func TestDays(t *testing.T) {
	for text, want := range map[string][]string{
		"毎月最終月曜日と祝日":                                {"holidays", "last Monday"},
		"on the last Monday and on Wednesdays":      {"Wednesday", "last Monday"},
		"第3火曜日":                                     {"third Tuesday"},
		"平日":                                        {"Friday", "Monday", "Thursday", "Tuesday", "Wednesday"},
		"on weekends":                               {"Saturday", "Sunday"},
		"the sunroom is sunny, and monks live here": nil,
	} {
		if diff := cmp.Diff(want, daysIn(fold(text)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("daysIn(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func FuzzStatements(f *testing.F) {
	f.Add("On Sundays we open from 9 to 5 p.m.; tea is 300 yen.", "ja")
	f.Add("毎月第3月曜日は休館です。10時〜17時半、1万円。", "en")
	f.Fuzz(func(_ *testing.T, text, heading string) {
		r := reader{lexicon: newLexicon(nil, nil)}
		s := sentenceOf{reader: &r, said: text, text: fold(text), heading: fold(heading), first: true}
		s.read()
		for i := range r.statements {
			r.statements[i].against(r.statements[0])
			r.statements[i].sameSubject(r.statements[0])
			r.statements[i].keys()
		}
	})
}
