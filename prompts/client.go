package prompts

// ClientInstructions tells a client's model what this server is for.
type ClientInstructions struct {
	Venue string
}

// In returns the words in a language.
func (p ClientInstructions) In(lang string) string { return fill("client_instructions", lang, p) }

// ClientAsk tells a client's model when to ask the concierge.
type ClientAsk struct {
	Venue string
}

// In returns the words in a language.
func (p ClientAsk) In(lang string) string { return fill("client_ask", lang, p) }

// ClientConfirm asks a person whether a tool may write. Fields are lines "name: value".
type ClientConfirm struct {
	Tool   string
	Fields []string
}

// In returns the words in a language.
func (p ClientConfirm) In(lang string) string { return fill("client_confirm", lang, p) }

// ClientDeclined tells a client's model that a person said no.
type ClientDeclined struct{}

// In returns the words in a language.
func (p ClientDeclined) In(lang string) string { return fill("client_declined", lang, p) }

// ClientNoConfirm tells a client's model that nothing was written, because its client can't put a question to a person.
type ClientNoConfirm struct{}

// In returns the words in a language.
func (p ClientNoConfirm) In(lang string) string { return fill("client_no_confirm", lang, p) }

// ClientWhatsOn asks a client's model to find out which events there are. When may be empty.
type ClientWhatsOn struct {
	Venue, When string
}

// In returns the words in a language.
func (p ClientWhatsOn) In(lang string) string { return fill("client_whats_on", lang, p) }

// ClientVisit asks a client's model to plan a visit. When and About may be empty.
type ClientVisit struct {
	Venue, When, About string
}

// In returns the words in a language.
func (p ClientVisit) In(lang string) string { return fill("client_visit", lang, p) }

// ClientLabel is what a prompt or an argument of one is called.
type ClientLabel struct {
	Name string
}

// In returns the words in a language.
func (p ClientLabel) In(lang string) string { return fillKind("client_label", lang, p.Name, p) }
