package main

import (
	"context"
	"time"

	"annai/internal/config"
	"annai/internal/setup"
)

// lookTime bounds the look at a model.
const lookTime = 5 * time.Second

// gemini says what makes pictures and films, and what it would need to be Google.
func (d *doctor) gemini(ctx context.Context, c config.Config) {
	client, err := openGemini(c)
	if err != nil {
		d.say(false, "gemini", "gemini-url: %v", setup.OneLine(err))
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
			d.note("media", "%s are made here (embedded); for Google's models, set gemini-key", part.what)
			continue
		}
		limited, cancel := context.WithTimeout(ctx, lookTime)
		err := client.Look(limited, part.model)
		cancel()
		if err != nil {
			d.say(false, "media", "%s by %s: %v; they are made here instead", part.what, part.model, setup.OneLine(err))
			continue
		}
		d.say(true, "media", "%s are made by %s, and here if that fails", part.what, part.model)
	}
	if c.Kiosk.Preview {
		d.say(true, "media", "kiosks play a film of the day while nobody uses them")
	}
}
