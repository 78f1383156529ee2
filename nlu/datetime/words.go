package datetime

// The units of time. A unit written 年, 月, 日, 時, 分 or 秒 also marks a point in time; the others only measure.
const (
	unitSecond = iota + 1
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitYear
	unitWeekend
	unitFortnight
	unitWorkday
	unitQuarter
	unitDecade
	unitFiscal
)

// Flags of a unit: where it may stand.
const (
	pointOnly  = 1 << iota // 月: marks a point, never a length
	lengthOnly             // 年間, か月
	weakWord               // a single letter: counts only where something else says that it is a time
	plural                 // weeks
)

// The parts of a day.
const (
	partNone = iota
	partEarly
	partMorning
	partForenoon
	partNoon
	partAfternoon
	partEvening
	partNight
	partLate
)

// partHours are the hours of each part of a day, from midnight; night may run past it.
var partHours = [...][2]int{
	partEarly: {4, 8}, partMorning: {5, 12}, partForenoon: {0, 12}, partNoon: {11, 14}, partAfternoon: {12, 18},
	partEvening: {16, 20}, partNight: {18, 24}, partLate: {22, 29},
}

// The halves of a day as said with an hour.
const (
	halfUnknown = iota
	halfAM
	halfPM
	halfFixed // the hour is of 24 and needs no half
)

// The segments of a longer range.
const (
	segmentStart = iota + 1
	segmentMiddle
	segmentEnd
	segmentFirst // the first half
	segmentLater // the second half
)

// What a cWord says beside being no time, in a: 1 is a unit of measure that may touch a number.
const (
	functionWord = 3
	modal        = 4 // "last" behind it is a verb
)

// What a word for an end means beside a period, in n.
const (
	ofDecember = iota + 1 // of a year it is December's
	lastDay               // not the end but the last day
	ofDay                 // of a day it is its last second
)

// What a cWithin says with its article, in n: not so long from now, but the current one (within the week).
const definite = 1

// What a cUntil is behind a single day, in n: no word for its end, but a drink (今日一杯).
const ofLonger = 1

// What a cPeriodRel is where a number stands before it, in n: no period, but the number's unit (3年内).
const ofCount = 1

// What a cDayRel counts from, in b, when not from today alone.
const (
	ofUnit = iota + 1 // "day after tomorrow", whose first word is a unit that a number may count
	ofThat            // 翌日: from the day said before it, if one was
)

