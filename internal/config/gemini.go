package config

import (
	"annai/internal/secret"
)

// Gemini is how Google's models are reached that make pictures and films, and read pictures.
type Gemini struct {
	// Key is that of the Gemini API. Empty: nothing is made by Google.
	Key secret.Text
	// URL is where the API begins. Empty means Google's own.
	URL string
	// ImageModel, VideoModel and ReadModel are names of models. "none" is none.
	ImageModel, VideoModel, ReadModel string
}

// Images reports whether pictures are made by Google, and Videos whether films are.
func (g Gemini) Images() bool { return g.Key != "" && g.ImageModel != "none" }

// Videos is described at [Gemini.Images].
func (g Gemini) Videos() bool { return g.Key != "" && g.VideoModel != "none" }

// Reads reports whether the letters in pictures are read by Google.
func (g Gemini) Reads() bool { return g.Key != "" && g.ReadModel != "none" }

func geminiKeyField(c *Config) *secret.Text { return &c.Gemini.Key }

func geminiTable() []setting {
	image := parseModelName(func(c *Config) *string { return &c.Gemini.ImageModel })
	film := parseModelName(func(c *Config) *string { return &c.Gemini.VideoModel })
	read := parseModelName(func(c *Config) *string { return &c.Gemini.ReadModel })
	return []setting{
		{
			key: "gemini-key", value: "KEY", secret: true, parse: secretText(geminiKeyField),
			usage: "key of Google's Gemini API, which makes pictures and films, and reads (this program does)",
		},
		{
			key: "gemini-key-file", value: "FILE", path: true, usage: "file with that key (none)",
			parse: fromSecretFile("gemini-key", geminiKeyField, secretText(geminiKeyField)),
		},
		{
			key: "gemini-url", value: "URL", usage: "address of that API, for tests and private endpoints (Google's)",
			parse: address(func(c *Config) *string { return &c.Gemini.URL }),
		},
		{
			key: "gemini-image-model", value: "NAME", def: "gemini-2.5-flash-image", parse: image,
			usage: "model that cleans and draws pictures, or none",
		},
		{
			key: "gemini-video-model", value: "NAME", def: "veo-3.0-generate-001", parse: film,
			usage: "model that makes films, or none",
		},
		{
			key: "gemini-read-model", value: "NAME", def: "gemini-2.5-flash", parse: read,
			usage: "model that reads the letters in pictures of flyers, or none",
		},
	}
}
