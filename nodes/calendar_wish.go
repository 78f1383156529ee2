package nodes

import (
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/date"
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
	// Weekdays are the days of the week that are meant within the range, 0 for any; Part is the part of each day.
	Weekdays date.Weekdays `json:"weekdays,omitempty"`
	Part     hoursOfDay    `json:"part,omitzero"`
	// Amend says that what was written just before shall be otherwise.
	Amend bool `json:"amend,omitempty"`
	// Elsewhere says that it is looked for elsewhere if the calendar does not have it.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Told says that it is one of those told before, whichever.
	Told  bool      `json:"told,omitempty"`
	Field nlu.Field `json:"field,omitempty"`
	// Note asks for what is written beside the entry.
	Note bool `json:"note,omitempty"`
	// Edit is what a suggested time is for, and People with whom.
	Edit   edit     `json:"edit,omitzero"`
	People []string `json:"people,omitempty"`
}

// at takes over when it is, if any time is named.
func (w *calendarWish) at(times []datetime.Expression, now time.Time) bool {
	when := datetime.Combine(times, now)
	s, ok := spanOfDays(when.Days, now)
	if !ok && len(when.Weekdays) == 0 {
		return false
	}
	if !ok { // 毎週火曜: those of the next weeks
		days := civil.Days(civil.DateOf(now), civil.DateOf(now).AddDays(monthly), now.Location())
		s = span{Name: datetime.Range, Start: days.Start, End: days.End, Explicit: true}
	}
	w.Range, w.Weekdays, w.Part = s, date.Of(when.Weekdays), hoursIn(when)
	return true
}

// someOf reports whether the wish is for some of the days of its range, or for a part of each.
func (w calendarWish) someOf() bool { return w.Weekdays != 0 || w.Part != hoursOfDay{} }

// meets reports whether a time is in the part of the days that is wished for.
func (w calendarWish) meets(when civil.TimeRange) bool {
	if !w.someOf() {
		return true
	}
	loc := when.Start.Location()
	from, until := w.Part.From, w.Part.Until
	if until == 0 {
		until = midnight
	}
	last := civil.DateOf(when.End)
	for day := civil.DateOf(when.Start); !day.After(last); day = day.AddDays(1) {
		hours := civil.TimeRange{Start: from.on(day, loc), End: until.on(day, loc)}
		if (w.Weekdays == 0 || w.Weekdays.Has(day.Weekday())) && when.Overlaps(hours) {
			return true
		}
	}
	return false
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
		if cmd := commandOf(u); cmd.Title.Text != "" {
			r.Calendar.Words, r.Calendar.Note = oneLine(cmd.Title.Text, maxWords), cmd.NoteAsked
		}
		r.Calendar.at(u.Times, now)
		return r, true
	}
	return r, false
}

// mayBeOwn reports whether a question when or where something is, of which nobody knows what it is, may be about an entry of the owner's.
func (c *Concierge) mayBeOwn(u nlu.Understanding) bool {
	asks := u.Reference.Field == nlu.FieldTime || u.Reference.Field == nlu.FieldPlace
	if cmd := commandOf(u); cmd.NoteAsked && cmd.Title.Text != "" && !c.namesVenue(u.Text) {
		return true
	}
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
		return !isQuestion(text) && (!changeOf(cmd, time.Time{}).empty() || !renamed(u.Text).empty() || !resized(u.Text, u.Times).empty())
	case slots.Delete:
		return cmd.Confidence >= sureOfCommand && !isQuestion(text) && hasAny(text, "消", "削除", "やめ", "取り", "キャンセル", "delete", "remove", "cancel")
	case slots.Create:
		return cmd.Confidence >= sureOfCommand && !isQuestion(text) && orders(text) && cmd.Title.Text != "" && len(cmd.Times) > 0
	case slots.Query:
		return asksOwn(u, cmd, text)
	}
	return false
}

