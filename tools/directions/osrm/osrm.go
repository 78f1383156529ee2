// Package osrm finds ways with a server of the Open Source Routing Machine, which has the map of one mode of travel.
//
// https://project-osrm.org/docs/v5.24.0/api/#route-service says what is asked and answered.
package osrm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/restjson"
	"annai/tools/directions"
)

// Server is a [directions.Router].
type Server struct {
	base   string
	client *http.Client
}

// New returns the server at an address of the operator's: http://osrm.lan:5000.
func New(base string) *Server {
	return &Server{base: strings.TrimSuffix(base, "/"), client: restjson.NewClient()}
}

type reply struct {
	Code   string `json:"code"`
	Routes []struct {
		Distance float64 `json:"distance"` // metres
		Duration float64 `json:"duration"` // seconds
	} `json:"routes"`
}

// odd is the kind of an answer that can't be true.
var odd = fault.ErrUnavailable

// longest is the longest way that is believed, in seconds: a month.
const longest = 31 * 86400

// Way asks for the way of a trip. The time of departure means nothing to the server.
func (s *Server) Way(ctx context.Context, trip directions.Trip) (directions.Way, error) {
	address := fmt.Sprintf("%s/route/v1/%s/%.6f,%.6f;%.6f,%.6f?overview=false&steps=false&alternatives=false",
		s.base, trip.Mode, trip.From.Lng, trip.From.Lat, trip.To.Lng, trip.To.Lat)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return directions.Way{}, fmt.Errorf("osrm: %w", err)
	}
	var answer reply
	if err := restjson.Do(s.client, request, &answer); err != nil {
		return directions.Way{}, fmt.Errorf("osrm: %w", refusal(err))
	}
	if answer.Code != "Ok" || len(answer.Routes) == 0 {
		return directions.Way{}, fmt.Errorf("osrm: %w", kindOf(answer.Code))
	}
	first := answer.Routes[0]
	if first.Duration < 0 || first.Duration > longest || first.Distance < 0 || first.Distance > 1e9 {
		return directions.Way{}, fmt.Errorf("osrm: a way of %g s, %g m: %w", first.Duration, first.Distance, odd)
	}
	return directions.Way{
		Duration: time.Duration(first.Duration * float64(time.Second)), Meters: int(first.Distance + 0.5),
	}, nil
}

// refusal reads the code of an answer of 400.
func refusal(err error) error {
	var refused *restjson.Refusal
	var answer reply
	if !errors.As(err, &refused) || refused.Status != http.StatusBadRequest {
		return err
	}
	if json.Unmarshal(refused.Body, &answer) != nil {
		return err
	}
	return kindOf(answer.Code)
}

// kindOf is what a code that is not Ok means.
func kindOf(code string) error {
	switch code {
	case "NoRoute", "NoSegment":
		return fmt.Errorf("%s: %w", code, fault.ErrNotFound)
	}
	return fmt.Errorf("it answered %.40q: %w", code, fault.ErrUnavailable)
}
