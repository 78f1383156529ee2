package voice

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/api"
	"annai/fault"
)

// maxPiece is the longest piece of a text that is spoken at once, in characters.
const maxPiece = 200

type bilingual struct{ speakers map[string]Speaker }

// Bilingual returns a speaker for texts in both languages and for those that change between them: each
// sentence, and each name in the other's letters, is spoken by the voice of its language. One of them may be
// nil; the other then speaks what it can.
func Bilingual(japanese, english Speaker) Speaker {
	b := &bilingual{map[string]Speaker{}}
	if japanese != nil {
		b.speakers["ja"] = japanese
	}
	if english != nil {
		b.speakers["en"] = english
	}
	return b
}

func (b *bilingual) Speak(ctx context.Context, text, language string) (Speech, error) {
	all, err := b.pieces(text, language)
	if err != nil {
		return Speech{}, err
	}
	joined := Speech{Mouth: []api.Viseme{}}
	for _, p := range all {
		s, err := b.speakers[p.language].Speak(ctx, p.text, p.language)
		if err != nil {
			return Speech{}, err
		}
		joined.Mouth = joinedMouth(joined.Mouth, s.Mouth, joined.Length())
		joined.Samples = append(joined.Samples, s.Samples...)
		joined.Spare = joined.Spare || s.Spare
	}
	return joined, nil
}

func (b *bilingual) Mouth(text, language string) (mouth []api.Viseme, length time.Duration, err error) {
	all, err := b.pieces(text, language)
	if err != nil {
		return nil, 0, err
	}
	mouth = []api.Viseme{}
	for _, p := range all {
		timer, ok := b.speakers[p.language].(Timer)
		if !ok {
			return nil, 0, fmt.Errorf("mouth of %s before there is sound: %w", p.language, fault.ErrUnavailable)
		}
		next, lasts, err := timer.Mouth(p.text, p.language)
		if err != nil {
			return nil, 0, err
		}
		mouth, length = joinedMouth(mouth, next, length), length+lasts
	}
	return mouth, length, nil
}

func joinedMouth(mouth, next []api.Viseme, at time.Duration) []api.Viseme {
	for _, v := range next {
		v.MS += int(at.Milliseconds())
		mouth = added(mouth, v)
	}
	return mouth
}

// pieces cuts a text for the voices that there are.
func (b *bilingual) pieces(text, language string) ([]piece, error) {
	if n := utf8.RuneCountInString(text); n > MaxText {
		return nil, fmt.Errorf("text of %d characters, at most %d are spoken: %w", n, MaxText, fault.ErrInvalid)
	}
	if len(b.speakers) == 0 {
		return nil, fmt.Errorf("no voice: %w", fault.ErrUnavailable)
	}
	var all []piece
	whole := pieces(text, language)
	for _, p := range whole {
		if b.speakers[p.language] == nil {
			p.language = map[string]string{"ja": "en", "en": "ja"}[p.language]
			if p.language == "en" {
				continue // its letters say nothing to the English voice
			}
		}
		all = append(all, p)
	}
	if len(all) == 0 && len(whole) > 0 {
		return nil, fmt.Errorf("no voice for Japanese: %w", fault.ErrUnavailable)
	}
	return all, nil
}

// A piece is part of a text in one language.
type piece struct{ text, language string }

// pieces cuts a text into sentences, and these where the language changes. In Japanese one word in Latin
// letters is none of English: "Wi-Fi", "Go". In English every word in Japanese letters is Japanese.
func pieces(text, language string) (all []piece) {
	for _, sentence := range sentences(text) {
		now := ""
		for _, run := range runs(sentence) {
			switch {
			case run.language == "":
				run.language = now
			case run.language == "en" && language == "ja" && words(run.text) < 2 && run.text != sentence:
				run.language = "ja"
			}
			last := len(all) - 1
			if now != "" && (run.language == now || run.language == "") {
				all[last].text += run.text
				continue
			}
			if run.language == "" {
				run.language = language
			}
			now = run.language
			all = append(all, run)
		}
	}
	return all
}

// runs cuts a sentence into what is written in Latin and in Japanese letters; what is in neither goes with
// what is before it, or after it at the start.
func runs(sentence string) (all []piece) {
	language, start := "", 0
	for i, r := range sentence {
		of := scriptOf(r)
		if of == "" || of == language {
			continue
		}
		if language != "" {
			all = append(all, piece{sentence[start:i], language})
			start = i
		}
		language = of
	}
	return append(all, piece{sentence[start:], language})
}

// scriptOf returns the language whose letter it is; "" for what both have, digits and marks.
func scriptOf(r rune) string {
	switch {
	case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) || r == 'ー' || r == '々' || r == '〆':
		return "ja"
	case unicode.In(r, unicode.Latin) && r < 0xFF00:
		return "en"
	}
	return ""
}

// words counts words of at least two letters.
func words(text string) (n int) {
	for _, word := range strings.Fields(text) {
		if strings.IndexFunc(word, unicode.IsLetter) >= 0 && utf8.RuneCountInString(word) > 1 {
			n++
		}
	}
	return n
}

// sentences cuts behind the marks that end sentences, and what is too long behind other marks or anywhere.
// What says nothing is left out.
func sentences(text string) (all []string) {
	add := func(s string) {
		if strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0 {
			all = append(all, strings.TrimSpace(s))
		}
	}
	start, runes, pause := 0, 0, 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		runes++
		switch {
		case strings.ContainsRune("。！？!?\n", r), r == '.' && strings.HasPrefix(text[end:], " ") && runes > maxPiece/2:
			add(text[start:end])
			start, runes, pause = end, 0, 0
		case strings.ContainsRune("、，,;：　 ", r):
			pause = end
		}
		if runes >= maxPiece {
			if pause == 0 {
				pause = end
			}
			add(text[start:pause])
			start, runes, pause = pause, utf8.RuneCountInString(text[pause:end]), 0
		}
	}
	add(text[start:])
	return all
}

// LanguageOf returns the language of a text by its letters.
func LanguageOf(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return scriptOf(r) == "ja" }) >= 0 {
		return "ja"
	}
	return "en"
}
