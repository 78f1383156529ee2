package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"annai/internal/config"
	"annai/internal/geo"
	"annai/internal/setup"
	"annai/nodes/capture"
	"annai/tools/media/gemini"
	"annai/tools/media/ocr"
)

// capturer returns what reads flyers, links and texts that an owner gives; nil without an owner.
func (a *assembly) capturer(c config.Config, log *slog.Logger) *capture.Reader {
	if a.agenda == nil {
		return nil
	}
	var home *geo.Point
	if a.venue.At.Known {
		home = &a.venue.At.Point
	}
	var letters []ocr.Reader
	if c.Gemini.Reads() {
		letters = append(letters, gemini.Reader{Client: a.gemini})
	}
	letters = append(letters, &ocr.System{})
	return capture.New(a.tools, capture.Options{Letters: letters, Home: home, Log: log})
}

// capture says whether the letters in pictures can be read, and by what.
func (d *doctor) capture(ctx context.Context, c config.Config) {
	const part = "capture"
	here, missing := d.tesseract(ctx)
	switch {
	case c.Gemini.Reads():
		d.readsElsewhere(ctx, c, here, missing)
	case here == "":
		d.note(part, "pictures of flyers can't be read, links and texts can: %s, or set gemini-key", missing)
	case missing != "":
		d.note(part, "pictures of flyers are read by %s: %s", here, missing)
	default:
		d.say(true, part, "pictures of flyers are read by %s", here)
	}
}

// tesseract names the program that reads pictures here, empty where there is none, and what it lacks.
func (*doctor) tesseract(ctx context.Context) (here, missing string) {
	t, err := ocr.Find(ctx)
	if err != nil {
		return "", installTesseract
	}
	languages := t.Languages()
	if len(languages) < len(ocr.Languages()) {
		lacks := slices.DeleteFunc(ocr.Languages(), func(l string) bool { return slices.Contains(languages, l) })
		return fmt.Sprintf("%s, but not in %s", t.Name(), strings.Join(lacks, ", ")), installTesseract
	}
	return fmt.Sprintf("%s (%s)", t.Name(), strings.Join(languages, ", ")), ""
}

// readsElsewhere says whether Google's model is there that reads pictures, and what reads them where it fails.
func (d *doctor) readsElsewhere(ctx context.Context, c config.Config, here, missing string) {
	const part = "capture"
	otherwise := "nothing"
	if here != "" {
		otherwise = here
	}
	if missing != "" {
		otherwise += " (" + missing + ")"
	}
	client, err := openGemini(c)
	if err != nil { // which is said of gemini-url
		d.note(part, "pictures of flyers are read by %s", otherwise)
		return
	}
	limited, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	model := c.Gemini.ReadModel
	if err := client.Look(limited, model); err != nil {
		d.say(false, part, "pictures of flyers by %s: %v; they are read by %s", model, setup.OneLine(err), otherwise)
		return
	}
	d.say(true, part, "pictures of flyers are read by %s, and by %s if that fails", model, otherwise)
}

// installTesseract is what an operator can do.
const installTesseract = "install tesseract with its data for jpn and eng " +
	"(Debian: apt-get install tesseract-ocr tesseract-ocr-jpn)"
