package words

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"annai/internal/text"
)

//go:embed cues.tsv
var cueWords string

// A Cue is a list of words that say one thing: see cues.tsv.
type Cue string

// The cues.
const (
	OnHolidays Cue = "on_holidays" // on public holidays, without saying which
	FirstOf    Cue = "first_of"    // the first one of a time
	LastOf     Cue = "last_of"     // the last one of a time
	OnWorkdays Cue = "on_workdays" // from Monday to Friday, beside a longer time
	Permission Cue = "permission"  // asks whether something may be done
	ThisPlace  Cue = "this_place"  // asks what the venue is
	Chooses    Cue = "chooses"     // describes one of several things

	DateAndTime Cue = "date_and_time" // both are asked for
)

var cues = sync.OnceValue(func() map[Cue][]string {
	out := map[Cue][]string{}
	for _, row := range rows(cueWords, 2) {
		out[Cue(row[0])] = strings.Split(row[1], "|")
	}
	return out
})

// In reports whether a text has one of the words.
func (c Cue) In(said string) bool {
	return slices.ContainsFunc(cues()[c], func(w string) bool { return text.ContainsWord(said, w) })
}
