package nodes

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// calendarDo is what the calendar node is to do. It is a closed set; empty: to say whose calendar it is.
type calendarDo string

const (
	doList     calendarDo = "list"
	doNext     calendarDo = "next" // the next entry from now on
	doFind     calendarDo = "find"
	doFree     calendarDo = "free"      // is that time free?
	doFreeDays calendarDo = "free_days" // which days are free?
	doSuggest  calendarDo = "suggest"   // times for something
	doRecall   calendarDo = "recall"    // a detail of what was told
	doAfter    calendarDo = "after"     // what comes after what was told
	doPick     calendarDo = "pick"      // one of the suggested times
	doWrite    calendarDo = "write"
	doAlready  calendarDo = "already" // a second yes
)

// A calendarWish is what the calendar node is to do.
type calendarWish struct {
	Do    calendarDo `json:"do,omitempty"`
	Range span       `json:"range,omitzero"`
	// Words are what entries are searched for; Upcoming wants the next of them.
	Words    string `json:"words,omitempty"`
	Upcoming bool   `json:"upcoming,omitempty"`
	// Skip is how many of the entries found were told before.
	Skip int `json:"skip,omitempty"`
	// Item is the place, from 1, of the entry or suggestion that is meant among those told before; -1 for one that is not there.
	Item int `json:"item,omitempty"`
	// WorkDays leaves weekends out of free days.
	WorkDays bool `json:"workDays,omitempty"`
	// Amend says that what was written just before shall be otherwise.
	Amend bool `json:"amend,omitempty"`
	// Elsewhere says that it is looked for elsewhere if the calendar does not have it.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Told says that it is one of those told before, whichever.
	Told  bool      `json:"told,omitempty"`
	Field nlu.Field `json:"field,omitempty"`
	// Edit is what a suggested time is for, and People with whom; Hours is the part of the day it shall be in.
	Edit   edit         `json:"edit,omitzero"`
	People []string     `json:"people,omitempty"`
	Hours  agenda.Hours `json:"hours,omitzero"`
}

// decideOwn reads what an owner says. ok is false for what is not about their own calendar.
func (c *Concierge) decideOwn(s State, now time.Time, r route) (route, bool) {
	u := s.Understanding
	if w, why, ok := c.followOwn(s, now); ok {
		r.Node, r.By, r.Inherited, r.Reason, r.Calendar = nodeCalendar, byContext, true, why, w
		return r, true
	}
	switch {
	case c.isOwn(u):
		r.Node, r.Calendar = nodeCalendar, c.calendarWishOf(u, now)
		return r, true
	case c.mayBeOwn(u):
		r.Node, r.Calendar = nodeCalendar, calendarWish{Do: doFind, Words: oneLine(u.Topic, maxWords), Field: u.Reference.Field, Elsewhere: true}
		if title := commandOf(u).Title.Text; title != "" {
			r.Calendar.Words = oneLine(title, maxWords)
		}
		r.Calendar.Range, _ = spanOf(u.Times, now)
		return r, true
	}
	return r, false
}

// mayBeOwn reports whether a question when or where something is, of which nobody knows what it is, may be about an entry of the owner's.
func (c *Concierge) mayBeOwn(u nlu.Understanding) bool {
	asks := u.Reference.Field == nlu.FieldTime || u.Reference.Field == nlu.FieldPlace
	return u.Intent == nlu.Info && asks && u.Confidence <= 0.5 && len(u.Keywords) > 0 && !c.namesVenue(u.Text)
}

// isOwn reports whether an owner's words are about their own calendar.
func (c *Concierge) isOwn(u nlu.Understanding) bool {
	text := strings.ToLower(u.Text)
	switch u.Intent {
	case nlu.Calendar:
		return true
	case nlu.Event:
		if cmd := commandOf(u); cmd.Suggest && cmd.Duration > 0 {
			return !hasAny(text, eventWords...)
		}
		return hasAny(text, planWords...) && !hasAny(text, eventWords...) && !c.namesVenue(u.Text)
	case nlu.Info, nlu.Unclear, nlu.OutOfScope, nlu.DateCalc, nlu.SmallTalk:
	case nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Identity, nlu.CallStaff, nlu.Safety, nlu.Affirm, nlu.Deny:
		return false
	}
	cmd := ordered(u)
	switch cmd.Operation {
	case slots.Update:
		return !isQuestion(text) && (!changeOf(cmd, time.UTC).empty() || !renamed(u.Text).empty() || !resized(u.Text, u.Times).empty())
	case slots.Delete:
		return cmd.Confidence >= sureOfCommand && !isQuestion(text) && hasAny(text, "消", "削除", "やめ", "取り", "キャンセル", "delete", "remove", "cancel")
	case slots.Create:
		return cmd.Confidence >= sureOfCommand && !isQuestion(text) && orders(text) && cmd.Title.Text != "" && len(cmd.Times) > 0
	case slots.Query:
		free := cmd.Free && hasAny(text, "空い", "空き", "暇", "am i free", "free time")
		return free || cmd.Confidence >= sureOfQuery && u.Intent == nlu.Info && len(u.Times) > 0 && len(u.Keywords) == 0 && u.Reference.Field == nlu.FieldNone
	}
	return false
}