// entries are the words of the grammar: what they are, and the ways to write them. Alternatives are separated by bars;
// a word of a single token in kana that also occurs inside other words is in [looseEntries].
var entries = []struct {
	token token
	words string
}{
	// Days from today.
	{token{class: cDayRel, a: 0}, "今日|本日|ほんじつ|当日|today|todays|2day|きょう"},
	{token{class: cDayRel, a: 1}, "明日|みょうにち|tomorrow|tomorrows|tomorow|tommorow|tommorrow|tmr|tmrw|tmw"},
	{token{class: cDayRel, a: 1, b: ofThat}, "翌日"},
	{token{class: cDayRel, a: 2, b: ofThat}, "翌々日"},
	{token{class: cDayRel, a: -1, b: ofThat}, "前日"},
	{token{class: cDayRel, a: 2}, "明後日|あさって|the day after tomorrow|the day after tmrw"},
	{token{class: cDayRel, a: 2, b: ofUnit}, "day after tomorrow"},
	{token{class: cDayRel, a: 3}, "明々後日|明明後日|しあさって"},
	{token{class: cDayRel, a: -1}, "昨日|yesterday|yesterdays"},
	{token{class: cDayRel, a: -2}, "一昨日|おととい|おとつい|the day before yesterday"},
	{token{class: cDayRel, a: -2, b: ofUnit}, "day before yesterday"},
	{token{class: cDayPartRel, a: 0, b: partNight}, "今夜|今晩|こんや|tonight|tonite|this night|this evening's"},
	{token{class: cDayPartRel, a: 0, b: partMorning}, "今朝|けさ"},
	{token{class: cDayPartRel, a: 0, b: partEvening}, "今夕|こんゆう"},
	{token{class: cDayPartRel, a: -1, b: partNight}, "昨夜|昨晩|ゆうべ|last night|yesternight"},
	{token{class: cDayPartRel, a: 1, b: partMorning}, "明朝|翌朝|明くる朝"},
	{token{class: cDayPartRel, a: 1, b: partNight}, "明晩|翌晩"},

	// Weeks, months and years from this one.
	{token{class: cPeriodRel, a: 0, b: unitWeek}, "今週|こんしゅう|本週"},
	{token{class: cPeriodRel, a: 1, b: unitWeek}, "来週|らいしゅう|翌週|次週"},
	{token{class: cPeriodRel, a: 2, b: unitWeek}, "再来週|さらいしゅう|the week after next|week after next|the week after the next"},
	{token{class: cPeriodRel, a: -1, b: unitWeek}, "先週|せんしゅう|前週|昨週"},
	{token{class: cPeriodRel, a: -2, b: unitWeek}, "先々週|先先週|the week before last|week before last"},
	{token{class: cPeriodRel, a: 0, b: unitMonth}, "今月|こんげつ|当月|本月"},
	{token{class: cPeriodRel, a: 1, b: unitMonth}, "来月|らいげつ|翌月"},
	{token{class: cPeriodRel, a: 2, b: unitMonth}, "再来月|the month after next|month after next"},
	{token{class: cPeriodRel, a: -1, b: unitMonth}, "先月|せんげつ|前月|昨月"},
	{token{class: cPeriodRel, a: -2, b: unitMonth}, "先々月|先先月"},
	{token{class: cPeriodRel, a: 0, b: unitYear}, "今年|ことし|本年"},
	{token{class: cPeriodRel, a: 1, b: unitYear}, "来年|らいねん|翌年"},
	{token{class: cPeriodRel, a: 2, b: unitYear}, "再来年|the year after next|year after next"},
	{token{class: cPeriodRel, a: -1, b: unitYear}, "去年|昨年|前年"},
	{token{class: cPeriodRel, a: -2, b: unitYear}, "一昨年|おととし"},
	{token{class: cPeriodRel, a: 0, b: unitFiscal}, "今年度|本年度|年度内|this fiscal year"},
	{token{class: cPeriodRel, a: 1, b: unitFiscal}, "来年度|翌年度|next fiscal year"},
	{token{class: cPeriodRel, a: -1, b: unitFiscal}, "昨年度|前年度|last fiscal year"},
	{token{class: cPeriodRel, a: 0, b: unitWeek, n: ofCount}, "週内"},
	{token{class: cPeriodRel, a: 0, b: unitMonth, n: ofCount}, "月内"},
	{token{class: cPeriodRel, a: 0, b: unitYear, n: ofCount}, "年内"},
	{token{class: cPeriodRel, a: 0, b: unitWeekend}, "今週末|週末|この週末|今度の週末|今週の週末|今週の土日|土日|the weekend|weekend|my weekend|this weekend|the coming weekend|coming weekend|今週の土曜と日曜|土曜と日曜"},
	{token{class: cPeriodRel, a: 1, b: unitWeekend}, "来週末|来週の週末|次の週末|翌週末|来週の土日|next weekend|the next weekend|the following weekend|next week's weekend"},
	{token{class: cPeriodRel, a: 2, b: unitWeekend}, "再来週末|再来週の週末|再来週の土日|the weekend after next|weekend after next"},
	{token{class: cPeriodRel, a: -1, b: unitWeekend}, "先週末|先週の週末|先週の土日|last weekend|the last weekend|the past weekend|past weekend"},
	{token{class: cWeekdays}, "平日|weekdays|workdays|business days"},

	{token{class: cRel, a: 0}, "この|this|current"},
	{token{class: cRel, a: 1}, "next|following"},
	{token{class: cRel, a: 2}, "次|次の|つぎの|今度の|今度|こんどの|coming|upcoming|こんどの"},
	{token{class: cRel, a: -1}, "前の|この前の|先の|last|previous"},

	// Months and weekdays.
	{token{class: cMonth, a: 1}, "january|jan|jan.|いちがつ"},
	{token{class: cMonth, a: 2}, "february|feb|feb."},
	{token{class: cMonth, a: 3}, "mar.|さんがつ"},
	{token{class: cMonth, a: 3, b: 1}, "march|mar"},
	{token{class: cMonth, a: 4}, "april|apr|apr.|しがつ"},
	{token{class: cMonth, a: 5, b: 1}, "may"},
	{token{class: cMonth, a: 6}, "june|jun|jun.|ろくがつ"},
	{token{class: cMonth, a: 7}, "july|jul|jul.|しちがつ|なながつ"},
	{token{class: cMonth, a: 8}, "august|aug|aug.|はちがつ"},
	{token{class: cMonth, a: 9}, "september|sept|sep|sept.|sep."},
	{token{class: cMonth, a: 10}, "october|oct|oct.|じゅうがつ"},
	{token{class: cMonth, a: 11}, "november|nov|nov.|じゅういちがつ"},
	{token{class: cMonth, a: 12}, "december|dec|dec.|じゅうにがつ"},
	{token{class: cWeekday, a: 1}, "月曜|月曜日|げつようび|monday|mon.|monday's"},
	{token{class: cWeekday, a: 2}, "火曜|火曜日|かようび|tuesday|tues|tue|tue.|tues.|tuesday's"},
	{token{class: cWeekday, a: 3}, "水曜|水曜日|すいようび|wednesday|wednes|wed.|wednesday's|wendsday|wednsday"},
	{token{class: cWeekday, a: 4}, "木曜|木曜日|もくようび|thursday|thurs|thur|thu|thu.|thurs.|thur.|thursday's"},
	{token{class: cWeekday, a: 5}, "金曜|金曜日|きんようび|friday|fri|fri.|friday's"},
	{token{class: cWeekday, a: 6}, "土曜|土曜日|どようび|saturday|sat.|saturday's"},
	{token{class: cWeekday, a: 0}, "日曜|日曜日|にちようび|sunday|sun.|sunday's"},
	{token{class: cWeekday, a: 1, b: 1}, "mon"},
	{token{class: cWeekday, a: 3, b: 1}, "wed|weds"},
	{token{class: cWeekday, a: 6, b: 1}, "sat"},
	{token{class: cWeekday, a: 0, b: 1}, "sun"},
	{token{class: cWeekday, a: 1, b: 2}, "mondays"},
	{token{class: cWeekday, a: 2, b: 2}, "tuesdays"},
	{token{class: cWeekday, a: 3, b: 2}, "wednesdays"},
	{token{class: cWeekday, a: 4, b: 2}, "thursdays"},
	{token{class: cWeekday, a: 5, b: 2}, "fridays"},
	{token{class: cWeekday, a: 6, b: 2}, "saturdays"},
	{token{class: cWeekday, a: 0, b: 2}, "sundays"},

	// Parts of the day and hours.
	{token{class: cPart, a: partEarly}, "早朝|明け方|未明|dawn|early morning|early in the morning"},
	{token{class: cPart, a: partMorning}, "朝|morning|mornings"},
	{token{class: cPart, a: partNoon}, "昼|お昼|昼間|lunchtime|lunch time|昼食時|昼過ぎ|お昼過ぎ"},
	{token{class: cPart, a: partAfternoon}, "afternoon|afternoons|late afternoon|early afternoon"},
	{token{class: cPart, a: partEvening}, "夕方|夕|夕刻|evening|evenings|early evening"},
	{token{class: cPart, a: partNight}, "夜|晩|夜間|night|nights|late evening"},
	{token{class: cPart, a: partNight, b: 1}, "at night"},
	{token{class: cPart, a: partLate}, "深夜|夜中|夜遅く|late night|late at night"},
	{token{class: cMeridiem, a: halfAM}, "午前|午前中|forenoon"},
	{token{class: cMeridiem, a: halfPM}, "午後|ごご"},
	{token{class: cAmPm, a: halfAM}, "am|a.m.|a.m|a. m.|a m|in the am"},
	{token{class: cAmPm, a: halfPM}, "pm|p.m.|p.m|p. m.|p m|p|in the pm"},
	{token{class: cNoon, a: 12}, "正午|noon|midday|mid-day|noontime|twelve noon|12 noon|正午12時|正午十二時|noonish"},
	{token{class: cNoon, a: 24, b: 1}, "eod|end of day|the end of day"},
	{token{class: cNoon, a: 0}, "真夜中|midnight|twelve midnight|12 midnight|零時"},
	{token{class: cOClock}, "o'clock|oclock|o clock|o' clock|hours sharp"},
	{token{class: cHalf}, "半|half|half a|half an"},
	{token{class: cQuarter}, "quarter|a quarter"},
	{token{class: cPast}, "past"},

	// Lengths.
	{token{class: cUnit, a: unitSecond, b: 0}, "秒|secs|sec"},
	{token{class: cUnit, a: unitSecond, b: plural}, "seconds"},
	{token{class: cUnit, a: unitSecond, b: lengthOnly}, "秒間"},
	{token{class: cUnit, a: unitMinute}, "分|minute|min|min."},
	{token{class: cUnit, a: unitMinute, b: plural}, "minutes|mins|mins."},
	{token{class: cUnit, a: unitMinute, b: lengthOnly}, "分間"},
	{token{class: cUnit, a: unitHour, b: pointOnly}, "時"},
	{token{class: cUnit, a: unitHour, b: lengthOnly}, "時間|hour|hr|hr."},
	{token{class: cUnit, a: unitHour, b: lengthOnly | plural}, "hours|hrs|hrs."},
	{token{class: cUnit, a: unitHour}, "h"},
	{token{class: cUnit, a: unitDay}, "日"},
	{token{class: cUnit, a: unitDay, b: lengthOnly}, "日間|day|泊|day's"},
	{token{class: cUnit, a: unitDay, b: lengthOnly | plural}, "days|days'"},
	{token{class: cUnit, a: unitWeek, b: lengthOnly}, "週間|週|week|wk|week's|calendar week"},
	{token{class: cUnit, a: unitWeek, b: lengthOnly | plural}, "weeks|wks|weeks'"},
	{token{class: cUnit, a: unitMonth, b: pointOnly}, "月|がつ"},
	{token{class: cUnit, a: unitMonth, b: lengthOnly}, "か月|ヶ月|カ月|ヵ月|ケ月|箇月|個月|かげつ|か月間|ヶ月間|カ月間|ヵ月間|ケ月間|month|month's|calendar month"},
	{token{class: cUnit, a: unitMonth, b: lengthOnly | plural}, "months|months'"},
	{token{class: cUnit, a: unitYear}, "年"},
	{token{class: cUnit, a: unitYear, b: lengthOnly}, "年間|か年|ヶ年|year|yr|year's|calendar year"},
	{token{class: cUnit, a: unitYear, b: lengthOnly | plural}, "years|yrs|years'"},
	{token{class: cUnit, a: unitFortnight, b: lengthOnly}, "fortnight"},
	{token{class: cUnit, a: unitFortnight, b: lengthOnly | plural}, "fortnights"},
	{token{class: cUnit, a: unitWorkday, b: lengthOnly}, "営業日|business day|working day|workday|weekday"},
	{token{class: cUnit, a: unitWorkday, b: lengthOnly | plural}, "working days"},
	{token{class: cUnit, a: unitQuarter, b: lengthOnly}, "四半期|クォーター|qtr"},
	{token{class: cUnit, a: unitQuarter, b: lengthOnly | plural}, "quarters|qtrs"},
	{token{class: cUnit, a: unitDecade, b: lengthOnly}, "decade"},
	{token{class: cUnit, a: unitDecade, b: lengthOnly | plural}, "decades"},

	// Words around them.
	{token{class: cAfter}, "後|のち|後に|より後|よりも後|経ったら|経過したら|from now|hence|経ってから|経過してから"},
	{token{class: cAfter, n: 2}, "過ぎ|すぎ|過ぎに|過ぎたら|過ぎてから"},
	{token{class: cAfter, n: 1}, "あと"},
	{token{class: cAfter, b: 1}, "after|later than"},
	{token{class: cAgo}, "前|まえ|ago|earlier|back|前に"},
	{token{class: cWithin}, "以内|以内に|within"},
	{token{class: cWithin, n: definite}, "within the"},
	{token{class: cEach}, "ごと|ごとに|おき|おきに|毎に|times a day|times a week|times a month|times a year|times per day|times per week|times per month"},
	{token{class: cExtra}, "more|additional|extra"},
	{token{class: cBound, a: -1}, "less than|fewer than|no more than"},
	{token{class: cBound, a: 1}, "more than|at least"},
	{token{class: cPlus}, "+"},
	{token{class: cSlash}, "/"},
	{token{class: cOpen}, "("},
	{token{class: cClose}, ")"},
	{token{class: cWeekOf}, "week starting|week beginning|week commencing|w/c"},

	{token{class: cIn}, "in"},
	{token{class: cLastN}, "過去|ここ|直近|直近の|過去の"},
	{token{class: cNextN}, "今後|これから|これからの|向こう|未来の|今後の|この先"},
	{token{class: cFrom}, "から|より|from"},
	{token{class: cFrom, b: 1}, "starting|starting from|starting on|beginning|beginning on|beginning from|commencing|effective"},
	{token{class: cTo}, "to|thru|through|〜|~|untill|til|'til|till|until"},
	{token{class: cUntil}, "まで|までに|までの|by|いっぱい|no later than"},
	{token{class: cUntil, n: ofLonger}, "一杯"},
	{token{class: cBetween}, "between|in between"},
	{token{class: cAnd}, "and|&|と"},
	{token{class: cInside}, "中|内|期間|期間中|期間内|のうちに|のうちで"},
	{token{class: cMiddle}, "の間|間|の間に|間に|にかけて|にかけての"},
	{token{class: cSince}, "以降|以後|以降に|またはその後|とその後|以降の|より後に|from then on|since|onwards|onward|as of|and after|or later|or after|降"},
	{token{class: cBefore}, "以前|より前|よりも前|以前に|またはその前|とその前|before|prior to|earlier than|in advance of"},
	{token{class: cOn}, "on|during"},
	{token{class: cAt}, "at|@"},
	{token{class: cOf}, "of|の|’s"},
	{token{class: cThe}, "the"},
	{token{class: cArticle}, "a|an"},
	{token{class: cFor}, "for"},
	{token{class: cComma}, ",|、|，|・|･"},
	{token{class: cDash}, "-|‐|–|—|−|ー"},
	{token{class: cApprox}, "前後|頃|ころ|ごろ|くらい|ぐらい|ちょうど|きっかり|ジャスト|about|around|approximately|exactly|sharp|ish|頃に|ごろに|大体|約|およそ|roughly"},
	{token{class: cNth}, "第"},
	{token{class: cNth, a: -1}, "最終|最後の"},
	{token{class: cNth, a: 1}, "最初の"},
	{token{class: cNow}, "今|只今|ただいま|現在|now|right now|just now|今すぐ|いますぐ|at the moment|at this moment|at the minute|as soon as possible|asap"},

	// What comes again.
	{token{class: cEvery}, "毎|every|each|any|隔|各"},
	{token{class: cSet}, "毎日|毎週|毎月|毎年|毎朝|毎晩|毎夜|毎時|隔週|隔週で|隔月|隔日|毎週末|daily|weekly|monthly|yearly|annually|biweekly|bi-weekly|hourly|nightly|every other day|every other week|every other month|every day|everyday|each day|every week|every month|every year|every weekend|each week|each month|weekends|毎回|quarterly|once a day|once a week|once a month|once a year|twice a day|twice a week|twice a month|twice a year|one a day|年に一度|週に一度|月に一度|週一回|月一回"},
	{token{class: cSet, b: 1}, "毎週の|every other|every second"},

	// Segments.
	{token{class: cSegment, a: segmentStart}, "初め|はじめ|始め|頭|上旬|初旬|beginning of|start of|early|the beginning of|the start of"},
	{token{class: cSegment, a: segmentMiddle}, "中旬|半ば|なかば|中頃|middle of|mid|mid-|the middle of"},
	{token{class: cSegment, a: segmentEnd, n: ofDecember}, "末|暮れ"},
	{token{class: cSegment, a: segmentEnd, n: lastDay}, "末日"},
	{token{class: cSegment, a: segmentEnd}, "下旬|終わり|late"},
	{token{class: cSegment, a: segmentEnd, n: ofDay}, "end of|the end of"},
	{token{class: cSegment, a: segmentFirst}, "前半|first half of|the first half of"},
	{token{class: cSegment, a: segmentLater}, "後半|second half of|the second half of"},
	{token{class: cSegment, a: segmentStart, b: unitMonth}, "月初|月初め|月はじめ|月頭"},
	{token{class: cSegment, a: segmentEnd, b: unitMonth}, "月末|eom|end of month|the end of month"},
	{token{class: cSegment, a: segmentEnd, b: unitYear}, "年末|年の瀬|eoy|end of year|the end of year|year end|year-end"},
	{token{class: cSegment, a: segmentStart, b: unitYear}, "年始|年明け|年初"},
	{token{class: cSegment, a: segmentStart, b: unitWeek}, "週初め|週明け|週はじめ|週の初め|週前半"},
	{token{class: cSegment, a: segmentLater, b: unitWeek}, "週後半|週の後半"},
	{token{class: cRest, a: restAll}, "rest of|rest|remainder of|remaining|remaining of|rest of my|rest of our|残り|残りの日|残りの時間|この後|このあと"},
	{token{class: cRest, a: restLater}, "later"},
	{token{class: cSub, a: 1, b: 3}, "q1"},
	{token{class: cSub, a: 4, b: 3}, "q2"},
	{token{class: cSub, a: 7, b: 3}, "q3"},
	{token{class: cSub, a: 10, b: 3}, "q4"},
	{token{class: cSub, a: 1, b: 6}, "h1|上半期"},
	{token{class: cSub, a: 7, b: 6}, "h2|下半期"},
	{token{class: cSeason}, "春|夏|秋|冬|spring|summer|autumn|winter"},

	// Eras of Japan: the year before the first, and how many years they have.
	{token{class: cEra, a: 2018, b: 99}, "令和|reiwa|reiwa era"},
	{token{class: cEra, a: 1988, b: 31}, "平成|heisei|heisei era"},
	{token{class: cEra, a: 1925, b: 64}, "昭和|showa|shōwa|showa era|shōwa era"},
	{token{class: cEra, a: 1911, b: 15}, "大正|taisho|taishō|taisho era|taishō era"},
	{token{class: cEra, a: 1867, b: 45}, "明治|meiji|meiji era"},
	{token{class: cYearOf, a: 1}, "元年"},

	// English numbers.
	{token{class: cNum, a: 0, n: 1}, "zero"},
	{token{class: cNum, a: 1, n: 1}, "one"},
	{token{class: cNum, a: 2, n: 1}, "two|a couple of|a couple|couple of|couple"},
	{token{class: cNum, a: 3, n: 1}, "three"},
	{token{class: cNum, a: 3, n: pluralOnly}, "a few|few|several"},
	{token{class: cNum, a: 3, n: several}, "数"},
	{token{class: cNum, a: 4, n: 1}, "four"},
	{token{class: cNum, a: 5, n: 1}, "five"},
	{token{class: cNum, a: 6, n: 1}, "six"},
	{token{class: cNum, a: 7, n: 1}, "seven"},
	{token{class: cNum, a: 8, n: 1}, "eight"},
	{token{class: cNum, a: 9, n: 1}, "nine"},
	{token{class: cNum, a: 10, n: 1}, "ten"},
	{token{class: cNum, a: 11, n: 1}, "eleven"},
	{token{class: cNum, a: 12, n: 1}, "twelve|dozen|a dozen"},
	{token{class: cNum, a: 13, n: 1}, "thirteen"},
	{token{class: cNum, a: 14, n: 1}, "fourteen"},
	{token{class: cNum, a: 15, n: 1}, "fifteen"},
	{token{class: cNum, a: 16, n: 1}, "sixteen"},
	{token{class: cNum, a: 17, n: 1}, "seventeen"},
	{token{class: cNum, a: 18, n: 1}, "eighteen"},
	{token{class: cNum, a: 19, n: 1}, "nineteen"},
	{token{class: cNum, a: 20, n: 1}, "twenty"},
	{token{class: cNum, a: 30, n: 1}, "thirty"},
	{token{class: cNum, a: 40, n: 1}, "forty"},
	{token{class: cNum, a: 50, n: 1}, "fifty"},
	{token{class: cNum, a: 60, n: 1}, "sixty"},
	{token{class: cNum, a: 70, n: 1}, "seventy"},
	{token{class: cNum, a: 80, n: 1}, "eighty"},
	{token{class: cNum, a: 90, n: 1}, "ninety"},
	{token{class: cNum, a: 100, n: 1}, "hundred|a hundred"},
	{token{class: cNum, a: 1000, n: 1}, "thousand|a thousand"},
	{token{class: cOrdinal, a: 1}, "first"},
	{token{class: cOrdinal, a: 2}, "second"},
	{token{class: cOrdinal, a: 3}, "third"},
	{token{class: cOrdinal, a: 4}, "fourth|forth"},
	{token{class: cOrdinal, a: 5}, "fifth"},
	{token{class: cOrdinal, a: 6}, "sixth"},
	{token{class: cOrdinal, a: 7}, "seventh"},
	{token{class: cOrdinal, a: 8}, "eighth"},
	{token{class: cOrdinal, a: 9}, "ninth"},
	{token{class: cOrdinal, a: 10}, "tenth"},
	{token{class: cOrdinal, a: 11}, "eleventh"},
	{token{class: cOrdinal, a: 12}, "twelfth"},
	{token{class: cOrdinal, a: 13}, "thirteenth"},
	{token{class: cOrdinal, a: 14}, "fourteenth"},
	{token{class: cOrdinal, a: 15}, "fifteenth"},
	{token{class: cOrdinal, a: 16}, "sixteenth"},
	{token{class: cOrdinal, a: 17}, "seventeenth"},
	{token{class: cOrdinal, a: 18}, "eighteenth"},
	{token{class: cOrdinal, a: 19}, "nineteenth"},
	{token{class: cOrdinal, a: 20}, "twentieth"},
	{token{class: cOrdinal, a: 30}, "thirtieth"},

	// Days of the month with a name of their own.
	{token{class: cOrdinal, a: 1, b: 2}, "ついたち|朔日"},
	{token{class: cOrdinal, a: 2, b: 2}, "ふつか"},
	{token{class: cOrdinal, a: 3, b: 2}, "みっか"},
	{token{class: cOrdinal, a: 4, b: 2}, "よっか"},
	{token{class: cOrdinal, a: 5, b: 2}, "いつか目|いつかの日"},
	{token{class: cOrdinal, a: 8, b: 2}, "ようか"},
	{token{class: cOrdinal, a: 10, b: 2}, "とおか"},
	{token{class: cOrdinal, a: 20, b: 2}, "はつか"},

	// Nouns that take the number beside them, so that it is no hour and no day.
	{token{class: cPlace}, "バージョン|ver|ver.|no.|点|floor|floors|street|avenue|room|rooms|people|persons|person|items|item|times|yen|dollars|percent|seats|seat|edition|grade|century|anniversary|place|page|version|items|ones|of them|stars|points|guests|adults|children|kids|tickets|copies|meters|km|kg|gb|mb|desk|desks|events|event|birthday|prize|option|choice|answer|question|building|line|thing|things|meeting|session|talk|wave|class|step|chapter"},

	// Words that contain a temporal word and say no time.
	{token{class: cWord}, "今回|今度こそ|今まで|今更|今風|今どき|明日香|朝食|朝会|朝練|朝市|朝顔|夕会|夜会|夜勤|夜行|朝刊|朝日|朝ごはん|朝活|朝礼|昼食|昼休み|昼寝|昼ごはん|夕食|夕飯|夕日|夜景|夜空|晩ご飯|晩ごはん|夜食|日中|日本|日常|日記|日時|日付|日程|日替わり|同時|一時的|時点|時刻|時代|時計|時期|月額|月謝|月刊|年齢|年生|年目|日目|日券|日利用|日体験|時間券|時間制|年度|年代|年会費|月号|年版|年間パス|十分な|十分に|十分です|十分ですか|一日券|一番|一緒|一般|一応|一部|一覧|一人|二人|三人|四人|千葉|九州|四国|以前に話|います|いました|いません|いまして|いまいち|いまから|前売|前払|前回|名前|手前|駅前|午前中に限|後ほど|後ろ|最後|放課後|奇数|偶数|人数|件数|回数|点数|日数|多数|少数|複数|算数|数学|数字|数値|数量|指数|枚数|台数|席数|年数|前夜祭|前夜|後夜祭|前編|後編|前期|後期|前提|前菜|前方|後方|後援|前線|前向き|後日|後継|後輩|前例|前述|後述|前列|後列|前職|夏休み|冬休み|日曜大工|月病|春休み|よい一週間|良い一週間|いい一週間|一日中|人前|何前|何日後|末尾|週末料金|半額|半分|半角|大半|半導体|前半戦|間違|人間|仲間|居間|世間|手間|隙間|間取り|ここで|ここに|ここは|ここの|ここから|ここって|ここへ|ここを|ここが|ここまで|このあたり|この辺|この近く|この建物|この施設|このイベント|次回|毎度|初めて|はじめて|はじめまして|初めまして|始めて|始めたい|頭痛|来ました|来ます|来る|来て|来た|来館|来場|来客|来訪|来たい|来れ|来られ|来ない|二次会|この前|前職|からあげ|だから|ですから|からい|体から|まずは|第一印象|世代|1日中|一日中"},
	{token{class: cWord}, "happy new year|happy new year's|new year's resolution|new year's resolutions|new year resolution|new year resolutions|new year card|new year cards|new year's card|new year's cards|" +
		"parsi new year|persian new year|hijri new year|arabic new year|korean new year|vietnamese new year|tibetan new year|thai new year|fiscal new year|financial new year|school new year|academic new year|" +
		"旧正月|春節|chinese new year|chinese new years|chinese new year's|chinese new year's day|lunar new year|islamic new year|jewish new year|orthodox easter"},
	{token{class: cWord}, "dawn of|up to date|up-to-date|may i|may we|may be|may also|may not|may have|may well|may take|may differ|24/7|day of the week|days of the week|day of week|second floor|first floor|third floor|first time|first aid|second hand|at all|at least|at first|last one|last name|last item|last thing|last event|next one|next to|next event|next item|next page|next door|past events|past event|past one|past ones|the other day|one day pass|day pass|day care|day trip|night life|happy hour|happy hours|opening hours|opening hour|business hours|office hours|working hours|hours of operation|each other|any time|anytime|sometime|all day long|back to|early bird|early access|back door|follow up|march for|sun rise|sat down|may you|current events|current event|current affairs|first come|second one|first one|third one|upcoming events|upcoming event|day planner|weekend pass|half price|half off|quarter finals|next generation|next steps|next step|next.js|this place|this building|this event|this one|this venue|this cafe|this room|this is|one moment|few things"},
	{token{class: cWord, a: 1}, "px|cm|mm"},
	{token{class: cWord, a: functionWord}, "回|度|but|or|is|was|were|are|will|has|had|then|please|with|when|if"},
	{token{class: cWord, a: modal}, "should|shouldn't|will last|won't|would|wouldn't|can|can't|could|couldn't|must|does|doesn't|did|didn't|cannot"},
}

// looseEntries are kana words that also occur inside other words: they count only beside particles and edges.
var looseEntries = []struct {
	token token
	words string
}{
	{token{class: cDayRel, a: 1}, "あす|あした"},
	{token{class: cDayRel, a: -1}, "きのう"},
	{token{class: cNow}, "いま"},
	{token{class: cMonth, a: 2}, "にがつ"},
	{token{class: cMonth, a: 5}, "ごがつ"},
	{token{class: cMonth, a: 9}, "くがつ"},
}
