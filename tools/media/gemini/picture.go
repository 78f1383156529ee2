package gemini

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg" // the two types of pictures that are taken
	_ "image/png"
	"strings"

	"annai/fault"
)

// A Picture is an encoded one.
type Picture struct {
	Data []byte
	// Type is "image/png" or "image/jpeg".
	Type string
}

// maxPixels bounds a picture that is taken.
const maxPixels = 40_000_000

// part is a piece of a prompt or an answer: text or data.
type part struct {
	Text       string `json:"text,omitempty"`
	InlineData *blob  `json:"inlineData,omitempty"`
	// Thought says that it is not the answer, but how the model came to it.
	Thought bool `json:"thought,omitempty"`
}

// blob is data with its type; JSON has it in Base64.
type blob struct {
	MimeType string `json:"mimeType"`
	Data     []byte `json:"data"`
}

type content struct {
	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts"`
}

type generateRequest struct {
	Contents         []content        `json:"contents"`
	GenerationConfig generationConfig `json:"generationConfig"`
}

// generationConfig asks for a picture by the first two, for JSON by the others.
type generationConfig struct {
	ResponseModalities []string     `json:"responseModalities,omitempty"`
	ImageConfig        *imageConfig `json:"imageConfig,omitempty"`
	ResponseMimeType   string       `json:"responseMimeType,omitempty"`
	ResponseSchema     *schema      `json:"responseSchema,omitempty"`
	Temperature        *float64     `json:"temperature,omitempty"`
	MaxOutputTokens    int          `json:"maxOutputTokens,omitempty"`
}

// schema is the form of JSON, as Google writes it.
type schema struct {
	Type       string            `json:"type"`
	Items      *schema           `json:"items,omitempty"`
	Properties map[string]schema `json:"properties,omitempty"`
	Required   []string          `json:"required,omitempty"`
}

type imageConfig struct {
	AspectRatio Aspect `json:"aspectRatio"`
}

type generateAnswer struct {
	Candidates []struct {
		Content      content `json:"content"`
		FinishReason string  `json:"finishReason"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
}

// Edit changes a picture as told. What Google does not make is [fault.ErrDenied]; where it can't be
// reached, is at its limit, or answers what is no picture, it is [fault.ErrUnavailable].
func (c *Client) Edit(ctx context.Context, p Picture, instruction string) (Picture, error) {
	return c.generate(ctx, "", part{Text: instruction}, part{InlineData: &blob{MimeType: p.Type, Data: p.Data}})
}

// Draw draws a picture of a prompt. Its errors are those of [Client.Edit].
func (c *Client) Draw(ctx context.Context, prompt string, aspect Aspect) (Picture, error) {
	return c.generate(ctx, aspect, part{Text: prompt})
}

func (c *Client) generate(ctx context.Context, aspect Aspect, parts ...part) (Picture, error) {
	var request generateRequest
	request.Contents = []content{{Role: "user", Parts: parts}}
	request.GenerationConfig.ResponseModalities = []string{"IMAGE"}
	if aspect != "" {
		request.GenerationConfig.ImageConfig = &imageConfig{aspect}
	}
	answer, err := c.ask(ctx, c.opts.ImageModel, request)
	if err != nil {
		return Picture{}, err
	}
	for _, candidate := range answer.Candidates {
		for _, part := range candidate.Content.Parts {
			if part.InlineData != nil {
				return checked(part.InlineData.Data)
			}
		}
		if why := candidate.FinishReason; why != "" && why != "STOP" {
			return Picture{}, blocked(why)
		}
	}
	return Picture{}, fmt.Errorf("answer of Google has no picture: %w", fault.ErrUnavailable)
}

// ask has a model generate content.
func (c *Client) ask(ctx context.Context, model string, request generateRequest) (generateAnswer, error) {
	var answer generateAnswer
	if err := c.post(ctx, model, "generateContent", request, &answer); err != nil {
		return answer, err
	}
	if why := answer.PromptFeedback.BlockReason; why != "" {
		return answer, blocked(why)
	}
	return answer, nil
}

// text is what the first candidate of an answer says. One that is not whole is [fault.ErrUnavailable].
func (a generateAnswer) text() (string, error) {
	if len(a.Candidates) == 0 {
		return "", fmt.Errorf("answer of Google has no text: %w", fault.ErrUnavailable)
	}
	first := a.Candidates[0]
	if why := first.FinishReason; why != "STOP" {
		return "", fmt.Errorf("google stopped early: %s: %w", word(why), fault.ErrUnavailable)
	}
	var b strings.Builder
	for _, part := range first.Content.Parts {
		if !part.Thought {
			b.WriteString(part.Text)
		}
	}
	return b.String(), nil
}

// Aspect is the ratio of a picture's sides, as Google writes it: "1:1", "3:4", "4:3", "9:16",
// "16:9". Films have the last two.
type Aspect string

// Nearest returns the ratio that is nearest to a size.
func Nearest(width, height int) Aspect {
	best, least := Aspect("1:1"), 1e9
	for aspect, ratio := range map[Aspect]float64{
		"1:1": 1, "3:4": 3.0 / 4, "4:3": 4.0 / 3, "9:16": 9.0 / 16, "16:9": 16.0 / 9,
	} {
		have := float64(width) / float64(height)
		if off := max(have/ratio, ratio/have); off < least {
			best, least = aspect, off
		}
	}
	return best
}

// checked returns a picture that can be decoded, and is not too large.
func checked(data []byte) (Picture, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return Picture{}, fmt.Errorf("answer of Google is no picture that we take: %w", fault.ErrUnavailable)
	}
	return Picture{Data: data, Type: "image/" + format}, nil
}
