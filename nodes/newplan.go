package nodes

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/graph"
	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/prompts"
	"annai/tools/calendar/agenda"
)

// newPlan is the plan of a new entry. ok is false where it is said how often in words that nobody understands.
func (d diary) newPlan(cmd slots.Command, u nlu.Understanding, key string) (p plan, out draft, ok bool) {
	said := editOf(cmd, d.now)
	text := strings.ToLower(u.Text)
	p = plan{
		Do: planAdd, Key: key, Edit: said.edit, People: peopleOf(cmd), Offered: !orders(text), Remind: cmd.Remind, Lead: cmd.Lead,
	}
	p.Edit.Title = capital(newTitle(said.edit.Title), d.lang)
	if day := d.dayBefore(); p.Edit.Guessed && !day.IsZero() {
		p.Edit.Day, p.Edit.Guessed = day, false
	}
	if p.Edit.Title == "" && cmd.Operation == slots.Query {
		p.Edit.Title = toldTitle(u, cmd)
	}
	if allDay(text) {
		p.Edit = p.Edit.then(edit{AllDay: true, LastDay: p.Edit.LastDay})
	}
	if len(said.days) > 1 && !p.Edit.AllDay {
		p.Days = said.days
	}
	if cmd.Frequency.Text == "" {
		p.Others = d.otherDays(cmd.Times, p.Edit.Day)
		return p, draft{}, true
	}
	if p, ok = d.recurring(p, said, cmd, text); !ok {
		return plan{}, draft{Text: d.say(prompts.CalendarRule{}), Facts: facts{Asking: true}}, false
	}
	return p, draft{}, true
}

// otherDays are the days behind the one that was taken which the words may mean as well.
func (d diary) otherDays(times []datetime.Expression, taken civil.Date) []civil.Date {
	when := datetime.Combine(times, d.now)
	s, ok := spanOfDays(when.Days, d.now)
	if !ok || len(when.Weekdays) != 1 || taken.IsZero() {
		return nil
	}
	var others []civil.Date
	for day := taken.AddDays(7); !day.After(s.lastDate()) && len(others) < maxItems; day = day.AddDays(7) {
		others = append(others, day)
	}
	return others
}

// recurring is the plan of an entry that recurs. ok is false for what has no rule that is understood.
func (d diary) recurring(p plan, said timesSaid, cmd slots.Command, text string) (next plan, ok bool) {
	frequency := cmd.Frequency.Text
	for i, e := range cmd.Times { // 平日は毎朝9時に
		if hasAny(strings.ToLower(e.Text), "平日", "weekday") {
			frequency = e.Text + " " + frequency
			said = editOf(slots.Command{Times: slices.Delete(slices.Clone(cmd.Times), i, i+1), Duration: cmd.Duration}, d.now)
			p.Edit.AllDay, p.Edit.LastDay = false, civil.Date{}
			break
		}
	}
	r, clock, ok := repeatOf(frequency, text, said, d.now)
	if !ok {
		return plan{}, false
	}
	if r.Until.IsZero() && r.Count == 0 && !hasAny(strings.ToLower(frequency), "平日", "weekday") { // 3月の毎週水曜: the month stands in the words for how often
		month, _, _ := strings.Cut(cmd.Frequency.Text, "毎")
		inside := readTimes(datetime.Parse(month, d.now), d.now)
		if !inside.until.IsZero() {
			r.Until, r.From = inside.until, laterDay(inside.from, civil.DateOf(d.now))
			clock.Day = r.From
		}
	}
	if said.edit.AllDay && !said.from.IsZero() { // from one day to another, and not one entry of that length
		p.Edit.AllDay, p.Edit.LastDay = false, civil.Date{}
	}
	p.Repeat, p.Days = r, nil
	if exceptions.MatchString(text) {
		p.Except, p.Edit.Title = true, strings.TrimSpace(exceptWords.ReplaceAllString(p.Edit.Title, ""))
	}
	if r.Count > 0 {
		p.Edit.Title = strings.TrimSpace(countWords.ReplaceAllString(p.Edit.Title, ""))
	}
	if clock.Clock != nil || p.Edit.Clock == nil {
		p.Edit.Clock, p.Edit.Afternoon = clock.Clock, clock.Afternoon
	}
	if clock.Length != 0 && p.Edit.Length == 0 {
		p.Edit.Length = clock.Length
	}
	p.Edit.Day, p.Edit.Guessed, p.Edit.Weekday = clock.Day, false, false
	return p, true
}

