package nodes

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
)

// followUp reads an utterance that leaves out what the talk is about; us says that it names the
// venue. ok is false for one that stands by itself.
func followUp(s State, now time.Time, r route, us bool) (route, bool) {
	u, t := s.Understanding, s.Topic
	if t.Node == "" || u.Owner || u.Write && (s.Turn.Owner || len(u.Keywords) > 0) {
		return r, false
	}
	r.By, r.Inherited = byContext, true
	if u.Write { // 予約して: a visitor is told how
		return bookThat(r, u, t)
	}
	var ok bool
	switch t.Node {
	case nodeEvent:
		ok = followEvent(&r, u, t, now)
	case nodeDate:
		ok = leavesOut(u) && len(u.Times) > 0 && u.Topic == ""
		if ok {
			r.Node, r.Date = nodeDate, dateWishOf(u, now, t.Date)
		}
	case nodeInfo:
		r.Node = nodeInfo
		r.Info, r.Reason, ok = newAfterInfo(u, t, now, us).wish()
	case nodeCalendar:
		ok = t.Look.Do == "" && leavesOut(u) && len(u.Times) > 0 && u.Topic == "" // what an owner was told is followed elsewhere
		r.Node = nodeCalendar
	}
	return r, ok
}

// asksToBook reports whether something is to be booked, and not only written down.
func asksToBook(text string) bool {
	return hasAny(strings.ToLower(text), "予約", "申し込", "申込", "押さえ", "book", "reserve", "sign up")
}

// wantsToMeet reports whether somebody looks for a place to meet, and not for an entry at a time:
// 5人で打ち合わせしたい
func wantsToMeet(u nlu.Understanding) bool {
	return len(u.Times) == 0 && wishToMeet.MatchString(strings.ToLower(u.Text))
}

var wishToMeet = regexp.MustCompile(`(?:会議|打ち?合わ?せ|ミーティング)(?:を|が)?(?:し|やり|開き|でき)(?:たい|る)|\b(?:want|like|need) to (?:meet|(?:have|hold) (?:a |our )?meeting)`)

// bookThat tells how to sign up for what was spoken of.
func bookThat(r route, u nlu.Understanding, t topic) (route, bool) {
	if !asksToBook(u.Text) {
		return r, false
	}
	r.Reason = "to book what was spoken of"
	switch {
	case t.Node == nodeEvent && len(t.Items) > 0:
		r.Node, r.Event = nodeEvent, eventWish{Recall: true, Item: t.Focus, Field: nlu.FieldSignUp, Range: t.Range}
	case t.Node == nodeInfo && t.Question != "":
		r.Node, r.Info = nodeInfo, infoWish{Text: text.OneLine(t.Question+" "+u.Text, maxQuestion), Question: t.Question, Avoid: t.Passages, Field: nlu.FieldSignUp}
	default:
		return r, false
	}
	return r, true
}

// leavesOut reports whether the utterance does not say what it is about. A correction (いや、明日の) does
// not either.
func leavesOut(u nlu.Understanding) bool { return u.LeavesOut() }

// followEvent reads what hangs on a list of events: an item of it, a detail, the rest, or the same
// question for another time.
func followEvent(r *route, u nlu.Understanding, t topic, now time.Time) bool {
	r.Node = nodeEvent
	ref := u.Reference
	span, timed := display.SpanOf(u.Times, now)
	if beside, ok := besideSpan(t.Range, strings.ToLower(u.Text)); ok {
		r.Reason = "the time beside"
		r.Event = again(t, beside)
		return true
	}
	if w, reason, ok := t.narrowed(u, r.Title, now); ok {
		r.Reason, r.Event = reason, w
		return true
	}
	if tr, said, asked := t.thoseThat(u); asked && said == 0 {
		r.Node, r.Reason, r.Inherited = nodeInfo, "asks what holds for all events", false
		r.Info = infoWish{Text: tr.general.In(string(u.Language)), Aside: true}
		return true
	} else if asked {
		r.Reason, r.Event = "those that say so", t.with(tr, u.Language)
		return true
	}
	switch {
	case ref.More && !timed && ownKind(u, nlu.Event):
		r.Reason = "more"
		r.Event = more(t)
		return true
	case len(t.Items) == 1 && t.Offset+1 < t.Total && theOneAfter.MatchString(strings.TrimSpace(u.Text)):
		r.Reason = "the one after"
		r.Event = more(t)
		return true
	case t.Wish.Weekdays != 0 && len(u.Times) == 1 && leavesOut(u) && onlyWeekday.MatchString(u.Times[0].Text):
		r.Reason = "other day of the week"
		r.Event = more(t)
		r.Event.Skip, r.Event.Weekdays = 0, weekdaysIn(strings.ToLower(u.Times[0].Text))
		return true
	case timed && leavesOut(u) && ref.Ordinal == 0:
		r.Reason = "other time"
		r.Event = again(t, weekdayBeside(t.Range.In(now.Location()), u.Times, span, now))
		r.Event.PastAsked = u.PastAsked
		return true
	case timed && ref.Ordinal != 0 && t.Range.Covers(span) && t.Wish.Edge == 0 && t.Total == len(t.Items) && t.within(span, ref.Ordinal) > 0:
		r.Reason = "item of that time"
		r.Event = eventWish{Recall: true, Item: t.within(span, ref.Ordinal), Field: detailOf(u), Range: t.Range}
		return true
	case timed || len(t.Items) == 0 || asksForNext(u):
		return false
	}
	item, meant := t.item(u)
	if !meant && u.StillOn && len(u.Keywords) == 0 {
		item, meant = t.Focus, true
	}
	if !meant {
		return false
	}
	r.Reason = "item"
	r.Event = eventWish{Recall: true, Item: item, Field: detailOf(u), StillOn: u.StillOn, Range: t.Range}
	return true
}

