// Package grounding checks the sentences a language model writes against the evidence they were
// written from, before a visitor hears them. It is small scanners and word lists: no model, no
// network, no clock, well under a millisecond a sentence.
//
// # The idea
//
// A sentence may put things in any words, but not change a fact. Sentence and evidence are read by
// the same scanners into clauses with facts (times, days, weekdays, sums, numbers with their units,
// addresses, names), words, and the signs of those words. A sentence is kept if
//
//   - every fact stands in what it cites, or follows by arithmetic, where the evidence speaks of
//     what the sentence speaks of: no other fact of its kind fits the words beside it clearly
//     better;
//   - what it names is what the evidence says it of;
//   - it neither says what the evidence denies nor denies what it says.
//
// A sentence is held against the items that it cites. Where it cites none it is held against all,
// but for the events that are not spoken of, where it or the question names some. Words themselves
// are not compared: an invented thing passes where it comes with no fact and no denial and something
// else is of the evidence. Some things fail whatever the evidence says: tags, markup, names of
// tools, talk of prompts and keys, and saying that something was done.
//
// It does not say whether a sentence answers the question, nor whether the evidence is right. What
// it was measured on is in docs/grounding.md.
package grounding
