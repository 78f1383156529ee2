package readers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// AITuberKitDify is AITuberKit with Dify behind it: it takes the answers of two kinds of events, drops all else, and
// speaks what they make as it does any stream.
func AITuberKitDify(stream io.Reader) (Heard, error) {
	r := fragments{face: "neutral"}
	err := lines(stream, func(line string) error {
		data, ok := strings.CutPrefix(line, "data:")
		var event struct {
			Event        string `json:"event"`
			Answer       string `json:"answer"`
			Conversation string `json:"conversation_id"`
		}
		if !ok || json.Unmarshal([]byte(data), &event) != nil {
			return nil
		}
		if event.Event == "message" || event.Event == "agent_message" {
			r.heard.Conversation = event.Conversation
			r.take(event.Answer)
		}
		return nil
	})
	if err != nil {
		return r.heard, fmt.Errorf("in AITuberKit with Dify: %w", err)
	}
	r.cut(true)
	return r.heard, nil
}

// AITuberKitPage is AITuberKit whose custom API is one for pages: of its events it lets texts through, and no other.
func AITuberKitPage(stream io.Reader) (Heard, error) {
	r := fragments{face: "neutral"}
	err := pageEvents(stream, func(e pageEvent) error {
		if e.Type == "text-delta" {
			r.take(e.Delta)
		}
		return nil
	})
	if err != nil {
		return r.heard, fmt.Errorf("in AITuberKit with a custom API: %w", err)
	}
	r.cut(true)
	return r.heard, nil
}

// AISDK is a page made with the AI SDK. It shows text, and takes none that does not belong to a part that was begun.
func AISDK(stream io.Reader) (Heard, error) {
	var heard Heard
	open, begun, finished := map[string]bool{}, false, false
	err := pageEvents(stream, func(e pageEvent) error {
		switch {
		case finished:
			return errors.New("an event behind the end")
		case e.Type == "start" && !begun:
			begun = true
		case e.Type == "text-start" && begun && e.ID != "":
			open[e.ID] = true
		case e.Type == "text-delta" && open[e.ID]:
			heard.Shown += e.Delta
		case e.Type == "text-end" && open[e.ID]:
			delete(open, e.ID)
		case e.Type == "finish" && len(open) == 0:
			finished = true
		case strings.HasPrefix(e.Type, "data-") && e.Data != nil:
		case e.Type == "error":
			return errors.New(e.ErrorText)
		default:
			return fmt.Errorf("%s out of order", e.Type)
		}
		return nil
	})
	if err == nil && !finished {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return heard, fmt.Errorf("in the AI SDK: %w", err)
	}
	return heard, nil
}

type pageEvent struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Delta     string          `json:"delta"`
	ErrorText string          `json:"errorText"`
	Data      json.RawMessage `json:"data"`
}

func pageEvents(stream io.Reader, use func(pageEvent) error) error {
	return lines(stream, func(line string) error {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || data == "[DONE]" {
			return nil
		}
		var e pageEvent
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return fmt.Errorf("frame %q: %w", data, err)
		}
		return use(e)
	})
}

// tonariFaces are those that Tonari takes for a face at the start of a sentence; they hold until the next.
var tonariFaces = []string{"neutral", "happy", "angry", "sad", "relaxed", "surprised"}

// Tonari reads every line of data as JSON, twice if it can: a text is said, an object with a type is something else
// that happened, of which it shows what is being done.
func Tonari(stream io.Reader) (Heard, error) {
	r := tonari{face: "neutral"}
	err := lines(stream, func(line string) error {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:")
		if !ok {
			return nil
		}
		var said string
		var event struct {
			Type string `json:"type"`
			Tool string `json:"tool"`
		}
		switch {
		case json.Unmarshal([]byte(data), &said) == nil && json.Unmarshal([]byte(said), &event) != nil:
			r.heard.Shown += said
			r.rest += said
			r.cut(false)
		case json.Unmarshal([]byte(data), &event) == nil && event.Type == "tool_start":
			r.heard.Status = append(r.heard.Status, event.Tool)
		}
		return nil
	})
	if err != nil {
		return r.heard, fmt.Errorf("in Tonari: %w", err)
	}
	r.cut(true)
	return r.heard, nil
}

