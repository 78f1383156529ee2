package prompts

// What is sent to models that make pictures and films, and that read pictures. The former write no words into what
// they make, since they would get them wrong; whoever shows a picture says beside it what is true.

// ModelFilm asks for a film of the mood of a day.
type ModelFilm struct {
	// Style is "cinematic" or "documentary".
	Style  string
	Events []ModelItem
}

// In returns the words in a language.
func (p ModelFilm) In(lang string) string { return fill("model_film", lang, p) }

// ModelFilmWithout names what is not to be in a film.
type ModelFilmWithout struct{}

// In returns the words in a language.
func (p ModelFilmWithout) In(lang string) string { return fill("model_film_without", lang, p) }

// ModelArt asks for a picture above the words of a poster.
type ModelArt struct {
	// Style is "modern", "classic" or "vibrant".
	Style, Title, Text string
}

// In returns the words in a language.
func (p ModelArt) In(lang string) string { return fill("model_art", lang, p) }

// ModelRead asks for the writing in a picture, as JSON. Largest is the largest size of letters.
type ModelRead struct {
	Largest int
}

// In returns the words in a language.
func (p ModelRead) In(lang string) string { return fill("model_read", lang, p) }

// ModelClean asks for a photograph of a flyer to be cleaned for reading.
type ModelClean struct {
	Denoise, Text, Background bool
}

// In returns the words in a language.
func (p ModelClean) In(lang string) string { return fill("model_clean", lang, p) }
