package nodes

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
	"annai/tools/date"
)

// hoursKind is what is asked about the opening hours of the venue itself.
type hoursKind string

const (
	hoursNow    hoursKind = "now"
	hoursDay    hoursKind = "day"    // of the days of a short range
	hoursWeekly hoursKind = "weekly" // of days of the week as such
	hoursUsual  hoursKind = "usual"  // of any day, and the closed days
	hoursClosed hoursKind = "closed" // the closed days of a range
)

var (
	opensWords = []string{
		"開いて", "あいて", "空いて", "開き", "開く", "開館", "営業", "閉館", "閉ま", "閉め", "閉じ", "何時まで", "何時から", "利用時間", "使える時間",
		"open", "close", "closing", "hours",
	}
	closedWords = []string{"休館", "休み", "定休", "休業", "閉館日", "無休", "closed", "closing day", "days off", "day off"}
	shutWords   = []string{"閉", "休", "終わ", "close", "closing", "shut"}
	nowWords    = []string{"今", "いまは", "いま開", "いま空", "いまや", "ただいま", "現在", "まだ", "もう", "館中", "業中", "あと何", "あとど", " now", "currently", "still", "already", "at the moment", "how long until"}
	whenWords   = []string{"時間", "何時", "いつ", "あと何", "どのくらい", "どれくらい", "遅く", "早く", "hours", "what time", "ing time", "when ", "when's", "how late", "how early", "how long"}

	// goesIn finds words for going in and using the place, which ask for its hours beside a time: 今入れますか.
	goesIn = regexp.MustCompile(`入れま|入れる|入[館場]でき|使えま|使える|利用でき|やって(?:い?ます|い?る|い?ない)|来ても|行っても|\bcome\b|\b(?:go|get|walk|drop) in\b|\benter\b`)
	// opensElse finds what is asked other than when the venue is open: who opens something
	// (イベントを開きたい, "I want to open a shop"), that it does not open, how many may come in.
	opensElse = regexp.MustCompile(`を(?:開|空け|あけ|閉)|(?:開|閉)[きけめ]?(?:たい|たく|ません|ない|られ|方)|(?:開|閉)[かま]ら?(?:ない|なく)|何[人名階席]|いくら|どこ|どなた|誰|だれ|何[をが]` +
		`|\b(?:i|we)(?:'d| would| want| wanted| need| like| wish)* (?:to )?(?:open|close)\b|\b(?:open|close) (?:an?|my|our|up)\b|\bhow (?:many|much|do|does|can|to)\b|\bwhere\b|\bwho\b`)
	// closedNow finds words for being closed at a time, untilWhen a question for the end of a time
	// or what comes behind it.
	closedNow = regexp.MustCompile(`\bclosed\b|[館業]中`)
	untilWhen = regexp.MustCompile(`いつ|何日|から|まで|\bwhen\b|\buntil\b|\breopen\b|\bhow long\b`)
	// notNow and notClosed find words that only look like those for now and for closed days.
	notNow    = regexp.MustCompile(`今([年月週夜朝晩夕度後回季春夏秋冬])|今の(時期|季節)`)
	notClosed = regexp.MustCompile(`([春夏秋冬昼])休み|休み(時間|中に)`)
	notOpen   = regexp.MustCompile(`どうやって|\bclose(?:st)? (?:to|by)\b|\bclosest\b|how many hours|for \d+ hours`)

	// seasons are words for times that are not read, since nobody knows their first day. habits
	// finds those for no time in particular.
	seasons = []string{
		"春", "夏", "秋", "冬", "連休", "長期", "シーズン", "季節", "時期", "spring", "summer", "autumn", "fall", "winter", "season", "vacation", "holiday", "break", "year",
	}
	habits = regexp.MustCompile(`通常|普段|平常|いつも|年中|[る館業]日|曜|\b(?:late|early|usual(?:ly)?|normal(?:ly)?|regular(?:ly)?|generally|always|ever|days?|weeks?|months?|years?|year-round|over)\b`)
	// openingJapanese are the pieces of words that a question about the hours of the venue as a
	// whole may have, openingEnglish the words.
	openingJapanese = strings.NewReplacer(
		pieces("開", "閉", "空", "営業", "定休", "休業", "休", "無", "時間", "何", "時", "いつ", "利用", "使", "入場", "入", "建物", "施設", "館", "店", "最終", "終了", "終", "日", "曜", "年",
			"月", "末", "始", "中", "今", "現在", "通常", "普段", "平常", "臨時", "深夜", "夜間", "朝", "昼", "夕", "夜", "次", "シーズン", "春", "夏", "秋", "冬", "連", "暇", "長期", "季節", "時期", "季", "期", "違")...)
	openingEnglish = append(strings.Fields(`open opened opening reopen close closed closing hour hours time times building venue here you come in enter late later latest early earlier earliest
		last next until still already now r u ru ur ya pls plz new end off over general public currently moment day weekday week weekend month year usual usually normal normally regular regularly generally always ever
		round same different place visit ok okay are do what is the`), seasons...)
)

