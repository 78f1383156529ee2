// Package remote has speech heard by another service, one that has OpenAI's /audio/transcriptions: whisper.cpp's
// server, speaches, LocalAI, OpenAI itself. What it is sent is what a visitor said and the words of the venue; it goes
// nowhere else.
package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"unicode/utf8"

	"annai/fault"
	"annai/hearing"
	"annai/internal/restjson"
	"annai/internal/secret"
)

const (
	// maxAnswer is how many bytes of an answer are read.
	maxAnswer = 1 << 20
	// maxText is the longest text that is believed, in characters: nobody says more in a minute.
	maxText = 2000
)

// Options are how the service is asked.
type Options struct {
	// URL is the address above /audio/transcriptions, or that itself. Key is its key, where it wants one.
	URL string
	Key secret.Text
	// Model is what it hears with.
	Model string
}

type openAI struct {
	opts    Options
	address string
	client  *http.Client
}

// path is where the service hears.
const path = "/audio/transcriptions"

// OpenAI returns a recogniser at the service.
func OpenAI(opts Options) hearing.Recogniser {
	return &openAI{opts, strings.TrimSuffix(strings.TrimSuffix(opts.URL, "/"), path) + path, &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Hear is described at [hearing.Recogniser].
func (o *openAI) Hear(ctx context.Context, s hearing.Speech) (text string, err error) {
	body, kind, err := form(o.opts.Model, s)
	if err != nil {
		return "", fmt.Errorf("hearing service: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, o.address, body)
	if err != nil {
		return "", restjson.Unsent(ctx, err)
	}
	request.Header.Set("Content-Type", kind)
	if key := string(o.opts.Key); key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := o.client.Do(request)
	if err != nil {
		return "", restjson.Unsent(ctx, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return "", restjson.Unsent(ctx, err)
	case response.StatusCode == http.StatusBadRequest, response.StatusCode == http.StatusUnprocessableEntity,
		response.StatusCode == http.StatusUnsupportedMediaType:
		return "", fmt.Errorf("hearing service: answer %d: %w", response.StatusCode, fault.ErrInvalid)
	case response.StatusCode != http.StatusOK:
		return "", fmt.Errorf("hearing service: answer %d: %w", response.StatusCode, fault.ErrUnavailable)
	case len(answer) > maxAnswer:
		return "", fmt.Errorf("hearing service: answer over %d bytes: %w", maxAnswer, fault.ErrUnavailable)
	}
	return read(answer)
}

// read reads an answer in JSON.
func read(answer []byte) (string, error) {
	var heard struct {
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(answer, &heard); err != nil || heard.Text == nil {
		return "", fmt.Errorf("hearing service: answer without a text: %w", fault.ErrUnavailable)
	}
	if !utf8.ValidString(*heard.Text) || utf8.RuneCountInString(*heard.Text) > maxText {
		return "", fmt.Errorf("hearing service: answer with no text that was said: %w", fault.ErrUnavailable)
	}
	return *heard.Text, nil
}

// form is the speech as a form, and its media type.
func form(model string, s hearing.Speech) (*bytes.Buffer, string, error) {
	var b bytes.Buffer
	b.Grow(len(s.File) + 4096)
	w := multipart.NewWriter(&b)
	file, err := w.CreateFormFile("file", s.Name)
	if err != nil {
		return nil, "", err
	}
	if _, err := file.Write(s.File); err != nil {
		return nil, "", err
	}
	for _, field := range [][2]string{
		{"model", model},
		{"language", s.Language},
		{"prompt", s.Prompt},
		{"response_format", "json"},
		{"temperature", "0"},
	} {
		if field[1] == "" {
			continue
		}
		if err := w.WriteField(field[0], field[1]); err != nil {
			return nil, "", err
		}
	}
	return &b, w.FormDataContentType(), w.Close()
}
