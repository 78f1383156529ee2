package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/draw"

	"annai/fault"
	"annai/prompts"
	"annai/tools/media/ocr"
)

// The bounds of one reading.
const (
	// readTime leaves time for another reader.
	readTime = 20 * time.Second
	// maxReadPixels is how many pixels are sent: larger pictures are made smaller first.
	maxReadPixels = 3_000_000
	// maxReadAnswer is in bytes, and maxReadTokens what Google is told of it.
	maxReadAnswer = 512 << 10
	maxReadTokens = 8192
	// maxLines and maxLine, in characters, bound a flyer: a model that repeats itself writes more.
	maxLines, maxLine = 300, 500
	// largestLetters is the largest size that the prompt names; the smallest is 1.
	largestLetters = 5
)

// Reader reads the letters in pictures, for package ocr, with a client. What Google answers is taken for lines of
// letters whatever they say, and for nothing else.
type Reader struct{ *Client }

// Name is that of the model.
func (r Reader) Name() string { return r.opts.ReadModel }

// A readLine is a line as the model is to write it. Size is how large its letters are, from 1 to largestLetters.
type readLine struct {
	Text string `json:"text"`
	Size int    `json:"size"`
}

// Read reads a picture. See [ocr.Reader].
func (r Reader) Read(ctx context.Context, picture *image.Gray) ([]ocr.Line, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, readable(picture)); err != nil {
		return nil, fmt.Errorf("encode a picture: %w: %w", fault.ErrUnavailable, err)
	}
	lines, err := r.transcribe(ctx, encoded.Bytes())
	if err != nil {
		if !errors.Is(err, fault.ErrUnavailable) { // whoever gave the picture is not to blame for a key, say
			err = fmt.Errorf("%w: %s", fault.ErrUnavailable, err.Error())
		}
		return nil, fmt.Errorf("read a picture by %s: %w", r.Name(), err)
	}
	return lines, nil
}

func (r Reader) transcribe(ctx context.Context, picture []byte) ([]ocr.Line, error) {
	request := generateRequest{Contents: []content{{Role: "user", Parts: []part{
		{Text: prompts.ModelRead{Largest: largestLetters}.In("en")},
		{InlineData: &blob{MimeType: "image/png", Data: picture}},
	}}}}
	request.GenerationConfig = generationConfig{
		ResponseMimeType: "application/json", ResponseSchema: lineSchema, Temperature: new(float64),
		MaxOutputTokens: maxReadTokens,
	}
	short := *r.Client
	short.opts.MaxAnswer = min(short.opts.MaxAnswer, maxReadAnswer)
	answer, err := short.ask(ctx, r.opts.ReadModel, request)
	if err != nil {
		return nil, err
	}
	written, err := answer.text()
	if err != nil {
		return nil, err
	}
	var read []readLine
	if err := json.Unmarshal([]byte(written), &read); err != nil {
		return nil, fmt.Errorf("answer of Google is no list of lines: %w", fault.ErrUnavailable)
	}
	return linesOf(read)
}

// lineSchema is the form of the answer, which Google holds the model to.
var lineSchema = &schema{Type: "ARRAY", Items: &schema{
	Type:       "OBJECT",
	Properties: map[string]schema{"text": {Type: "STRING"}, "size": {Type: "INTEGER"}},
	Required:   []string{"text", "size"},
}}

// linesOf are the lines that a model wrote, without what is no letter. Sizes are 0, not known, unless all are
// sizes: some alone would not compare.
func linesOf(read []readLine) ([]ocr.Line, error) {
	var out []ocr.Line
	sized := true
	for _, l := range read {
		sized = sized && l.Size >= 1 && l.Size <= largestLetters
		for one := range strings.Lines(l.Text) {
			text := strings.Join(strings.Fields(strings.Map(visible, one)), " ")
			if utf8.RuneCountInString(text) > maxLine || len(out) >= maxLines {
				return nil, fmt.Errorf("answer of Google is longer than a flyer: %w", fault.ErrUnavailable)
			}
			if text != "" {
				out = append(out, ocr.Line{Text: text, Size: float64(l.Size), Confidence: 1})
			}
		}
	}
	if !sized {
		for i := range out {
			out[i].Size = 0
		}
	}
	return out, nil
}

// visible drops what shows nothing and could make a line look like another, such as a change of direction.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r == utf8.RuneError || unicode.Is(unicode.C, r):
		return -1
	}
	return r
}

// readable is a picture of a size that is sent.
func readable(picture *image.Gray) *image.Gray {
	w, h := picture.Rect.Dx(), picture.Rect.Dy()
	if w*h <= maxReadPixels {
		return picture
	}
	for w*h > maxReadPixels {
		w, h = max(w*9/10, 1), max(h*9/10, 1)
	}
	out := image.NewGray(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Rect, picture, picture.Rect, draw.Src, nil)
	return out
}
