package display

import "strings"

// A Confirmation is what somebody is asked to agree to, in parts, for whoever shows it and does not
// only say it.
type Confirmation struct {
	// Do is what a yes does, Intro says it, and Ask is the question.
	Do    string `json:"do"`
	Intro string `json:"intro,omitempty"`
	Ask   string `json:"ask"`
	// Fields are empty where the cards say what it is about.
	Fields []Field `json:"fields,omitempty"`
	// Warnings are what should be known before a yes, Notes what else there is to say.
	Warnings []string `json:"warnings,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// A Field is one fact and what it is called.
type Field struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// FieldsOf takes apart a text that is an introduction and a list of fields, as prompts.ConfirmAdd
// makes one. No value may have more than one line.
func FieldsOf(text string) (intro string, fields []Field) {
	intro, list, _ := strings.Cut(text, "\n\n")
	for line := range strings.SplitSeq(list, "\n") {
		label, value, ok := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
		if ok {
			fields = append(fields, Field{Label: label, Value: value})
		}
	}
	return intro, fields
}
