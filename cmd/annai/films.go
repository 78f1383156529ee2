package main

import (
	"context"
	"log/slog"
	"time"

	"annai/internal/config"
	"annai/tools/media/gemini"
	"annai/tools/media/video"
)

// openFilms adds the tool that makes films, by Google's models where the settings say so, and the
// film of the day for kiosks.
func (a *assembly) openFilms(c config.Config, log *slog.Logger) error {
	client, err := openGemini(c)
	if err != nil {
		return err
	}
	var service video.Service
	if client != nil && c.Gemini.Videos() {
		service = gemini.Veo{Client: client}
	}
	opts := video.Options{
		Venue: map[string]string{"ja": a.venue.Name.JA, "en": a.venue.Name.EN}, Location: a.venue.Location,
	}
	maker := video.NewMaker(a.files, service, log)
	if c.KioskPreview {
		a.films = video.NewDaily(a.calendar, maker, a.now, opts, log)
	}
	return video.Register(a.tools, maker, opts)
}

// openGemini returns a client of Google's models; nil where there is no key.
func openGemini(c config.Config) (*gemini.Client, error) {
	if c.Gemini.Key == "" {
		return nil, nil //nolint:nilnil // no client is what the settings ask for
	}
	return gemini.New(c.Gemini.Key, gemini.Options{
		URL: c.Gemini.URL, ImageModel: c.Gemini.ImageModel, VideoModel: c.Gemini.VideoModel,
	})
}

// lookTime bounds the look at a model.
const lookTime = 5 * time.Second

// media says what makes pictures and films, and what they would need to be made by Google.
func (d *doctor) media(ctx context.Context, c config.Config) {
	client, err := openGemini(c)
	if err != nil {
		d.say(false, "media", "gemini-url: %v", oneLine{err})
		return
	}
	for _, part := range []struct {
		what, model string
		on          bool
	}{
		{"films (veo_create_day_preview)", c.Gemini.VideoModel, c.Gemini.Videos()},
		{"pictures (imagen_generate_poster, flash_image_edit)", c.Gemini.ImageModel, c.Gemini.Images()},
	} {
		if !part.on {
			d.note("media", "%s are made by this program; to have Google's models make them, set gemini-key", part.what)
			continue
		}
		limited, cancel := context.WithTimeout(ctx, lookTime)
		err := client.Look(limited, part.model)
		cancel()
		if err != nil {
			d.say(false, "media", "%s by %s: %v; this program makes them instead", part.what, part.model, oneLine{err})
			continue
		}
		d.say(true, "media", "%s are made by %s, and by this program if that fails", part.what, part.model)
	}
	if c.KioskPreview {
		d.say(true, "media", "kiosks play a film of the day while nobody uses them")
	}
}
