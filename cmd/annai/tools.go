package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"annai/internal/config"
	"annai/internal/setup"
	"annai/tools"
	"annai/tools/calendar/agenda/family"
	"annai/tools/date"
	"annai/tools/media"
	"annai/tools/media/clean"
	"annai/tools/media/poster"
	"annai/tools/webpage"
)

// mediaFolder is where in the data folder the pictures and videos are that tools make.
const mediaFolder = "media"

// openTools makes the registry of tools, whose files are kept in the data folder, or in memory
// without one.
func (a *assembly) openTools(
	ctx context.Context, c config.Config, data string, w wants, log *slog.Logger,
) (err error) {
	if data != "" {
		data = filepath.Join(data, mediaFolder)
	}
	if a.files, err = media.OpenFiles(ctx, data, a.now, media.FileOptions{}); err != nil {
		return err
	}
	a.turns = media.NewTurns()
	a.tools = tools.New(a.now, tools.Options{Log: log, Observe: w.observe, Begin: w.toolObserver()})
	opts := family.Options{AttendeeDomains: c.Own.InviteDomains}
	if !c.Own.Plugin || !c.Own.PluginTools {
		opts.PluginOff = "switched off by google-calendar-plugin or google-calendar-tools"
	}
	if a.agenda == nil {
		opts.Off = noOwner
	} else if _, ok := a.agenda.Writable(); !ok {
		opts.ReadOnly = a.readOnly
	}
	pages, err := webpage.NewClient(setup.UserAgent(c, program()))
	if err != nil {
		return err
	}
	return errors.Join(
		date.Register(a.tools, a.now, a.venue.Location), family.Register(a.tools, a.agenda, opts),
		a.registerMaps(),
		webpage.Register(a.tools, webpage.New(pages, a.now)),
		clean.Register(a.tools, clean.Options{Service: a.cleaner(), Log: log, Turns: a.turns}),
		poster.Register(a.tools, a.files, poster.Options{
			Service: a.artist(), Log: log, Turns: a.turns,
			Venue: map[string]string{"ja": a.venue.Name.JA, "en": a.venue.Name.EN}, Location: a.venue.Location,
		}),
		a.openTasks(ctx, c, log),
	)
}

// noOwner is why there are no tools of an owner.
const noOwner = "nobody can be known as the owner: set owner-key, or run annai keys add --role owner"
