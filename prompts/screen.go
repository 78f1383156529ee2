package prompts

// Progress says what a node does.
type Progress struct {
	Node string
}

// In returns the words in a language.
func (p Progress) In(lang string) string { return fillKind("progress", lang, p.Node, p) }

// Suggestion is a question that the visitor may want to ask next.
type Suggestion struct {
	Kind string
}

// In returns the words in a language.
func (p Suggestion) In(lang string) string { return fillKind("suggestion", lang, p.Kind, p) }
