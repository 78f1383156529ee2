package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"annai/fault"
	"annai/voice"
)

type voicevox struct {
	opts   Options
	client *http.Client
	// named is the name of the speaker, once it is known.
	named atomic.Pointer[string]
}

// Voicevox returns a speaker of Japanese at a VOICEVOX engine, or one with the same interface.
// Options.Voice is the number of its style. Credit says whom to name, as the voices' terms want it; the
// name is known once it spoke.
func Voicevox(opts Options) (speaker voice.Speaker, credit func() string) {
	v := &voicevox{opts: opts, client: newClient()}
	return v, func() string {
		if name := v.named.Load(); name != nil && *name != "" {
			return "VOICEVOX:" + *name
		}
		return "VOICEVOX"
	}
}

// learn looks up the name of the speaker. It is tried once.
func (v *voicevox) learn(ctx context.Context) {
	if v.named.Load() != nil {
		return
	}
	name := ""
	v.named.Store(&name)
	answer, err := v.opts.send(ctx, v.client, http.MethodGet, v.opts.address("/speakers", nil), "")
	var speakers []struct {
		Name   string `json:"name"`
		Styles []struct {
			ID int `json:"id"`
		} `json:"styles"`
	}
	if err != nil || json.Unmarshal(answer, &speakers) != nil {
		return
	}
	for _, s := range speakers {
		for _, style := range s.Styles {
			if strconv.Itoa(style.ID) == v.opts.Voice {
				v.named.Store(&s.Name)
			}
		}
	}
}

// A query is what VOICEVOX says of a text: how it would speak it. What is not here is sent back as it came.
type query struct {
	Phrases []struct {
		Moras []mora `json:"moras"`
		Pause *mora  `json:"pause_mora"`
	} `json:"accent_phrases"`
	Before float64 `json:"prePhonemeLength"`
	After  float64 `json:"postPhonemeLength"`
}

type mora struct {
	Consonant       string  `json:"consonant"`
	ConsonantLength float64 `json:"consonant_length"`
	Vowel           string  `json:"vowel"`
	VowelLength     float64 `json:"vowel_length"`
}

func (v *voicevox) Speak(ctx context.Context, text, _ string) (voice.Speech, error) {
	address := v.opts.address("/audio_query", url.Values{"text": {text}, "speaker": {v.opts.Voice}})
	answer, err := v.opts.send(ctx, v.client, http.MethodPost, address, "")
	if err != nil {
		return voice.Speech{}, err
	}
	var known query
	var all map[string]any
	if json.Unmarshal(answer, &known) != nil || json.Unmarshal(answer, &all) != nil || all == nil {
		return voice.Speech{}, fmt.Errorf("voice service: no query: %w", fault.ErrUnavailable)
	}
	all["speedScale"], all["outputSamplingRate"], all["outputStereo"] = v.opts.Speed, voice.Rate, false
	body, err := json.Marshal(all)
	if err != nil {
		return voice.Speech{}, err
	}
	address = v.opts.address("/synthesis", url.Values{"speaker": {v.opts.Voice}})
	file, err := v.opts.send(ctx, v.client, http.MethodPost, address, string(body))
	if err != nil {
		return voice.Speech{}, err
	}
	speech, err := voice.ReadWAV(file)
	if err != nil {
		return voice.Speech{}, err
	}
	marks := known.marks()
	was := marks[len(marks)-1].End
	// The lengths are before the speed; and AivisSpeech's are not true, only their number is.
	speech.Mouth = voice.Stretched(voice.JapaneseMouth(marks), was, speech.Length())
	v.learn(ctx)
	return speech, nil
}

// marks are when each phoneme is spoken; the last is silence.
func (q *query) marks() []voice.Mark {
	var marks []voice.Mark
	at := time.Duration(0)
	add := func(phoneme string, seconds float64) {
		if seconds > 0 && seconds < 60 {
			next := at + time.Duration(seconds*float64(time.Second))
			marks = append(marks, voice.Mark{Phoneme: phoneme, Start: at, End: next})
			at = next
		}
	}
	add("sil", q.Before)
	for _, phrase := range q.Phrases {
		for _, m := range phrase.Moras {
			add(m.Consonant, m.ConsonantLength)
			add(m.Vowel, m.VowelLength)
		}
		if phrase.Pause != nil {
			add("pau", phrase.Pause.VowelLength)
		}
	}
	add("sil", max(q.After, 0.001))
	return marks
}
