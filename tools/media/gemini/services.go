package gemini

import (
	"context"
	"fmt"

	"annai/prompts"
	"annai/tools/media/mp4"
	"annai/tools/media/video"
)

// Veo makes the films of package video with a client.
type Veo struct{ *Client }

// Name is veo.
func (Veo) Name() string { return "veo" }

// Film makes a film of the mood of a day, without words.
func (v Veo) Film(ctx context.Context, day video.Day) (video.Film, error) {
	prompt := prompts.ModelFilm{Style: string(day.Style)}
	for _, e := range day.Events[:min(len(day.Events), video.MaxSlides)] {
		prompt.Events = append(prompt.Events, prompts.ModelItem{Title: e.Title, Place: e.Location})
	}
	aspect := Aspect("9:16")
	if day.Shape == video.Landscape {
		aspect = "16:9"
	}
	without := prompts.ModelFilmWithout{}.In(day.Language)
	data, err := v.Client.Film(ctx, prompt.In(day.Language), without, aspect)
	if err != nil {
		return video.Film{}, err
	}
	lasts, err := mp4.Duration(data)
	if err != nil {
		return video.Film{}, fmt.Errorf("film of Google: %w", err)
	}
	return video.Film{Data: data, Format: video.MP4, Duration: lasts}, nil
}
