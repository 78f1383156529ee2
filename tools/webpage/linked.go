package webpage

import (
	"encoding/json"
	"html"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
)

// eventTypes are Event of schema.org and the types beneath it (version 29).
var eventTypes = strings.Fields(`Event BroadcastEvent BusinessEvent ChildrensEvent ComedyEvent ConferenceEvent
	CourseInstance DanceEvent DeliveryEvent EducationEvent EventSeries ExhibitionEvent Festival FoodEvent Hackathon
	LiteraryEvent MusicEvent OnDemandEvent PerformingArtsEvent PublicationEvent SaleEvent ScreeningEvent SocialEvent
	SportsEvent TheaterEvent UserInteraction VisualArtsEvent`)

// An object is one of JSON-LD.
type object = map[string]any

// maxDepth is how deep events are looked for.
const maxDepth = 8

// addLinked takes the first event in a script of JSON-LD.
func (p *page) addLinked(script string) {
	if p.event != nil {
		return
	}
	var value any
	if json.Unmarshal([]byte(script), &value) != nil {
		return
	}
	if found := findEvent(value, maxDepth); found != nil {
		p.event = eventOf(found)
	}
}

// findEvent looks for an event: in lists, in @graph, and in what a page is about.
func findEvent(value any, depth int) object {
	if depth == 0 {
		return nil
	}
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			if found := findEvent(one, depth-1); found != nil {
				return found
			}
		}
	case object:
		if isEvent(v) {
			return v
		}
		for _, name := range []string{"@graph", "mainEntity", "about", "itemListElement", "item", "event", "events"} {
			if found := findEvent(v[name], depth-1); found != nil {
				return found
			}
		}
	}
	return nil
}

func isEvent(o object) bool {
	for _, kind := range list(o["@type"]) {
		name, _ := kind.(string)
		if at := strings.LastIndexAny(name, "/:#"); at >= 0 {
			name = name[at+1:]
		}
		if slices.Contains(eventTypes, name) {
			return true
		}
	}
	return false
}

// list is a value that may be one or several.
func list(value any) []any {
	if several, ok := value.([]any); ok {
		return several
	}
	return []any{value}
}

// statuses are the ends of EventStatusType of schema.org.
var statuses = map[string]string{
	"EventScheduled": "scheduled", "EventCancelled": "cancelled", "EventPostponed": "postponed",
	"EventRescheduled": "rescheduled", "EventMovedOnline": "moved_online",
}

func eventOf(o object) *Event {
	e := &Event{
		Name: said(o["name"], maxTitle), StartDate: whenOf(o["startDate"]), EndDate: whenOf(o["endDate"]),
		Location: placeOf(o["location"]),
	}
	status := said(o["eventStatus"], maxValue)
	e.Status = statuses[status[strings.LastIndexAny(status, "/:")+1:]]
	if *e == (Event{}) {
		return nil
	}
	return e
}

// said is a text of JSON-LD: itself, what stands under @value, or the first of several. Many pages
// escape it as HTML.
func said(value any, limit int) string {
	switch v := value.(type) {
	case string:
		return line(html.UnescapeString(v), limit)
	case []any:
		if len(v) > 0 {
			return said(v[0], limit)
		}
	case object:
		for _, name := range []string{"@value", "name", "@id"} {
			if s, ok := v[name].(string); ok {
				return said(s, limit)
			}
		}
	}
	return ""
}

// placeOf reads a location: a text, a Place, or the first that is a place of several.
func placeOf(value any) *Place {
	for _, one := range list(value) {
		var p Place
		switch v := one.(type) {
		case string:
			p.Name = said(v, maxTitle)
		case object:
			p.Name, p.Address = said(v["name"], maxTitle), addressOf(v["address"])
		}
		if p != (Place{}) {
			return &p
		}
	}
	return nil
}

// addressOf writes an address as its country does: in Japanese from the large to the small, and
// else the other way.
func addressOf(value any) string {
	o, ok := value.(object)
	if !ok {
		return said(value, maxValue)
	}
	var parts []string
	for _, name := range []string{
		"streetAddress", "addressLocality", "addressRegion", "postalCode",
		"addressCountry",
	} {
		if s := said(o[name], maxValue); s != "" && (len(s) > 2 || name != "addressCountry") {
			parts = append(parts, s)
		}
	}
	separator := ", "
	if text.HasJapanese(strings.Join(parts, "")) {
		slices.Reverse(parts)
		separator = " "
	}
	return line(strings.Join(parts, separator), maxValue)
}

// Forms of a time, with and without an offset. ISO 8601 allows more than RFC 3339, and pages use
// it.
var (
	withOffset = []string{
		time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04-0700",
		"2006-01-02 15:04:05-07:00",
	}
	withoutOffset = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}
)

// whenOf is a date, a time in RFC 3339, or a time without offset; "" for anything else.
func whenOf(value any) string {
	s := said(value, maxValue)
	if d, err := civil.ParseDate(s); err == nil {
		return d.String()
	}
	for _, layout := range withOffset {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.RFC3339)
		}
	}
	for _, layout := range withoutOffset {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format("2006-01-02T15:04:05")
		}
	}
	return ""
}
