package nlu

import "annai/nlu/datetime"

// Act is what an utterance does in its talk. It is a closed set.
type Act string

// The values of [Act].
const (
	ActAsks       Act = "asks"       // wants to know something
	ActAdds       Act = "adds"       // gives a detail to the open matter: 黒い傘です, "we are six"
	ActChanges    Act = "changes"    // corrects what was said or understood: いや、土曜の方
	ActAnswers    Act = "answers"    // answers a question of the concierge
	ActOrders     Act = "orders"     // wants something done
	ActDoubts     Act = "doubts"     // asks whether the last answer is really so
	ActRepeats    Act = "repeats"    // wants the last answer once more
	ActTranslates Act = "translates" // wants the last answer in the other language
	ActReports    Act = "reports"    // says that something is broken, lost, loud or dangerous
	ActGreets     Act = "greets"
	ActThanks     Act = "thanks"
	ActLeaves     Act = "leaves"
	ActChats      Act = "chats" // small talk, praise, thinking aloud
)

// Ask is the kind of answer that is wanted: the answer type of the literature on question
// answering. It is a closed set; the table nlu/words/asks.tsv has a line for each.
type Ask string

// The values of [Ask].
const (
	AskNone          Ask = "none"
	AskEvents        Ask = "events" // which events take place
	AskWhen          Ask = "when"
	AskUntilWhen     Ask = "until_when"
	AskWhere         Ask = "where"
	AskHowToGet      Ask = "how_to_get"
	AskHowMuch       Ask = "how_much"
	AskHowMany       Ask = "how_many"
	AskHowLong       Ask = "how_long"
	AskMayI          Ask = "may_i"
	AskIsThere       Ask = "is_there"
	AskIsOpen        Ask = "is_open"
	AskNeedI         Ask = "need_i"
	AskHowDoI        Ask = "how_do_i"
	AskWho           Ask = "who"
	AskWhatIs        Ask = "what_is"
	AskWhichLanguage Ask = "which_language"
	AskForWhom       Ask = "for_whom"
	AskAvailability  Ask = "availability" // free places, how full
	AskCompare       Ask = "compare"
	AskWhich         Ask = "which" // a superlative or a choice
	AskStillOn       Ask = "still_on"
	AskHowOften      Ask = "how_often"
	AskContact       Ask = "contact"
	AskNext          Ask = "next" // the next time, or the one after
	AskCount         Ask = "count"
	AskDate          Ask = "date" // arithmetic with dates
	AskConfirm       Ask = "confirm"
	AskRepeat        Ask = "repeat"
	AskTranslate     Ask = "translate"
)

// Ref is how an utterance points at what it is about.
type Ref string

// The values of [Ref].
const (
	RefNone    Ref = "none"
	RefNamed   Ref = "named"   // its own words name it
	RefLast    Ref = "last"    // left out, or a pronoun: what the turn before was about
	RefEarlier Ref = "earlier" // something older than the turn before
	RefItem    Ref = "item"    // one of several that were listed or named
)

// About is the kind of thing that an utterance is about.
type About string

// The values of [About].
const (
	AboutNone      About = "none"
	AboutSubject   About = "subject" // an event, a part of the venue, what a passage is about
	AboutVenue     About = "venue"   // the venue as a whole: its hours, its address
	AboutEvents    About = "events"  // the programme
	AboutDate      About = "date"
	AboutConcierge About = "concierge"
	AboutStaff     About = "staff"
	AboutVisitor   About = "visitor"
	AboutUnknown   About = "unknown" // what the venue has nothing about
)

// Carry is where the day or time of an utterance comes from.
type Carry string

// The values of [Carry].
const (
	CarryNone Carry = "none" // none matters
	CarrySaid Carry = "said" // it is named
	CarryKept Carry = "kept" // it is that of the turn before
)

// A Reading is what one utterance does and asks in its talk, before what it leaves out is filled in.
type Reading struct {
	Act Act `json:"act"`
	Ask Ask `json:"ask"`
	// Alone is the kind of answer that the utterance asks for where nothing is known of the talk:
	// where it is another one than Ask, Ask is that of the question before (レーザーは？).
	Alone Ask `json:"alone,omitempty"`
	// Second is a second kind of answer that the same utterance asks for, or empty.
	Second Ask   `json:"second,omitempty"`
	About  About `json:"about"`
	Ref    Ref   `json:"ref"`
	When   Carry `json:"when"`
	// Negated says that things are filtered by what they are not: 予約がいらないやつ.
	Negated bool `json:"negated,omitempty"`
	// Confidence is how likely act, ask and reference are all right, in 0..1; Named is how likely
	// its own words name what it is about.
	Confidence float64 `json:"confidence"`
	Named      float64 `json:"named"`
	// Asks, Abouts and Refs are how likely each kind of answer, each kind of thing and each
	// reference is. They are nil where whoever read it gives none.
	Asks   map[Ask]float64   `json:"-"`
	Abouts map[About]float64 `json:"-"`
	Refs   map[Ref]float64   `json:"-"`
	// Pointer says which of some things it is about. It is nil where whoever read it cannot.
	Pointer Pointer `json:"-"`

	// Subject is the title of what it is about, and Full the utterance as a sentence that stands by
	// itself, where whoever read it can say so: an annotation or a model.
	Subject string `json:"subject,omitempty"`
	Full    string `json:"full,omitempty"`

	// Language, Times, Topic, Keywords, Ordinal and Other are what the words themselves say; offsets in
	// Times refer to Text.
	Language Language              `json:"language"`
	Text     string                `json:"text"`
	Times    []datetime.Expression `json:"times,omitempty"`
	Topic    string                `json:"topic,omitempty"`
	Keywords []string              `json:"keywords,omitempty"`
	Ordinal  int                   `json:"ordinal,omitempty"`
	// Other says that the words mean the other one of two.
	Other bool `json:"other,omitempty"`
}

// A Pointer says which of some things an utterance is about.
type Pointer interface {
	// Point returns how likely it is about each of them: in its talk, and by its words alone. What is
	// missing to 1 is how likely it is about none of them.
	Point(things []Thing) (inTalk, alone []float64)
}

// A Thing is something that an utterance may be about.
type Thing struct {
	// Title is what it is called, and Text what is written of it.
	Title, Text string
	// Event says that it is an event, and no passage or part.
	Event bool
	// Last says that the question before was about it, Earlier that an older one was, and Shown that
	// the last answer listed it.
	Last, Earlier, Shown bool
}
