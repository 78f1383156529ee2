package words

import _ "embed"

//go:embed rules.tsv
var ruleWords string

// The lists of who reports something or wants help or talk.
const (
	Chat         Phrases = "chat"          // wants talk about nothing
	Broken       Phrases = "broken"        // that a thing does not do what it should, or that somebody disturbs
	EndsQuestion Phrases = "ends_question" // ends a question, whatever it says
	HelpOnly     Phrases = "help_only"     // wants help, and does not say with what
	AroundHelp   Phrases = "around_help"   // may stand around it
)

// The lists of what belongs to the venue.
const (
	TakesBack  Phrases = "takes_back"  // takes back what one has signed up for
	Vacant     Phrases = "vacant"      // that nobody uses a room
	ForNothing Phrases = "for_nothing" // without a price
)

// The lists of times that are corrected.
const (
	ThatOne       Phrases = "that_one"        // stands between a time and what denies it
	Denies        Phrases = "denies"          // denies the time before it
	RatherThat    Phrases = "rather_that"     // takes back the time before it
	NotTheTime    Phrases = "not_the_time"    // denies the time behind it
	ButTheTime    Phrases = "but_the_time"    // stands between that and the other time
	AndNot        Phrases = "and_not"         // stands between a time and one that is denied
	Corrects      Phrases = "corrects"        // says that another time was meant
	BesideATime   Phrases = "beside_a_time"   // may stand beside both
	MayCorrect    Phrases = "may_correct"     // one of them is in every correction
	OrderToChange Phrases = "order_to_change" // orders to change what is planned
)

// The lists of questions what or who something is.
const (
	WhoElse  Phrases = "who_else"   // asks who somebody is that is named
	WhatIs   Phrases = "what_is"    // asks what something is that is named behind it
	WhatItIs Phrases = "what_it_is" // the same behind it
	EndsWhat Phrases = "ends_what"  // may stand behind that
)
