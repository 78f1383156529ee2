package server

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"slices"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"annai/dialog"
	"annai/prompts"
	"annai/server/door"
	"annai/server/httpd"
	"annai/tools/media/clean"
)

// The bounds of POST /capture: of the picture as it is sent, in Base64 or as it is, and of a text in characters.
const (
	maxCapture     = 14 << 20
	maxCaptureText = 10_000
	maxAddress     = 2_000
)

// The names of the fields for a picture, the best first.
var imageNames = []string{"image", "imageBytes"}

// capture is POST /capture: what an owner gives becomes a plan in their talk, which waits for a yes.
func (s *Server) capture(c *gin.Context) error {
	free, err := s.place(c, maxCapture)
	if err != nil {
		return err
	}
	defer free()
	fields, picture, err := captureFields(c)
	if err != nil {
		return err
	}
	q, err := parseCapture(fields, picture, door.Preferred(c.Request.Header.Get("Accept-Language")))
	if err != nil {
		return err
	}
	caller := door.CallerOf(c)
	q.turn.Owner, q.turn.OwnerName, q.turn.Caller = true, caller.Owner, caller.Speaker()
	q.turn.RequestID, q.turn.RunID = httpd.RequestID(c), s.opts.NewID()
	err = s.answer(c, q.turn)
	var unread unreadError
	if errors.As(err, &unread) {
		return door.Say(err, q.language, unread.Message(q.language), hints[unread.Reason()])
	}
	return tell(err, q)
}

// An unreadError says that what was given can't be read: in a language, and why in a word.
type unreadError interface {
	error
	Message(language string) string
	Reason() string
}

// hints tell operators, and whoever wrote a client, more than is said: by the reason.
var hints = map[string]string{
	"no_reader": "pictures can't be read on this server: install tesseract with its data for jpn and eng " +
		"(Debian: apt-get install tesseract-ocr tesseract-ocr-jpn), or set gemini-key",
	"no_picture": "image is no PNG, JPEG, WebP or GIF that can be read",
	"too_large":  "image has more than 10 MiB or 25 million pixels",
	"no_text":    "no letters were found in the image",
	"nothing":    "neither a title nor a date was found",
	"slow":       "it could not be read in time",
	"unread":     "what reads pictures on this server failed: its log says why, and annai doctor tries it",
	"link":       "the page could not be read",
}

// parseCapture reads the fields of POST /capture, and the picture if that came as a file. language is that of the
// answer where none is asked for.
func parseCapture(fields map[string]json.RawMessage, picture []byte, language string) (question, error) {
	f := form{fields: fields}
	q := question{language: language}
	f.language(&q)
	f.session(&q.turn)
	f.zone(&q.turn)
	q.turn.Language = "ja"
	if q.language == "en" {
		q.turn.Language = "en"
	}
	q.turn.Query = prompts.CaptureSaid{}.In(q.language)
	given := dialog.Given{Picture: picture}
	image, imageName := f.text(imageNames...)
	given.Link, _ = f.text("url")
	given.Text, _ = f.text("text")
	given.Link, given.Text = trim(given.Link), trim(given.Text)
	count := 0
	for _, there := range []bool{image != "", len(picture) > 0, given.Link != "", given.Text != ""} {
		if there {
			count++
		}
	}
	switch {
	case count != 1 && len(f.wrong) == 0:
		f.refuse("body", "must have one of image, url and text")
	case utf8.RuneCountInString(given.Text) > maxCaptureText:
		f.refuse("text", "must have at most 10000 characters")
	case len(given.Link) > maxAddress:
		f.refuse("url", "must have at most 2000 characters")
	}
	if image != "" {
		var err error
		if given.Picture, err = clean.Decode(image); err != nil {
			f.refuse(imageName, "must be a picture in Base64, at most 10 MiB")
		}
	}
	if len(f.wrong) > 0 {
		return question{}, door.Tell(&door.InputError{Details: f.wrong}, q.language, "")
	}
	q.turn.Given = &given
	return q, nil
}

// captureFields reads the body: a JSON object, or a form with the picture as a file.
func captureFields(c *gin.Context) (fields map[string]json.RawMessage, picture []byte, err error) {
	kind, _, _ := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		body, err := httpd.ReadBody(c)
		if err != nil {
			return nil, nil, err
		}
		fields, err = object(body)
		return fields, nil, err
	}
	fields = map[string]json.RawMessage{}
	parts, err := c.Request.MultipartReader()
	if err != nil {
		return nil, nil, door.Invalid("body", "is no form that can be read")
	}
	for range maxFields {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return fields, picture, nil
		}
		if err != nil {
			return nil, nil, formFailure(err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, nil, formFailure(err)
		}
		name := part.FormName()
		if slices.Contains(imageNames, name) {
			picture = value
			continue
		}
		if fields[name], err = json.Marshal(string(value)); err != nil {
			return nil, nil, door.Invalid(name, "must be a string")
		}
	}
	return nil, nil, door.Invalid("body", "has too many fields")
}

// maxFields is how many fields a form may have besides the picture.
const maxFields = 10

// formFailure is why a form could not be read: as its body says, or because it is none.
func formFailure(err error) error {
	if errors.Is(err, door.ErrTooLarge) || errors.Is(err, door.ErrTooSlow) {
		return err
	}
	return door.Invalid("body", "is no form that can be read")
}