// How sure it must be that words which nobody takes for a matter of the calendar are an order to it, or a question.
const (
	sureOfCommand = 0.75
	sureOfQuery   = 0.9
)

// calendarWishOf is what words that stand by themselves ask of the calendar.
func (c *Concierge) calendarWishOf(u nlu.Understanding, now time.Time) calendarWish {
	cmd := ordered(u)
	text := strings.ToLower(u.Text)
	w := calendarWish{Do: doList, Field: u.Reference.Field}
	if s, ok := spanOf(u.Times, now); ok {
		w.Range = s
	}
	if possible(text, w.Range) {
		w.Do, w.Field = doFree, nlu.FieldNone
		return w
	}
	switch cmd.Operation {
	case slots.Create:
		if w, ok := suggestFor(cmd, now); ok {
			return w
		}
		if over := !w.Range.isZero() && !w.Range.End.After(now); over && !orders(text) { // told of, not planned
			break
		}
		if u.Write || !isQuestion(text) {
			return calendarWish{Do: doWrite}
		}
	case slots.Update, slots.Delete:
		if u.Write || !isQuestion(text) {
			return calendarWish{Do: doWrite}
		}
	case slots.Query:
		if tells(u, cmd) {
			return calendarWish{Do: doWrite}
		}
	}
	w.Upcoming = hasAny(text, "次の", "つぎの", "次回", "next meeting", "next appointment", "my next", "the next", "coming up") && (w.Range.isZero() || !timeWord(u.Times, "次", "next"))
	words := oneLine(cmd.Title.Text, maxWords)
	switch {
	case cmd.Suggest && !cmd.Free && !asksForFreeDays(text):
		return suggestWish(cmd, w.Range, now)
	case cmd.Free && cmd.Duration > 0 && !w.Range.Clock:
		return suggestWish(cmd, w.Range, now)
	case cmd.Free || asksForFreeDays(text):
		w.Do, w.Field = doFree, nlu.FieldNone
		if asksForFreeDays(text) || w.Range.isZero() && hasAny(text, "いつ", "when") || !w.Range.isZero() && !w.Range.Clock && w.Range.oneDay().IsZero() {
			w.Do = doFreeDays
			w.WorkDays = hasAny(text, "平日", "weekday", "working day", "work day")
		}
	case words != "" && !isGeneric(words):
		w.Do, w.Words = doFind, words
	case w.Upcoming:
		w.Do = doNext
	}
	return w
}

// possible reports whether it is asked whether something can be at a time of day: 明日10時から会議できる？
func possible(text string, s span) bool {
	return s.Clock && isQuestion(text) && hasAny(text, "できる", "できます", "可能", "入れられ", "行ける", "行けます", "can i ", "could i ", "can we ", "is it possible", "would it be possible")
}

// tells reports whether words that were taken for a question tell of a plan at a time of day: "I have a dentist appointment on the 28th at 9".
func tells(u nlu.Understanding, cmd slots.Command) bool {
	text := strings.ToLower(u.Text)
	if isQuestion(text) || cmd.Free || cmd.Suggest || u.PastAsked || hasAny(text, "見せ", "教え", "確認", "見た", "知り", "一覧", "だっけ", "show", "list", "check", "see ", "find", "look") {
		return false
	}
	if strings.HasPrefix(text, "let's ") && len(cmd.Times) > 0 {
		return true
	}
	if toldTitle(u, cmd) == "" || !slices.ContainsFunc(cmd.Times, func(e datetime.Expression) bool { return e.Kind == datetime.KindTime && saysClock(e.Text) }) {
		return false
	}
	return strings.HasPrefix(text, "i have ") || strings.HasPrefix(text, "i've got ") || strings.HasPrefix(text, "there's ") || cmd.Title.Text == "" ||
		strings.HasSuffix(text, "がある") || strings.HasSuffix(text, "があります") || strings.HasSuffix(text, "です") || strings.HasSuffix(text, "なんだ")
}

// toldTitle is what somebody tells of: what the command has found, or else what stands behind the time.
func toldTitle(u nlu.Understanding, cmd slots.Command) string {
	if cmd.Title.Text != "" || len(cmd.Times) == 0 {
		return newTitle(oneLine(cmd.Title.Text, maxSaid))
	}
	last := cmd.Times[len(cmd.Times)-1]
	rest := strings.Trim(u.Text[min(last.End, len(u.Text)):], " 、。.にのはが")
	if hasAny(rest, planWords...) || isGeneric(rest) || isQuestion(rest) {
		return ""
	}
	return oneLine(rest, maxSaid)
}

