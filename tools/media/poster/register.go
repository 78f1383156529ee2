package poster

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"time"

	"annai/fault"
	"annai/tools"
	"annai/tools/media"
)

//go:embed descriptions
var descriptions embed.FS

const (
	// name is how the tool is called; imagen.generate_poster is the same.
	name = "imagen_generate_poster"
	// atOnce is how many posters are being made at a time, by a service too.
	atOnce = 2
	// work is how many requests a poster counts as: the seconds of one processor that the largest takes, rounded up.
	work = 2
	// maxInline is the largest picture that is put into an answer, in bytes.
	maxInline = 2 << 20
)

// The size of a poster where none is asked for: that of a screen that stands.
const (
	defaultWidth  = 1080
	defaultHeight = 1920
)

// input is what the tool takes. The first four fields are those of the specification.
type input struct {
	EventTitle       string     `json:"eventTitle" jsonschema:"At most 160 characters."`
	EventDescription string     `json:"eventDescription,omitempty" jsonschema:"Cut where there is no room."`
	Style            Style      `json:"style,omitempty" enum:"modern,classic,vibrant" jsonschema:"Absent: modern."`
	Dimensions       dimensions `json:"dimensions,omitzero" jsonschema:"At most 9,000,000 pixels. Absent: 1080 x 1920."`

	// EventStart and EventEnd are of one kind.
	EventStart string `json:"eventStart,omitempty" jsonschema:"A time with offset (RFC 3339), or a date."`
	EventEnd   string `json:"eventEnd,omitempty" jsonschema:"As eventStart; a date is the last day."`
	Place      string `json:"place,omitempty" jsonschema:"The room or address."`
	Venue      string `json:"venue,omitempty" jsonschema:"Whose event it is. Absent: this venue."`
	URL        string `json:"url,omitempty" jsonschema:"Where more is said, http or https: it becomes a QR code."`
	Format     string `json:"format,omitempty" enum:"png,svg" jsonschema:"Absent: png. svg prints sharp in any size."`
	Language   string `json:"language,omitempty" enum:"ja,en" jsonschema:"Of dates and captions. Absent: the caller's."`

	IncludeBytes bool `json:"includeBytes,omitempty" jsonschema:"Whether imageBytes is wanted too."`
}

type dimensions struct {
	Width  int `json:"width" min:"200" max:"4096"`
	Height int `json:"height" min:"200" max:"4096"`
}

// output is what the tool answers. The first two fields are those of the specification.
type output struct {
	ImageURL   string `json:"imageUrl" jsonschema:"Relative to this server. It is signed and expires."`
	ImageBytes string `json:"imageBytes,omitempty" jsonschema:"In Base64, if asked for and of at most 2 MiB."`

	MediaType string    `json:"mediaType"`
	Width     int       `json:"width"`
	Height    int       `json:"height"`
	ExpiresAt time.Time `json:"expiresAt"`
	Backend   string    `json:"backend" jsonschema:"What drew it: embedded, or a service such as gemini."`

	MissingCharacters []string `json:"missingCharacters,omitempty" jsonschema:"Left out, for no face has them."`
	Omitted           []string `json:"omitted,omitempty" jsonschema:"What had no room: description, qr."`
}

// Options are the settings of the tool that have a default.
type Options struct {
	// Venue is the name of the house by language. Empty: posters have none but what they are told.
	Venue map[string]string
	// Service draws the upper part of a poster; where it does not, all is drawn here. Nil: always.
	Service Service
	// Log receives a line where the service fails. Nil discards them.
	Log *slog.Logger
	// Location is where dates and times are shown. Nil: UTC.
	Location *time.Location
	// Turns are shared with what else makes pictures. Nil: there is nothing else.
	Turns *media.Turns
}

// Register adds imagen_generate_poster, which everybody may call. files keeps what it makes.
func Register(r *tools.Registry, files *media.Files, opts Options) error {
	words, err := tools.Descriptions(descriptions, name)
	if err != nil {
		return err
	}
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	backend := embedded
	if opts.Service != nil {
		backend = opts.Service.Name() + ", embedded"
	}
	if opts.Turns == nil {
		opts.Turns = media.NewTurns()
	}
	m := &maker{files: files, opts: opts, slots: make(chan struct{}, atOnce)}
	return tools.Add(r, tools.Tool[input, output]{
		Spec: tools.Spec{
			Name: name, Description: words, Class: tools.KeyedWrite, Timeout: 30 * time.Second, BackEnd: backend,
			Roles: []tools.Role{tools.Visitor, tools.Owner, tools.Operator}, Requests: work,
		},
		Do: m.make,
	})
}

// maker draws posters and keeps them.
type maker struct {
	files *media.Files
	opts  Options
	slots chan struct{}
}

