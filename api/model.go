package api

// ModelUse says what a language model had to do with an answer. It holds no word of the model's that was not said.
type ModelUse struct {
	// Name is the model that answered, or was asked.
	Name string `json:"name"`
	// Did is what it was asked for: wording, tools or both, with + between them.
	Did string `json:"did"`
	// Kept is how many of its sentences were said, Replaced how many of its sentences the evidence did not bear and were said in the
	// template's words, Dropped how many were left out.
	Kept     int `json:"kept"`
	Replaced int `json:"replaced"`
	Dropped  int `json:"dropped"`
	// Sentences says of each sentence that it wrote, in order, what became of it.
	Sentences []ModelSentence `json:"sentences,omitempty"`
	// Fallback is why the rest, or all, is the template's answer; empty where the model came to its end.
	Fallback string `json:"fallback,omitempty"`
	// Tools are the tools that were called for it, in order.
	Tools []string `json:"tools,omitempty"`
}

// ModelSentence says what became of a sentence that a model wrote.
type ModelSentence struct {
	// Became is kept, replaced or dropped.
	Became string `json:"became"`
	// Why is why it was not kept: unsupported, incomplete, language, markup, prompt, claimless, repeated or unfinished.
	Why string `json:"why,omitempty"`
}
