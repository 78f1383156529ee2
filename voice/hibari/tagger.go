package hibari

import (
	"strconv"
	"strings"
	"unicode"
)

// A tagger says which part of speech words are, in the tags of the Penn Treebank: an averaged
// perceptron, for words that are not nearly always the same one.
type tagger struct {
	table *table // of words ("=" before them) their only tag, known words ("<"), of features (">") weights
	tags  []string
}

func newTagger() (*tagger, error) {
	t, err := readTable("tagger.tsv.gz")
	if err != nil {
		return nil, err
	}
	tags, _ := t.get("#tags")
	return &tagger{table: t, tags: strings.Fields(tags)}, nil
}

// tag returns the tag of each word.
func (t *tagger) tag(words []string) []string {
	context := []string{"-START2-", "-START-"}
	for _, w := range words {
		n := generalized(w)
		if _, ok := t.table.get("<" + n); !ok {
			n = "<" + outline(w) + ">"
		}
		context = append(context, n)
	}
	context = append(context, "-END-", "-END2-")
	tags := make([]string, len(words))
	before, last := "-START2-", "-START-"
	for i, w := range words {
		tag, ok := t.table.get("=" + w)
		if !ok {
			tag = t.best(features(i, w, context, last, before))
		}
		tags[i] = tag
		before, last = last, tag
	}
	return tags
}

// best returns the tag for which the features speak most.
func (t *tagger) best(features []string) string {
	scores := map[string]int{}
	for _, f := range features {
		weights, _ := t.table.get(">" + f)
		for weight := range strings.FieldsSeq(weights) {
			colon := strings.LastIndexByte(weight, ':')
			value, _ := strconv.Atoi(weight[colon+1:])
			scores[weight[:colon]] += value
		}
	}
	if len(scores) == 0 {
		return "NN"
	}
	best := t.tags[0]
	for _, tag := range t.tags[1:] {
		if s, most := scores[tag], scores[best]; s > most || s == most && tag > best {
			best = tag
		}
	}
	return best
}

func features(i int, word string, context []string, last, before string) []string {
	at, start := i+2, "i+"
	if i == 0 {
		start = "i0"
	}
	first := string([]rune(word)[:1])
	return []string{
		"b", "s3=" + ending(word), "p1=" + first, "w=" + context[at], "sh=" + outline(word), start,
		"t-1=" + last, "t-2=" + before, "t-12=" + last + "," + before,
		"w-1=" + context[at-1], "s3-1=" + ending(context[at-1]), "w-2=" + context[at-2],
		"w+1=" + context[at+1], "s3+1=" + ending(context[at+1]), "w+2=" + context[at+2],
	}
}

// ending is the last three letters.
func ending(word string) string {
	runes := []rune(word)
	return string(runes[max(0, len(runes)-3):])
}

// generalized returns a word as the tagger knows it.
func generalized(word string) string {
	runes := []rune(word)
	switch {
	case runes[0] != '-' && strings.Contains(word, "-"):
		return "!HYPHEN"
	case len(runes) == 4 && each(word, unicode.IsDigit):
		return "!YEAR"
	case unicode.IsDigit(runes[0]):
		return "!DIGITS"
	default:
		return strings.ToLower(word)
	}
}

// outline says what a word is written with.
func outline(word string) string {
	runes := []rune(word)
	switch {
	case each(word, unicode.IsDigit):
		return "d"
	case !each(word, unicode.IsLetter):
		return strings.Map(func(r rune) rune {
			switch {
			case unicode.IsDigit(r):
				return 'd'
			case unicode.IsLetter(r):
				return 'x'
			default:
				return r
			}
		}, string(runes[:min(4, len(runes))]))
	case strings.ToLower(word) == word:
		return "x"
	case strings.ToUpper(word) == word && len(runes) > 1:
		return "XX"
	case strings.ToUpper(word) == word:
		return "X1"
	case unicode.IsUpper(runes[0]) && strings.ToLower(string(runes[1:])) == string(runes[1:]):
		return "Xx"
	default:
		return "xX"
	}
}

// each says whether there is a rune and all are of that kind.
func each(text string, is func(rune) bool) bool {
	for _, r := range text {
		if !is(r) {
			return false
		}
	}
	return text != ""
}