func asksForFreeDays(text string) bool {
	return hasAny(text, "空いてる日", "空いている日", "空いた日", "空き日", "暇な日", "予定のない日", "予定がない日", "予定のない日", "free day", "days am i free", "day am i free", "days free", "which days", "what days")
}

// timeWord reports whether one of the expressions has one of the words.
func timeWord(times []datetime.Expression, words ...string) bool {
	return slices.ContainsFunc(times, func(e datetime.Expression) bool { return hasAny(strings.ToLower(e.Text), words...) })
}

// generics are words for entries as such, which no entry is searched by.
var generics = []string{
	"予定", "やっぱり", "やっぱ", "じゃあ", "スケジュール", "アポ", "アポイント", "用事", "カレンダー", "イベント", "やつ", "もの", "これ", "それ", "あれ", "次", "次の予定", "何か", "なにか", "候補", "時間", "空き",
	"appointment", "appointments", "event", "events", "entry", "entries", "schedule", "agenda", "plans", "plan", "thing", "things", "everything", "anything",
	"something", "one", "it", "that", "this", "calendar", "time", "slot", "slots",
}

func isGeneric(words string) bool {
	words = strings.ToLower(strings.Trim(words, " 、。をのは"))
	for _, article := range []string{"the ", "my ", "a ", "an ", "next ", "all "} {
		words = strings.TrimPrefix(words, article)
	}
	return words == "" || slices.Contains(generics, words)
}

// suggestFor takes a wish for something in a week, without a day, for one that asks for a time.
func suggestFor(cmd slots.Command, now time.Time) (calendarWish, bool) {
	said := editOf(cmd, now.Location())
	inDay := !said.edit.Day.IsZero() && !said.edit.Guessed && said.within != (civil.TimeRange{}) && civil.DateOf(said.within.Start) == said.edit.Day
	if said.within == (civil.TimeRange{}) || !said.edit.Day.IsZero() && !inDay || said.edit.Clock != nil || cmd.Frequency.Text != "" || said.edit.AllDay {
		return calendarWish{}, false
	}
	s, ok := spanOf(cmd.Times, now)
	if !ok || s.Past {
		return calendarWish{}, false
	}
	return suggestWish(cmd, s, now), true
}

// suggestWish asks for times for what a command names.
func suggestWish(cmd slots.Command, s span, now time.Time) calendarWish {
	said := editOf(cmd, now.Location())
	w := calendarWish{Do: doSuggest, Range: s, Edit: edit{Title: cleanTitle(said.edit.Title), Place: said.edit.Place, Length: said.edit.Length}, People: peopleOf(cmd)}
	if s.isZero() {
		days := civil.Days(civil.DateOf(now), civil.DateOf(now).AddDays(7), now.Location())
		w.Range = span{Name: datetime.Range, Start: days.Start, End: days.End}
	}
	if w.Edit.Length <= 0 {
		w.Edit.Length = calendar.DefaultLength
	}
	if s.Clock {
		w.Hours = hoursOf(s)
	}
	for _, e := range cmd.Times { // next week, in the afternoon
		if e.Kind == datetime.KindTime && e.NoDay && e.TimeRange.Start.Before(e.TimeRange.End) {
			w.Hours = hoursOf(fromExpression(e, now))
			if days, ok := spanOf(withoutTimes(cmd.Times), now); ok {
				w.Range = days
			}
		}
	}
	return w
}

func withoutTimes(times []datetime.Expression) []datetime.Expression {
	return slices.DeleteFunc(slices.Clone(times), func(e datetime.Expression) bool { return e.Kind == datetime.KindTime })
}

// hoursOf is the part of the day that a span is.
func hoursOf(s span) agenda.Hours {
	h := agenda.Hours{From: agenda.Clock{Hour: s.Start.Hour(), Minute: s.Start.Minute()}, To: agenda.Clock{Hour: s.End.Hour(), Minute: s.End.Minute()}}
	if civil.DateOf(s.End) != civil.DateOf(s.Start) {
		h.To = agenda.Clock{Hour: 24}
	}
	if morning := agenda.WorkingHours.From; h.From.Hour < 6 && h.To.Hour > morning.Hour { // the morning begins at midnight, but nobody meets then
		h.From = morning
	}
	return h
}

var titleTail = regexp.MustCompile(`(?:の)?(?:候補日?時?|時間|日程|日時|空き時間|空き|スケジュール)(?:を(?:出|挙|提案).*)?$|を(?:出|挙|提案)$|^(?:suggest|find|propose) `)

// cleanTitle cuts words off a title that only ask for a time for it.
func cleanTitle(title string) string {
	title = strings.TrimSpace(titleTail.ReplaceAllString(title, ""))
	if isGeneric(title) {
		return ""
	}
	return title
}

func peopleOf(cmd slots.Command) []string {
	var out []string
	for _, p := range cmd.People {
		out = append(out, oneLine(p.Text, maxWords))
	}
	return out
}
