package prompts

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AnswerWhen says when an event is. Series says how it recurs, Place where it is; both may be empty. Yes begins with yes.
type AnswerWhen struct {
	Title, When, Series, Place string
	Yes                        bool
}

// In returns the words in a language.
func (p AnswerWhen) In(lang string) string { return fill("answer_when", lang, p) }

// AnswerNotThen says that an event is not at the time asked about, and when it is next, or Other, which is
// called much the same. Next and Other may be empty.
type AnswerNotThen struct {
	Title, Range, Next, Other string
}

// Short reports whether the range is a word like 今日 or 来週, which takes no に in Japanese.
func (p AnswerNotThen) Short() bool {
	return utf8.RuneCountInString(p.Range) <= 3 && !strings.ContainsAny(p.Range, "0123456789")
}

// In returns the words in a language.
func (p AnswerNotThen) In(lang string) string { return fill("answer_not_then", lang, p) }

// AnswerNoMore says that an event is not on once more at the time asked about, and when it is next. Range and
// Next may be empty.
type AnswerNoMore struct {
	Title, Range, Next string
}

// In returns the words in a language.
func (p AnswerNoMore) In(lang string) string { return fill("answer_no_more", lang, p) }

// AskEither asks which of two things is meant.
type AskEither struct {
	First, Second string
}

// In returns the words in a language.
func (p AskEither) In(lang string) string { return fill("ask_either", lang, p) }

// AnswerCancelled says that an event was cancelled, and when it is next, if it is.
type AnswerCancelled struct {
	Only              bool // the calendar has no other date
	Postponed         bool
	Title, When, Next string
}

// In returns the words in a language.
func (p AnswerCancelled) In(lang string) string { return fill("answer_cancelled", lang, p) }

// AnswerOn says that an event takes place as planned.
type AnswerOn struct {
	Title, When string
}

// In returns the words in a language.
func (p AnswerOn) In(lang string) string { return fill("answer_on", lang, p) }

// AnswerOver says that an event is over.
type AnswerOver struct {
	Title, When string
}

// In returns the words in a language.
func (p AnswerOver) In(lang string) string { return fill("answer_over", lang, p) }

// AnswerNext says when an event is next, and when after that. After may be empty. Series may be empty.
type AnswerNext struct {
	Title, When, After, Series string
}

// In returns the words in a language.
func (p AnswerNext) In(lang string) string { return fill("answer_next", lang, p) }

// AnswerUntil says when an event ends.
type AnswerUntil struct {
	Title, When, Until string
	AllDay             bool // Until is a day
}

// In returns the words in a language.
func (p AnswerUntil) In(lang string) string { return fill("answer_until", lang, p) }

// AnswerLast says when the last time of a series is.
type AnswerLast struct {
	Title, When string
}

// In returns the words in a language.
func (p AnswerLast) In(lang string) string { return fill("answer_last", lang, p) }

// AnswerLength says how long an event lasts.
type AnswerLength struct {
	Title, Length, When string
}

// In returns the words in a language.
func (p AnswerLength) In(lang string) string { return fill("answer_length", lang, p) }

// AnswerWalk says how long the walk to a place is, by the distance. Meters is the length of the way.
type AnswerWalk struct {
	Place           string
	Minutes, Meters int
}

// In returns the words in a language.
func (p AnswerWalk) In(lang string) string { return fill("answer_walk", lang, p) }

// Kilometres is the length with one decimal, empty where it is less than one.
func (p AnswerWalk) Kilometres() string {
	if p.Meters < 1000 {
		return ""
	}
	return strconv.FormatFloat(float64(p.Meters)/1000, 'f', 1, 64)
}

// AnswerTooFar says that nobody walks to a place. Meters is how far it is as the crow flies.
type AnswerTooFar struct {
	Place  string
	Meters int
}

// In returns the words in a language.
func (p AnswerTooFar) In(lang string) string { return fill("answer_too_far", lang, p) }

// Kilometres is how far it is.
func (p AnswerTooFar) Kilometres() int { return (p.Meters + 500) / 1000 }

// AnswerOften says how often an event takes place. Series is empty where it is no series with a rule; Dates are its next days.
type AnswerOften struct {
	Title, Series, Dates string
	Once                 bool
}

// In returns the words in a language.
func (p AnswerOften) In(lang string) string { return fill("answer_often", lang, p) }

