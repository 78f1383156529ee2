// Package nlu understands an utterance without a model: its language, what it is about, the times
// it names and how it hangs on what was said before. It is deterministic, offline and takes well
// under a millisecond.
//
// Its one idea: it reports what the words say and how sure that is; what to do about it is decided
// by the nodes. It knows no calendar, no knowledge and no sentence that is said to visitors.
package nlu

import (
	"time"

	"annai/nlu/danger"
	"annai/nlu/datetime"
	"annai/nlu/slots"
)

// Language is a language that is understood and spoken.
type Language string

// The values of [Language].
const (
	Japanese Language = "ja"
	English  Language = "en"
)

// Intent is what the visitor wants. It is a closed set.
type Intent string

// The values of [Intent].
const (
	// Event asks for public happenings, Calendar for the owner's schedule, DateCalc for dates as such
	// (what day is it, two weeks from now, the weekdays in a range, holidays), Info for everything
	// else a venue is asked.
	Event    Intent = "event"
	Calendar Intent = "calendar"
	DateCalc Intent = "date"
	Info     Intent = "info"

	Greeting   Intent = "greeting"
	Thanks     Intent = "thanks"
	Farewell   Intent = "farewell"
	Identity   Intent = "identity"     // who are you, what can you do
	SmallTalk  Intent = "small_talk"   // about the concierge itself or the weather of the talk, not about the venue
	CallStaff  Intent = "staff"        // wants a person
	Safety     Intent = "safety"       // fire, injury, lost child, ...: see Understanding.Safety
	Affirm     Intent = "affirm"       // はい, yes
	Deny       Intent = "deny"         // いいえ, やめて, no
	OutOfScope Intent = "out_of_scope" // clearly not a venue's business: weather, news, stocks, jokes
	Unclear    Intent = "unclear"      // no word that says anything, or only a Reference to what was said before
)

// Danger is what a safety utterance is about. It is empty where there is none.
type Danger = danger.Class

// The values of [Danger].
const (
	Life      = danger.Life // somebody may die now
	Fire      = danger.Fire
	Gas       = danger.Gas
	Injury    = danger.Injury // also illness and AED
	Crime     = danger.Crime  // also a suspicious person
	LostChild = danger.LostChild
	Quake     = danger.Quake
	Suicide   = danger.Suicide // somebody wants to die
)

// Field is a detail of something already spoken of that the visitor asks for.
type Field string

// The values of [Field].
const (
	FieldNone        Field = ""
	FieldPlace       Field = "place"       // 場所は？ where?
	FieldTime        Field = "time"        // 何時から？ when?
	FieldPrice       Field = "price"       // いくら？
	FieldSignUp      Field = "sign_up"     // 申し込みは？
	FieldDescription Field = "description" // 詳しく, tell me more
)

// Reference is how an utterance hangs on what was said before.
type Reference struct {
	// Ordinal is the item of a list that is meant: 1 for the first, -1 for the last, 0 for none named.
	Ordinal int
	// Other says "the other one" (もう一つの方).
	Other bool
	// That says that the thing just spoken of is meant (それ, その, it, that one).
	That bool
	// Field is the detail asked for.
	Field Field
	// Elliptic says that the utterance leaves out what it is about (明日は？ "and next week?" "no, I
	// meant Saturday"), so that it inherits it.
	Elliptic bool
	// More asks for what was left out of the last answer (もっと見る, 他には).
	More bool
	// Repeat asks to hear the last answer again (もう一回言って, "pardon?") and nothing else.
	Repeat bool
	// ThatDay says that the day just spoken of is meant (その日, 当日, "that day"), where no other day
	// is named.
	ThatDay bool
}

// Empty reports whether the utterance stands by itself.
func (r Reference) Empty() bool { return r == Reference{} }

// NGrams is the reason of an intent that no rule saw: the trained classifier did.
const NGrams = "n-grams"

// NoMeaning is the reason of an intent that neither a rule nor the classifier saw.
const NoMeaning = "words without a known meaning"

// An Understanding is what one utterance says.
type Understanding struct {
	// Language is that of the utterance.
	Language Language
	// Foreign is the tag of the language where it is neither Japanese nor English: see [Foreign].
	Foreign string `json:",omitempty"`
	// Text is the utterance normalised: NFKC, spaces collapsed, known mis-hearings corrected,
	// everyday words that are usually not written in hiragana spelled as they are (といれ: トイレ), a
	// client's prefix in brackets cut. Offsets in Times refer to it.
	Text string
	// Times are the temporal expressions in order of appearance, without those that are taken back
	// (日曜じゃなくて土曜) and those at which the speaker heard of what is asked for.
	Times []datetime.Expression
	// Intent is the best reading, with a Confidence in 0..1 and the rule that decided, for people.
	Intent     Intent
	Confidence float64
	// Reason names the rule that decided, or is [NGrams].
	Reason string
	// AgentConfidence is how sure it is that [Intent.Agent] is right, which is easier to tell than
	// the intent.
	AgentConfidence float64
	// Safety says what the danger is when Intent is Safety.
	Safety Danger
	// Topic is what remains of the utterance when temporal expressions, words that only name events
	// as such, verbs, particles, politeness and where it was heard of are cut: the words to search
	// titles with. May be empty.
	Topic string
	// Keywords are the content words of Topic, normalised and in lower case.
	Keywords []string
	// Owner says that words of ownership were used (私の, my) or, when Intent is Calendar, that a
	// time is asked to be free or a reminder is wanted (空いてる, "remind me"). Writing is in Write.
	Owner bool
	// Write says that something is to be created, changed or deleted.
	Write bool
	// PastAsked says that the past is asked for (昨日の, "what did I miss").
	PastAsked bool
	// StillOn asks whether something takes place as announced, or not any more (中止, 予定通り, "is it
	// cancelled?"). The words that say so are not in Topic.
	StillOn bool
	// Speak is the language in which the talk, or the last answer, is wanted, where nothing else is.
	Speak Language `json:",omitempty"`
	// Over says that a danger is over, or that help has come (見つかりました, "the ambulance is here").
	Over bool
	// Reference is how it hangs on earlier turns.
	Reference Reference
	// Command is what is asked of the calendar, when Intent is Calendar. Offsets in it refer to Text.
	Command slots.Command
}

// Understander reads utterances. It is safe for concurrent use and never fails: what it can't read
// is Unclear.
type Understander interface {
	// Understand reads the utterance as said at the instant at, whose location is the visitor's.
	Understand(utterance string, at time.Time) Understanding
}
