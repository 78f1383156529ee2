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
	anyWord    = regexp.MustCompile(`\[([^\[\]]+)\]`)
	oneLine    = regexp.MustCompile(`[^。！？!?.\n]*[。！？!?.\n]+|[^。！？!?.\n]+$`)
	directions = regexp.MustCompile(`\[[^\[\]]*\]|\([^()]*\)|\*[^*]*\*|<[^<>]*>`)
)

// OpenLLMVTuber returns the reader of a server whose model has these faces. It reads as the official
// client does, cuts the text into sentences, and takes the faces from wherever they stand in one; brackets
// of all kinds are shown and not spoken.
func OpenLLMVTuber(faces ...string) Reader {
	return func(stream io.Reader) (Heard, error) {
		text, err := officially(stream, nil)
		if err != nil {
			return Heard{}, fmt.Errorf("in Open-LLM-VTuber: %w", err)
		}
		heard, face := Heard{Shown: text}, "neutral"
		for _, sentence := range oneLine.FindAllString(text, -1) {
			for _, tag := range anyWord.FindAllStringSubmatch(sentence, -1) {
				if slices.Contains(faces, tag[1]) {
					face = tag[1]
				}
			}
			if sentence = strings.TrimSpace(directions.ReplaceAllString(sentence, "")); speakable(sentence) {
				heard.Spoken = append(heard.Spoken, Spoken{face, sentence})
			}
		}
		return heard, nil
	}
}

// OpenWebUI shows the text, and beside it what frames with an event say. It speaks nothing.
func OpenWebUI(stream io.Reader) (Heard, error) {
	var heard Heard
	text, err := officially(stream, func(f frame) error {
		var data struct {
			Description string `json:"description"`
			Done        bool   `json:"done"`
			Source      struct {
				Name string `json:"name"`
			} `json:"source"`
		}
		if err := json.Unmarshal(f.Event.Data, &data); err != nil {
			return fmt.Errorf("event %s: %w", f.Event.Data, err)
		}
		switch f.Event.Type {
		case "status":
			heard.Status = append(heard.Status, data.Description)
		case "source":
			heard.Sources = append(heard.Sources, data.Source.Name)
		}
		return nil
	})
	heard.Shown = text
	if err != nil {
		return heard, fmt.Errorf("in Open WebUI: %w", err)
	}
	return heard, nil
}

// officially reads a stream as OpenAI's clients do: whole lines, chunks with choices or without, and an
// end that is marked. Frames with an event are event's.
func officially(stream io.Reader, event func(frame) error) (text string, err error) {
	done := false
	err = lines(stream, func(line string) error {
		data, ok := strings.CutPrefix(line, "data: ")
		switch {
		case line == "":
			return nil
		case !ok:
			return fmt.Errorf("line %q is no data", line)
		case done:
			return fmt.Errorf("line %q behind the end", line)
		case data == "[DONE]":
			done = true
			return nil
		}
		var f frame
		if err := json.Unmarshal([]byte(data), &f); err != nil {
			return fmt.Errorf("frame %q: %w", data, err)
		}
		if f.Event != nil && event != nil {
			return event(f)
		}
		if len(f.Choices) > 0 {
			content, err := f.content()
			text += content
			return err
		}
		return nil
	})
	if err == nil && !done {
		err = io.ErrUnexpectedEOF
	}
	return text, err
}