func (m *maker) make(ctx context.Context, caller tools.Caller, in input) (output, error) {
	if in.Language == "" {
		in.Language = caller.Language
	}
	event, err := m.event(in)
	if err != nil {
		return output{}, err
	}
	or(&in.Style, Modern)
	or(&in.Format, "png")
	or(&in.Dimensions, dimensions{defaultWidth, defaultHeight})
	if in.Dimensions.Width*in.Dimensions.Height > MaxPixels {
		return output{}, tooLarge
	}
	select {
	case m.slots <- struct{}{}:
		defer func() { <-m.slots }()
	case <-ctx.Done():
		return output{}, fmt.Errorf("wait to draw a poster: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
	p, data, backend, err := m.draw(ctx, event, in)
	if err != nil {
		return output{}, err
	}
	kind := kinds[in.Format]
	address, err := m.files.Put(data, kind)
	if err != nil {
		return output{}, fmt.Errorf("keep a poster: %w", err)
	}
	out := output{
		ImageURL: address.URL, ExpiresAt: address.Expires.In(m.opts.Location), MediaType: string(kind),
		Width: in.Dimensions.Width, Height: in.Dimensions.Height, Backend: backend,
		MissingCharacters: p.Missing, Omitted: p.Omitted,
	}
	if in.IncludeBytes && len(data) <= maxInline {
		out.ImageBytes = base64.StdEncoding.EncodeToString(data)
	}
	return out, nil
}

// kinds are the types of files of the formats.
var kinds = map[string]media.Kind{"png": media.PNG, "svg": media.SVG}

// embedded is the name of what this package draws itself.
const embedded = "embedded"

// draw draws and encodes a poster, and says what drew it.
func (m *maker) draw(ctx context.Context, e Event, in input) (p Poster, data []byte, backend string, err error) {
	if m.opts.Service != nil && in.Format == "png" {
		name := m.opts.Service.Name()
		p, data, err := m.drawWithArt(ctx, e, in)
		if err == nil {
			return p, data, name, nil
		}
		m.opts.Log.WarnContext(ctx, "picture service failed", slog.String("service", name), slog.Any("err", err))
	}
	err = m.opts.Turns.Do(ctx, func() error {
		if p, err = Draw(e, in.Style, in.Dimensions.Width, in.Dimensions.Height, in.Language); err != nil {
			return err
		}
		if in.Format == "svg" {
			data = p.Canvas.SVG(e.Title)
			return nil
		}
		data, err = encode(p.Canvas.Image())
		return err
	})
	return p, data, embedded, err
}

func or[T comparable](value *T, otherwise T) {
	if *value == *new(T) {
		*value = otherwise
	}
}

func encode(picture image.Image) ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return nil, fmt.Errorf("encode a poster: %w", err)
	}
	return b.Bytes(), nil
}

// event reads what a poster tells from the input.
func (m *maker) event(in input) (Event, error) {
	e := Event{
		Title: in.EventTitle, Description: in.EventDescription, Place: in.Place, Venue: in.Venue, URL: in.URL,
	}
	or(&e.Venue, m.opts.Venue[in.Language])
	if len([]rune(e.Title)) > MaxTitle || len([]rune(e.Place)) > MaxLine || len([]rune(e.Venue)) > MaxLine {
		return Event{}, tooLong
	}
	if !drawsAny(e.Title) {
		return Event{}, noTitle
	}
	if e.URL != "" && !isWebAddress(e.URL) {
		return Event{}, noAddress
	}
	var err error
	if in.EventStart == "" {
		if in.EventEnd != "" {
			return Event{}, noTime
		}
		return e, nil
	}
	if e.Start, e.AllDay, err = m.moment(in.EventStart); err != nil || in.EventEnd == "" {
		return e, err
	}
	var days bool
	if e.End, days, err = m.moment(in.EventEnd); err != nil {
		return Event{}, err
	}
	if days != e.AllDay || e.End.Before(e.Start) {
		return Event{}, noEnd
	}
	return e, nil
}

// moment reads a time, or a date, where the poster hangs.
func (m *maker) moment(words string) (at time.Time, day bool, err error) {
	if at, err = time.ParseInLocation(time.DateOnly, words, m.opts.Location); err == nil {
		return at, true, nil
	}
	if at, err = time.Parse(time.RFC3339, words); err != nil {
		return time.Time{}, false, noTime
	}
	return at.In(m.opts.Location), false, nil
}

// What people are told where no poster can be made.
var (
	noTitle = &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "ポスターに載せる題名をお知らせください。", EN: "Please tell me the title for the poster.",
	}
	noTime = &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "開始と終了は、2026-01-16T19:00:00+09:00 か 2026-01-16 の形でご指定ください。",
		EN: "Please give start and end like 2026-01-16T19:00:00+09:00 or 2026-01-16.",
	}
	noEnd = &tools.Refusal{
		Kind: fault.ErrInvalid, JA: "終了が開始より前か、形が開始とそろっていません。日付どうし、時刻どうしでご指定ください。",
		EN: "The end is before the start, or not of its kind. Please give two dates, or two times.",
	}
	noAddress = &tools.Refusal{
		Kind: fault.ErrInvalid,
		JA:   fmt.Sprintf("案内先は https:// で始まる%d文字までのアドレスにしてください。", MaxURL),
		EN:   fmt.Sprintf("The address must begin with https:// or http:// and have at most %d characters.", MaxURL),
	}
	tooLong = &tools.Refusal{
		Kind: fault.ErrInvalid,
		JA:   fmt.Sprintf("題名は%d文字、場所と主催は%d文字まででお願いします。", MaxTitle, MaxLine),
		EN:   fmt.Sprintf("A title may have %d characters, a place or venue %d.", MaxTitle, MaxLine),
	}
	tooLarge = &tools.Refusal{
		Kind: fault.ErrInvalid,
		JA:   fmt.Sprintf("ポスターが大きすぎます。縦×横で%d万画素までにしてください。", MaxPixels/10_000),
		EN:   fmt.Sprintf("That poster is too large: at most %d million pixels, please.", MaxPixels/1_000_000),
	}
)
