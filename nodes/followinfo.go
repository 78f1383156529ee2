package nodes

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
)

// An afterInfo is an utterance right after an answer about the venue.
type afterInfo struct {
	u     nlu.Understanding
	t     topic
	now   time.Time
	text  string // in lower case
	span  display.Span
	timed bool
	us    bool // it names the venue
}

func newAfterInfo(u nlu.Understanding, t topic, now time.Time, us bool) afterInfo {
	a := afterInfo{u: u, t: t, now: now, text: strings.ToLower(u.Text), us: us}
	a.span, a.timed = display.SpanOf(u.Times, now)
	return a
}

// wish is what the utterance asks, if it leaves out what was spoken of, and why it is read so.
func (a afterInfo) wish() (w infoWish, reason string, ok bool) {
	if a.t.Hours != "" {
		w, reason, ok = a.otherHours()
	} else if a.t.Question != "" {
		w, reason, ok = a.otherTime()
	}
	if !ok && a.t.Question != "" {
		w, reason, ok = a.more()
	}
	return w, reason, ok
}

// both is a lookup of the question before and the utterance together.
func (a afterInfo) both() infoWish {
	return infoWish{Text: text.OneLine(a.t.Question+" "+a.u.Text, maxQuestion), Question: a.t.Question, Said: a.u.Text}
}

// otherHours reads a question for the hours of another time, after one for hours.
func (a afterInfo) otherHours() (w infoWish, reason string, ok bool) {
	u, t := a.u, a.t
	if beside, ok := besideSpan(t.Range.In(a.now.Location()), a.text); ok {
		return infoWish{Hours: hoursDay, Range: beside, Text: u.Text}, "the time beside", true
	}
	switch {
	case a.timed && leavesOut(u) && u.Topic == "":
		w = infoWish{Hours: hoursDay, Range: a.span, Text: u.Text}
		if t.Hours == hoursClosed && a.span.OneDay().IsZero() {
			w.Hours = hoursClosed
		}
		return w, "hours at another time", true
	case leavesOut(u) && u.Topic == "" && weekdaysIn(a.text) != 0:
		return infoWish{Hours: hoursWeekly, Text: u.Text}, "hours on a weekday", true
	case !a.timed && hasAny(a.text, "祝日", "祭日", "holiday") && len(strings.Fields(u.Topic)) < 2 && u.Intent != nlu.Event &&
		!hasAny(a.text, "いつ", "何日", "何曜", "次の", "when", "next", "which"):
		return infoWish{Text: text.OneLine(u.Text+" "+t.Question, maxQuestion), Question: t.Question}, "hours on holidays", true
	case !a.timed && u.Reference.Field == nlu.FieldTime && len(u.Keywords) == 0 && u.Intent != nlu.Event:
		return infoWish{Hours: hoursWeekly, Text: u.Text}, "hours", true
	}
	return w, "", false
}

// otherTime reads a question for what was spoken of at another time, or for the hours of it.
func (a afterInfo) otherTime() (w infoWish, reason string, ok bool) {
	u, t := a.u, a.t
	switch {
	case a.timed && a.span.Clock && onlyAmount(u.Keywords) &&
		(u.Reference.That || u.Reference.Field == nlu.FieldPrice || leavesOut(u) && asksPrice.MatchString(strings.ToLower(t.Question))):
		w = a.both()
		w.Range, w.Only = a.span, t.Passages
		return w, "that, at those hours", true
	case a.timed && leavesOut(u) && u.Topic == "" && !t.Range.IsZero():
		return infoWish{Text: t.Question, Question: t.Question, Range: a.span}, "other time", true
	}
	return w, "", false
}

// more reads a question for more of what was spoken of, for a detail of it, or for another thing in
// its place.
func (a afterInfo) more() (w infoWish, reason string, ok bool) {
	u, t, ref := a.u, a.t, a.u.Reference
	length := utf8.RuneCountInString(u.Text)
	switch {
	case ref.More && ownKind(u, nlu.Info):
		return infoWish{Text: t.Question, Skip: t.Passages}, "more", true
	case !a.timed && onlyAmount(u.Keywords) && hasAny(a.text, amounts...) && length <= maxAmount && u.Intent != nlu.Event:
		w = a.both()
		w.Only = t.Passages
		return w, "how many of it", true
	case !a.timed && len(u.Times) > 0 && leavesOut(u) && asksPrice.MatchString(strings.ToLower(t.Question)): // 3時間だと？
		w = a.both()
		w.Only = t.Passages
		return w, "for so long", true
	case !a.timed && onlyDetail(u.Keywords) && (ref.That || ref.Field != nlu.FieldNone && (u.Confidence < sure || length <= maxBare)) && ref.Ordinal == 0:
		w = a.both()
		w.Earlier, w.Field = t.Earlier, ref.Field
		if !t.Partly && ref.Field != nlu.FieldNone {
			w.Avoid = t.Passages
		}
		return w, "detail", true
	case !a.timed && len(u.Keywords) == 0 && u.Intent == nlu.Info && ref == (nlu.Reference{}) && u.Confidence < sureAlone && length <= maxBare:
		return a.both(), "says nothing but how", true
	case u.Intent == nlu.Unclear && ref.Elliptic && len(u.Keywords) > 0:
		return infoWish{Text: text.OneLine(u.Text+" "+t.Question, maxQuestion), Question: strings.TrimSpace(u.Text)}, "other thing", true
	}
	return w, "", false
}

// amounts ask how much of something there is, and leave out of what.
var amounts = []string{"何人", "何名", "定員", "席数", "何席", "capacity", "いくつ", "何個", "何台", "どのくらい", "どれくらい", "何時間", "何分", "how many", "how long", "how big", "how large", "how far"}

// amountVerbs are the beginnings of words that ask for an amount or stand beside a question for
// one, or for a time, and name nothing.
var amountVerbs = []string{"定員", "席", "capacity", "入", "座", "使", "借", "居", "利用", "fit", "seat", "hold", "use", "rent", "borrow", "inside", "stay"}

// onlyAmount reports whether the words name nothing beside an amount, or a time, that is asked for.
func onlyAmount(keywords []string) bool {
	return !slices.ContainsFunc(keywords, func(word string) bool {
		_, detail := detailWords[strings.ToLower(word)]
		return !detail && !slices.ContainsFunc(amountVerbs, func(verb string) bool { return strings.HasPrefix(word, verb) })
	})
}

// asksPrice finds a question for what something costs.
var asksPrice = regexp.MustCompile(`料金|いくら|値段|使用料|利用料|\bhow much\b|\bprices?\b|\bcosts?\b|\bfees?\b|\brates?\b`)

// maxAmount is how many runes a question for an amount has at most that leaves out of what.
const maxAmount = 40

// maxBare is how many runes a question for a detail has at most that says nothing else: じゃあ料金は？
const maxBare = 12

// sureAlone is the confidence below which a question that names nothing hangs on the one before.
const sureAlone = 0.45
