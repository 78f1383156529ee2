package main

import (
	"log/slog"

	"annai/internal/config"
	"annai/tools/media/clean"
	"annai/tools/media/gemini"
	"annai/tools/media/poster"
	"annai/tools/media/video"
)

// openFilms adds the tool that makes films, by Google's models where the settings say so, and the
// film of the day for kiosks.
func (a *assembly) openFilms(c config.Config, log *slog.Logger) error {
	var service video.Service
	if a.gemini != nil && c.Gemini.Videos() {
		service = gemini.Veo{Client: a.gemini}
	}
	opts := video.Options{
		Venue: map[string]string{"ja": a.venue.Name.JA, "en": a.venue.Name.EN}, Location: a.venue.Location,
	}
	maker := video.NewMaker(a.files, service, log, a.turns)
	if c.Kiosk.Preview {
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
		ReadModel: c.Gemini.ReadModel,
	})
}

// cleaner returns what cleans pictures elsewhere, nil for nothing.
func (a *assembly) cleaner() clean.Service {
	if !a.images {
		return nil
	}
	return gemini.Cleaner{Client: a.gemini}
}

// artist returns what draws for posters elsewhere, nil for nothing.
func (a *assembly) artist() poster.Service {
	if !a.images {
		return nil
	}
	return gemini.Artist{Client: a.gemini}
}
