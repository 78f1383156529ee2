// Package venue is the place the concierge speaks for: its name, zone, hours, calendars and knowledge, read from one
// file (venue.yaml). The demo venue is such a file, embedded in the binary.
//
// Its one idea: what can be computed (is it open, which days are closed, what a room costs) is data and rules here,
// never prose; prose is knowledge, in documents of its own. [Open] and [Demo] give a checked [Venue]; [Hours.Day] says
// when it or a [Part] is open.
// The package knows no HTTP, no graph, no calendar format and no format of documents.
package venue

import (
	"io/fs"
	"time"

	"annai/tools/calendar"
)

// A Venue is what a venue file says. [Open], [Parse] and [Demo] return it checked and with its defaults filled in.
// It is not changed afterwards, so it may be shared.
type Venue struct {
	// Name is required.
	Name Text `yaml:"name"`
	// Timezone is an IANA name. Absent means Asia/Tokyo; it is never the server's.
	Timezone string `yaml:"timezone"`
	// Website is an http or https address; optional.
	Website string `yaml:"website"`
	// Address is where it is, and At the same on the earth; both optional. Walks are computed from At.
	Address Text        `yaml:"address"`
	At      Coordinates `yaml:"location"`
	// Places are stations, wards and sights that visitors name; see [Place].
	Places []Place `yaml:"places"`
	// Staff is how a visitor finds a person.
	Staff Staff `yaml:"staff"`
	// Hours are the opening hours and closing-day rules.
	Hours Hours `yaml:"hours"`
	// Parts are its rooms, machines, shops and services, as data; see [Part].
	Parts []Part `yaml:"parts"`
	// Ambiguous are words that mean several things here; the visitor is asked which.
	Ambiguous []Ambiguity `yaml:"ambiguous"`
	// Corrections maps mis-heard forms of names to the right ones (エンジニア壁: エンジニアカフェ).
	Corrections map[string]string `yaml:"corrections"`
	// Reading says in kana how names are read aloud (saino: サイノ); an apostrophe stands behind the accent.
	Reading map[string]string `yaml:"reading"`
	// Suggestions are the preset questions of the kiosk. Where there are fewer than three in a language, ones that suit
	// any venue follow them.
	Suggestions []Text `yaml:"suggestions"`
	// Kiosk is how its kiosks sound.
	Kiosk     Kiosk      `yaml:"kiosk"`
	Calendars []Calendar `yaml:"calendars"`
	// Knowledge are files or directories relative to the venue file, in its folder or below: no absolute path, no "..".
	Knowledge []string `yaml:"knowledge"`
	// Pictures are the hosts from which pictures of events may come, and ".example.org" for all below that domain.
	// Absent: none are shown.
	Pictures []string `yaml:"pictures"`
	// Appearance is how the kiosk looks.
	Appearance Appearance `yaml:"appearance"`
	// Demo says that all of it is demonstration data, and answers of GET / and the kiosk label it so.
	Demo bool `yaml:"demo"`

	// Files holds the venue file and what it names relative to it.
	Files fs.FS `yaml:"-"`
	// Location is Timezone, loaded.
	Location *time.Location `yaml:"-"`

	notes []Problem // see [Venue.Notes]
}

// Staff says where a person is and which numbers to call.
type Staff struct {
	// Where is a noun phrase that fits "please ask {Where}" / 「{Where}にお声がけください」: "the staff at the 1F desk".
	// Absent means "the staff" / 「スタッフ」.
	Where Text   `yaml:"where"`
	Phone string `yaml:"phone"`
	// CrisisLine is who listens on the phone to somebody who wants to die, with the number, in each language. Absent
	// means help lines for all of Japan.
	CrisisLine Text `yaml:"crisisLine"`
	// Words are what visitors say for staff, beyond those the concierge knows.
	Words []string `yaml:"words"`
}

// The values of [Calendar.Source].
const (
	SourceICS    = "ics"
	SourceFeed   = "feed"
	SourceLocal  = "local"
	SourceGoogle = "google"
	SourceCalDAV = "caldav"
)

// Calendar is one of the venue's calendars.
type Calendar struct {
	// ID is unique in the venue: letters, digits, ".", "_" and "-".
	ID string `yaml:"id"`
	// Label is what visitors read. Absent means the id.
	Label Text `yaml:"label"`
	// Source is the back end: "ics", "feed" (a list in JSON or CSV), "local" (kept by annai itself), "google" or
	// "caldav".
	Source string `yaml:"source"`
	// Path or URL, exactly one, is where an ics calendar or a feed is. Path is like those of
	// [Venue.Knowledge], URL is http or https.
	Path string `yaml:"path"`
	URL  string `yaml:"url"`
	// Mapping says what is what in a feed. KeyHeader and KeyFile, a path too, are a header that it is asked with.
	Mapping   *Mapping `yaml:"mapping"`
	KeyHeader string   `yaml:"keyHeader"`
	KeyFile   string   `yaml:"keyFile"`
	// Account and CalendarID say which of Google's calendars it is. Absent means the account "default", and its own calendar "primary".
	// Of a CalDAV server CalendarID is its name or path, absent the first; URL, User and PasswordFile,
	// which is like Path, are the server, absent those of the settings.
	User         string `yaml:"user"`
	PasswordFile string `yaml:"passwordFile"`
	Account      string `yaml:"account"`
	CalendarID   string `yaml:"calendarId"`
	// Owner is the name of the owner whose it is, as keys name them. Absent: it is every owner's.
	Owner string `yaml:"owner"`
	// Writable says that its owner may change it by talking. All but ics calendars can be; the first is where new events go.
	Writable bool `yaml:"writable"`
	// Visibility is how much visitors see. Absent means private where the calendar is writable.
	Visibility calendar.Visibility `yaml:"visibility"`
}

// A Mapping says where the parts of an event are in a feed: paths of names with dots in JSON, names of
// columns in CSV. What they mean says docs/calendar.md. Title, and Start or Date, are required.
type Mapping struct {
	Items       string            `yaml:"items"`
	ID          string            `yaml:"id"`
	Title       string            `yaml:"title"`
	Start       string            `yaml:"start"`
	End         string            `yaml:"end"`
	Date        string            `yaml:"date"`
	TimeZone    string            `yaml:"timeZone"`
	Place       string            `yaml:"place"`
	Address     string            `yaml:"address"`
	URL         string            `yaml:"url"`
	Description string            `yaml:"description"`
	Picture     string            `yaml:"picture"`
	Capacity    string            `yaml:"capacity"`
	Accepted    string            `yaml:"accepted"`
	Status      string            `yaml:"status"`
	Statuses    map[string]string `yaml:"statuses"`
}

// An Ambiguity is a word with several readings.
type Ambiguity struct {
	// Words are the forms that are ambiguous when they stand alone, matched whole: "カフェ", "cafe".
	Words    []string  `yaml:"words"`
	Question Text      `yaml:"question"`
	Readings []Reading `yaml:"readings"`
}

// A Reading is one meaning of an ambiguous word.
type Reading struct {
	Label Text `yaml:"label"`
	// Words are forms that make this reading plain, so that nothing is asked.
	Words []string `yaml:"words"`
	// Means replaces the ambiguous word in the question.
	Means Text `yaml:"means"`
}
