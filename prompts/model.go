package prompts

import "strings"

// What is sent to a model. Text of others (the visitor's words, events, passages, results of tools) goes in as data: on lines of its own
// between two marks, without the characters that marks are made of, so that nothing in it can end it.

// ModelAnswer tells a model how to word an answer.
type ModelAnswer struct {
	Venue string
}

// In returns the words in a language.
func (p ModelAnswer) In(lang string) string { return fill("model_answer", lang, p) }

// ModelEvidence is a question and all that an answer may be made of.
type ModelEvidence struct {
	// Today is the day and the time of the question.
	Today string
	// Talk is what the talk has been about.
	Talk  ModelTalk
	Items []ModelItem
	// Question is the question as a sentence that stands by itself, Said what was said, Range the days that it is about.
	Question, Said, Range string
}

// A ModelTalk is what a talk has been about. Empty fields are left out.
type ModelTalk struct {
	// Said is the utterance before, Question the question that it was understood as.
	Said, Question string
	// Subjects are the titles of what was spoken of, the newest first; InView are those that the last answer listed, in its order.
	Subjects, InView []string
}

// A ModelItem is one thing that an answer may speak of: an event, which has When, or a text. ID is what it is cited by. Empty fields are left out.
type ModelItem struct {
	ID, Title, When, Place, Text string
}

// In returns the words in a language.
func (p ModelEvidence) In(lang string) string { return fill("model_evidence", lang, p) }

// ModelAsked is what was said, and nothing else.
type ModelAsked struct {
	Today, Question string
}

// In returns the words in a language.
func (p ModelAsked) In(lang string) string { return fill("model_asked", lang, p) }

// ModelTools tells a model how to answer with tools. Owner says that they reach the speaker's own calendar.
type ModelTools struct {
	Venue string
	Owner bool
}

// In returns the words in a language.
func (p ModelTools) In(lang string) string { return fill("model_tools", lang, p) }

// ModelResult is what a tool answered.
type ModelResult struct {
	Text string
}

// In returns the words in a language.
func (p ModelResult) In(lang string) string { return fill("model_result", lang, p) }

// ModelRefusal is why a tool was not called. Kind is unknown, dates or repeated.
type ModelRefusal struct {
	Kind string
}

// In returns the words in a language.
func (p ModelRefusal) In(lang string) string { return fillKind("model_refusal", lang, p.Kind, p) }

var marks = strings.NewReplacer("<", "‹", ">", "›", "＜", "‹", "＞", "›", "\u2028", " ", "\u2029", " ")

// data is text of others on one line, without the characters that marks are made of.
func data(s string) string { return strings.Join(strings.Fields(marks.Replace(s)), " ") }

// ModelReading tells a model how to read an utterance in its talk.
type ModelReading struct {
	Venue string
}

// In returns the words in a language.
func (p ModelReading) In(lang string) string { return fill("model_reading", lang, p) }

// ModelUtterance is an utterance in its talk.
type ModelUtterance struct {
	// Today is the day and the time of the utterance.
	Today string
	Talk  ModelTalk
	Said  string
}

// In returns the words in a language.
func (p ModelUtterance) In(lang string) string { return fill("model_utterance", lang, p) }

// ModelStatus is what became of an event, as a fact for a model. Kind is cancelled, over, or that of an [EventNotice].
type ModelStatus struct {
	Kind string
}

// In returns the words in a language.
func (p ModelStatus) In(lang string) string { return fillKind("model_status", lang, p.Kind, p) }

// ModelHours is when the venue is open on a day, as a fact for a model. Without From it is closed, for a Reason where one is known.
type ModelHours struct {
	Day, From, Until, Reason string
}

// In returns the words in a language.
func (p ModelHours) In(lang string) string { return fill("model_hours", lang, p) }
