package nodes

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
	"annai/tools/date"
	"annai/venue"
)

// partOfDayIn is the part of a day that is all that is named of a time: 夜のだけ, "in the evening". An
// hour or two are a time, and no part.
func partOfDayIn(times []datetime.Expression, loc *time.Location) (display.Hours, bool) {
	if len(times) != 1 || times[0].Kind != datetime.KindTime || !times[0].NoDay || times[0].Invalid {
		return display.Hours{}, false
	}
	e := times[0]
	start, end := e.TimeRange.Start.In(loc), e.TimeRange.End.In(loc)
	h := display.Hours{From: *display.ClockOf(start), Until: *display.ClockOf(end), Words: display.HoursWords(e.Text)}
	if e.OpenEnd || h.Until <= h.From {
		h.Until = display.Midnight
	}
	return h, h.Until-h.From > 2*60
}

// afterWork finds words for the evening that name no time.
var afterWork = regexp.MustCompile(`仕事(?:の)?(?:終わり|帰り|後|あと)|会社(?:の)?帰り|\bafter (?:work|office hours)\b`)

var (
	// ofThose are words that take some out of what was told.
	ofThose = regexp.MustCompile(`だけ|のみ|その中|この中|そのうち|このうち|のうち|中で|中から|どれ|どの[イ会]|以外|絞|限定|\bonly\b|\bjust\b|\bwhich (?:of|ones?)\b|\bof (?:those|them|these)\b|\bones?\b|^any\b|\bexcept\b|\bother than\b`)
	// outOfThose are those of them that can mean nothing else.
	outOfThose = regexp.MustCompile(`その中|この中|そのうち|このうち|のうち|どれ|\bwhich (?:of|ones?)\b|\bof (?:those|them|these)\b`)
	// leftOut finds what is not wanted: もくもく会以外, "other than the hackathon".
	leftOut = regexp.MustCompile(`(?:以外|のほか|を除いて|は除いて)(?:の(?:イベント|もの|催し)?)?[はをでにもだと]*(?:何|なに|ある|あり|ない|教え|おしえ|お願い|$|[?？。])|\bexcept\b|\bother than\b|\bapart from\b|\bbesides\b`)
	// takesPart finds a question for who may take part, which leaves out no event.
	takesPart = regexp.MustCompile(`参加|入れ|使え|来て|\b(?:join|come|attend|use|allowed|enter)\b`)
)

// narrowed is the event question of the topic for some of the events that it found: those at a part
// of the day, on days of the week, about something, or without one of them. title is the event that
// is named, if any.
func (t topic) narrowed(u nlu.Understanding, title string, now time.Time) (w eventWish, reason string, ok bool) {
	text := strings.ToLower(u.Text)
	w = t.Wish
	w.Range, w.Skip, w.Next, w.Regular, w.Edge = t.Range, 0, false, 0, 0
	only := ofThose.MatchString(text)
	words := withoutDetails(u.Keywords)
	hours, part := partOfDayIn(u.Times, now.Location())
	days := weekdaysAsked(text)
	switch {
	case len(t.Items) == 0 && t.Total == 0:
	case leftOut.MatchString(text) && !takesPart.MatchString(text) && len(u.Times) == 0 && (title != "" || t.some(words)):
		w.Without = title
		if title == "" {
			w.Without = words[0]
		}
		return w, "all but one", true
	case part && len(words) == 0 && (only || leavesOut(u) || u.Confidence < sure || hasAny(text, "anything", "何か", "なにか")) && u.Reference.Ordinal == 0:
		w.Hours = hours
		return w, "at a part of the day", true
	case only && days != 0 && len(words) == 0 && allWeekdays(u.Times) && len(t.Range.In(now.Location()).DaysOf(2)) > 1:
		w.Weekdays = days
		return w, "on days of the week", true
	case only && len(u.Times) == 0 && len(words) > 0 && !hasAny(text, "以外", "other than", "except") && (t.some(words) || outOfThose.MatchString(text) && allAlike(words)):
		w.Title, w.Words, w.Keywords = "", strings.Join(words, " "), words
		return w, "about something", true
	}
	return eventWish{}, "", false
}

// allAlike reports whether all words say for whom an event is, or in what language: there may be
// none of that sort.
func allAlike(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return likewise(word) == nil })
}

// some reports whether one of the events told fits the words.
func (t topic) some(words []string) bool {
	return len(words) > 0 && slices.ContainsFunc(t.Items, func(e display.Entry) bool { return fits(e, words) })
}

// A trait is what some events say of themselves, and visitors ask which do.
type trait struct {
	// asked finds words for it in a question.
	asked *regexp.Regexp
	// word is what is looked for (and what says the same), general what is asked of the venue where
	// no event says it.
	word, general venue.Text
}