// again is the event question of the topic, for a range.
func again(t topic, s display.Span) eventWish {
	w := t.Wish
	w.Range, w.Next, w.Regular, w.Weekdays, w.Hours, w.Without, w.Edge = s, false, 0, 0, display.Hours{}, "", 0
	return w
}

// more is the event question of the topic, for what was left out.
func more(t topic) eventWish {
	w := t.Wish
	w.Range, w.Skip = t.Range, t.Offset+len(t.Items)
	return w
}

// theOneAfter are words for the next time of the event spoken of.
var theOneAfter = regexp.MustCompile(`(?i)^(?:じゃあ|では)?(?:その次|次の回|その次の回)(?:は|って|はいつ)?(?:いつ)?(?:ですか)?[?？。]*$|^(?:and |what about |how about |when is )?(?:the )?(?:one after(?: that)?|next one|following one|next time)[?.]*$`)

// wanted is the wish as it can be asked again: what is to be found, without what is to be told of it.
func (w eventWish) wanted() eventWish {
	return eventWish{
		Title: w.Title, Words: w.Words, Keywords: w.Keywords, Ahead: w.Ahead, Next: w.Next, Regular: w.Regular, Weekdays: w.Weekdays, PastAsked: w.PastAsked,
		Hours: w.Hours, Edge: w.Edge, Without: w.Without,
	}
}

// ownKind reports whether the utterance may be read as one of that intent: it says nothing else.
func ownKind(u nlu.Understanding, intent nlu.Intent) bool {
	return u.Intent == intent || u.Intent == nlu.Unclear || u.Intent == nlu.Affirm || u.Reference.Elliptic
}

// item says which of the events told is meant: its place, 0 for all of them, -1 for one that is not
// there.
func (t topic) item(u nlu.Understanding) (item int, meant bool) {
	ref := u.Reference
	switch {
	case ref.Ordinal > len(t.Items), ref.Ordinal < -len(t.Items):
		return -1, true
	case ref.Ordinal > 0:
		return ref.Ordinal, true
	case ref.Ordinal < 0:
		return len(t.Items) + 1 + ref.Ordinal, true
	case len(t.Items) > 1 && len(u.Times) == 0 && soonest.MatchString(strings.ToLower(u.Text)):
		return 1, true
	case ref.Other && len(t.Items) > 1:
		return t.Focus%len(t.Items) + 1, true
	}
	if named := t.named(u.Keywords); named > 0 && (ref.Field != nlu.FieldNone || ref.That || hasAny(strings.ToLower(u.Text), "について", "のこと", "about")) {
		return named, true
	}
	if len(u.Keywords) == 0 && (ref.That || ref.Field != nlu.FieldNone) || len(u.Keywords) > 0 && onlyDetail(u.Keywords) {
		return t.Focus, true
	}
	if t.Focus > 0 && t.Focus <= len(t.Items) && (u.Intent == nlu.Info || u.Intent == nlu.Unclear || u.Intent == nlu.OutOfScope) &&
		(describes(t.Items[t.Focus-1], u.Keywords) || hasAny(strings.ToLower(u.Text), ofEvents...)) {
		return t.Focus, true
	}
	return 0, false
}

// soonest asks for the first of the events told.
var soonest = regexp.MustCompile(`(?:一番|いちばん|最も|もっとも)(?:日(?:にち)?[がの])?(?:近い|早い|はやい)(?:の|もの|イベント|回|やつ|日)?(?:は|って|が)?(?:いつ|どれ|何|なに)?(?:です|になり)?か?[?？。]*$|^直近(?:の(?:もの|イベント)?)?は|\b(?:which|what)(?: one| event)?(?: is|'s)(?: the)? (?:closest|soonest|earliest|nearest)(?: one)?[?.]*$|^the (?:closest|soonest|earliest|nearest)(?: one)?[?.]*$`)

