// Package readers has what front ends make of the streams that they are given: which sentences they speak,
// with which face, and what they show. It is for tests of the door that serves them.
//
// The idea to hold: each reader is as narrow as its client is known to be, and no wiser. It was written
// from what was observed of the client, not from its code, and where that left a choice it takes the one
// that loses more. A read of the stream is what one read of the network brought.
package readers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Heard is what came of a stream.
type Heard struct {
	// Spoken are the pieces of text that were given to a voice.
	Spoken []Spoken
	// Shown is the text that stands on the screen.
	Shown string
	// Status are lines about what is being done, Sources the names of what an answer rests on.
	Status, Sources []string
	// Conversation is what the client calls it in its next request.
	Conversation string
}

// Spoken is a piece of text and the face with which it is spoken, in the client's own word.
type Spoken struct{ Face, Text string }

// A Reader reads one stream to its end. An error is what the client breaks at; what was heard before comes
// with it.
type Reader func(stream io.Reader) (Heard, error)

// reads calls use with what each read of the stream brings.
func reads(stream io.Reader, use func(text string) error) error {
	buffer := make([]byte, 64<<10)
	for {
		n, err := stream.Read(buffer)
		if n > 0 {
			if err := use(string(buffer[:n])); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read: %w", err)
		}
	}
}

// lines calls use with each line of the stream, whatever the reads brought.
func lines(stream io.Reader, use func(line string) error) error {
	rest := ""
	err := reads(stream, func(text string) error {
		rest += text
		for {
			line, after, whole := strings.Cut(rest, "\n")
			if !whole {
				return nil
			}
			rest = after
			if err := use(strings.TrimSuffix(line, "\r")); err != nil {
				return err
			}
		}
	})
	if err == nil && rest != "" {
		err = use(rest)
	}
	return err
}

// A frame is as much of a completion's chunk as clients look at.
type frame struct {
	Choices []struct {
		Delta *struct {
			Content *string `json:"content"`
		} `json:"delta"`
	} `json:"choices"`
	Event *struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	} `json:"event"`
}

// content returns the text of a frame, as a client that looks for it without asking whether it is there.
func (f frame) content() (string, error) {
	if len(f.Choices) == 0 || f.Choices[0].Delta == nil {
		return "", errors.New("a frame without choices[0].delta")
	}
	if f.Choices[0].Delta.Content == nil {
		return "", nil
	}
	return *f.Choices[0].Delta.Content, nil
}

// speakable says whether there is anything to say.
func speakable(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
