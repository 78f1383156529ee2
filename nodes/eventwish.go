package nodes

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/internal/civil"
	"annai/internal/holiday"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
	"annai/tools/date"
)

// eventWishOf is what the utterance asks of events.
func (c *Concierge) eventWishOf(u nlu.Understanding, now time.Time, title string) eventWish {
	w := eventWish{
		PastAsked: u.PastAsked,
		Field:     detailOf(u),
		StillOn:   u.StillOn,
		Title:     title,
		Words:     title,
		Keywords:  strings.Fields(strings.ToLower(title)),
	}
	if title == "" {
		w.Words, w.Keywords = c.searchWords(u)
	}
	var named bool
	when := datetime.Combine(u.Times, now)
	u.Times, w.Hours, w.Weekdays = when.Days, display.HoursIn(when), date.Of(when.Weekdays)
	if words := afterWork.FindString(strings.ToLower(u.Text)); words != "" && w.Hours == (display.Hours{}) {
		w.Hours = display.Hours{From: 18 * 60, Until: display.Midnight, Words: words}
		w.Keywords = slices.DeleteFunc(w.Keywords, func(word string) bool { return strings.Contains(words, word) })
		w.Words = strings.Join(w.Keywords, " ")
	}
	if w.Hours != (display.Hours{}) && len(u.Times) > 0 && allWeekdays(u.Times) { // 平日の夜, of any week
		w.Weekdays, u.Times = weekdaysAsked(strings.ToLower(u.Text)), nil
	}
	if w.Range, named = display.SpanOfDays(u.Times, now); named && u.PastAsked && w.Range.Start.After(now) {
		w.Range = lately(u.Times, w.Range, now)
	}
	if named && w.Weekdays == 0 && title == "" {
		if rest, days := weekdaysBeside(u.Keywords, w.Range); days != 0 {
			u.Keywords, u.Topic, w.Weekdays = rest, strings.Join(rest, " "), days
			w.Words, w.Keywords = c.searchWords(u)
		}
	}
	w.Often = asksCadence.MatchString(strings.ToLower(u.Text))
	if title == "" {
		w.Less = lessOf(u.Text, w.Keywords)
	}
	if w.Edge = edgeAsked(u, w.Range); w.Edge > 0 && w.Range.Start.Before(now) {
		w.PastAsked = true
	}
	if !named {
		w.Range = display.ThisWeek(now)
		w.Next = asksForNext(u)
		if w.Regular = asksForRegular(u); w.Weekdays != 0 {
			w.Regular = monthly
		}
		if title != "" {
			w.Regular = 0
		}
		if d := nextHoliday(u, now); !d.IsZero() {
			w.Range = display.Span{
				Name:     datetime.Date,
				Start:    d.In(now.Location()),
				End:      d.AddDays(1).In(now.Location()),
				Explicit: true,
			}
			return w
		}
		if w.Regular > 0 {
			w.Words, w.Keywords = display.InLang(u.Language, "定期開催", "regular events"), nil
		}
		w.Ahead = len(w.Keywords) > 0 || w.Weekdays != 0 || w.Next || w.Regular > 0 || looksAhead(u)
	}
	w.Ahead = w.Ahead || title != ""
	return w
}

// asksCadence finds a question for how often something takes place.
var asksCadence = regexp.MustCompile(
	`頻度|何回|月に何|週に何|何日おき|毎週です|毎月です|\bhow (?:often|frequently|regularly|many times)\b|\b(?:every|each) (?:week|month)\?|\bis it (?:weekly|monthly)`,
)

// looksAhead reports whether events are asked for that are still to come, whenever.
func looksAhead(u nlu.Understanding) bool {
	return hasAny(strings.ToLower(u.Text), "今後", "これから", "次の", "直近", "upcoming", "coming up")
}

// asksForNext reports whether the next event is asked for, whichever it is.
func asksForNext(u nlu.Understanding) bool {
	return hasAny(strings.ToLower(u.Text), "次のイベント", "次回のイベント", "次に開催", "next event", "event next")
}