// ofEvents are words for what is asked of an event rather than of the place. The calendar says it
// in its description, if it does.
var ofEvents = []string{
	"持ち物", "持っていく", "服装", "遅れ", "遅刻", "途中", "定員", "何人", "何名", "対象", "参加条件", "録画", "配信", "オンライン参加", "誰でも", "だれでも",
	"英語", "日本語", "何語", "in english", "in japanese", "what language", "which language",
	"講師", "先生", "登壇", "主催", "誰が", "だれが", "どなたが", "レベル", "難し", "むずかし",
	"who teaches", "who is teaching", "who's teaching", "who runs", "who is speaking", "who's speaking", "who speaks", "who hosts", "teacher", "instructor", "speaker", "organizer", "organiser",
	"how difficult", "how hard", "to bring", "to wear", "dress code", "late", "leave early", "recorded", "streamed", "who can", "who is it for", "how many people",
}

// describes reports whether the description of an event has one of the words.
func describes(e display.Entry, keywords []string) bool {
	return slices.ContainsFunc(keywords, func(word string) bool { return !lone(word) && text.ContainsWord(e.Description, word) })
}

// within is the place of the nth event told, from 1, or from the end, that is in a span; 0 if there
// is none.
func (t topic) within(s display.Span, n int) int {
	var in []int
	for i, e := range t.Items {
		if e.Span(s.Start.Location()).Overlaps(s.TimeRange()) {
			in = append(in, i+1)
		}
	}
	if n < 0 {
		n += len(in) + 1
	}
	if n < 1 || n > len(in) {
		return 0
	}
	return in[n-1]
}

// detailWords are words for details of an event, by what is asked with them; needed things are said
// beside them.
var detailWords = map[string]nlu.Field{
	"料金": nlu.FieldPrice, "値段": nlu.FieldPrice, "価格": nlu.FieldPrice, "費用": nlu.FieldPrice, "参加費": nlu.FieldPrice, "price": nlu.FieldPrice, "cost": nlu.FieldPrice, "fee": nlu.FieldPrice,
	"無料": nlu.FieldPrice, "有料": nlu.FieldPrice, "free": nlu.FieldPrice, "paid": nlu.FieldPrice,
	"予約": nlu.FieldSignUp, "登録": nlu.FieldSignUp, "予約不要": nlu.FieldSignUp, "申し込み不要": nlu.FieldSignUp, "不要": nlu.FieldNone, "申し込み": nlu.FieldSignUp, "申込": nlu.FieldSignUp, "申込み": nlu.FieldSignUp,
	"book": nlu.FieldSignUp, "booking": nlu.FieldSignUp, "reservation": nlu.FieldSignUp, "registration": nlu.FieldSignUp, "register": nlu.FieldSignUp, "reserve": nlu.FieldSignUp,
	"必要": nlu.FieldNone, "いる": nlu.FieldNone, "いります": nlu.FieldNone, "required": nlu.FieldNone, "needed": nlu.FieldNone, "necessary": nlu.FieldNone,
	"need": nlu.FieldNone, "do": nlu.FieldNone, "beforehand": nlu.FieldNone, "i": nlu.FieldNone, "have": nlu.FieldNone, "advance": nlu.FieldNone,
}

// onlyDetail reports whether the words ask for a detail of what was spoken of, and name nothing.
func onlyDetail(keywords []string) bool {
	return !slices.ContainsFunc(keywords, func(word string) bool { _, ok := detailWords[strings.ToLower(word)]; return !ok })
}

// leavesOutSubject reports whether a question names nothing that it is about: a detail, or what
// money it takes.
func leavesOutSubject(keywords []string) bool {
	return onlyDetail(slices.DeleteFunc(slices.Clone(keywords), func(word string) bool { return word == "お金" || word == "money" }))
}

// detailOf is the detail that is asked for.
func detailOf(u nlu.Understanding) nlu.Field {
	if u.Reference.Field == nlu.FieldPlace && whereOne.MatchString(strings.ToLower(u.Text)) { // events where I can meet people
		return nlu.FieldNone
	}
	for _, word := range u.Keywords {
		if f := detailWords[strings.ToLower(word)]; f != nlu.FieldNone && u.Reference.Field == nlu.FieldNone {
			return f
		}
	}
	return u.Reference.Field
}

// whereOne finds a where that tells what sort of thing is meant, and asks for no place.
var whereOne = regexp.MustCompile(`\b(?:events?|meetups?|workshops?|anything|something|class|classes|session|sessions) where (?:i|we|you|one|people|kids|children)\b`)

// named returns the place of the only event told whose title has all these words, or 0.
func (t topic) named(keywords []string) int {
	if len(keywords) == 0 {
		return 0
	}
	found := 0
	for i, e := range t.Items {
		if !fits(e, keywords) {
			continue
		}
		if found > 0 {
			return 0
		}
		found = i + 1
	}
	return found
}

// sure is the confidence from which an utterance stands by itself.
const sure = 0.7

// maxQuestion is how many runes of a question are remembered.
const maxQuestion = 200