// asksOwn reports whether a question that nobody takes for one to the calendar is one: for free time, for times that suit, or for a day.
func asksOwn(u nlu.Understanding, cmd slots.Command, text string) bool {
	if cmd.Free && hasAny(text, "空い", "空き", "暇", "am i free", "free time") {
		return true
	}
	if cmd.Confidence < sureOfQuery || len(u.Times) == 0 {
		return false
	}
	return cmd.Suggest || u.Intent == nlu.Info && len(u.Keywords) == 0 && u.Reference.Field == nlu.FieldNone
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
	w := calendarWish{Do: doList, Field: u.Reference.Field, Note: cmd.NoteAsked}
	w.at(u.Times, now)
	if !cmd.Suggest && possible(text, w) {
		w.Do, w.Field = w.free(), nlu.FieldNone
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
		return suggestWish(cmd, w, now)
	case (cmd.Free || words == "") && cmd.Duration > 0 && !w.Range.Clock:
		return suggestWish(cmd, w, now)
	case cmd.Free || asksForFreeDays(text):
		w.Do, w.Field = w.free(), nlu.FieldNone
		if asksForFreeDays(text) || w.Range.isZero() && hasAny(text, "いつ", "when") {
			w.Do = doFreeDays
		}
		if w.Do == doFreeDays && hasAny(text, "平日", "weekday", "working day", "work day") {
			w.Weekdays = date.WorkingDays
		}
	case words != "" && !isGeneric(words):
		w.Do, w.Words = doFind, words
	case w.Upcoming:
		w.Do = doNext
	}
	return w
}

// free asks whether the time is free, or which days are where there are several.
func (w calendarWish) free() calendarDo {
	if !w.Range.isZero() && !w.Range.Clock && w.Range.oneDay().IsZero() {
		return doFreeDays
	}
	return doFree
}

// possible reports whether it is asked whether something can be at a time of day: 明日10時から会議できる？
func possible(text string, w calendarWish) bool {
	return (w.Range.Clock || w.Part != hoursOfDay{}) && isQuestion(text) &&
		hasAny(text, "できる", "できます", "可能", "入れられ", "行ける", "行けます", "can i ", "could i ", "can we ", "is it possible", "would it be possible")
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
	if toldTitle(u, cmd) == "" || !slices.ContainsFunc(cmd.Times, func(e datetime.Expression) bool { return e.Kind == datetime.KindTime && e.Hours == datetime.Hours{} }) {
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
	said := editOf(cmd, now)
	inDay := !said.edit.Day.IsZero() && !said.edit.Guessed && said.within != (civil.TimeRange{}) && civil.DateOf(said.within.Start) == said.edit.Day
	if said.within == (civil.TimeRange{}) || !said.edit.Day.IsZero() && !inDay || said.edit.Clock != nil || cmd.Frequency.Text != "" || said.edit.AllDay {
		return calendarWish{}, false
	}
	var w calendarWish
	if !w.at(cmd.Times, now) || w.Range.Past {
		return calendarWish{}, false
	}
	return suggestWish(cmd, w, now), true
}

// suggestWish asks for times for what a command names, at a time that is wished for.
func suggestWish(cmd slots.Command, at calendarWish, now time.Time) calendarWish {
	said := editOf(cmd, now)
	w := calendarWish{
		Do: doSuggest, Range: at.Range, Weekdays: at.Weekdays, Part: at.Part,
		Edit: edit{Title: newTitle(said.edit.Title), Place: said.edit.Place, Length: said.edit.Length}, People: peopleOf(cmd),
	}
	if w.Range.isZero() {
		days := civil.Days(civil.DateOf(now), civil.DateOf(now).AddDays(7), now.Location())
		w.Range = span{Name: datetime.Range, Start: days.Start, End: days.End}
	}
	if w.Edit.Length <= 0 {
		w.Edit.Length = calendar.DefaultLength
	}
	return w
}

// hours are the part of the day as the agenda takes it.
func (h hoursOfDay) hours() agenda.Hours {
	if h == (hoursOfDay{}) {
		return agenda.WholeDay
	}
	clock := func(m minutes) agenda.Clock { return agenda.Clock{Hour: int(m) / 60, Minute: int(m) % 60} }
	return agenda.Hours{From: clock(h.From), To: clock(h.Until)}
}

// meetingHours are the hours of each day in which a time is looked for; zero for those that are usual.
func (w calendarWish) meetingHours() agenda.Hours {
	h := w.Part
	if s := w.Range; h == (hoursOfDay{}) && s.Clock {
		if h = (hoursOfDay{From: *minutesOf(s.Start), Until: *minutesOf(s.End)}); civil.DateOf(s.End) != civil.DateOf(s.Start) {
			h.Until = midnight
		}
	}
	if h == (hoursOfDay{}) {
		return agenda.Hours{}
	}
	hours := h.hours()
	if morning := agenda.WorkingHours.From; hours.From.Hour < 6 && hours.To.Hour > morning.Hour { // the morning begins at midnight, but nobody meets then
		hours.From = morning
	}
	return hours
}

func peopleOf(cmd slots.Command) []string {
	var out []string
	for _, p := range cmd.People {
		out = append(out, oneLine(p.Text, maxWords))
	}
	return out
}
