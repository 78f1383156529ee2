package video

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"annai/tools/media"
)

// A Service makes films elsewhere. It is safe for concurrent use.
type Service interface {
	// Name is what an answer calls it: "veo".
	Name() string
	// Film makes an MP4 of the mood of a day. It states no facts: whoever shows it says them
	// beside it. Errors are of package fault.
	Film(ctx context.Context, day Day) (Film, error)
}

// embedded is the name of what this package does itself.
const embedded = "embedded"

// embeddedTime is what is kept of a deadline for a film of our own, should a service fail.
const embeddedTime = 30 * time.Second

// A Maker makes films and keeps them as files. It is safe for concurrent use.
type Maker struct {
	files   *media.Files
	service Service
	log     *slog.Logger
	turns   *media.Turns
}

// NewMaker returns a maker. service may be nil; log receives a line where it fails. turns are shared with what else
// makes pictures.
func NewMaker(files *media.Files, service Service, log *slog.Logger, turns *media.Turns) *Maker {
	return &Maker{files: files, service: service, log: log, turns: turns}
}

// Made is a film that is kept.
type Made struct {
	Address  media.Address
	Format   Format
	Duration time.Duration
	// Backend is what made it: "embedded", or the name of the service.
	Backend string
	// FellBack says that the service was asked first, and failed.
	FellBack bool
}

// Make makes a film with the service if there is one, and else, or if it fails, here. It waits
// until no other film is made; where that takes too long, it is [fault.ErrUnavailable]. The other
// errors are those of [Make].
func (m *Maker) Make(ctx context.Context, day Day, format Format) (Made, error) {
	if m.service == nil || format != MP4 {
		return m.Embedded(ctx, day, format)
	}
	film, err := m.ask(ctx, day)
	if err == nil {
		return m.keep(film, Made{Backend: m.service.Name()})
	}
	if ctx.Err() != nil {
		return Made{}, err
	}
	m.log.WarnContext(ctx, "video service failed", slog.String("service", m.service.Name()), slog.Any("err", err))
	made, err := m.Embedded(ctx, day, format)
	made.FellBack = true
	return made, err
}

// ask asks the service for as long as leaves time for a film of our own.
func (m *Maker) ask(ctx context.Context, day Day) (Film, error) {
	ctx, cancel := media.Sooner(ctx, embeddedTime)
	defer cancel()
	return m.service.Film(ctx, day)
}

// Embedded makes a film here.
func (m *Maker) Embedded(ctx context.Context, day Day, format Format) (Made, error) {
	var film Film
	err := m.turns.Do(ctx, func() (err error) {
		film, err = Make(ctx, day, format)
		return err
	})
	if err != nil {
		return Made{}, err
	}
	return m.keep(film, Made{Backend: embedded})
}

func (m *Maker) keep(film Film, made Made) (Made, error) {
	address, err := m.files.Put(film.Data, kinds[film.Format])
	if err != nil {
		return Made{}, fmt.Errorf("keep a film: %w", err)
	}
	made.Address, made.Format, made.Duration = address, film.Format, film.Duration
	return made, nil
}

// kinds are the types of files of the formats.
var kinds = map[Format]media.Kind{MP4: media.MP4, GIF: media.GIF}
