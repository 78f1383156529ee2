package talks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/dlclark/regexp2"

	"annai/api"
)

// unknown finds words that say that something is not known, asks those that ask back.
var (
	unknown = regexp.MustCompile(`(?i)分かりません|わかりません|分かりかね|わかりかね|存じ|ございません|ありません|見つかりません|お答えでき|` +
		`don't know|do not know|not know|no information|couldn't find|could not find|not sure|don't have|do not have|nothing about|` +
		`can't answer|cannot answer|not able to|can't help with|cannot help with|ご案内しておりません|ご案内できません|案内していません|no record`)
	asks = regexp.MustCompile(`(?i)[?？]|でしょうか|ですか|which (one|of)|do you mean|どちら`)
)

// A judge knows the patterns of a place.
type judge struct{ patterns map[string]*regexp2.Regexp }

// matches reports whether a pattern occurs in a text.
func (j *judge) matches(pattern, text string) (bool, error) {
	p, ok := j.patterns[pattern]
	if !ok {
		var err error
		if p, err = regexp2.Compile(pattern, regexp2.IgnoreCase); err != nil {
			return false, fmt.Errorf("pattern %q: %w", pattern, err)
		}
		if j.patterns == nil {
			j.patterns = map[string]*regexp2.Regexp{}
		}
		j.patterns[pattern] = p
	}
	found, err := p.MatchString(text)
	if err != nil {
		return false, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return found, nil
}

// judge returns what is wrong with an answer; nothing if it is right.
func (j *judge) judge(t Turn, a api.QueryResponse) (why []string, err error) {
	text, err := searched(a)
	if err != nil {
		return nil, err
	}
	for _, p := range t.Not {
		found, err := j.matches(p, text)
		if err != nil {
			return nil, err
		}
		if found {
			why = append(why, "not /"+p+"/")
		}
	}
	asked := a.Interrupt != nil || a.Metadata.ProcessingInfo.Route == "clarify"
	switch {
	case t.Unknown:
		if !unknown.MatchString(a.Text) {
			why = append(why, "does not say it is unknown")
		}
		return why, nil
	case t.Social && len(t.Has) == 0 && unknown.MatchString(a.Text):
		why = append(why, "social turn met with 'unknown'")
	}
	switch {
	case t.Asks && !asked && !asks.MatchString(a.Text):
		return append(why, "does not ask back"), nil
	case t.Asks, t.AsksOK && asked:
		return why, nil
	}
	more, err := j.facts(t, text)
	return append(why, more...), err
}

// facts returns which of the expected facts a text lacks.
func (j *judge) facts(t Turn, text string) (why []string, err error) {
	for _, p := range t.Has {
		found, err := j.matches(p, text)
		if err != nil {
			return nil, err
		}
		if !found {
			why = append(why, "lacks /"+p+"/")
		}
	}
	if len(t.Any) == 0 {
		return why, nil
	}
	for _, p := range t.Any {
		if found, err := j.matches(p, text); err != nil || found {
			return why, err
		}
	}
	return append(why, fmt.Sprintf("none of %q", t.Any)), nil
}

// searched is what patterns are searched in: the text, the cards and an open question.
func searched(a api.QueryResponse) (string, error) {
	var out bytes.Buffer
	out.WriteString(a.Text)
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, v := range []any{a.Cards, a.Interrupt} {
		out.WriteByte(' ')
		if err := encoder.Encode(v); err != nil {
			return "", fmt.Errorf("encode the answer: %w", err)
		}
	}
	return out.String(), nil
}
