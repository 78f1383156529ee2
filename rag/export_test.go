package rag

// DefaultThreshold is what the tests hold to the bars.
const DefaultThreshold = defaultThreshold

// Common is how many common texts have vectors beside the passages.
var Common = len(commonTexts())

// Subject is what a question is about, as [New] embeds it.
func Subject(text string) string { return ownSynonyms().subject(text) }

// Heading is the last part of a title.
func Heading(title string) string {
	_, heading := cutTitle(title)
	return heading
}

// A CommonText is what is learnt from besides places.
type CommonText struct {
	Texts []string `json:"texts"`
	// Role is "everyday", "asked" or "statement"; a question of visitors and what answers it have the same concern.
	Role    string `json:"role"`
	Concern int    `json:"concern"`
}

// CommonTexts returns the questions of visitors, what answers them, and the everyday questions.
func CommonTexts() []CommonText {
	var out []CommonText
	for _, c := range commonTexts() {
		texts := []string{c.text}
		if c.also != "" {
			texts = append(texts, c.also)
		}
		out = append(out, CommonText{texts, [...]string{
			everydayQuestion: "everyday", visitorsQuestion: "asked",
			statement: "statement",
		}[c.role], c.concern})
	}
	return out
}

// LearntWith is the embedder that data/answered.json was learnt with, and Answered the credit that it gives a question.
func LearntWith() string { return learnt().Embedder }

func Answered(question Vector, fingerprint string) float64 { return learnt().of(question, fingerprint) }
