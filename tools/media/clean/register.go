package clean

import (
	"context"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"annai/fault"
	"annai/tools"
	"annai/tools/media"
)

//go:embed descriptions
var descriptions embed.FS

const (
	// name is how the tool is called; flash_image.edit is the same.
	name = "flash_image_edit"
	// atOnce is how many pictures are being cleaned at a time, by a service too.
	atOnce = 2
	// maxInput is a picture of [MaxBytes] in Base64, and what is around it.
	maxInput = MaxBytes/3*4 + 4<<10
)

// input is what the tool takes.
type input struct {
	ImageBytes string `json:"imageBytes" jsonschema:"PNG, JPEG, WebP or GIF in Base64, at most 10 MiB, 25 megapixels."`

	// Operations are, where there are none, denoise and enhance_text.
	Operations []Operation `json:"operations,omitempty" enum:"denoise,remove_background,enhance_text"`
}

// output is what the tool answers. The first two fields are those of the specification.
type output struct {
	ProcessedImageBytes string `json:"processedImageBytes" jsonschema:"PNG in Base64; as it came if original."`

	Confidence float64     `json:"confidence" jsonschema:"How far ink and paper are apart, 0 to 1."`
	Width      int         `json:"width,omitempty"`
	Height     int         `json:"height,omitempty"`
	Operations []Operation `json:"operations,omitempty" jsonschema:"What was done, in order."`
	Backend    string      `json:"backend" jsonschema:"What cleaned it: embedded, or a service such as gemini."`
	Original   bool        `json:"original" jsonschema:"Whether nothing was done."`
	Reason     string      `json:"reason,omitempty" jsonschema:"Why not."`
}

// Options are the settings of the tool that have a default.
type Options struct {
	// Service cleans pictures elsewhere; what it does not clean is cleaned here. Nil: all is.
	Service Service
	// Log receives a line where the service fails. Nil discards them.
	Log *slog.Logger
	// Turns are shared with what else makes pictures. Nil: there is nothing else.
	Turns *media.Turns
}

// embedded is the name of what this package does itself.
const embedded = "embedded"

// Register adds flash_image_edit, which everybody may call.
func Register(r *tools.Registry, opts Options) error {
	words, err := tools.Descriptions(descriptions, name)
	if err != nil {
		return err
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Turns == nil {
		opts.Turns = media.NewTurns()
	}
	backend := embedded
	if opts.Service != nil {
		backend = opts.Service.Name() + ", embedded"
	}
	slots := make(chan struct{}, atOnce)
	return tools.Add(r, tools.Tool[input, output]{
		Spec: tools.Spec{
			Name: name, Description: words, Class: tools.Read, Timeout: 15 * time.Second, BackEnd: backend,
			Roles: []tools.Role{tools.Visitor, tools.Owner, tools.Operator}, MaxInput: maxInput,
		},
		Do: func(ctx context.Context, caller tools.Caller, in input) (output, error) {
			return opts.edit(ctx, slots, caller.Language, in)
		},
	})
}

// edit cleans a picture, or returns it as it came and says why.
func (o Options) edit(ctx context.Context, slots chan struct{}, language string, in input) (output, error) {
	data, err := Decode(in.ImageBytes)
	if err != nil {
		return output{}, err
	}
	result, backend, err := o.inTurn(ctx, slots, data, in.Operations)
	if err != nil {
		return output{
			ProcessedImageBytes: base64.StdEncoding.EncodeToString(data), Backend: backend, Original: true,
			Reason: reasonFor(err).Message(language),
		}, nil
	}
	return output{
		ProcessedImageBytes: base64.StdEncoding.EncodeToString(result.PNG), Confidence: result.Confidence,
		Width: result.Width, Height: result.Height, Operations: result.Operations, Backend: backend,
	}, nil
}

// inTurn cleans a picture when one of the slots is free, and says what cleaned it.
func (o Options) inTurn(
	ctx context.Context, slots chan struct{}, data []byte, operations []Operation,
) (result Result, backend string, err error) {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return Result{}, embedded, fmt.Errorf("wait to clean a picture: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
	if o.Service != nil {
		result, err := o.ask(ctx, data, operations)
		if err == nil {
			return result, o.Service.Name(), nil
		}
		o.Log.WarnContext(ctx, "picture service failed", slog.String("service", o.Service.Name()), slog.Any("err", err))
	}
	err = o.Turns.Do(ctx, func() error {
		result, err = Edit(ctx, data, operations)
		return err
	})
	return result, embedded, err
}

// Decode reads Base64 of either alphabet, with or without padding, line breaks and the head of a
// data URL.
func Decode(text string) ([]byte, error) {
	if strings.HasPrefix(text, "data:") {
		_, text, _ = strings.Cut(text, ",")
	}
	text = strings.NewReplacer("-", "+", "_", "/", "=", "", " ", "", "\t", "").Replace(text)
	if base64.RawStdEncoding.DecodedLen(len(text)) > MaxBytes {
		return nil, tooManyBytes
	}
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(data) == 0 {
		return nil, noBase64
	}
	return data, nil
}

// reasonFor says why a picture came back as it was.
func reasonFor(err error) *tools.Refusal {
	switch {
	case errors.Is(err, ErrPixels):
		return tooManyPixels
	case errors.Is(err, fault.ErrInvalid):
		return noPicture
	}
	return tooSlow
}

// What people are told where a picture can't be cleaned.
var (
	noBase64 = &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "画像は Base64 の文字列で送ってください。", EN: "Please send the picture as Base64.",
	}
	tooManyBytes = &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "画像が大きすぎます。10MBまでにしてください。",
		EN: "That picture is too large: at most 10 MB, please.",
	}
	tooManyPixels = &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "画像の画素数が多すぎるため、元のままお返しします。2500万画素までにしてください。",
		EN: "The picture has too many pixels, so it is returned as it was. It may have up to 25 million.",
	}
	noPicture = &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "画像として読めないため、元のままお返しします。PNG、JPEG、WebP、GIFでお試しください。",
		EN: "It cannot be read as a picture, so it is returned as it was. Please try PNG, JPEG, WebP or GIF.",
	}
	tooSlow = &tools.Refusal{
		Kind: fault.ErrUnavailable, JA: "時間内に処理できなかったため、元のままお返しします。",
		EN: "There was not enough time, so the picture is returned as it was.",
	}
)
