package main

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"annai/internal/geo"
	"annai/nodes/capture"
	"annai/tools/media/ocr"
)

// capturer returns what reads flyers, links and texts that an owner gives; nil without an owner.
func (a *assembly) capturer(log *slog.Logger) *capture.Reader {
	if a.agenda == nil {
		return nil
	}
	var home *geo.Point
	if a.venue.At.Known {
		home = &a.venue.At.Point
	}
	return capture.New(a.tools, capture.Options{Letters: &ocr.System{}, Home: home, Log: log})
}

// capture says whether the letters in pictures can be read, and by what.
func (d *doctor) capture(ctx context.Context) {
	const part = "capture"
	t, err := ocr.Find(ctx)
	if err != nil {
		d.note(part, "pictures of flyers can't be read, links and texts can: %s", installTesseract)
		return
	}
	languages := t.Languages()
	if len(languages) < len(ocr.Languages()) {
		missing := slices.DeleteFunc(ocr.Languages(), func(l string) bool { return slices.Contains(languages, l) })
		d.note(part, "pictures of flyers are read by %s, but not in %s: %s",
			t.Name(), strings.Join(missing, ", "), installTesseract)
		return
	}
	d.say(true, part, "pictures of flyers are read by %s (%s)", t.Name(), strings.Join(languages, ", "))
}

// installTesseract is what an operator can do.
const installTesseract = "install tesseract with its data for jpn and eng " +
	"(Debian: apt-get install tesseract-ocr tesseract-ocr-jpn)"