// Within how many days something takes place again that is weekly, or monthly.
const weekly, monthly = 7, 35

// asksForRegular returns within how many days events take place again that are asked for, on
// whatever day; 0 if none are.
func asksForRegular(u nlu.Understanding) int {
	text := strings.ToLower(u.Text)
	switch {
	case hasAny(text, "毎週や", "毎週ある", "毎週開", "毎週行", "毎週の", "every week", "each week", "weekly"):
		return weekly
	case hasAny(text, "毎月や", "毎月ある", "毎月開", "毎月行", "毎月の", "定期", "いつもや", "regular", "every month", "each month", "recurring", "monthly"):
		return monthly
	}
	return 0
}

// nextHoliday is the next public holiday, if the events on holidays are asked for without saying which.
func nextHoliday(u nlu.Understanding, now time.Time) civil.Date {
	if !hasAny(
		strings.ToLower(u.Text),
		"祝日",
		"祭日",
		"public holiday",
		"national holiday",
		"on the holiday",
		"on holiday",
	) {
		return civil.Date{}
	}
	d := civil.DateOf(now)
	for range 366 {
		if holiday.Japan(d) != "" {
			return d
		}
		d = d.AddDays(1)
	}
	return civil.Date{}
}

// lately is the reading of the same words that is in the past, if they have one.
func lately(times []datetime.Expression, s display.Span, now time.Time) display.Span {
	e, ok := bestExpression(times)
	if !ok {
		return s
	}
	for _, other := range e.Alternatives {
		if !other.Start.After(now) {
			s.Start, s.End = other.Start.In(now.Location()), other.End.In(now.Location())
			return s
		}
	}
	return s
}

// praise are words that say what the visitor likes, not what titles have in them.
var praise = []string{
	"おすすめ", "すすめ", "お勧め", "オススメ", "面白い", "おもしろい", "楽しい", "人気", "今後", "これから", "次", "次回", "直近", "開催", "参加", "一覧", "全部", "情報", "予定", "スケジュール", "最新",
	"interesting", "fun", "good", "best", "recommended", "recommend", "popular", "upcoming", "coming", "any", "cool", "nice", "all", "list",
	"最初", "最後", "最終", "first", "last", "final", "schedule", "latest", "scheduled", "planned", "tech", "happening", "going",
}

// searchWords are the words to search titles with: not the venue's own name, and not praise.
func (c *Concierge) searchWords(u nlu.Understanding) (string, []string) {
	name := strings.ToLower(c.parts.Venue.Name.JA + " " + c.parts.Venue.Name.EN)
	var keep []string
	for _, word := range u.Keywords {
		if _, detail := detailWords[word]; !detail && !strings.Contains(name, word) && !slices.Contains(praise, word) {
			keep = append(keep, word)
		}
	}
	switch {
	case len(keep) == 0:
		return "", nil
	case len(keep) == len(u.Keywords):
		return asSaid(u.Text, u.Topic), keep
	}
	return asSaid(u.Text, strings.Join(keep, " ")), keep
}

// asSaid are some words of a text with what stands between them, if they stand in it in that order
// and near to each other: 初心者でも参加できる勉強会.
func asSaid(said, words string) string {
	list := strings.Fields(words)
	low := strings.ToLower(said)
	if len(list) < 2 || len(low) != len(said) {
		return text.OneLine(words, display.MaxWords)
	}
	from, to := -1, 0
	for _, word := range list {
		at := strings.Index(low[to:], strings.ToLower(word))
		if at < 0 {
			return text.OneLine(words, display.MaxWords)
		}
		if from < 0 {
			from = at
		}
		to += at + len(word)
	}
	if said := said[from:to]; utf8.RuneCountInString(said) <= display.MaxWords &&
		!strings.ContainsAny(said, "。？！?!.、,は") {
		return text.OneLine(said, display.MaxWords)
	}
	return text.OneLine(words, display.MaxWords)
}
