package venue

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/tools/calendar"
)

// minSuggestions is how many preset questions the kiosk shows.
const minSuggestions = 3

var headerName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

var calendarID = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// check fills in the defaults of v and what is derived, and adds what is wrong.
func (c *checker) check(v *Venue) {
	if v.Name.IsZero() {
		c.add("name", "is missing; give it as ja, en or both")
	}
	c.checkZone(v)
	if v.Website != "" && !isWebAddress(v.Website) {
		c.add("website", "%q is not an http or https address", v.Website)
	}
	if v.Staff.Where.IsZero() {
		v.Staff.Where = Text{JA: "スタッフ", EN: "the staff"}
	}
	if v.Staff.CrisisLine.IsZero() {
		v.Staff.CrisisLine = Text{JA: "よりそいホットライン 0120-279-338", EN: "TELL Lifeline 0800-300-8355"}
	}
	v.Hours.schedule = c.schedule("hours", &v.Hours, v.Location, nil)
	c.checkParts(v)
	c.checkPlaces(v)
	c.checkAmbiguous(v.Ambiguous)
	c.checkCorrections(v.Corrections)
	c.checkReading(v.Reading)
	c.checkAppearance(v)
	c.checkPictures(v.Pictures)
	v.Suggestions = fillSuggestions(v.Suggestions)
	c.checkKiosk(&v.Kiosk)
	c.checkCalendars(v)
	for i, name := range v.Knowledge {
		v.Knowledge[i] = c.path(v.Files, fmt.Sprintf("knowledge[%d]", i), name, true)
	}
}

func (c *checker) checkZone(v *Venue) {
	if v.Timezone == "" {
		v.Timezone = "Asia/Tokyo"
	}
	loc, err := time.LoadLocation(v.Timezone)
	if err != nil || v.Timezone == "Local" {
		c.add("timezone", "there is no time zone %q; names are like Asia/Tokyo", v.Timezone)
		loc = time.UTC
	}
	v.Location = loc
}

func (c *checker) checkAmbiguous(ambiguous []Ambiguity) {
	seen := map[string]bool{}
	for i, a := range ambiguous {
		key := fmt.Sprintf("ambiguous[%d]", i)
		c.checkWords(key+".words", a.Words, seen)
		if a.Question.IsZero() {
			c.add(key+".question", "is missing")
		}
		if len(a.Readings) < 2 {
			c.add(key+".readings", "there are %d; a word is ambiguous with two or more", len(a.Readings))
		}
		for j, r := range a.Readings {
			if r.Label.IsZero() {
				c.add(fmt.Sprintf("%s.readings[%d].label", key, j), "is missing")
			}
			if r.Means.IsZero() {
				c.add(fmt.Sprintf("%s.readings[%d].means", key, j), "is missing")
			}
		}
	}
}

func (c *checker) checkWords(key string, words []string, seen map[string]bool) {
	if len(words) == 0 {
		c.add(key, "is missing")
	}
	for i, w := range words {
		if w == "" || seen[w] {
			c.add(fmt.Sprintf("%s[%d]", key, i), "%q is empty or given twice", w)
		}
		seen[w] = true
	}
}

func (c *checker) checkCorrections(corrections map[string]string) {
	for _, wrong := range slices.Sorted(maps.Keys(corrections)) {
		if right := corrections[wrong]; wrong == "" || right == "" || wrong == right {
			c.add("corrections", "%q: %q corrects nothing", wrong, right)
		}
	}
}

var hostName = regexp.MustCompile(`^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$`)

// checkPictures looks for what is no host.
func (c *checker) checkPictures(hosts []string) {
	for i, host := range hosts {
		if hosts[i] = strings.ToLower(host); !hostName.MatchString(hosts[i]) {
			c.add(fmt.Sprintf("pictures[%d]", i),
				"%q is not a host such as images.example.org, or .example.org for all below it", host)
		}
	}
}

// checkReading looks for what no voice can read.
func (c *checker) checkReading(reading map[string]string) {
	const longest = 100 // characters
	strange := func(r rune) bool {
		return !unicode.In(r, unicode.Hiragana, unicode.Katakana) && !strings.ContainsRune("ー' 　", r)
	}
	for _, name := range slices.Sorted(maps.Keys(reading)) {
		kana := reading[name]
		switch {
		case strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > longest:
			c.add("reading", "%.40q is no name of 1 to %d characters", name, longest)
		case strings.TrimSpace(kana) == "" || strings.ContainsFunc(kana, strange):
			c.add("reading", "%q: %q is not in kana", name, kana)
		}
	}
}

// common are the suggestions that suit any venue.
var common = []Text{
	{JA: "今日のイベントは？", EN: "What's on today?"},
	{JA: "今週のイベントは？", EN: "What's on this week?"},
	{JA: "今日は何曜日ですか？", EN: "What day is it today?"},
}

// fillSuggestions adds common ones until each language has enough.
func fillSuggestions(own []Text) []Text {
	enough := func(all []Text) bool {
		var ja, en int
		for _, s := range all {
			if s.JA != "" {
				ja++
			}
			if s.EN != "" {
				en++
			}
		}
		return min(ja, en) >= minSuggestions
	}
	for _, s := range common {
		if enough(own) {
			break
		}
		same := func(o Text) bool { return o.JA == s.JA || o.EN == s.EN }
		if !slices.ContainsFunc(own, same) {
			own = append(own, s)
		}
	}
	return own
}