// AnswerCount says how many times an event is still to come in a range, which is an adverb in English.
type AnswerCount struct {
	Title, Range, Dates string
	Count               int
}

// In returns the words in a language.
func (p AnswerCount) In(lang string) string { return fill("answer_count", lang, p) }

// AnswerPlace says where an event is. Place is empty where that is not written.
type AnswerPlace struct {
	Title, Place, Staff string
}

// In returns the words in a language.
func (p AnswerPlace) In(lang string) string { return fill("answer_place", lang, p) }

// AnswerStated tells what is written about an event. General says that it holds for all events, and not
// for this one alone. No says that the question is denied. Of says that the text begins with a property
// of the event (参加費は500円です).
type AnswerStated struct {
	Title, Text     string
	General, No, Of bool
}

// In returns the words in a language.
func (p AnswerStated) In(lang string) string { return fill("answer_stated", lang, p) }

// AnswerUnstated says that something about a subject is not written, and what is. Text may be empty; without Title it
// stands behind what was told.
type AnswerUnstated struct {
	Title, Text, Staff string
}

// In returns the words in a language.
func (p AnswerUnstated) In(lang string) string { return fill("answer_unstated", lang, p) }

// AnswerOther tells something of a thing that may have been meant. Where Text has the title too, it is not said twice.
type AnswerOther struct {
	Title, Text string
}

// IsQuestion reports whether the title is one, as headings of questions that are often asked are.
func (p AnswerOther) IsQuestion() bool {
	title := strings.TrimSuffix(p.Title, "」")
	return slices.ContainsFunc([]string{"?", "？", "ますか", "ですか"}, func(end string) bool {
		return strings.HasSuffix(title, end)
	})
}

// In returns the words in a language.
func (p AnswerOther) In(lang string) string {
	for _, title := range [...]string{p.Title, strings.Trim(p.Title, "「」")} {
		for _, topic := range [...]string{"は、", "は", "の", ": "} {
			if rest, ok := strings.CutPrefix(p.Text, title+topic); ok {
				p.Text = rest
				return fill("answer_other", lang, p)
			}
		}
	}
	switch rest, ok := strings.CutPrefix(p.Text, p.Title+" "); {
	case ok && lang != "ja":
		p.Text = "it " + rest
	case lang == "ja" && !strings.Contains(p.Text, "次の"+p.Title):
		p.Text = strings.Replace(p.Text, p.Title+"は", "", 1)
	}
	return fill("answer_other", lang, p)
}

// AnswerSeries is how an event recurs, as a part of a sentence. Days are days of the week.
type AnswerSeries struct {
	Days               string
	Nths               []int // of the month, 0 for every week
	EveryDay, Biweekly bool
}

// In returns the words in a language.
func (p AnswerSeries) In(lang string) string { return fill("answer_series", lang, p) }

// AnswerProgramme says how many events there are in a range. Range is an adverb in English; Wanted says that only those are meant that are as
// wished, and Rhythm how those recur of which the next date is told: 毎週の.
type AnswerProgramme struct {
	Range, Rhythm string
	Count         int
	Wanted        bool
}

// In returns the words in a language.
func (p AnswerProgramme) In(lang string) string { return fill("answer_programme", lang, p) }

// AnswerNoProgramme says that there is no event in a range, and what is next; Closed says that the venue is closed then. Wanted says that
// others than those wished for may take place, Unsaid that none of the events says of itself what is wished for, Rhythm
// how none recurs: 毎週の.
type AnswerNoProgramme struct {
	Range, Rhythm, Next    string
	Wanted, Unsaid, Closed bool
}

// In returns the words in a language.
func (p AnswerNoProgramme) In(lang string) string { return fill("answer_no_programme", lang, p) }

// AnswerChoice says which one of several it is that a comparison asks for: cheaper, longer, free, ... by By and Pick (-, + or 0). Title is empty
// where they are alike.
type AnswerChoice struct {
	Title, By, Pick string
}

// In returns the words in a language.
func (p AnswerChoice) In(lang string) string { return fill("answer_choice", lang, p) }

// AnswerCompared is one of several things that are compared. Text is what is written of its price; it may be empty.
type AnswerCompared struct {
	Title, When, Length, Text string
}

// In returns the words in a language.
func (p AnswerCompared) In(lang string) string { return fill("answer_compared", lang, p) }
