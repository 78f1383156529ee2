package readers

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

var (
	firstTag = regexp.MustCompile(`^\[(.*?)\]`)
	anyTag   = regexp.MustCompile(`\[.*?\]`)
	starred  = regexp.MustCompile(`\*[^*]*\*`)
)

// ChatVRM parts every read of the network at the word data: and breaks at a part that is no chunk. It
// speaks one sentence for each piece of text, with the face before it if that is one of five, and throws
// away what is left at the end.
func ChatVRM(stream io.Reader) (Heard, error) {
	b := buffer{
		face: "neutral", faces: []string{"neutral", "happy", "angry", "sad", "relaxed"},
		sentence: regexp.MustCompile(`^(?:.+[。．！？\n]|.{10,}[、,])`),
	}
	err := reads(stream, func(text string) error {
		for part := range strings.SplitSeq(text, "data:") {
			part = strings.TrimSpace(part)
			if part == "" || part == "[DONE]" {
				continue
			}
			var f frame
			if err := json.Unmarshal([]byte(part), &f); err != nil {
				return fmt.Errorf("part %q: %w", part, err)
			}
			content, err := f.content()
			if err != nil {
				return fmt.Errorf("part %q: %w", part, err)
			}
			b.take(content)
		}
		return nil
	})
	if err != nil {
		return b.heard, fmt.Errorf("in ChatVRM: %w", err)
	}
	return b.heard, nil
}

// Amica does the same, but glues a part that is no chunk to the next one. It knows more faces, cuts at
// every dot, and takes what stands between asterisks for a stage direction.
func Amica(stream io.Reader) (Heard, error) {
	b := buffer{
		face: "neutral", stars: true, sentence: regexp.MustCompile(`^(?:.+?[。．！？.!?\n]|.{10,}[、,])`),
		faces: []string{
			"neutral", "happy", "angry", "sad", "relaxed", "surprised", "shy", "jealous", "bored",
			"serious", "suspicious", "victory", "sleep", "love",
		},
	}
	glued := ""
	err := reads(stream, func(text string) error {
		for part := range strings.SplitSeq(text, "data:") {
			part = strings.TrimSpace(part)
			if part == "" || part == "[DONE]" {
				continue
			}
			var f frame
			if json.Unmarshal([]byte(glued+part), &f) != nil {
				glued += part
				continue
			}
			content, err := f.content()
			if err != nil {
				glued += part
				continue
			}
			glued = ""
			b.take(content)
		}
		return nil
	})
	if err == nil && glued != "" {
		err = fmt.Errorf("%q was never read", glued)
	}
	if err != nil {
		return b.heard, fmt.Errorf("in Amica: %w", err)
	}
	return b.heard, nil
}

// A buffer is the text that was not spoken yet.
type buffer struct {
	heard    Heard
	rest     string
	face     string
	faces    []string
	sentence *regexp.Regexp
	stars    bool
}

// take adds a piece of text and speaks at most one sentence of what there is.
func (b *buffer) take(text string) {
	if text == "" {
		return
	}
	b.heard.Shown += text
	b.rest += text
	if tag := firstTag.FindStringSubmatch(b.rest); tag != nil {
		if face := tag[1]; slices.Contains(b.faces, face) {
			b.face = face
		}
		b.rest = b.rest[len(tag[0]):]
	}
	sentence := b.sentence.FindString(b.rest)
	if sentence == "" {
		return
	}
	b.rest = strings.TrimLeft(b.rest[len(sentence):], " \n")
	sentence = anyTag.ReplaceAllString(sentence, "")
	if b.stars {
		sentence = starred.ReplaceAllString(sentence, "")
	}
	if speakable(sentence) {
		b.heard.Spoken = append(b.heard.Spoken, Spoken{b.face, strings.TrimSpace(sentence)})
	}
}
