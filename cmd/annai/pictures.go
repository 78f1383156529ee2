package main

import (
	"context"

	"annai/civil"
	"annai/internal/config"
	"annai/internal/outbound"
	"annai/internal/setup"
	"annai/server"
	"annai/tools/media/pictures"
)

// pictureDays is how far back and ahead pictures of events are looked for.
const pictureDays = 366

// openPictures has the pictures of the venue's events, if its file names hosts of them.
func (a *assembly) openPictures(c config.Config) error {
	if len(a.venue.Pictures) == 0 {
		return nil
	}
	client, err := outbound.New(outbound.Options{
		Networks: c.Outbound.FeedNetworks, UserAgent: setup.UserAgent(c, program()),
		Loopback: true, OwnPort: true, // the venue file names the hosts
	})
	if err != nil {
		return err
	}
	a.pictures = pictures.New(pictures.Options{
		Client: client, Hosts: a.venue.Pictures, Now: a.now, All: a.allPictures,
	})
	return nil
}

// picture is where the picture at an address is had from us; "" where there is none.
func (a *assembly) picture(address string) string {
	if a.pictures == nil {
		return ""
	}
	if name := a.pictures.Name(address); name != "" {
		return server.PicturePath + name
	}
	return ""
}

// allPictures are the addresses of the pictures of events that visitors may see.
func (a *assembly) allPictures(ctx context.Context) (all []string, err error) {
	today := civil.DateOf(a.now().In(a.venue.Location))
	window := civil.Days(today.AddDays(-pictureDays), today.AddDays(pictureDays), a.venue.Location)
	listing, err := a.calendar.Events(ctx, window)
	if err != nil {
		return nil, err
	}
	for _, e := range listing.Events {
		if e.Picture != "" {
			all = append(all, e.Picture)
		}
	}
	return all, nil
}
