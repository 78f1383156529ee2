package nlu

import (
	"fmt"
	"slices"

	"annai/nlu/words"
)

// tag is what a word of the lexicon says about an utterance. A word may have several.
type tag uint64

const (
	tEvent    tag = 1 << iota // names events as such: cut from topics
	tKind                     // names a kind of event: kept in topics
	tBroad                    // beside another: the word has other meanings, too
	tHappen                   // asks what is on, without naming events
	tAny                      // anything, 何か: asks what is on when a time stands beside it
	tPlan                     // a schedule: events, or the owner's calendar
	tCalendar                 // belongs to the owner's calendar alone
	tMeeting                  // an appointment, when nothing says that it is a room
	tOwner                    // words of ownership
	tSelf                     // asks about the speaker: do I have
	tFree                     // asks whether a time is free
	tWrite                    // creates, changes or deletes
	tRemind
	tNotify    // beside tRemind: wants to hear of something, perhaps by itself and not at a time
	tDate      // asks for a date as such
	tDateWeak  // asks for a date unless the venue or an event is meant
	tInfo      // a matter of the venue
	tOpen      // opening and closing
	tHost      // wants to hold an event
	tHowTo     // asks how to go about something
	tOut       // no business of a venue
	tGreet     //
	tThanks    //
	tBye       //
	tIdentity  //
	tSmall     //
	tStaff     //
	tStaffWord // a person of the venue, when one is wanted
	tCall      // wants someone called
	tMore
	tThat
	tOther
	tFieldPlace
	tFieldTime
	tFieldPrice
	tFieldSignUp
	tFieldDescription
	tPast
	tAbout   // how about, what about, じゃあ
	tAsk     // makes a question of any noun
	tVenue   // the venue itself
	tCut     // says nothing to search for
	tFiller  // a sound, not a word
	tAside   // says something of what is asked for, and is in no title: cut from topics, but no word that says nothing
	tTrouble // a complaint, or a wish for help
	tRoom    // a room or a seat that may be taken
	tThatDay // the day that was spoken of
	tStillOn // asks whether something takes place as announced
)

// tagNames are what the tags are called in nlu/words/lexicon.tsv, and where an understanding is
// explained, in their order.
var tagNames = [...]string{
	"event", "kind_of_event", "has_other_meanings", "what_is_on", "anything", "schedule", "calendar", "meeting",
	"owner", "speaker", "free_time", "write", "remind", "notify", "date", "perhaps_date",
	"venue_matter", "opening", "host", "how_to", "no_venue_matter", "greeting", "thanks", "farewell",
	"identity", "small_talk", "staff", "staff_word", "call", "more", "that", "other",
	"place?", "time?", "price?", "sign_up?", "description?", "past", "about", "question",
	"venue", "cut_from_topics", "filler", "beside_the_topic", "trouble", "room", "that_day", "still_on?",
}

// tagOf is the tag of a name.
func tagOf(name string) tag {
	i := slices.Index(tagNames[:], name)
	if i < 0 {
		panic(fmt.Sprintf("lexicon.tsv: no tag is called %s", name)) // every test reads the table
	}
	return 1 << i
}

const tField = tFieldPlace | tFieldTime | tFieldPrice | tFieldSignUp | tFieldDescription

// addRow adds a row of the lexicon.
func (m *matcher) addRow(row words.Row) (said tag) {
	for _, name := range row.Says {
		said |= tagOf(name)
	}
	m.add(row.Words, said)
	return said
}
