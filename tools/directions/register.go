package directions

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

// Input is that of directions_estimate.
type Input struct {
	Origin      geo.Point `json:"origin" jsonschema:"Where the way begins."`
	Destination geo.Point `json:"destination" jsonschema:"Where it ends."`
	Mode        Mode      `json:"mode,omitempty" enum:"driving,transit,walking" jsonschema:"Absent: driving."`
	Departure   string    `json:"departureTime,omitempty" jsonschema:"As 2026-03-02T09:00:00+09:00; absent: now."`
}

// Output is that of directions_estimate. The duration and the length are 0 where nothing is known of the way.
type Output struct {
	DurationSeconds int `json:"durationSeconds" jsonschema:"0 where it is not known."`
	DistanceMeters  int `json:"distanceMeters" jsonschema:"Along the way; 0 where it is not known."`
	// The duration in minutes, rounded up, and five; fifteen where it is not known.
	TravelBufferMinutes int `json:"travelBufferMinutes" jsonschema:"Minutes to keep free for it."`
	// Estimate says that no street, timetable or traffic was looked at.
	Estimate bool   `json:"estimate" jsonschema:"By the straight distance and common speeds alone."`
	Backend  string `json:"backend" enum:"embedded,google,osrm"`
	Degraded bool   `json:"degraded,omitempty" jsonschema:"A service failed, or nothing is known of the way."`
	Message  string `json:"message" jsonschema:"A sentence that says so, in the caller's language."`
}

// backendEmbedded is the estimate inside the program.
const backendEmbedded = "embedded"

// A Service is a router with its name, "google" or "osrm".
type Service struct {
	Name   string
	Router Router
}

// Register adds directions_estimate, which everybody may call. services are asked by mode; where there is none, or it
// fails, the way is estimated.
func Register(r *tools.Registry, services map[Mode]Service) error {
	words, err := tools.Descriptions(descriptions, "directions_estimate")
	if err != nil {
		return err
	}
	backEnd := "an estimate"
	if len(services) > 0 {
		backEnd = "a routing service"
	}
	return tools.Add(r, tools.Tool[Input, Output]{
		Spec: tools.Spec{
			Name: "directions_estimate", Description: words, Class: tools.Read,
			Roles:   []tools.Role{tools.Visitor, tools.Owner, tools.Operator},
			Timeout: 8 * time.Second, Retries: 1, BackEnd: backEnd,
		},
		Do: tool(services).estimate,
	})
}

type tool map[Mode]Service

func (t tool) estimate(ctx context.Context, caller tools.Caller, in Input) (Output, error) {
	trip := Trip{From: in.Origin, To: in.Destination, Mode: in.Mode}
	if trip.Mode == "" {
		trip.Mode = Driving
	}
	if in.Departure != "" {
		at, err := time.Parse(time.RFC3339, in.Departure)
		if err != nil {
			return Output{}, &tools.Refusal{
				Kind: fault.ErrInvalid,
				JA:   "「departureTime」は 2026-03-02T09:00:00+09:00 のように指定してください。",
				EN:   `"departureTime" must be like 2026-03-02T09:00:00+09:00.`,
			}
		}
		trip.Departure = at
	}
	service, ok := t[trip.Mode]
	if !ok {
		return estimated(trip, caller.Language), nil
	}
	way, err := service.Router.Way(ctx, trip)
	if err == nil {
		return output(way, trip.Mode, service.Name, caller.Language), nil
	}
	instead := estimated(trip, caller.Language)
	instead.Degraded = true
	if errors.Is(err, fault.ErrNotFound) { // it did answer: by no street
		instead = unknown(caller.Language)
	}
	return Output{}, &tools.Instead[Output]{Err: err, Answer: instead}
}

// estimated is the answer without a service.
func estimated(trip Trip, lang string) Output {
	way, ok := Estimate(trip)
	if !ok {
		return unknown(lang)
	}
	return output(way, trip.Mode, backendEmbedded, lang)
}

func output(way Way, mode Mode, backend, lang string) Output {
	out := Output{
		DurationSeconds: int(way.Duration.Round(time.Second) / time.Second), DistanceMeters: way.Meters,
		TravelBufferMinutes: way.Buffer(), Estimate: backend == backendEmbedded, Backend: backend,
	}
	out.Message = sentence(out, mode, lang)
	return out
}

// unknown is the answer where nothing is known of the way.
func unknown(lang string) Output {
	return Output{
		TravelBufferMinutes: unknownBuffer, Estimate: true, Backend: backendEmbedded, Degraded: true,
		Message: pick(lang, "移動時間は分かりませんでした。15分の余裕をみてください。",
			"I could not find out how long the way takes. Please allow 15 minutes."),
	}
}

// by is how each mode is said.
var by = map[Mode]struct{ ja, en string }{
	Driving: {"車", "by car"}, Transit: {"電車やバス", "by train or bus"}, Walking: {"徒歩", "on foot"},
}

// sentence says the way.
func sentence(o Output, mode Mode, lang string) string {
	minutes := o.TravelBufferMinutes - margin
	length, plural := length(o.DistanceMeters), "s"
	if minutes == 1 {
		plural = ""
	}
	ja, en := "%sで%d分ほど（道のり%s）です。", "About %d minute%s %s, %s."
	if o.Estimate {
		ja = "%sで約%d分（道のり約%s）の見込みです。直線距離からの目安です。"
		en = "About %d minute%s %s, some %s: an estimate from the straight distance."
	}
	return pick(lang, fmt.Sprintf(ja, by[mode].ja, minutes, length),
		fmt.Sprintf(en, minutes, plural, by[mode].en, length))
}

func length(meters int) string {
	if meters < 1000 {
		return fmt.Sprintf("%d m", (meters+5)/10*10)
	}
	return fmt.Sprintf("%.1f km", float64(meters)/1000)
}

func pick(lang, ja, en string) string {
	if lang == "en" {
		return en
	}
	return ja
}
