package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/hearing"
	"annai/prompts"
	"annai/server/door"
	"annai/server/render"
	"annai/voice"
)

// A Hearer is what the door needs of [hearing.Listener].
type Hearer interface {
	Hear(ctx context.Context, s hearing.Speech) (text string, err error)
}

const (
	// chargedSound is how many bytes of sound count as one request: ten seconds of WAV at 16 kHz.
	chargedSound = 320_000
	// maxPrompt is how many characters of a client's prompt are passed on.
	maxPrompt = 500
	// maxField is how many bytes a field may have that is no file, maxParts how many fields there may be.
	maxField = 4 << 10
	maxParts = 32
	// maxFileName is how many characters of a file's name are passed on, its last ones.
	maxFileName = 40
)

// A transcriptionRequest is the form of POST /v1/audio/transcriptions. The name of the model is not looked at: the
// operator chose it.
type transcriptionRequest struct {
	speech hearing.Speech
	format string
	stream string
	// found says that there is a file, which may be empty.
	found bool
}

// transcriptions is POST /v1/audio/transcriptions: what was said in a sound, mended by what the venue knows.
func (s *service) transcriptions(c *gin.Context) error {
	request, err := readForm(c)
	if err != nil {
		return err
	}
	language := request.speech.Language
	if language != "ja" && language != "en" {
		language = door.Preferred(c.GetHeader("Accept-Language"))
	}
	if s.opts.Hearing == nil {
		return unheard(fmt.Errorf("hearing: %w", fault.ErrNotFound), "model_not_found", "model", "no_hearing", language)
	}
	if err := checkTranscription(request); err != nil {
		return err
	}
	if err := door.Charge(c, len(request.speech.File)/chargedSound); err != nil {
		return err
	}
	text, err := s.opts.Hearing.Hear(c.Request.Context(), request.speech)
	switch {
	case errors.Is(err, hearing.ErrBusy):
		return unheard(fmt.Errorf("%w: %w", err, door.ErrOverloaded), "overloaded", "file", "overloaded", language)
	case errors.Is(err, fault.ErrInvalid):
		return unheard(err, "invalid_value", "file", "unreadable", language)
	case errors.Is(err, fault.ErrUnavailable):
		err = door.Because(c.Request.Context(), err)
		return unheard(err, "unavailable", "file", "unheard", language)
	case err != nil:
		return door.Because(c.Request.Context(), err)
	}
	c.Header("Cache-Control", "no-store")
	return writeTranscription(c, request, text)
}

// unheard is a failure to hear, with one of [prompts.Failure] as its message.
func unheard(err error, code, param, words, language string) error {
	return &refusal{error: err, code: code, param: param, message: prompts.Failure{Name: words}.In(language)}
}

// checkTranscription refuses what can't be heard as it is asked for.
func checkTranscription(r transcriptionRequest) error {
	switch {
	case !r.found:
		return missing("file")
	case len(r.speech.File) == 0:
		return unsupported("file", "The file is empty.")
	case r.stream != "" && r.stream != "false":
		return unsupported("stream", "The text comes at once: leave stream out.")
	}
	switch r.format {
	case "", "json", "text", "verbose_json":
		return nil
	}
	return unsupported("response_format", "The text can come as 'json', 'text' or 'verbose_json'; as '"+
		render.Shorten(r.format, 16)+"' it can't.")
}

func writeTranscription(c *gin.Context, r transcriptionRequest, text string) error {
	switch r.format {
	case "text":
		c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(text+"\n"))
		return nil
	case "verbose_json":
		language := r.speech.Language
		if language == "" {
			language = voice.LanguageOf(text)
		}
		if name, ok := languageNames[language]; ok {
			language = name
		}
		length, _ := hearing.Length(r.speech.File)
		return render.WriteJSON(c, http.StatusOK, struct {
			Task     string   `json:"task"`
			Language string   `json:"language"`
			Duration float64  `json:"duration"`
			Text     string   `json:"text"`
			Segments []string `json:"segments"`
		}{"transcribe", language, length.Seconds(), text, []string{}})
	}
	return render.WriteJSON(c, http.StatusOK, struct {
		Text string `json:"text"`
	}{text})
}

// languageNames are what OpenAI calls our languages.
var languageNames = map[string]string{"ja": "japanese", "en": "english"}

// readForm reads the form part by part: its file stays in memory, as what is heard is written nowhere.
func readForm(c *gin.Context) (r transcriptionRequest, err error) {
	parts, err := c.Request.MultipartReader()
	if err != nil {
		return r, &refusal{
			error: door.ErrMediaType, code: "unsupported_media_type", param: "file",
			message: "The body must be a form with a file: Content-Type: multipart/form-data.",
		}
	}
	for range maxParts {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return r, formError(err)
		}
		if err := r.read(part); err != nil {
			return r, err
		}
	}
	return r, door.Invalid("body", fmt.Sprintf("has more than %d fields", maxParts))
}

// read reads one field. Those that are not known are passed over.
func (r *transcriptionRequest) read(part *multipart.Part) error {
	name := part.FormName()
	if name == "file" {
		file, err := io.ReadAll(part)
		if err != nil {
			return formError(err)
		}
		r.found, r.speech.File, r.speech.Name = true, file, fileName(part.FileName())
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(part, maxField+1))
	switch {
	case err != nil:
		return formError(err)
	case len(text) > maxField:
		return door.Invalid(render.Shorten(name, maxFileName), "is too long")
	case !utf8.Valid(text):
		return door.Invalid(render.Shorten(name, maxFileName), "must be UTF-8")
	}
	value := strings.TrimSpace(string(text))
	switch name {
	case "language":
		// "ja-JP" is what some clients send.
		base, _, _ := strings.Cut(strings.ToLower(value), "-")
		if base != "" && !languageTag.MatchString(base) {
			return unsupported("language", "The language must be a code like 'ja' or 'en'.")
		}
		r.speech.Language = base
	case "prompt":
		r.speech.Prompt = render.Shorten(value, maxPrompt)
	case "response_format":
		r.format = value
	case "stream":
		r.stream = value
	}
	return nil
}

var languageTag = regexp.MustCompile(`^[a-z]{2,3}$`)

// fileName is a name whose ending is that of the client's, for services that tell formats by it.
func fileName(name string) string {
	kept := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' {
			return r
		}
		return -1
	}, name)
	if kept == "" || strings.HasPrefix(kept, ".") {
		kept = "speech" + kept
	}
	return kept[max(0, len(kept)-maxFileName):]
}

// formError is a form that could not be read, because of its limits or because it is none.
func formError(err error) error {
	var wrong *door.InputError
	if errors.Is(err, door.ErrTooLarge) || errors.Is(err, door.ErrTooSlow) || errors.As(err, &wrong) {
		return err
	}
	return door.Invalid("body", "is no whole form")
}
