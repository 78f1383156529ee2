// Package grounding checks the sentences a language model writes against the evidence they were written from, before a
// visitor hears them. It is rules, word lists and dictionaries: no model, no network, no clock, well under a millisecond a sentence.
//
// # The idea
//
// A sentence is a set of claims, and each claim must be found in the evidence, together with what it belongs to. Sentence and
// evidence are read by the same reader into clauses of features: values (dates, weekdays, clock times, lengths, prices, numbers,
// floors, addresses of the web, phone numbers), each in one form whatever its wording or language (19時, 午後7時, 7 p.m. and 19:00
// are one value), and words, where a list says which mean the same in either language. A feature has a sign: "no parking" and
// 駐車場はありません have parking with a minus. A clause passes where one item of the evidence has all its features with their signs.
//
//   - A value is bound: to the event the sentence names, to its part in a range (a start is no end), and within a passage to
//     the words beside it (the price of the latte is not the mocha's).
//   - A word that no item has, not even in a word that a dictionary puts beside it (package dictionary), and that is not on the list of
//     harmless words is an invented claim: "there is a pool".
//   - Words that claim nothing (はい、こちらです。 "Enjoy!") need no evidence.
//   - Tags, names of tools, instructions and keys fail whatever the evidence says.
//
// It is meant to refuse when in doubt: a true sentence that is refused costs a template's wording, a false one that passes
// costs a visitor's evening.
//
// # What it was measured on
//
// testdata has scenes of evidence, true sentences about them, and lies; the tests corrupt the true ones by program. Each file of true
// sentences says when it was written and how it fared at first sight, for it is the wording that the lists have not seen that is
// refused: see docs/grounding.md. What is false is caught as surely there.
//
// # What words alone cannot catch
//
//   - A relation turned round between things that one item has both of: "the event has priority over the seats" and the
//     reverse read alike, and so do "before" and "after" where no time stands beside them. Only ways from and to a place are told apart.
//   - Words on the list of harmless words that claim something in one place: "a short class" of four hours, "popular".
//   - What follows from the evidence only by thinking: "open tomorrow" from a weekly closing day is refused though it is true.
//   - Silence: a sentence that leaves out that the event is cancelled is true word by word. Who words the answer must say it.
//   - Whether a sentence answers the question that was asked, and whether the evidence itself is right.
//   - Two passages of one subject that contradict each other: a sentence that agrees with either passes.
package grounding
