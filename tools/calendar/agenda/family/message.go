package family

import (
	"fmt"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/internal/text"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

func tooLong(days int) error {
	return &tools.Refusal{
		Kind: fault.ErrInvalid, JA: fmt.Sprintf("一度に調べられる期間は%d日までです。", days),
		EN: fmt.Sprintf("I can look at no more than %d days at once.", days),
	}
}

func pick(lang, ja, en string) string {
	if lang == "en" {
		return en
	}
	return ja
}

// named writes a day with its weekday: "2026-03-02（月）", "2026-03-02 (Mon)".
func named(d civil.Date, lang string) string {
	return pick(lang, fmt.Sprintf("%s（%s）", d, text.WeekdayKanji(d.Weekday())), fmt.Sprintf("%s (%s)", d, d.Weekday().String()[:3]))
}

// span writes a day, or from which to which.
func span(first, last civil.Date, lang string) string {
	if first == last {
		return named(first, lang)
	}
	return named(first, lang) + pick(lang, "〜", " to ") + named(last, lang)
}

// timing writes when an event is: "2026-03-02（月）14:00〜15:00", "2026-03-02（月）〜2026-03-03（火）".
func timing(e calendar.Event, loc *time.Location, lang string) string {
	if e.AllDay {
		return span(e.FirstDay, e.EndDay.AddDays(-1), lang)
	}
	start, end := e.Start.In(loc), e.End.In(loc)
	first, last := civil.DateOf(start), civil.DateOf(end)
	until := end.Format("15:04")
	if first != last {
		until = named(last, lang) + pick(lang, "", " ") + until
	}
	return named(first, lang) + pick(lang, "", ", ") + start.Format("15:04") + pick(lang, "〜", " to ") + until
}

const (
	unreadJA = "読めないカレンダーがあるため、"
	unreadEN = "One of the calendars could not be read, so "
)

func listed(first, last civil.Date, n int, complete bool, lang string) string {
	when := span(first, last, lang)
	said := pick(lang, fmt.Sprintf("%sの予定は%d件です。", when, n), fmt.Sprintf("There %s on %s.", plural(n, "event"), when))
	switch {
	case first != last && n > 0:
		said = pick(lang, said, fmt.Sprintf("There %s from %s.", plural(n, "event"), when))
	case first != last && complete:
		return pick(lang, fmt.Sprintf("%sの予定はありません。", when), fmt.Sprintf("There are no events from %s.", when))
	case n == 0 && complete:
		return pick(lang, fmt.Sprintf("%sの予定はありません。", when), fmt.Sprintf("There are no events on %s.", when))
	}
	switch {
	case complete:
		return said
	case n == 0:
		return pick(lang, unreadJA+"予定があるかどうか分かりません。", unreadEN+"I do not know whether there are events.")
	default:
		return said + pick(lang, unreadJA+"ほかにも予定があるかもしれません。", " "+unreadEN+"there may be more.")
	}
}

// plural writes "is 1 event", "are 3 events".
func plural(n int, noun string) string {
	if n == 1 {
		return "is 1 " + noun
	}
	return fmt.Sprintf("are %d %ss", n, noun)
}

func available(q agenda.Question, a agenda.Availability, lang string) string {
	when := span(q.From, q.To, lang)
	if q.Hours != agenda.WholeDay {
		when += pick(lang, fmt.Sprintf("の%s〜%s", q.Hours.From, q.Hours.To), fmt.Sprintf(", %s to %s", q.Hours.From, q.Hours.To))
	}
	n := len(a.FreeDays)
	switch {
	case !a.Known:
		return pick(lang, unreadJA+"空いているかどうか分かりません。", unreadEN+"I do not know what is free.")
	case q.From != q.To && n == 0:
		return pick(lang, when+"に空いている日はありません。", "No day is free: "+when+".")
	case q.From != q.To:
		return pick(lang, fmt.Sprintf("%sで空いている日は%d日あります。", when, n), fmt.Sprintf("There %s: %s.", plural(n, "free day"), when))
	case a.Available:
		return pick(lang, when+"は空いています。", when+" is free.")
	default:
		return pick(lang, fmt.Sprintf("%sには予定が%d件あります。", when, len(a.Busy)), fmt.Sprintf("There %s on %s.", plural(len(a.Busy), "event"), when))
	}
}

func suggested(first, last civil.Date, n int, complete bool, lang string) string {
	when := span(first, last, lang)
	switch {
	case !complete:
		return pick(lang, unreadJA+"空いている時間が分かりません。", unreadEN+"I do not know what is free.")
	case n == 0:
		return pick(lang, when+"に空いている時間は見つかりませんでした。", "I found no free time: "+when+".")
	default:
		return pick(lang, fmt.Sprintf("%sの候補は%d件です。", when, n), fmt.Sprintf("There %s: %s.", plural(n, "suggestion"), when))
	}
}

func created(e calendar.Event, loc *time.Location, lang string) string {
	when := timing(e, loc, lang)
	return pick(lang, fmt.Sprintf("「%s」を%sに登録しました。", e.Title, when), fmt.Sprintf("I added %q: %s.", e.Title, when))
}

func updated(e calendar.Event, loc *time.Location, lang string) string {
	when := timing(e, loc, lang)
	return pick(lang, fmt.Sprintf("予定を変更しました。「%s」%s", e.Title, when), fmt.Sprintf("I changed the event. %q: %s.", e.Title, when))
}

func deleted(e calendar.Event, lang string) string {
	if len(e.Recurrence) > 0 {
		return pick(lang, fmt.Sprintf("繰り返しの予定「%s」をすべて削除しました。", e.Title), fmt.Sprintf("I deleted the whole repeating event %q.", e.Title))
	}
	return pick(lang, fmt.Sprintf("「%s」を削除しました。", e.Title), fmt.Sprintf("I deleted %q.", e.Title))
}