// dayBefore is the one day that the owner looked at just before, from tomorrow on: what is added then without a day is for it.
func (d diary) dayBefore() civil.Date {
	look := d.before.Look
	if d.before.Node != nodeCalendar || look.Do != doFree && look.Do != doList || d.before.Range.isZero() {
		return civil.Date{}
	}
	s := d.before.Range.in(d.now.Location())
	if day := civil.DateOf(s.Start); day == s.lastDate() && day.After(civil.DateOf(d.now)) {
		return day
	}
	return civil.Date{}
}

var (
	exceptions  = regexp.MustCompile(`除い|除く|以外|except|excluding|but not|ただし`)
	exceptWords = regexp.MustCompile(`(?i)を入れて.*$|を登録.*$|[、,].*$|(?:except|excluding|but not).*$`)
)

var countWords = regexp.MustCompile(`を? ?\d+ ?回(?:分)?| ?\d+ times| ?for \d+ (?:weeks|days|months)`)

// allDay reports whether it is said that something takes the whole day.
func allDay(text string) bool {
	return hasAny(text, "終日", "一日中", "1日中", "all day", "all-day", "whole day")
}

func laterDay(a, b civil.Date) civil.Date {
	if a.After(b) {
		return a
	}
	return b
}

// orderWords are what one says who wants something written, and does not only tell of it.
var orderWords = []string{
	"入れ", "いれて", "登録", "追加", "作成", "作って", "予約", "書い", "ブロック", "押さえ", "おさえ", "スケジュールし", "リマインド", "セット", "設定", "メモし", "カレンダー", "お願い", "ください", "決め", "組ん",
	"add", "schedule", "create", "book", "put ", "set ", "set up", "make", "plan ", "remind", "insert", "enter", "block", "reserve", "save", "note ", "please", "calendar",
}

func orders(text string) bool {
	return hasAny(text, orderWords...)
}

// newTitle is the title of a new entry: nothing where only an entry as such is named.
func newTitle(title string) string {
	if isGeneric(title) {
		return ""
	}
	return title
}

// capital begins an English title with a capital letter, as one would write it.
func capital(title string, lang nlu.Language) string {
	if lang != nlu.English || title == "" || title[0] < 'a' || title[0] > 'z' {
		return title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// picked makes a plan of one of the times that were suggested.
func (c *Concierge) picked(ctx context.Context, d diary, s State) (graph.Command[State], error) {
	list := d.before.Slots
	if d.wish.Item < 1 || d.wish.Item > len(list) {
		out := draft{Text: d.say(prompts.CalendarNoItem{Count: len(list)}), Facts: facts{Calendar: statusOK, Asking: true}}
		return answered(out, d.before), nil
	}
	look := d.before.Look
	start := list[d.wish.Item-1].Start.In(d.now.Location())
	e := look.Edit
	e.Day, e.Clock = civil.DateOf(start), minutesOf(start)
	e.Length = list[d.wish.Item-1].End.Sub(list[d.wish.Item-1].Start)
	said := editOf(commandOf(s.Understanding), d.now).edit
	// "The second one works" names nothing.
	names := s.Understanding.Write || e.Title == "" && len(s.Understanding.Keywords) > 0
	if title := newTitle(said.Title); title != "" && names {
		e.Title = title
	}
	e.Place, e.Note = cmp.Or(said.Place, e.Place), cmp.Or(said.Note, e.Note)
	e.Title = capital(e.Title, d.lang)
	key := agenda.KeyFor("draft", s.Turn.SessionID, s.Turn.RunID, s.Turn.At.UTC().Format(time.RFC3339Nano))
	return c.reviewed(ctx, d, plan{Do: planAdd, Key: key, Edit: e, People: look.People})
}
