package corpus

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"annai/civil"
	"annai/internal/text"
	"annai/rag"
)

// A FindingKind says what is the matter. It is a closed set.
type FindingKind string

// The values of [FindingKind].
const (
	// Contradiction is two values for what seems to be one fact.
	Contradiction FindingKind = "contradiction"
	// Untranslated is a passage that says what none does in the other language.
	Untranslated FindingKind = "no translation"
	// Duplicate is the same text twice.
	Duplicate FindingKind = "duplicate"
	// Expired is no longer valid, or was not looked at for long.
	Expired FindingKind = "out of date"
	// Mislabelled is written in another language than it says.
	Mislabelled FindingKind = "wrong language"
)

// FindingKinds are all kinds, in the order of a report.
var FindingKinds = []FindingKind{Contradiction, Expired, Mislabelled, Duplicate, Untranslated}

// A Finding is something that an operator may want to look at.
type Finding struct {
	Kind FindingKind
	// Passages are the ids of those it is about: one, or two.
	Passages []string
	// About names the kind of value of a contradiction: "closing time", "price", ...
	About string
	// Text says it in a sentence.
	Text string
}

// ReportOptions are the settings of a report.
type ReportOptions struct {
	// Today is the day on which dates are looked at. Zero looks at none.
	Today civil.Date
	// OldAfter is how many days after its updatedAt a passage counts as old. 0 is a year.
	OldAfter int
	// Venue are the names of the place itself, in any language: everything is about it. Names are
	// groups of names, each for one other thing.
	Venue []string
	Names [][]string
}

// Report looks for what is missing, contradictory, repeated or out of date among passages, which it
// leaves as they are. What it finds is sorted by kind and passage. Contradictions are found by
// rules: they name what seems to be one fact, and may be wrong.
func Report(ctx context.Context, passages []rag.Passage, opts ReportOptions) ([]Finding, error) {
	opts.OldAfter = cmp.Or(opts.OldAfter, 365)
	var found []Finding
	found = append(found, contradictions(ctx, passages, opts)...)
	found = append(found, untranslated(passages)...)
	found = append(found, duplicates(passages)...)
	for _, p := range passages {
		found = append(found, expired(p, opts)...)
		found = append(found, mislabelled(p)...)
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(FindingKinds, a.Kind), slices.Index(FindingKinds, b.Kind)),
			slices.Compare(a.Passages, b.Passages), cmp.Compare(a.About, b.About))
	})
	return found, ctx.Err()
}

func untranslated(passages []rag.Passage) []Finding {
	var found []Finding
	langs := map[string]string{}
	for _, p := range passages {
		langs[p.Pair] += p.Lang + " "
	}
	for _, p := range passages {
		if p.Pair != "" && strings.Contains(langs[p.Pair], "ja") && strings.Contains(langs[p.Pair], "en") {
			continue
		}
		other := map[string]string{"ja": "English", "en": "Japanese"}[p.Lang]
		found = append(found, Finding{
			Untranslated,
			[]string{p.ID},
			"",
			fmt.Sprintf("%q has no passage of its pair in %s", p.Title, other),
		})
	}
	return found
}

func duplicates(passages []rag.Passage) []Finding {
	var found []Finding
	first := map[[sha256.Size]byte]string{}
	for _, p := range passages {
		hash := hashOf(p.Lang + strings.Join(strings.Fields(fold(p.Text)), " "))
		if before, there := first[hash]; there {
			found = append(found, Finding{Duplicate, []string{before, p.ID}, "", "both say: " + shorten(p.Text)})
			continue
		}
		first[hash] = p.ID
	}
	return found
}

func expired(p rag.Passage, opts ReportOptions) []Finding {
	one := func(format string, args ...any) []Finding {
		return []Finding{{Expired, []string{p.ID}, "", fmt.Sprintf(format, args...)}}
	}
	switch {
	case opts.Today.IsZero():
		return nil
	case !p.ValidUntil.IsZero() && p.ValidUntil.Before(opts.Today):
		return one("valid until %s, which is past", p.ValidUntil)
	case p.UpdatedAt.IsZero():
		return nil
	case p.UpdatedAt.After(opts.Today):
		return one("updatedAt is %s, which is yet to come", p.UpdatedAt)
	case opts.Today.Sub(p.UpdatedAt) > opts.OldAfter:
		return one("last checked on %s, %d days ago", p.UpdatedAt, opts.Today.Sub(p.UpdatedAt))
	}
	return nil
}

// mislabelled compares the language with the script.
func mislabelled(p rag.Passage) []Finding {
	wide, letters := 0, 0
	for _, r := range p.Text {
		switch scriptOf(r) {
		case text.Kanji, text.Katakana, text.Hiragana:
			wide++
			letters++
		case text.Latin:
			letters++
		case text.None, text.Digit, text.Other:
		}
	}
	says := map[bool]string{true: "ja", false: "en"}[wide*10 > letters]
	if says == p.Lang || letters < 20 {
		return nil
	}
	return []Finding{{
		Mislabelled,
		[]string{p.ID},
		"",
		fmt.Sprintf("its lang is %s, and its text looks like %s", p.Lang, says),
	}}
}

// shorten returns the beginning of a text.
func shorten(text string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}
