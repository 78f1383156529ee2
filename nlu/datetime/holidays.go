package datetime

import (
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/internal/holiday"
)

// A namedDay is a day known by its names. One of month, easter, japan and day says when it is.
type namedDay struct {
	words        string
	month, dom   int // the same each year; or with nth, the nth weekday of the month (the last for -1), and plus days after it
	nth, weekday int
	plus         int
	days         int    // how many days it lasts, 0 for one
	into         bool   // it leads into the year that is said with it in English: New Year 2027 begins in 2026
	easter       int    // days from Easter Sunday, plus easterSunday
	japan        string // the name that the public holiday of Japan has by law
	day          func(year int) civil.Date
}

const easterSunday = 1000

// in is the day in a year. It is not ok in years that have none.
func (d *namedDay) in(year int) (civil.Date, bool) {
	switch {
	case d.japan != "":
		return holiday.Day(d.japan, year)
	case d.easter != 0:
		return easter(year).AddDays(d.easter - easterSunday), true
	case d.day != nil:
		return d.day(year), true
	case d.nth != 0:
		days, ok := nthOf(civil.Date{Year: year, Month: time.Month(d.month), Day: 1}, d.nth, d.weekday)
		return days.first.AddDays(d.plus), ok
	}
	return civil.Date{Year: year, Month: time.Month(d.month), Day: d.dom}, true
}

// easter is Easter Sunday in the Gregorian calendar: the Sunday after the full moon on or after the equinox of the church.
func easter(year int) civil.Date {
	golden, century := year%19, year/100
	epact := (century - century/4 - (8*century+13)/25 + 19*golden + 15) % 30
	moon := epact - epact/28*(1-epact/28*(29/(epact+1))*((21-golden)/11))
	weekday := (year + year/4 + moon + 2 - century + century/4) % 7
	return civil.Date{Year: year, Month: time.March, Day: 28}.AddDays(moon - weekday)
}

// setsubun is the day before spring begins by the sun, which it does a little later each year and earlier in leap years.
func setsubun(year int) civil.Date {
	return civil.Date{Year: year, Month: time.February, Day: int(4.8693+0.242713*float64(year-1901)) - (year-1901)/4 - 1}
}

// solstice returns the day on which the sun turns, by the drift of the year against the calendar from 1980 on.
func solstice(month time.Month, base float64) func(int) civil.Date {
	return func(year int) civil.Date {
		return civil.Date{Year: year, Month: month, Day: int(base+0.242194*float64(year-1980)) - (year-1980)/4}
	}
}

// holiday reads a day known by name, with the year behind it.
func (p *parser) holiday(i int) (value, int) {
	index := p.tok(i).a
	h := &holidays[index]
	if h.into && !p.newYear(i) {
		return value{}, i
	}
	v := value{has: fRule, rule: index, holiday: true}
	if h.dom != 0 {
		v = value{has: fMonth | fDom, month: h.month, dom: h.dom, span: h.days, holiday: true}
	}
	v, j := p.yearAfter(v, i+1)
	if h.into && j > i+1 && p.tok(i).latin {
		v.year--
	}
	return v, j
}

// aboutNewYear are words behind which New Year is a time. Behind another one it is what is kept: "add New Year with the family".
var aboutNewYear = []string{"over", "around", "through", "throughout", "across", "and", "or", "open", "closed", "about"}

// newYear reports whether the name of the days around New Year at i is said as a time.
func (p *parser) newYear(i int) bool {
	before := p.tok(i - 1)
	if !p.tok(i).latin || i == 0 || i == len(p.tokens)-1 || before.class != cWord && before.class != cArticle {
		return true
	}
	return before.a == functionWord || slices.Contains(aboutNewYear, strings.ToLower(p.text[before.start:before.end])) || p.tok(i).end-p.tok(i).start > len("new year")
}

// relativeHoliday is the last or the next day of that name; j is where the name stands.
func (p *parser) relativeHoliday(n, j int) (value, int) {
	v, end := p.holiday(j)
	if v.any(fYear) {
		return v, end
	}
	h := &holidays[p.tok(j).a]
	step := 1
	if n < 0 {
		step = -1
	}
	for year := p.today.Year; year >= p.today.Year-1 && year <= p.today.Year+1; year += step {
		if day, ok := h.in(year); ok && (day.Before(p.today) == (n < 0)) && (n >= 0 || day != p.today) {
			v.has, v.year, v.past = v.has|fYear, year, n < 0
			return v, end
		}
	}
	return v, end
}

