package nodes

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/civil"
	"annai/grounding"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/display"
)

// dates are the days and times of day that somebody said or a tool has found: a model may use these
// and no others.
type dates struct {
	days   map[civil.Date]bool
	clocks map[display.Clock]bool
}

// maxDaysSaid is how many days of a range are known one by one.
const maxDaysSaid = 62

// datesSaid are those of an utterance, as rules read it, and today.
func datesSaid(u nlu.Understanding, now time.Time) dates {
	known := dates{map[civil.Date]bool{civil.DateOf(now): true}, map[display.Clock]bool{}}
	for _, e := range u.Times {
		if e.Invalid || e.TimeRange.Start.IsZero() {
			continue
		}
		first, last := e.TimeRange.Start.In(now.Location()), e.TimeRange.End.In(now.Location())
		if e.Kind == datetime.KindTime {
			known.clocks[*display.ClockOf(first)], known.clocks[*display.ClockOf(last)] = true, true
		}
		if last.After(first) {
			last = last.Add(-time.Nanosecond)
		}
		for d, n := civil.DateOf(first), 0; !d.After(civil.DateOf(last)) && n < maxDaysSaid; d, n = d.AddDays(1), n+1 {
			known.days[d] = true
		}
	}
	return known
}

// add takes in what a tool answered.
func (k dates) add(result string, loc *time.Location) {
	for text := range strings.FieldsFuncSeq(result, notInMoment) {
		if at, clocked, ok := readMoment(text, loc); ok {
			k.days[civil.DateOf(at)] = true
			if clocked {
				k.clocks[*display.ClockOf(at)] = true
			}
		}
	}
}

// all reports whether every day in the arguments of a call is known; with clocks every time of day
// too, but for that of an end.
func (k dates) all(arguments json.RawMessage, loc *time.Location, clocks bool) bool {
	var fields map[string]any
	if json.Unmarshal(arguments, &fields) != nil {
		return false
	}
	for name, value := range fields {
		text, ok := value.(string)
		if !ok || !beginsWithDay(text) {
			continue
		}
		at, clocked, ok := readMoment(text, loc)
		if !ok || !k.days[civil.DateOf(at)] || clocks && clocked && name != "end" && !k.clocks[*display.ClockOf(at)] {
			return false
		}
	}
	return true
}

// notInMoment reports whether a character is in no day and no time as tools write them.
func notInMoment(r rune) bool { return !strings.ContainsRune("0123456789-:+TZ", r) }

// beginsWithDay reports whether a text has the form of a day, or of a time on one.
func beginsWithDay(text string) bool {
	const form = "0000-00-00"
	digits := func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	}
	return strings.HasPrefix(strings.Map(digits, text), form)
}

// readMoment reads a day, or a time; one without an offset is meant in loc.
func readMoment(text string, loc *time.Location) (at time.Time, clocked, ok bool) {
	if d, err := civil.ParseDate(text); err == nil {
		return d.In(loc), false, true
	}
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.ParseInLocation(layout, text, loc); err == nil {
			return at.In(loc), true, true
		}
	}
	return time.Time{}, false, false
}

// evidenceOf is what a tool's answer is evidence of: the entries in it, and what it says in words.
func evidenceOf(result json.RawMessage, before int, loc *time.Location) evidence {
	var value any
	if json.Unmarshal(result, &value) != nil {
		return evidence{}
	}
	var g evidence
	walk(value, func(object map[string]any) {
		id := fmt.Sprintf("result-%d", before+len(g.Items)+1)
		start, end := textOf(object, "start"), textOf(object, "end")
		if from, clocked, ok := readMoment(start, loc); ok {
			item := grounding.Item{ID: id, Kind: grounding.Event, Title: display.NoBrackets(text.OneLine(textOf(object, "title"), display.MaxTitle)), Place: display.NoBrackets(text.OneLine(textOf(object, "location"), display.MaxPlace))}
			until, _, ended := readMoment(end, loc)
			switch {
			case clocked:
				item.Start, item.End = from, until
			case ended:
				item.AllDay, item.FirstDay, item.EndDay = true, civil.DateOf(from), civil.DateOf(until).AddDays(1)
			}
			g.Items = append(g.Items, item)
		}
	})
	if object, ok := value.(map[string]any); ok {
		if said := display.NoBrackets(text.OneLine(textOf(object, "message"), display.MaxPassage)); said != "" {
			id := fmt.Sprintf("result-%d", before+len(g.Items)+1)
			g.Items = append(g.Items, grounding.Item{ID: id, Kind: grounding.Passage, Text: said})
			g.addLines(id, said)
		}
	}
	return g
}

// walk calls f for each object in a value.
func walk(value any, f func(map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		f(v)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walk(v[name], f)
		}
	case []any:
		for _, item := range v {
			walk(item, f)
		}
	}
}

func textOf(object map[string]any, name string) string {
	text, _ := object[name].(string)
	return text
}
