package oauth

import (
	"slices"
	"strings"
)

// The scopes that are asked for. The first three only read. The last one is for who keeps tasks at Google.
const (
	ScopeEventsReadonly       = scopePrefix + "calendar.events.readonly"
	ScopeFreeBusy             = scopePrefix + "calendar.events.freebusy"
	ScopeCalendarListReadonly = scopePrefix + "calendar.calendarlist.readonly"
	ScopeEvents               = scopePrefix + "calendar.events"
	ScopeTasks                = scopePrefix + "tasks"
)

const scopePrefix = "https://www.googleapis.com/auth/"

// ReadScopes returns the least that a kiosk needs, which only reads.
func ReadScopes() []string {
	return []string{ScopeEventsReadonly, ScopeFreeBusy, ScopeCalendarListReadonly}
}

// OwnerScopes returns the least that an owner needs, who writes too.
func OwnerScopes() []string {
	return []string{ScopeEvents, ScopeFreeBusy, ScopeCalendarListReadonly}
}

// Granted says what an account may be used for. Where the scopes are not known, everything may be tried: Google refuses what it must.
type Granted struct {
	// Scopes are those that were granted; empty where nobody knows.
	Scopes []string
}

// The scopes, without their prefix, with which Google lets one call the methods that we need. A test compares them with the description of
// the interface that Google publishes.
var (
	writes    = []string{"calendar", "calendar.events", "calendar.events.owned", "calendar.app.created"}
	reads     = append([]string{"calendar.readonly", "calendar.events.readonly", "calendar.events.owned.readonly", "calendar.events.public.readonly"}, writes...)
	freeBusy  = []string{"calendar", "calendar.readonly", "calendar.freebusy", "calendar.events.freebusy"}
	calendars = []string{"calendar", "calendar.readonly", "calendar.calendarlist", "calendar.calendarlist.readonly"}
)

// Known says whether anybody knows what was granted.
func (g Granted) Known() bool { return len(g.Scopes) > 0 }

// CanRead says whether events can be listed with their contents.
func (g Granted) CanRead() bool { return g.any(reads) }

// CanWrite says whether events can be made, changed and deleted.
func (g Granted) CanWrite() bool { return g.any(writes) }

// CanFreeBusy says whether it can be asked when calendars are busy.
func (g Granted) CanFreeBusy() bool { return g.any(freeBusy) }

// CanList says whether the owner's calendars can be listed.
func (g Granted) CanList() bool { return g.any(calendars) }

// CanKeepTasks says whether tasks can be read and written.
func (g Granted) CanKeepTasks() bool { return g.any([]string{"tasks"}) }

func (g Granted) any(of []string) bool {
	return !g.Known() || slices.ContainsFunc(g.Scopes, func(s string) bool {
		name, ours := strings.CutPrefix(s, scopePrefix)
		return ours && slices.Contains(of, name)
	})
}

// Missing returns those of wanted that neither were granted nor follow from one that was. Where nobody knows, none is missing.
func (g Granted) Missing(wanted []string) []string {
	var missing []string
	for _, s := range wanted {
		if !slices.Contains(g.Scopes, s) && !g.covers(s) {
			missing = append(missing, s)
		}
	}
	return missing
}

// covers says whether what a scope is asked for can be done with others.
func (g Granted) covers(scope string) bool {
	switch scope {
	case ScopeEventsReadonly:
		return g.CanRead()
	case ScopeEvents:
		return g.CanWrite()
	case ScopeTasks:
		return g.CanKeepTasks()
	case ScopeFreeBusy:
		return g.CanFreeBusy()
	case ScopeCalendarListReadonly:
		return g.CanList()
	default:
		return !g.Known()
	}
}