func (c *checker) checkCalendars(v *Venue) {
	seen := map[string]bool{}
	for i := range v.Calendars {
		cal, key := &v.Calendars[i], fmt.Sprintf("calendars[%d]", i)
		switch {
		case !calendarID.MatchString(cal.ID):
			c.add(key+".id", "%q is not made of letters, digits, dots, dashes and underscores", cal.ID)
		case seen[cal.ID]:
			c.add(key+".id", "%q is the id of another calendar too", cal.ID)
		}
		seen[cal.ID] = true
		if cal.Label.IsZero() {
			cal.Label = Text{JA: cal.ID, EN: cal.ID}
		}
		if cal.Writable && cal.Visibility == "" {
			cal.Visibility = calendar.Private
		}
		switch cal.Visibility {
		case calendar.Public, calendar.Busy, calendar.Private:
		default:
			c.add(key+".visibility", "%q is not public, busy or private", cal.Visibility)
		}
		if cal.Owner != "" && !calendarID.MatchString(cal.Owner) {
			c.add(key+".owner", "%q is not made of letters, digits, dots, dashes and underscores", cal.Owner)
		}
		c.checkSource(v.Files, key, cal)
	}
}

// checkSource checks where a calendar comes from.
func (c *checker) checkSource(files fs.FS, key string, cal *Calendar) {
	switch cal.Source {
	case SourceICS, SourceFeed:
		c.checkFetched(files, key, cal)
	case SourceCalDAV:
		c.checkCalDAV(files, key, cal)
		return
	case SourceLocal, SourceGoogle:
		if cal.Path != "" || cal.URL != "" {
			c.add(key, "a calendar of the source %s has neither path nor url", cal.Source)
		}
	default:
		c.add(key+".source", "%q is not ics, feed, local, google or caldav", cal.Source)
	}
	c.checkMapping(files, key, cal)
	if cal.Source != SourceGoogle {
		if cal.Account != "" || cal.CalendarID != "" {
			c.add(key, "only a calendar of the source google has account and calendarId")
		}
		return
	}
	cal.Account, cal.CalendarID = cmp.Or(cal.Account, "default"), cmp.Or(cal.CalendarID, "primary")
	if !calendarID.MatchString(cal.Account) {
		c.add(key+".account", "%q is not made of letters, digits, dots, dashes and underscores", cal.Account)
	}
}

// checkCalDAV checks where a calendar at a CalDAV server is: at one of its own, or at that of the
// settings.
func (c *checker) checkCalDAV(files fs.FS, key string, cal *Calendar) {
	switch {
	case cal.Path != "" || cal.Account != "":
		c.add(key, "a calendar of the source caldav has neither path nor account")
	case cal.URL == "" && (cal.User != "" || cal.PasswordFile != ""):
		c.add(key, "user and passwordFile belong to a url")
	case cal.URL != "" && !isWebAddress(cal.URL):
		c.add(key+".url", "%q is not an http or https address", cal.URL)
	case cal.PasswordFile != "":
		cal.PasswordFile = c.path(files, key+".passwordFile", cal.PasswordFile, false)
	}
}

// checkMapping checks what only feeds have.
func (c *checker) checkMapping(files fs.FS, key string, cal *Calendar) {
	if cal.Source != SourceFeed {
		if cal.Mapping != nil || cal.KeyHeader != "" || cal.KeyFile != "" {
			c.add(key, "only a calendar of the source feed has mapping, keyHeader and keyFile")
		}
		return
	}
	switch m := cal.Mapping; {
	case m == nil || m.Title == "":
		c.add(key+".mapping.title", "is missing; it is the name of what is the title")
	case m.Start == "" && m.Date == "":
		c.add(key+".mapping.start", "is missing; give start, or date where that stands by itself")
	case m.Status == "" && len(m.Statuses) > 0:
		c.add(key+".mapping.statuses", "needs status, the name of what has these values")
	}
	switch {
	case (cal.KeyHeader == "") != (cal.KeyFile == ""):
		c.add(key, "give keyHeader and keyFile together")
	case cal.KeyFile != "" && cal.URL == "":
		c.add(key+".keyFile", "is for a calendar with a url")
	case cal.KeyFile != "" && !headerName.MatchString(cal.KeyHeader):
		c.add(key+".keyHeader", "%q is not a name of a header like X-API-Key", cal.KeyHeader)
	case cal.KeyFile != "":
		cal.KeyFile = c.path(files, key+".keyFile", cal.KeyFile, false)
	}
}

func (c *checker) checkFetched(files fs.FS, key string, cal *Calendar) {
	switch {
	case (cal.Path == "") == (cal.URL == ""):
		c.add(key, "give exactly one of path and url")
	case cal.Path != "":
		cal.Path = c.path(files, key+".path", cal.Path, false)
	case !isWebAddress(cal.URL):
		c.add(key+".url", "%q is not an http or https address", cal.URL)
	}
	if cal.Writable {
		c.add(key+".writable", "a calendar of the source %s can only be read", cal.Source)
	}
}

// path returns name as [fs.FS] wants it, and adds a problem where it can't be one or nothing is there.
func (c *checker) path(files fs.FS, key, name string, dirToo bool) string {
	clean := path.Clean(name)
	if name == "" || !fs.ValidPath(clean) {
		c.add(key, "%q is not a path in the folder of the venue file or below", name)
		return name
	}
	switch info, err := fs.Stat(files, clean); {
	case errors.Is(err, fs.ErrNotExist):
		c.add(key, "%q does not exist", name)
	case err != nil:
		c.add(key, "%q cannot be read: %v", name, err)
	case info.IsDir() && !dirToo:
		c.add(key, "%q is a folder, not a file", name)
	}
	return clean
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