type tonari struct {
	heard Heard
	rest  string
	face  string
}

func (r *tonari) cut(last bool) {
	for {
		r.rest = strings.TrimLeftFunc(r.rest, unicode.IsSpace)
		for _, face := range tonariFaces {
			if rest, ok := strings.CutPrefix(r.rest, "["+face+"]"); ok {
				r.face, r.rest = face, strings.TrimLeftFunc(rest, unicode.IsSpace)
			}
		}
		end := tonariEnd(r.rest)
		if end < 0 && last {
			end = len(r.rest)
		}
		if end <= 0 {
			return
		}
		said := strings.TrimSpace(anyTag.ReplaceAllString(r.rest[:end], ""))
		if speakable(said) {
			r.heard.Spoken = append(r.heard.Spoken, Spoken{r.face, said})
		}
		r.rest = r.rest[end:]
	}
}

// tonariEnd is where the first sentence ends; -1: not yet.
func tonariEnd(text string) int {
	n := 0
	for i, r := range text {
		long := n >= 20
		switch {
		case n == 0:
		case r == '[':
			return i
		case strings.ContainsRune("。．.!?！？\n", r), long && strings.ContainsRune("、,", r):
			return i + len(string(r))
		}
		n++
	}
	return -1
}

// Navigator reads one answer whole, and its face, one of six. Success says whether there is one.
func Navigator(stream io.Reader) (Heard, error) {
	var answer struct {
		Success bool   `json:"success"`
		Answer  string `json:"answer"`
		Emotion string `json:"primaryEmotion"`
		Error   string `json:"error"`
	}
	if err := json.NewDecoder(stream).Decode(&answer); err != nil {
		return Heard{}, fmt.Errorf("in Engineer Cafe Navigator: %w", err)
	}
	faces := []string{"neutral", "happy", "sad", "angry", "curious", "relaxed"}
	if !answer.Success || !slices.Contains(faces, answer.Emotion) {
		return Heard{}, fmt.Errorf("in Engineer Cafe Navigator: %s, face %q", answer.Error, answer.Emotion)
	}
	return Heard{Shown: answer.Answer, Spoken: []Spoken{{answer.Emotion, answer.Answer}}}, nil
}

// Linkage is AITuberKit's external linkage, of which the messages come as lines: it joins the texts of an answer as
// they are, and speaks each by itself with its face.
func Linkage(stream io.Reader) (Heard, error) {
	var heard Heard
	ended := false
	err := lines(stream, func(line string) error {
		m, err := linkageMessage(line)
		switch {
		case err != nil || m.role == "" || m.kind == "start":
			return err
		case m.kind == "end":
			ended = true
		}
		heard.Shown += m.text
		if m.role == "assistant" && m.text != "" {
			heard.Spoken = append(heard.Spoken, Spoken{m.face, strings.TrimSpace(m.text)})
		}
		return nil
	})
	if err == nil && !ended {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return heard, fmt.Errorf("in AITuberKit's external linkage: %w", err)
	}
	return heard, nil
}

type linked struct{ text, role, face, kind string }

// linkageMessage reads a message of either protocol. What it does not know in the second is nothing.
func linkageMessage(line string) (linked, error) {
	type part struct {
		Text    string  `json:"text"`
		Message *string `json:"message"`
		Role    string  `json:"role"`
		Emotion string  `json:"emotion"`
	}
	var m struct {
		part

		Version string `json:"version"`
		Type    string `json:"type"`
		Payload part   `json:"payload"`
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		return linked{}, fmt.Errorf("message %q: %w", line, err)
	}
	if m.Version != "2" {
		return linked{m.Text, m.Role, m.Emotion, m.Type}, nil
	}
	kind, known := map[string]string{
		"chat.start": "start", "chat.delta": "", "chat.done": "end", "chat.error": "end",
	}[m.Type]
	if !known {
		return linked{}, nil
	}
	text := m.Payload.Text
	if m.Payload.Message != nil {
		text = *m.Payload.Message
	}
	return linked{text, m.Payload.Role, m.Payload.Emotion, kind}, nil
}
