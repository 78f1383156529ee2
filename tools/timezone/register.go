package timezone

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools"
)

//go:embed descriptions
var descriptions embed.FS

// Input is that of timezone_resolve.
type Input struct {
	Location geo.Point `json:"location"`
	// Timestamp is the time on the clocks there where it has no offset.
	Timestamp string `json:"timestamp,omitempty" jsonschema:"As 2026-07-01T09:00:00+09:00; absent: now."`
	// UserTimeZone is the visitor's, which is the answer if the zone cannot be found; empty: the venue's.
	UserTimeZone string `json:"userTimeZone,omitempty" jsonschema:"The visitor's zone, if none is found."`
}

// Output is that of timezone_resolve.
type Output struct {
	TimeZoneID    string `json:"timeZoneId" jsonschema:"Of the IANA database: America/Los_Angeles."`
	OffsetSeconds int    `json:"offsetSeconds" jsonschema:"East of Greenwich at the timestamp."`
	Backend       string `json:"backend" enum:"embedded,google"`
	Degraded      bool   `json:"degraded,omitempty" jsonschema:"None was found: it is the visitor's or venue's."`
	Message       string `json:"message" jsonschema:"A sentence that says so, in the caller's language."`
}

// The values of the field backend.
const (
	backendEmbedded = "embedded"
	backendGoogle   = "google"
)

// Register adds timezone_resolve, which everybody may call. now is the clock, and home the venue's zone. service is
// asked instead of the map inside the program; nil: none is. Where it fails, the map answers.
func Register(r *tools.Registry, now func() time.Time, home string, service Finder) error {
	words, err := tools.Descriptions(descriptions, "timezone_resolve")
	if err != nil {
		return err
	}
	t := tool{now: now, home: home, service: service, embedded: Embedded{}}
	backEnd := "an embedded map"
	if service != nil {
		backEnd = "Google Time Zone"
	}
	return tools.Add(r, tools.Tool[Input, Output]{
		Spec: tools.Spec{
			Name: "timezone_resolve", Description: words, Class: tools.Read,
			Roles:   []tools.Role{tools.Visitor, tools.Owner, tools.Operator},
			Timeout: 3 * time.Second, Retries: 1, BackEnd: backEnd,
		},
		Do: t.resolve,
	})
}

type tool struct {
	now               func() time.Time
	home              string
	service, embedded Finder
}

func (t tool) resolve(ctx context.Context, caller tools.Caller, in Input) (Output, error) {
	read, err := instant(in.Timestamp, t.now())
	if err != nil {
		return Output{}, err
	}
	home := t.home
	if in.UserTimeZone != "" {
		if home = in.UserTimeZone; !known(home) {
			return Output{}, refuse("「userTimeZone」は Asia/Tokyo のような名前で指定してください。",
				`"userTimeZone" must be a name such as Asia/Tokyo.`)
		}
	}
	if t.service != nil {
		out, err := found(ctx, t.service, backendGoogle, in.Location, read, caller.Language)
		if err == nil {
			return out, nil
		}
		instead, mapErr := found(ctx, t.embedded, backendEmbedded, in.Location, read, caller.Language)
		if mapErr != nil {
			instead = assumed(home, read, caller.Language)
		}
		return Output{}, &tools.Instead[Output]{Err: errors.Join(err, mapErr), Answer: instead}
	}
	out, err := found(ctx, t.embedded, backendEmbedded, in.Location, read, caller.Language)
	if err != nil {
		return Output{}, &tools.Instead[Output]{Err: err, Answer: assumed(home, read, caller.Language)}
	}
	return out, nil
}

// found finds the zone of a point and its offset.
func found(ctx context.Context, f Finder, backend string, where geo.Point, when reading, lang string) (Output, error) {
	name, err := f.Zone(ctx, where)
	if err != nil {
		return Output{}, err
	}
	loc, err := load(name)
	if err != nil {
		return Output{}, err
	}
	at := when.in(loc)
	_, offset := at.Zone()
	out := Output{TimeZoneID: name, OffsetSeconds: offset, Backend: backend}
	if out.Message = "タイムゾーンは " + name + " で、UTC との差は " + at.Format("-07:00") + " です。"; lang == "en" {
		out.Message = "The time zone is " + name + ", UTC" + at.Format("-07:00") + "."
	}
	return out, nil
}

// assumed is the answer where the zone could not be found.
func assumed(home string, when reading, lang string) Output {
	out := Output{TimeZoneID: home, Backend: backendEmbedded, Degraded: true}
	out.Message = "タイムゾーンを調べられなかったため、" + home + " としています。"
	if lang == "en" {
		out.Message = "The time zone could not be found; " + home + " is assumed."
	}
	if loc, err := load(home); err == nil {
		_, out.OffsetSeconds = when.in(loc).Zone()
	}
	return out
}

// A reading is a timestamp: an instant, or what clocks show wherever they are.
type reading struct {
	at    time.Time
	clock bool
}

// in is the instant, given where the clocks are.
func (r reading) in(loc *time.Location) time.Time {
	if !r.clock {
		return r.at.In(loc)
	}
	t := r.at
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, loc)
}

// instant reads a timestamp of ISO 8601. One that is none is [fault.ErrInvalid].
func instant(text string, now time.Time) (reading, error) {
	if text == "" {
		return reading{at: now}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return reading{at: t}, nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return reading{at: t, clock: true}, nil
		}
	}
	return reading{}, refuse("「timestamp」は 2026-07-01T09:00:00+09:00 のように指定してください。",
		`"timestamp" must be like 2026-07-01T09:00:00+09:00.`)
}

func known(zone string) bool {
	_, err := load(zone)
	return err == nil
}

func refuse(ja, en string) error {
	return fmt.Errorf("time zone: %w", &tools.Refusal{Kind: fault.ErrInvalid, JA: ja, EN: en})
}