// ruled resolves a day whose date changes with the year: in the year said, or the nearest from anchor on.
func (p *parser) ruled(v value, anchor civil.Date) (dates, bool) {
	h := &holidays[v.rule]
	if v.any(fYear) {
		day, ok := h.in(v.year)
		d := oneDay(day)
		d.past = day.Before(p.today)
		return d, ok && isYear(v.year)
	}
	for year := anchor.Year; year <= anchor.Year+8; year++ {
		day, ok := h.in(year)
		if !ok || day.Before(anchor) {
			continue
		}
		d := oneDay(day)
		d.assumed = true
		if before, ok := h.in(year - 1); ok {
			d.alternatives = [][2]civil.Date{{before, before.AddDays(1)}}
		}
		return d, true
	}
	return dates{}, false
}

// holidays are the days known by name, the names separated by bars.
var holidays = []namedDay{
	// Japan.
	{words: "元日|元旦|new year's day|new years day|new year day|new year's|new years", month: 1, dom: 1},
	{words: "お正月|正月|三が日|三箇日", month: 1, dom: 1, days: 3},
	{words: "年末年始|new year|new year holidays|new year holiday|new year's holidays|new years holidays|new year's holiday|new year period|new year break|new year's break|new year vacation|new year season|" +
		"year-end holidays|year end holidays|year-end holiday|end of year holidays|end-of-year holidays|year-end break|year-end vacation|year-end and new year|year-end and new year holidays|year end and new year|" +
		"year-end and new year's holidays|at year-end|at year end|over year-end|over the year-end|over the year end|during the year-end|around year-end|around the year-end", month: 12, dom: 29, days: 6, into: true},
	{words: "大晦日|大みそか|おおみそか|new year's eve|new years eve|new year eve", month: 12, dom: 31},
	{words: "ゴールデンウィーク|ゴールデンウイーク|golden week|gw|大型連休", month: 4, dom: 29, days: 7},
	{words: "お盆|お盆休み|盆休み|obon", month: 8, dom: 13, days: 4},
	{words: "節分|setsubun", day: setsubun},
	{words: "ひな祭り|ひなまつり|桃の節句|hinamatsuri|girls' day|girl's day", month: 3, dom: 3},
	{words: "端午の節句", month: 5, dom: 5},
	{words: "七夕|たなばた|tanabata", month: 7, dom: 7},
	{words: "重陽の節句", month: 9, dom: 9},
	{words: "七五三|shichi-go-san", month: 11, dom: 15},
	{words: "夏至|summer solstice", day: solstice(time.June, 22.2747)},
	{words: "冬至|winter solstice", day: solstice(time.December, 22.6587)},
	{words: "成人の日|coming of age day|coming-of-age day", japan: "成人の日"},
	{words: "建国記念の日|建国記念日|national foundation day", japan: "建国記念の日"},
	{words: "天皇誕生日|emperor's birthday", japan: "天皇誕生日"},
	{words: "春分の日|春分|vernal equinox day|vernal equinox|spring equinox", japan: "春分の日"},
	{words: "昭和の日|showa day", japan: "昭和の日"},
	{words: "憲法記念日|constitution day|constitution memorial day", japan: "憲法記念日"},
	{words: "みどりの日|greenery day", japan: "みどりの日"},
	{words: "こどもの日|子供の日|子どもの日|children's day", japan: "こどもの日"},
	{words: "海の日|marine day|ocean day", japan: "海の日"},
	{words: "山の日|mountain day", japan: "山の日"},
	{words: "敬老の日|respect for the aged day|respect-for-the-aged day", japan: "敬老の日"},
	{words: "秋分の日|秋分|autumnal equinox day|autumnal equinox|autumn equinox", japan: "秋分の日"},
	{words: "スポーツの日|体育の日|sports day|health and sports day|health-sports day", japan: "スポーツの日"},
	{words: "文化の日|culture day", japan: "文化の日"},
	{words: "勤労感謝の日|labor thanksgiving day", japan: "勤労感謝の日"},

	// Kept in many countries.
	{words: "クリスマスイブ|クリスマスイヴ|クリスマス・イブ|イブの夜|christmas eve|xmas eve", month: 12, dom: 24},
	{words: "クリスマス|クリスマスの日|xmas|x-mas|christmas|christmas day|xmas day", month: 12, dom: 25},
	{words: "バレンタインデー|バレンタイン|聖バレンタインデー|valentine's day|valentines day|valentine day|valentine's|valentines", month: 2, dom: 14},
	{words: "ホワイトデー|white day", month: 3, dom: 14},
	{words: "エイプリルフール|四月馬鹿|april fools|april fools day|april fools' day|april fool's day|april fool's", month: 4, dom: 1},
	{words: "アースデイ|アースデー|earth day", month: 4, dom: 22},
	{words: "メーデー|may day|international workers' day|international workers day|int'l workers day", month: 5, dom: 1},
	{words: "国際女性デー|国際婦人デー|international women's day|women's day", month: 3, dom: 8},
	{words: "母の日|mother's day|mothers day|mothers' day", month: 5, nth: 2, weekday: 0},
	{words: "父の日|father's day|fathers day|fathers' day", month: 6, nth: 3, weekday: 0},
	{words: "ハロウィン|ハロウィーン|halloween|halloween day|hallowe'en|all hallows eve", month: 10, dom: 31},
	{words: "独身の日|ダブル十一|singles' day|singles day|single's day", month: 11, dom: 11},
	{words: "ブラックフライデー|black friday", month: 11, nth: 4, weekday: 4, plus: 1},
	{words: "サイバーマンデー|cyber monday", month: 11, nth: 4, weekday: 4, plus: 4},
	{words: "epiphany|three kings day|three kings' day", month: 1, dom: 6},
	{words: "all saints' day|all saints day|all hallows", month: 11, dom: 1},
	{words: "all souls' day|all souls day", month: 11, dom: 2},
	{words: "ボクシングデー|ボクシング・デー|boxing day", month: 12, dom: 26},
	{words: "pi day", month: 3, dom: 14},
	{words: "聖パトリックの日|聖パトリックデー|st patrick's day|st. patrick's day|saint patrick's day|st patricks day|st paddy's day|saint paddy's day", month: 3, dom: 17},

	// Around Easter.
	{words: "mardi gras|fat tuesday|shrove tuesday|pancake day|pancake tuesday", easter: easterSunday - 47},
	{words: "灰の水曜日|ash wednesday", easter: easterSunday - 46},
	{words: "palm sunday", easter: easterSunday - 7},
	{words: "聖木曜日|maundy thursday|holy thursday", easter: easterSunday - 3},
	{words: "聖金曜日|グッドフライデー|good friday", easter: easterSunday - 2},
	{words: "holy saturday|easter saturday", easter: easterSunday - 1},
	{words: "イースター|復活祭|easter|easter sunday|easter day", easter: easterSunday},
	{words: "イースターマンデー|easter monday", easter: easterSunday + 1},
	{words: "ascension day|ascension thursday", easter: easterSunday + 39},
	{words: "ペンテコステ|聖霊降臨祭|pentecost|whit sunday|whitsunday", easter: easterSunday + 49},
	{words: "whit monday|pentecost monday", easter: easterSunday + 50},
	{words: "trinity sunday", easter: easterSunday + 56},
	{words: "corpus christi", easter: easterSunday + 60},

	// Of one country, but known beyond it.
	{words: "キング牧師記念日|キング牧師の日|martin luther king day|martin luther king's day|martin luther king jr. day|martin luther king jr day|mlk day|mlk jr. day|mlk jr day", month: 1, nth: 3, weekday: 1},
	{words: "groundhog day|groundhog's day|groundhogs day", month: 2, dom: 2},
	{words: "大統領の日|presidents' day|presidents day|president's day|president day|washington's birthday", month: 2, nth: 3, weekday: 1},
	{words: "メモリアルデー|戦没者追悼記念日|memorial day|decoration day", month: 5, nth: -1, weekday: 1},
	{words: "juneteenth|freedom day", month: 6, dom: 19},
	{words: "flag day", month: 6, dom: 14},
	{words: "独立記念日|アメリカ独立記念日|independence day|fourth of july|4th of july|the fourth of july|the 4th of july", month: 7, dom: 4},
	{words: "レイバーデー|レイバー・デー|labor day|labour day", month: 9, nth: 1, weekday: 1},
	{words: "コロンブスデー|columbus day|indigenous peoples' day|indigenous peoples day", month: 10, nth: 2, weekday: 1},
	{words: "退役軍人の日|veterans day|veteran's day|veterans' day|veteran day|remembrance day|armistice day", month: 11, dom: 11},
	{words: "感謝祭|thanksgiving|thanksgiving day", month: 11, nth: 4, weekday: 4},
	{words: "cinco de mayo", month: 5, dom: 5},
	{words: "canada day", month: 7, dom: 1},
	{words: "パリ祭|革命記念日|bastille day", month: 7, dom: 14},
	{words: "australia day", month: 1, dom: 26},
	{words: "アンザックデー|anzac day", month: 4, dom: 25},
	{words: "guy fawkes night|guy fawkes day|bonfire night", month: 11, dom: 5},
	{words: "国慶節", month: 10, dom: 1},
	{words: "建軍節", month: 8, dom: 1},
}
