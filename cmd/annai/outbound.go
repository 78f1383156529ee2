package main

import (
	"annai/internal/config"
	"annai/internal/outbound"
	"annai/internal/setup"
)

// program is who we say we are to servers that others name.
func program() string { return "annai/" + version() }

// feedClient returns what fetches the calendars of a venue file.
func feedClient(c config.Config) (*outbound.Client, error) {
	return outbound.New(outbound.Options{
		Networks: c.Outbound.FeedNetworks, OwnPort: true, UserAgent: setup.UserAgent(c, program()),
	})
}
