package prompts

// EventsIntro introduces a list of events.
type EventsIntro struct {
	Range string
}

// In returns the words in a language.
func (p EventsIntro) In(lang string) string { return fill("events_intro", lang, p) }

// EventsAlso introduces the rest of a list that was too long.
type EventsAlso struct{}

// In returns the words in a language.
func (p EventsAlso) In(lang string) string { return fill("events_also", lang, p) }

// EventsCancelled introduces events that are all cancelled.
type EventsCancelled struct {
	Range string
}

// In returns the words in a language.
func (p EventsCancelled) In(lang string) string { return fill("events_cancelled", lang, p) }

// EventsWere introduces a list of events that are over.
type EventsWere struct {
	Range string
}

// In returns the words in a language.
func (p EventsWere) In(lang string) string { return fill("events_were", lang, p) }

// EventsOther introduces the events of a range of which none matches the words of the visitor; Wanted may be empty.
// Ahead says that no later one does either, for three months.
type EventsOther struct {
	Range, Wanted string
	Ahead         bool
}

// In returns the words in a language.
func (p EventsOther) In(lang string) string { return fill("events_other", lang, p) }

// EventsNext introduces later events where the range has none. Wanted may be empty.
type EventsNext struct {
	Range, Wanted string
}

// In returns the words in a language.
func (p EventsNext) In(lang string) string { return fill("events_next", lang, p) }

// EventsNextOne introduces the next event.
type EventsNextOne struct{}

// In returns the words in a language.
func (p EventsNextOne) In(lang string) string { return fill("events_next_one", lang, p) }

// EventsEdge introduces the first event of a range, or the last one.
type EventsEdge struct {
	Range      string
	Last, Past bool
}

// In returns the words in a language.
func (p EventsEdge) In(lang string) string { return fill("events_edge", lang, p) }

// EventsPast says that all events of a range are over, and which is next. Next may be empty.
type EventsPast struct {
	Range, Next string
}

// In returns the words in a language.
func (p EventsPast) In(lang string) string { return fill("events_past", lang, p) }

// EventsItem is one event of a written list. Place, Description and Link may be empty.
type EventsItem struct {
	Title, When                   string
	Place, Description, Link      string
	Cancelled, Tentative, Ongoing bool
	// Notice is an [EventNotice], which is said in place of Cancelled.
	Notice string
}

// In returns the words in a language.
func (p EventsItem) In(lang string) string { return fill("events_item", lang, p) }

// EventsItemSpec is one event of a written list, in the literal lines of the specification. End and Description may be empty.
type EventsItemSpec struct {
	Title, Start, End, Description string
}

// In returns the words in a language.
func (p EventsItemSpec) In(lang string) string { return fill("events_item_spec", lang, p) }

// EventsSpoken says how many events take place. In English Range is an adverb: "on Wed, Jan 15".
type EventsSpoken struct {
	Range string
	Count int
	Past  bool
}

// In returns the words in a language.
func (p EventsSpoken) In(lang string) string { return fill("events_spoken", lang, p) }

// EventSpoken is one event of a spoken list. When and Day are as they are spoken; Until is the end of one that is on now.
type EventSpoken struct {
	Title, When, Day, Until  string
	Cancelled, Ongoing, Past bool
	// Postponed says that it was cancelled for another time. Notice is an [EventNotice], if there is one.
	Postponed bool
	Notice    string
}

// In returns the words in a language.
func (p EventSpoken) In(lang string) string { return fill("event_spoken", lang, p) }

// EventNotice is what is to be known of an event: Kind is full, reserved or postponed. Title is its title as it stands
// in a sentence; empty: it is plain which is meant.
type EventNotice struct {
	Title string
	Kind  string
}

// In returns the words in a language.
func (p EventNotice) In(lang string) string {
	if p.Title != "" {
		return fill("event_notice", lang, p)
	}
	return fillKind("event_notice", lang, p.Kind, p)
}

// EventsMore says how many events were not told.
type EventsMore struct {
	Count int
}

// In returns the words in a language.
func (p EventsMore) In(lang string) string { return fill("events_more", lang, p) }

// EventsNone says that nothing was found, in the words of the specification.
type EventsNone struct {
	Range, Venue string
}

// In returns the words in a language.
func (p EventsNone) In(lang string) string { return fill("events_none", lang, p) }

// EventsNoMore answers the wish for more when all was told.
type EventsNoMore struct{}

// In returns the words in a language.
func (p EventsNoMore) In(lang string) string { return fill("events_no_more", lang, p) }

// EventsKnowledge introduces what the venue's documents say about events.
type EventsKnowledge struct{}

// In returns the words in a language.
func (p EventsKnowledge) In(lang string) string { return fill("events_knowledge", lang, p) }

// EventsKnowledgeItem is one passage of a written list.
type EventsKnowledgeItem struct {
	Title, Text string
}

// In returns the words in a language.
func (p EventsKnowledgeItem) In(lang string) string { return fill("events_knowledge_item", lang, p) }

// CalendarFailed says that the calendar could not be read. With Found, passages follow.
type CalendarFailed struct {
	Range string
	Found bool
}

// In returns the words in a language.
func (p CalendarFailed) In(lang string) string { return fill("calendar_failed", lang, p) }

// SourcesFailed says that neither calendar nor knowledge could be read.
type SourcesFailed struct {
	Range string
}

// In returns the words in a language.
func (p SourcesFailed) In(lang string) string { return fill("sources_failed", lang, p) }

// NoteAssumed says which range was taken where none was named.
type NoteAssumed struct {
	Range string
}

// In returns the words in a language.
func (p NoteAssumed) In(lang string) string { return fill("note_assumed", lang, p) }

// NotePartial says that one of several calendars could not be read.
type NotePartial struct{}

// In returns the words in a language.
func (p NotePartial) In(lang string) string { return fill("note_partial", lang, p) }

// NoteKnowledge says that the knowledge could not be read.
type NoteKnowledge struct{}

// In returns the words in a language.
func (p NoteKnowledge) In(lang string) string { return fill("note_knowledge", lang, p) }

// NoteZone names the zone of the times where it is not the venue's.
type NoteZone struct {
	Zone string
}

// In returns the words in a language.
func (p NoteZone) In(lang string) string { return fill("note_zone", lang, p) }

// EventPlace says where an event is, or that it is not known.
type EventPlace struct {
	Title, Place string
}

// In returns the words in a language.
func (p EventPlace) In(lang string) string { return fill("event_place", lang, p) }

// EventTime says when an event is.
type EventTime struct {
	Title, When string
	Cancelled   bool
}

// In returns the words in a language.
func (p EventTime) In(lang string) string { return fill("event_time", lang, p) }

// EventNoItem says that the item asked for is not in the list.
type EventNoItem struct {
	Count int
}

// In returns the words in a language.
func (p EventNoItem) In(lang string) string { return fill("event_no_item", lang, p) }