// pieces are pairs that take every word out.
func pieces(words ...string) []string {
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, w, "")
	}
	return pairs
}

// hoursAsked reads what is asked about the opening hours of the venue as a whole; "" where it is
// about something else, or about a part of it that has hours of its own.
func (c *Concierge) hoursAsked(u nlu.Understanding, s display.Span, now time.Time) hoursKind {
	text := openingText(u.Text)
	closed := hasAny(text, closedWords...)
	opens := closed || hasAny(text, opensWords...) || goesIn.MatchString(text) && (!s.IsZero() || hasAny(text, nowWords...) || hasAny(text, whenWords...))
	if !opens || opensElse.MatchString(text) || !c.aboutWhole(u) || len(c.parts.Venue.Hours.Weekly) == 0 {
		return ""
	}
	days, asSuch := len(s.DaysOf(maxListed)), s.IsZero() || weekdaysAsked(text) != 0 && weekdayAsSuch(u.Times, strings.ToLower(u.Text))
	switch {
	case asSuch && publicHoliday(text): // a rule, which is prose
		return ""
	case asSuch && weekdaysAsked(text) != 0:
		return hoursWeekly
	case s.IsZero():
		return noDayAsked(u, text, closed)
	case closed && days > 1:
		return hoursClosed
	case hasAny(text, nowWords...) && s.Clock && !s.Start.After(now):
		return hoursNow
	case days >= maxListed && !s.OpenEnd:
		return hoursUsual
	}
	return hoursDay
}

// openingText is an utterance without what only looks like a word for opening, for closing or for now.
func openingText(text string) string {
	text = notOpen.ReplaceAllString(strings.ToLower(text), " ")
	return notClosed.ReplaceAllString(notNow.ReplaceAllString(text, "$1$2"), "$1$2")
}

// noDayAsked is what is asked where no day was read. It is asked of now only where nothing speaks
// of another time.
func noDayAsked(u nlu.Understanding, text string, closed bool) hoursKind {
	recurs := slices.ContainsFunc(u.Times, func(e datetime.Expression) bool { return e.Kind == datetime.KindSet })
	switch isNow := hasAny(text, nowWords...); {
	case closed && !(isNow && closedNow.MatchString(text)):
		return hoursClosed
	case recurs || hasAny(text, seasons...):
		return hoursUsual
	case isNow:
		return hoursNow
	case hasAny(text, whenWords...):
		return hoursWeekly
	case habits.MatchString(text):
		return hoursUsual
	}
	return hoursNow
}

// publicHoliday reports whether public holidays are spoken of as such.
func publicHoliday(text string) bool {
	return hasAny(text, "祝日", "祭日", "日祝") || strings.Contains(text, "holiday") && !hasAny(text, "summer", "winter", "spring", "autumn", "school", "christmas", "year")
}

var (
	bareWeekday   = regexp.MustCompile(`^[月火水木金土日]曜日?$`)
	singleWeekday = regexp.MustCompile(`\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:^|[^\p{Han}])[月火水木金土日]曜`)
	oneWeek       = []string{"今週", "来週", "再来週", "先週", "今度", "次の", "前の", "this ", "next ", "last ", "coming ", "following "}
)

// weekdayAsSuch reports whether days of the week are meant as such, and not those of one week:
// 月曜日は休み？, 平日, 来月の月曜日.
func weekdayAsSuch(times []datetime.Expression, text string) bool {
	if hasAny(text, oneWeek...) {
		return false
	}
	return !slices.ContainsFunc(times, func(e datetime.Expression) bool {
		return display.Usable(e) && e.Kind != datetime.KindDays && !bareWeekday.MatchString(e.Text)
	})
}

// weekdaysAsked are all days of the week that are named; 0 for none.
func weekdaysAsked(text string) date.Weekdays {
	days := weekdaysIn(text)
	if hasAny(text, "土日", "週末", "weekend") {
		days |= date.Weekend
	}
	if strings.Contains(text, "weekday") {
		days |= date.WorkingDays
	}
	for _, m := range japaneseWeekday.FindAllStringSubmatch(text, -1) {
		days |= weekdaysIn(m[0])
	}
	for _, m := range englishWeekday.FindAllString(text, -1) {
		days |= weekdaysIn(m)
	}
	return days
}

// aboutWhole reports whether the words name no part of the venue.
func (c *Concierge) aboutWhole(u nlu.Understanding) bool {
	name := strings.ToLower(c.parts.Venue.Name.JA + " " + c.parts.Venue.Name.EN)
	return onlyOpening(slices.DeleteFunc(slices.Clone(u.Keywords), func(word string) bool { return strings.Contains(name, word) }))
}

// onlyOpening reports whether words say nothing but that something is open, and when.
func onlyOpening(keywords []string) bool {
	return !slices.ContainsFunc(keywords, func(word string) bool {
		return !slices.Contains(openingEnglish, word) && strings.ContainsFunc(openingJapanese.Replace(word), saysMore)
	})
}

// saysMore reports whether a character is of a word that has a meaning of its own, and not of an
// ending.
func saysMore(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Hiragana, r) }
