package venue

// Text is one thing in the languages that are spoken. A plain text in the file stands for all of
// them.
type Text struct {
	JA string `yaml:"ja"`
	EN string `yaml:"en"`
}

// In returns the text in lang ("ja" or "en"), or the other one where that is empty.
func (t Text) In(lang string) string {
	if (lang == "en" && t.EN != "") || t.JA == "" {
		return t.EN
	}
	return t.JA
}

// IsZero reports whether t says nothing in any language.
func (t Text) IsZero() bool { return t == Text{} }

// UnmarshalYAML reads {ja: ..., en: ...}, or a plain text for both.
func (t *Text) UnmarshalYAML(unmarshal func(any) error) error {
	var plain string
	if unmarshal(&plain) == nil {
		*t = Text{JA: plain, EN: plain}
		return nil
	}
	type text Text
	return unmarshal((*text)(t))
}

// Words are words for one thing, by language.
type Words struct {
	JA []string `yaml:"ja"`
	EN []string `yaml:"en"`
}

// In returns those of lang ("ja" or "en"), or both where lang is empty.
func (w Words) In(lang string) []string {
	switch lang {
	case "ja":
		return w.JA
	case "en":
		return w.EN
	}
	return append(append([]string(nil), w.JA...), w.EN...)
}
