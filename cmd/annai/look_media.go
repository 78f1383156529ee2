package main

import (
	"context"
	"path/filepath"
	"time"

	"annai/internal/config"
	"annai/internal/setup"
	"annai/tools/media"
	"annai/tools/media/poster"
)

// media says where files that tools make are kept, and draws a small poster.
func (d *doctor) media(ctx context.Context, c config.Config, now func() time.Time) {
	folder, where := "", "in memory, until annai stops (data is not set)"
	if c.Data != "" {
		folder = filepath.Join(c.Data, mediaFolder)
		where = "in " + folder
	}
	if _, err := media.OpenFiles(ctx, folder, now, media.FileOptions{}); err != nil {
		d.say(false, "media", "%v", setup.OneLine(err))
		return
	}
	event := poster.Event{Title: "案内 annai", Start: now()}
	if _, err := poster.Draw(event, poster.Classic, poster.MinSide, poster.MinSide, "ja"); err != nil {
		d.say(false, "media", "%v", setup.OneLine(err))
		return
	}
	d.say(true, "media", "what tools make is kept a day, %s", where)
}
