package main

import (
	"errors"
	"log/slog"

	"annai/internal/config"
	"annai/tools"
	"annai/tools/calendar/agenda/family"
	"annai/tools/date"
	"annai/tools/webpage"
)

// openTools makes the registry of tools. observe is told of every call; nil: nobody is.
func (a *assembly) openTools(c config.Config, observe func(tools.Observation), log *slog.Logger) error {
	a.tools = tools.New(a.now, tools.Options{Log: log, Observe: observe})
	opts := family.Options{}
	if a.agenda == nil {
		opts.Off = "nobody can be known as the owner: set owner-key, or run annai keys add --role owner"
	} else if _, ok := a.agenda.Writable(); !ok {
		opts.ReadOnly = a.readOnly
	}
	pages, err := webpage.NewClient(userAgent(c))
	if err != nil {
		return err
	}
	return errors.Join(
		date.Register(a.tools, a.now, a.venue.Location), family.Register(a.tools, a.agenda, opts),
		a.registerMaps(),
		webpage.Register(a.tools, webpage.New(pages, a.now)),
	)
}
