package render

import (
	"regexp"
	"slices"
	"strings"
)

// Faces maps our faces to the words of a client. A face whose word is empty has no tag.
type Faces map[string]string

// OwnFaces are ours: those of VRM 1.0, AITuberKit, Tonari and Amica.
var OwnFaces = Faces{
	"happy": "happy", "relaxed": "relaxed", "sad": "sad", "surprised": "surprised", "neutral": "neutral",
}

// StockFaces are those of the model that Open-LLM-VTuber comes with.
var StockFaces = Faces{
	"happy": "joy", "relaxed": "neutral", "sad": "sadness", "surprised": "surprise", "neutral": "neutral",
}

// meanings has for each of our faces the words by which clients call it, or what comes near to it, the
// best first.
var meanings = []struct {
	face  string
	words []string
}{
	{"happy", []string{"happy", "joy", "happiness", "excited", "smile", "cheerful", "laugh", "fun"}},
	{"relaxed", []string{"relaxed", "calm", "gentle", "fun", "neutral", "normal", "default"}},
	{"sad", []string{"sad", "sadness", "sorrow", "sorry", "apologetic", "crying", "cry"}},
	{"surprised", []string{
		"surprised", "surprise", "shocked", "shock", "amazed", "curious", "relaxed", "fun", "neutral",
	}},
	{"neutral", []string{"neutral", "normal", "default", "calm", "relaxed"}},
}

var (
	// inBrackets is a tag as a client would have it written, or a choice of them.
	inBrackets = regexp.MustCompile(`[\[{]([A-Za-z][A-Za-z_:|, ]{1,200})[\]}]`)
	inQuotes   = regexp.MustCompile(`["“'` + "`" + `]([a-z]{3,20})["”'` + "`" + `]`)
	betweenTwo = regexp.MustCompile(`[|, ]+`)
)

// maxInstructions is how much of a client's instructions is read, in bytes.
const maxInstructions = 64 << 10

// facesFor returns the faces of a profile, in the words of the client if its instructions list them.
func facesFor(p Profile, instructions string) Faces {
	own := OwnFaces
	if p == OLV {
		own = StockFaces
	}
	words := listedFaces(instructions)
	if words == nil {
		return own
	}
	read := Faces{}
	for _, m := range meanings {
		for _, word := range m.words {
			if written, ok := words[word]; ok {
				read[m.face] = written
				break
			}
		}
	}
	for face, word := range own {
		switch {
		case read[face] != "":
		case words["neutral"] != "":
			read[face] = words["neutral"]
		case p == OLV: // a word that its model lacks would stay in the subtitles
			read[face] = ""
		default:
			read[face] = word
		}
	}
	return read
}

// listedFaces returns the words in a client's instructions that name faces, as they are written there by
// what they are in lower case without "face:"; nil unless there are at least three, since a single word in
// quotes need not be a face.
func listedFaces(instructions string) map[string]string {
	if len(instructions) > maxInstructions {
		instructions = instructions[:maxInstructions]
	}
	found := map[string]string{}
	note := func(word string) {
		plain := strings.TrimPrefix(strings.ToLower(word), "face:")
		if _, ok := found[plain]; !ok && isFace(plain) {
			found[plain] = word
		}
	}
	for _, m := range inBrackets.FindAllStringSubmatch(instructions, -1) {
		for _, word := range betweenTwo.Split(m[1], -1) {
			note(word)
		}
	}
	if len(found) == 0 {
		return nil // it speaks of faces, perhaps, and not of tags
	}
	for _, m := range inQuotes.FindAllStringSubmatch(instructions, -1) {
		note(m[1])
	}
	if len(found) < 3 {
		return nil
	}
	return found
}

func isFace(word string) bool {
	for _, m := range meanings {
		if slices.Contains(m.words, word) {
			return true
		}
	}
	return false
}

// word returns the client's word for the face; "" if it has none.
func (f Faces) word(face string) string {
	if word, ok := f[face]; ok {
		return word
	}
	return f["neutral"]
}
