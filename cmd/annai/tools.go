package main

import (
	"context"
	"errors"
	"log/slog"

	"annai/internal/config"
	"annai/tools"
	"annai/tools/calendar/agenda/family"
	"annai/tools/date"
)

// openTools makes the registry of tools. observe is told of every call; nil: nobody is.
func (a *assembly) openTools(
	ctx context.Context,
	c config.Config,
	observe func(tools.Observation),
	log *slog.Logger,
) error {
	a.tools = tools.New(a.now, tools.Options{Log: log, Observe: observe})
	opts := family.Options{AttendeeDomains: c.Own.InviteDomains}
	if !c.Own.Plugin || !c.Own.PluginTools {
		opts.PluginOff = "switched off by google-calendar-plugin or google-calendar-tools"
	}
	if a.agenda == nil {
		opts.Off = noOwner
	} else if _, ok := a.agenda.Writable(); !ok {
		opts.ReadOnly = a.readOnly
	}
	return errors.Join(
		date.Register(a.tools, a.now, a.venue.Location), family.Register(a.tools, a.agenda, opts),
		a.openTasks(ctx, c),
	)
}

// noOwner is why there are no tools of an owner.
const noOwner = "nobody can be known as the owner: set owner-key, or run annai keys add --role owner"
