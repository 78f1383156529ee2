package remote

import (
	"context"
	"encoding/json"
	"net/http"

	"annai/voice"
)

type openAI struct {
	opts   Options
	client *http.Client
}

// OpenAI returns a speaker at a service that has OpenAI's /audio/speech below its address, which ends in /v1.
func OpenAI(opts Options) voice.Speaker { return &openAI{opts, newClient()} }

func (o *openAI) Speak(ctx context.Context, text, _ string) (voice.Speech, error) {
	body, err := json.Marshal(map[string]any{
		"model": o.opts.Model, "voice": o.opts.Voice, "input": text, "response_format": "wav", "speed": o.opts.Speed,
	})
	if err != nil {
		return voice.Speech{}, err
	}
	file, err := o.opts.send(ctx, o.client, http.MethodPost, o.opts.address("/audio/speech", nil), string(body))
	if err != nil {
		return voice.Speech{}, err
	}
	return voice.ReadWAV(file)
}