var traits = []trait{
	{
		asked: regexp.MustCompile(`無料|タダ|ただの|お金のかからない|お金がかからない|\bfree\b|\bno charge\b|\bcost nothing\b`),
		word:  venue.Text{JA: "無料", EN: "free"}, general: venue.Text{JA: "イベントの参加費は無料ですか", EN: "are events free?"},
	},
	{
		asked: regexp.MustCompile(`(?:予約|申し?込み)(?:が|は|の)?(?:[い要]らな|必要(?:が|の)?な|不要|なし)|\b(?:no|without|not? need|do(?:es)?n['’]t need) (?:any |an? )?(?:booking|reservation|registration|sign[- ]?up)`),
		word:  venue.Text{JA: "予約なし", EN: "without a booking"}, general: venue.Text{JA: "イベントの申し込み方法", EN: "how to sign up for events"},
	},
}

// thoseThat returns the trait by which some of the events told are asked for, and how many of them
// say it.
func (t topic) thoseThat(u nlu.Understanding) (tr trait, said int, asked bool) {
	text := strings.ToLower(u.Text)
	i := slices.IndexFunc(traits, func(tr trait) bool { return tr.asked.MatchString(text) })
	if len(t.Items) < 2 || len(u.Times) > 0 || i < 0 || !ofThose.MatchString(text) || len(withoutDetails(u.Keywords)) > 0 {
		return tr, 0, false
	}
	tr = traits[i]
	return tr, len(fitting(t.Items, []string{tr.word.In(string(u.Language))})), true
}

// with is the event question of the topic for those that say a trait of themselves.
func (t topic) with(tr trait, lang nlu.Language) eventWish {
	w := t.Wish
	word := tr.word.In(string(lang))
	w.Range, w.Skip, w.Title, w.Words, w.Keywords = t.Range, 0, "", word, []string{word}
	return w
}

// withoutDetails are the words that name something, and no detail of what was spoken of.
func withoutDetails(keywords []string) []string {
	return slices.DeleteFunc(slices.Clone(keywords), func(word string) bool { _, ok := detailWords[strings.ToLower(word)]; return ok })
}

// allWeekdays reports whether all times are days of the week, and of no week in particular.
func allWeekdays(times []datetime.Expression) bool {
	return !slices.ContainsFunc(times, func(e datetime.Expression) bool {
		text := strings.ToLower(e.Text)
		return e.Kind != datetime.KindSet && !onlyWeekday.MatchString(e.Text) && !slices.Contains(kindsOfDays, text)
	})
}

// edgeAsked is 1 where the first of several events is asked for, -1 where it is the last, and else
// 0: 今年最後のイベント, "the first event of next year".
func edgeAsked(u nlu.Understanding, s display.Span) int {
	if !s.Explicit || s.Clock || !s.OneDay().IsZero() {
		return 0
	}
	if n := u.Reference.Ordinal; n == 1 || n == -1 {
		return n
	}
	text := strings.ToLower(u.Text)
	switch m := edgeWords.FindString(text); {
	case m == "", partWords.MatchString(text):
	case strings.HasPrefix(m, "first") || strings.HasPrefix(m, "最初") || strings.HasPrefix(m, "一番早"):
		return 1
	default:
		return -1
	}
	return 0
}

var (
	edgeWords = regexp.MustCompile(`(?:最後|最終|ラスト|一番遅い|最初|一番早い)の?[^日週土月火水木金年]|\b(?:first|last|final) (?:\w+ ){1,3}(?:of|in|this|before)\b`)
	// partWords find the first or the last part of a time, which is no event.
	partWords = regexp.MustCompile(`\b(?:first|last|final) (?:few |two |three )?(?:days?|weeks?|weekends?|months?|half|quarter|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b`)
)

// atEdge keeps the first or the last of the events that take place.
func (t telling) atEdge(found sorted) sorted {
	on := slices.DeleteFunc(slices.Clone(found.listed), display.Entry.Cancelled)
	switch {
	case t.wish.Edge == 0 || found.other || len(on) == 0:
		return found
	case t.wish.Edge > 0:
		found.listed = on[:1]
	default:
		found.listed = on[len(on)-1:]
	}
	return found
}

// weekdaysBeside are days of the week that an utterance names beside a longer range, though no time
// was read from them: weekday events in december.
func weekdaysBeside(keywords []string, s display.Span) (rest []string, days date.Weekdays) {
	if len(s.DaysOf(maxListed)) < maxListed {
		return keywords, 0
	}
	rest = slices.DeleteFunc(slices.Clone(keywords), func(word string) bool { return word == "weekday" || word == "weekdays" })
	if len(rest) < len(keywords) {
		days = date.WorkingDays
	}
	return rest, days
}
