package prompts

// Greeting greets. Part is morning, day or evening.
type Greeting struct {
	Part, Venue string
}

// In returns the words in a language.
func (p Greeting) In(lang string) string { return fill("greeting", lang, p) }

// Thanks answers thanks.
type Thanks struct{}

// In returns the words in a language.
func (p Thanks) In(lang string) string { return fill("thanks", lang, p) }

// Farewell says goodbye.
type Farewell struct{}

// In returns the words in a language.
func (p Farewell) In(lang string) string { return fill("farewell", lang, p) }

// Identity says who is speaking: a machine. Speak is set where it was asked to speak a language.
type Identity struct {
	Venue string
	Speak bool
}

// In returns the words in a language.
func (p Identity) In(lang string) string { return fill("identity", lang, p) }

// SmallTalk answers small talk.
type SmallTalk struct{}

// In returns the words in a language.
func (p SmallTalk) In(lang string) string { return fill("small_talk", lang, p) }

// Staff says where a person is. Phone may be empty; Complaint says that something does not work, or disturbs.
type Staff struct {
	Staff, Phone string
	Complaint    bool
}

// In returns the words in a language.
func (p Staff) In(lang string) string { return fill("staff", lang, p) }

// OutOfScope says what can't be answered and what can.
type OutOfScope struct {
	Venue string
}

// In returns the words in a language.
func (p OutOfScope) In(lang string) string { return fill("out_of_scope", lang, p) }

// Unclear asks to say it another way.
type Unclear struct{}

// In returns the words in a language.
func (p Unclear) In(lang string) string { return fill("unclear", lang, p) }

// Affirm answers a yes to nothing.
type Affirm struct{}

// In returns the words in a language.
func (p Affirm) In(lang string) string { return fill("affirm", lang, p) }

// Chat answers what wants no answer: small talk, thinking aloud.
type Chat struct{}

// In returns the words in a language.
func (p Chat) In(lang string) string { return fill("chat", lang, p) }

// Deny answers a no to nothing.
type Deny struct{}

// In returns the words in a language.
func (p Deny) In(lang string) string { return fill("deny", lang, p) }

// Safety is the fixed words for a danger: life, fire, gas, injury, lost_child, crime, quake, suicide or
// another. CrisisLine is who listens on the phone to somebody who wants to die.
type Safety struct {
	Danger, Staff, CrisisLine string
}

// In returns the words in a language.
func (p Safety) In(lang string) string { return fill("safety", lang, p) }

// Relief answers who says, after a danger, that it is over, or thanks.
type Relief struct{}

// In returns the words in a language.
func (p Relief) In(lang string) string { return fill("relief", lang, p) }

// Filler is what is said where an answer takes a moment.
type Filler struct{}

// In returns the words in a language.
func (p Filler) In(lang string) string { return fill("filler", lang, p) }

// Failure is what is said when a request fails: invalid, empty, too_long, denied, not_found, resume_lost, conflict, cancelled, overloaded,
// unavailable, deadline, or of hearing no_hearing, unheard and unreadable; any other name is an apology.
type Failure struct {
	Name string
}

// In returns the words in a language.
func (p Failure) In(lang string) string { return fill("failure", lang, p) }

// StaffCalled tells staff that a visitor at a kiosk calls for them.
type StaffCalled struct {
	Venue string
	// Device names the kiosk; empty: it has no name.
	Device string
	// Speaks is the language of the visitor, as ja or en; empty: it is not known.
	Speaks string
}

// In returns the words in a language.
func (p StaffCalled) In(lang string) string { return fill("staff_called", lang, p) }

// StaffTold says that staff were called.
type StaffTold struct{}

// In returns the words in a language.
func (p StaffTold) In(lang string) string { return fill("staff_told", lang, p) }

// CutOff is what a kiosk says when the line breaks within an answer.
type CutOff struct{}

// In returns the words in a language.
func (p CutOff) In(lang string) string { return fill("cut_off", lang, p) }
