package venue

import "slices"

// A Part is a room, machine, shop or service of the venue. Everything but the name is optional.
type Part struct {
	// ID is unique among the parts. Absent means the name.
	ID   string `yaml:"id"`
	Name Text   `yaml:"name"`
	// Aliases are what visitors call it besides.
	Aliases Words `yaml:"aliases"`
	// Floor is the number of the floor as Japan counts, "1" for the ground floor, or "B1" and so on
	// below.
	Floor string `yaml:"floor"`
	// Where is where on that floor, a phrase that fits "It is {Where}" / 「{Where}にあります」.
	Where Text `yaml:"where"`
	// Seats is how many there are: 8, or "8-10".
	Seats Count `yaml:"seats"`
	// Hours are its own opening hours. Where they are not known, those of the venue hold; see
	// [Venue.HoursOf].
	Hours   Hours    `yaml:"hours"`
	Prices  []Price  `yaml:"prices"`
	Booking Booking  `yaml:"booking"`
	For     Audience `yaml:"for"`
	// Allows and Forbids are short acts: {ja: 通話, en: phone calls}.
	Allows  []Text `yaml:"allows"`
	Forbids []Text `yaml:"forbids"`
	// Description is a sentence or two.
	Description Text `yaml:"description"`
}

// Names are all names of the part in lang ("ja" or "en"), the name itself first; in both languages
// where lang is empty.
func (p *Part) Names(lang string) []string {
	names := []string{p.Name.In(lang)}
	if lang == "" {
		names = []string{p.Name.JA, p.Name.EN}
	}
	names = append(names, p.Aliases.In(lang)...)
	var all []string
	for _, n := range names {
		if n != "" && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// Part returns the part of that id; nil if there is none.
func (v *Venue) Part(id string) *Part {
	for i := range v.Parts {
		if v.Parts[i].ID == id {
			return &v.Parts[i]
		}
	}
	return nil
}

// HoursOf returns the hours that hold for a part: its own, or where it has none those of the venue.
func (v *Venue) HoursOf(p *Part) Hours {
	if p.Hours.schedule == nil {
		return v.Hours
	}
	return p.Hours
}

// A Count is a number, or a range of numbers. The zero Count is not known.
type Count struct {
	Least, Most int

	text string // as the file has it
}

// IsZero reports whether the number is not known.
func (c Count) IsZero() bool { return c.Least == 0 }

// The values of [Booking.Needed]. Empty is not known.
const (
	BookingNeeded   = "yes"
	BookingNone     = "no"
	BookingPossible = "possible"
)

// Booking says whether and how a part is booked.
type Booking struct {
	// Needed is whether it has to be, or can be.
	Needed string `yaml:"needed"`
	// How is a sentence: "Please book on the web by the day before."
	How Text `yaml:"how"`
	// Contact is a desk, phone number or address.
	Contact Text `yaml:"contact"`
}

// IsZero reports whether nothing is said of booking.
func (b Booking) IsZero() bool { return b == Booking{} }

// Ages bound an age; both bounds are in, and either may be absent.
type Ages struct {
	MinAge int  `yaml:"minAge"`
	MaxAge *int `yaml:"maxAge"`
}

// Hold reports whether age is within the bounds.
func (a Ages) Hold(age int) bool { return age >= a.MinAge && (a.MaxAge == nil || age <= *a.MaxAge) }

// IsZero reports whether there are no bounds.
func (a Ages) IsZero() bool { return a.MinAge == 0 && a.MaxAge == nil }

// Audience is for whom a part is. The zero Audience is not known.
type Audience struct {
	Ages `yaml:",inline"`
	// Members says that one has to be a member.
	Members bool `yaml:"members"`
	// Who is a noun phrase: "those who had the training".
	Who Text `yaml:"who"`
}

// IsZero reports whether nothing is said of for whom it is.
func (a Audience) IsZero() bool { return a.Ages.IsZero() && !a.Members && a.Who.IsZero() }
