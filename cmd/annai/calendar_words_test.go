package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"annai/api"
	"annai/prompts"
	"annai/tools/calendar/google/emulator"
)

// words are what an owner says, in a language.
type words struct {
	lang           string
	titles         []string
	yes, no, other string
	// firstOfSeries is the day of January 2025 on which a series begins, and rule its rule.
	firstOfSeries int
	rule          string

	add            func(title string, day, hour int) string
	series, change func(title string, hour int) string
	correct        func(hour int) string
	remove         func(title string) string
	// done, never and unknown are words that say that something was done, that it was not, and that nobody knows.
	done, never, unknown map[action][]string
}

var languages = []words{
	{
		lang: "ja", titles: []string{"企画会議", "歯医者", "英会話", "送別会", "採用面談", "読書会"},
		yes: "はい", no: "やめて", other: "今日は何曜日？", firstOfSeries: 15, rule: "RRULE:FREQ=WEEKLY;BYDAY=WE;UNTIL=20250331T145959Z",
		add: func(title string, day, hour int) string {
			return fmt.Sprintf("1月%d日の%d時に%sを入れて", day, hour, title)
		},
		series: func(title string, hour int) string {
			return fmt.Sprintf("毎週水曜%d時に%sを3月いっぱい入れて", hour, title)
		},
		change:  func(title string, hour int) string { return fmt.Sprintf("%sを%d時に変更して", title, hour) },
		correct: func(hour int) string { return fmt.Sprintf("いや、%d時", hour) },
		remove:  func(title string) string { return title + "を削除して" },
		done:    map[action][]string{add: {"登録しました", "登録してあります"}, change: {"変更しました", "変更してあります"}, remove: {"削除しました", "削除してあります", "すでに削除されてい"}},
		never:   map[action][]string{add: {"登録していません", "登録できませんでした"}, change: {"変更していません", "変更できませんでした"}, remove: {"削除していません", "削除できませんでした"}},
		unknown: map[action][]string{add: {"登録できたか確認しましたが"}, change: {"変更できたか確認しましたが"}, remove: {"削除できたか確認しましたが"}},
	},
	{
		lang: "en", titles: []string{"budget review", "dentist appointment", "team lunch", "piano lesson", "haircut", "board meeting"},
		yes: "yes", no: "never mind", other: "What day is it today?", firstOfSeries: 17, rule: "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;UNTIL=20250331T145959Z",
		add: func(title string, day, hour int) string {
			return fmt.Sprintf("Add a %s on January %d at %d pm", title, day, hour-12)
		},
		series: func(title string, hour int) string {
			return fmt.Sprintf("Add %s every other Friday at %d pm until the end of March", title, hour-12)
		},
		change:  func(title string, hour int) string { return fmt.Sprintf("Move the %s to %d:00", title, hour) },
		correct: func(hour int) string { return fmt.Sprintf("no, %d pm", hour-12) },
		remove:  func(title string) string { return "Delete the " + title },
		done:    map[action][]string{add: {"I've added", "in your calendar already"}, change: {"I've changed", "changed already"}, remove: {"I've deleted", "deleted already"}},
		never: map[action][]string{
			add: {"haven't added", "nothing was added", "couldn't add"}, change: {"haven't changed", "nothing was changed", "couldn't change"},
			remove: {"haven't deleted", "nothing was deleted", "couldn't delete"},
		},
		unknown: map[action][]string{add: {"can't tell whether it was added"}, change: {"can't tell whether it was changed"}, remove: {"can't tell whether it was deleted"}},
	},
}

// title is a name as it is written.
func (w words) title(said string) string {
	if w.lang == "ja" {
		return said
	}
	return strings.ToUpper(said[:1]) + said[1:]
}

// notFound reports whether an answer says that there is no such entry.
func (w words) notFound(said string, answer api.QueryResponse) bool {
	return strings.Contains(answer.Text, prompts.CalendarNotFound{Wanted: said}.In(w.lang))
}

// A claim is what an answer says of a plan.
type claim string

const (
	claimsDone    claim = "done"
	claimsNothing claim = "nothing done"
	claimsUnknown claim = "unknown"
	asksAgain     claim = "asked again"
	saysElse      claim = "something else"
)

// An intent is what the owner wants with an entry, and what is so without it and with it.
type intent struct {
	do       action
	entry    *entry
	order    string
	from, to shape
	// said is the last correction; agreed says that there was a yes.
	said   string
	agreed bool
}

type action string

const (
	add    action = "add"
	change action = "change"
	remove action = "remove"
)

// correct draws another hour.
func (p *intent) correct(random *rand.Rand) {
	hour := 13 + random.IntN(5)
	p.said, p.to = p.entry.words.correct(hour), p.to.at(hour)
}

// agree notes that there is a yes.
func (p *intent) agree() {
	if p.do == change && !p.agreed {
		p.entry.changes++
	}
	p.agreed, p.entry.agreed = true, true
}

// claim reads what an answer says of the plan. It may go on with something else.
func (p *intent) claim(answer api.QueryResponse) claim {
	w := p.entry.words
	has := func(list []string) bool {
		for _, words := range list {
			if strings.Contains(answer.Text, words) {
				return true
			}
		}
		return false
	}
	switch {
	case has(w.unknown[p.do]):
		return claimsUnknown
	case has(w.done[p.do]):
		return claimsDone
	case has(w.never[p.do]):
		return claimsNothing
	case answer.Interrupt != nil:
		return asksAgain
	}
	return saysElse
}

// A shape is when an entry is and how it recurs, as it can be compared; [nothing] where there is none.
type shape struct {
	start time.Time
	rule  string
}

var nothing shape

var tokyo = time.FixedZone("", 9*60*60)

// shapeOf is an hour of a day of January 2025.
func shapeOf(day, hour int, rule string) shape {
	return shape{time.Date(2025, time.January, day, hour, 0, 0, 0, tokyo), rule}
}

func (v shape) repeats() bool { return v.rule != "" }

// at is the same at another hour.
func (v shape) at(hour int) shape { return shapeOf(v.start.Day(), hour, v.rule) }

func (v shape) String() string {
	if v == nothing {
		return "nothing"
	}
	return strings.TrimSpace(v.start.Format("2006-01-02 15:04 ") + v.rule)
}

// shapeAt reads what Google has; ok is false for what is not an hour long or no time.
func shapeAt(e emulator.Event) (v shape, ok bool) {
	start, err := time.Parse(time.RFC3339, e.Start.DateTime)
	if err != nil {
		return nothing, false
	}
	end, err := time.Parse(time.RFC3339, e.End.DateTime)
	return shape{start.In(tokyo), strings.Join(e.Recurrence, " ")}, err == nil && end.Sub(start) == time.Hour
}

// An entry is one that the owner ever wanted, whether it came to be or not.
type entry struct {
	// said is its name as it is said, title as it is written.
	said, title string
	words       words
	// there is what is at Google. Loose, if not nil, is what else may be: nobody knows.
	there shape
	loose *shape
	// place is where somebody else says it is.
	place string
	// agreed says that there was a yes to its creation.
	agreed bool
	// changes counts those that were agreed to.
	changes int
}
