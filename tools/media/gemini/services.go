package gemini

import (
	"context"
	"fmt"
	"slices"

	"annai/prompts"
	"annai/tools/media/clean"
	"annai/tools/media/mp4"
	"annai/tools/media/poster"
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

// Cleaner cleans the pictures of package clean with a client.
type Cleaner struct{ *Client }

// Name is gemini.
func (Cleaner) Name() string { return "gemini" }

// Clean cleans a photograph of a flyer.
func (c Cleaner) Clean(
	ctx context.Context, data []byte, mediaType string, operations []clean.Operation,
) ([]byte, error) {
	prompt := prompts.ModelClean{
		Denoise:    slices.Contains(operations, clean.Denoise),
		Text:       slices.Contains(operations, clean.EnhanceText),
		Background: slices.Contains(operations, clean.RemoveBackground),
	}
	picture, err := c.Edit(ctx, Picture{Data: data, Type: mediaType}, prompt.In("en"))
	return picture.Data, err
}

// Artist draws for the posters of package poster with a client.
type Artist struct{ *Client }

// Name is gemini.
func (Artist) Name() string { return "gemini" }

// Art draws a picture for an event, without words.
func (a Artist) Art(
	ctx context.Context, e poster.Event, style poster.Style, width, height int, language string,
) ([]byte, error) {
	prompt := prompts.ModelArt{Style: string(style), Title: e.Title, Text: e.Description}
	picture, err := a.Draw(ctx, prompt.In(language), Nearest(width, height))
	return picture.Data, err
}
