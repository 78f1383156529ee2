package words

import _ "embed"

//go:embed rules.tsv
var ruleWords string

// The lists of complaints.
const (
	Thing     Phrases = "thing"     // a thing of the house
	Defect    Phrases = "defect"    // that it does not do what it should
	Denied    Phrases = "denied"    // in English: that it does not, beside Works
	Works     Phrases = "works"     // what it does not
	UsedUp    Phrases = "used_up"   // that there is none of it any more
	Neighbour Phrases = "neighbour" // who may disturb
	Loud      Phrases = "loud"      // that they do
)

// The lists of who wants talk or help.
const (
	Chat       Phrases = "chat"        // wants talk about nothing
	AroundChat Phrases = "around_chat" // may stand around it
	HelpOnly   Phrases = "help_only"   // wants help, and does not say with what
	AroundHelp Phrases = "around_help" // may stand around it
)

// The lists of languages.
const (
	SpeakLanguage  Phrases = "speak_language"  // somebody speaks a language
	LanguageSpoken Phrases = "language_spoken" // a language is spoken
	WhichLanguages Phrases = "which_languages" // asks for languages
	SpeaksThem     Phrases = "speaks_them"     // stands behind that
	OurJapanese    Phrases = "our_japanese"    // asks whether we speak Japanese
)

// The lists of times that are corrected.
const (
	NotThat       Phrases = "not_that"        // denies the time before it
	RatherThat    Phrases = "rather_that"     // takes back the time before it
	NotTheTime    Phrases = "not_the_time"    // denies the time behind it
	ButTheTime    Phrases = "but_the_time"    // stands between that and the other time
	AndNot        Phrases = "and_not"         // stands between a time and one that is denied
	Corrects      Phrases = "corrects"        // says that another time was meant
	Denies        Phrases = "denies"          // says of a time that it was not
	BesideATime   Phrases = "beside_a_time"   // may stand beside both
	MayCorrect    Phrases = "may_correct"     // one of them is in every correction
	OrderToChange Phrases = "order_to_change" // orders to change what is planned
)

// The lists of entries of a calendar.
const (
	Please     Phrases = "please"       // stands before an order
	Changes    Phrases = "changes"      // orders to change an entry
	HourAlone  Phrases = "hour_alone"   // an hour without more
	OnlyPlease Phrases = "only_please"  // may stand behind it
	AsksOwn    Phrases = "asks_own"     // asks when an entry of the speaker's is
	AsksTimeOf Phrases = "asks_time_of" // stands behind an entry whose time is asked
	IsTimeOf   Phrases = "is_time_of"   // the same at the end
)

// The lists of what belongs to the venue.
const (
	WhoElse    Phrases = "who_else"    // asks who somebody is that is named
	Gathers    Phrases = "gathers"     // behind a gathering: that it takes place
	Anything   Phrases = "anything"    // anything at all for somebody
	ForWhom    Phrases = "for_whom"    // for some people
	TakesBack  Phrases = "takes_back"  // takes back what one has signed up for
	WhatIs     Phrases = "what_is"     // asks what something is that is named behind it
	WhatItIs   Phrases = "what_it_is"  // the same behind it
	Vacant     Phrases = "vacant"      // that nobody uses a room
	ForNothing Phrases = "for_nothing" // without a price
)
