package words

import (
	_ "embed"
	"sync"
)

//go:embed foreign.tsv
var foreign string

// A ForeignRow says by what a language other than Japanese and English is told from them. In the rows
// of those two are words that speak against all others.
type ForeignRow struct {
	Language string // its tag, as zh-Hant
	Kind     ForeignKind
	What     string
}

// ForeignKind is what a [ForeignRow] has.
type ForeignKind string

// The values of [ForeignKind].
const (
	// ForeignScript: the names of scripts, with blanks between, of which one is enough.
	ForeignScript ForeignKind = "script"
	// ForeignLetters: letters that tell, behind the name of their script where that has several languages.
	ForeignLetters ForeignKind = "letters"
	// ForeignWords: words that tell a language from others of its script, whose name stands before them.
	ForeignWords ForeignKind = "words"
	// ForeignTelling and ForeignSmall: words, with blanks between; small ones say nothing by themselves.
	ForeignTelling ForeignKind = "telling"
	ForeignSmall   ForeignKind = "small"
	// ForeignWhole: utterances, with | between.
	ForeignWhole ForeignKind = "whole"
)

// Foreign returns by what other languages are told.
var Foreign = sync.OnceValue(func() []ForeignRow {
	var out []ForeignRow
	for _, row := range rows(foreign, 3) {
		out = append(out, ForeignRow{Language: row[0], Kind: ForeignKind(row[1]), What: row[2]})
	}
	return out
})
