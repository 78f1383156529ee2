package venue

import (
	"fmt"
	"math"
	"path"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// An Appearance is how the kiosk looks, where it differs from ours. All of it is optional.
type Appearance struct {
	// Color is that of the curtain and of the keys that matter most, as "#0b6e69". White text stands on it.
	Color string `yaml:"color"`
	// Coat and Tie are what Akari wears, Glow is the light in the lantern.
	Coat string `yaml:"coat"`
	Tie  string `yaml:"tie"`
	Glow string `yaml:"glow"`
	// Crest is on the curtain: one or two characters, or the path of a picture, which is like those of
	// [Venue.Knowledge]; see [Appearance.CrestFile].
	Crest string `yaml:"crest"`
	// Avatar is the path of a VRM file: a figure that stands in Akari's place.
	Avatar string `yaml:"avatar"`
}

// CrestFile returns the path of the crest and its media type, or nothing where it is text or absent.
func (a Appearance) CrestFile() (name, mediaType string) {
	if kind, ok := crestKinds[path.Ext(a.Crest)]; ok {
		return a.Crest, kind
	}
	return "", ""
}

var crestKinds = map[string]string{".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}

// The largest files that kiosks are made to load, in bytes.
const (
	maxCrest  = 256 << 10
	maxAvatar = 64 << 20
)

// What the page itself has beside the colors of a venue.
const (
	white = "#ffffff"
	ink   = "#14213d" // of the face
)

// Contrasts that WCAG 2.2 AA wants: of text, and of what must be seen to understand a picture.
const (
	textContrast    = 4.5
	pictureContrast = 3
)

var hexColor = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// checkAppearance refuses colors that can't be read and files that no kiosk can show.
func (c *checker) checkAppearance(v *Venue) {
	a := &v.Appearance
	c.checkColor("appearance.color", a.Color, white, "the white text on it", textContrast)
	c.checkColor("appearance.glow", a.Glow, ink, "the face on it", pictureContrast)
	c.checkColor("appearance.coat", a.Coat, "", "", 0)
	c.checkColor("appearance.tie", a.Tie, "", "", 0)
	if name, _ := a.CrestFile(); name != "" {
		a.Crest = c.path(v.Files, "appearance.crest", name, false)
		c.checkFileSize(v.Files, "appearance.crest", a.Crest, maxCrest)
	} else if n := utf8.RuneCountInString(a.Crest); n > 2 {
		c.add("appearance.crest", "%q is neither one or two characters nor an svg, png or webp file", a.Crest)
	}
	if a.Avatar != "" {
		a.Avatar = c.path(v.Files, "appearance.avatar", a.Avatar, false)
		c.checkFileSize(v.Files, "appearance.avatar", a.Avatar, maxAvatar)
		c.checkAvatar(v.Files, a.Avatar)
	}
}

// checkColor adds what is wrong with a color, on or behind which other is seen. No other: any will do.
func (c *checker) checkColor(key, color, other, what string, least float64) {
	switch {
	case color == "" && c.lines[key] > 0:
		c.add(key, `is empty; a color stands in quotes, since # begins a comment: "#0b6e69"`)
	case color == "":
	case !hexColor.MatchString(color):
		c.add(key, "%q is not a color like #0b6e69", color)
	case other != "" && contrast(color, other) < least:
		c.add(key, "%s has a contrast of %.1f to %s; WCAG AA wants %.1f, which %s has",
			color, contrast(color, other), what, least, readable(color, other, least))
	}
}

// contrast is the ratio of WCAG 2.2 of two colors, 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of a color, as WCAG defines it.
func luminance(color string) float64 {
	var l float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		s := float64(channels(color)[i]) / 255
		if s <= 0.04045 {
			l += weight * s / 12.92
		} else {
			l += weight * math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return l
}

// channels are red, green and blue of "#rrggbb", 0 to 255.
func channels(color string) [3]int {
	n, _ := strconv.ParseUint(color[1:], 16, 32) // hexColor has matched
	return [3]int{int(n >> 16), int(n >> 8 & 0xff), int(n & 0xff)}
}

// readable is the color nearest to color, darker beside a light one and lighter beside a dark one, that has
// enough contrast to other.
func readable(color, other string, least float64) string {
	end := 255
	if luminance(other) > 0.5 {
		end = 0
	}
	for share := range 101 {
		var rgb [3]int
		for i, x := range channels(color) {
			rgb[i] = x + (end-x)*share/100
		}
		mixed := fmt.Sprintf("#%02x%02x%02x", rgb[0], rgb[1], rgb[2])
		if contrast(mixed, other) >= least {
			return mixed
		}
	}
	return color
}
