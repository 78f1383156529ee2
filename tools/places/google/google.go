// Package google finds places with Google's Places API (New), method places.searchText.
//
// It asks with a key of the operator's and knows nothing of the venue but where it is, near which places are
// preferred.
package google

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
	maps "google.golang.org/api/places/v1"

	"annai/internal/geo"
	"annai/internal/restjson"
	"annai/internal/secret"
	"annai/tools/places"
)

// Options are the settings of [Places] that have a default.
type Options struct {
	// BaseURL is where the API is. Empty is Google.
	BaseURL string
	// Near is where the venue is; places around it are preferred. Nil: none are.
	Near *geo.Point
	// Client sends the requests. Nil is one that follows no redirects.
	Client *http.Client
}

// Places is a [places.Resolver].
type Places struct {
	service *maps.Service
	key     secret.Text
	near    *geo.Point
}

// New returns the places that Google knows, asked for with a key.
func New(ctx context.Context, key secret.Text, opts Options) (*Places, error) {
	client := opts.Client
	if client == nil {
		client = restjson.NewClient()
	}
	options := []option.ClientOption{option.WithHTTPClient(client)}
	if opts.BaseURL != "" {
		options = append(options, option.WithEndpoint(strings.TrimSuffix(opts.BaseURL, "/")+"/"))
	}
	service, err := maps.NewService(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("google places: %w", err)
	}
	return &Places{service: service, key: key, near: opts.Near}, nil
}

const (
	// fields are those that are asked for: what is not named is neither sent nor paid.
	fields = "places.id,places.displayName,places.formattedAddress,places.location,places.timeZone"
	// radius is how far around the venue places are preferred, in metres; Google allows 50,000.
	radius = 50_000
	// most is how many places are asked for: more than one, to see whether the text means several.
	most = 5
	// apart is how far places of one name are from each other that are several, in metres.
	apart = 50_000
)

// Resolve finds a place. Where several places of one name lie far apart, and not just one of them near the
// venue, none is chosen.
func (p *Places) Resolve(ctx context.Context, q places.Query) (places.Found, error) {
	request := &maps.GoogleMapsPlacesV1SearchTextRequest{
		TextQuery: q.Text, LanguageCode: q.Language, RegionCode: q.Region, PageSize: most,
	}
	if p.near != nil && q.Region == "" {
		center := &maps.GoogleTypeLatLng{Latitude: p.near.Lat, Longitude: p.near.Lng}
		request.LocationBias = &maps.GoogleMapsPlacesV1SearchTextRequestLocationBias{
			Circle: &maps.GoogleMapsPlacesV1Circle{Center: center, Radius: radius},
		}
	}
	call := p.service.Places.SearchText(request).Context(ctx)
	call.Header().Set("X-Goog-Api-Key", string(p.key))
	call.Header().Set("X-Goog-FieldMask", fields)
	answer, err := call.Do()
	if err != nil {
		return places.Found{}, failure(ctx, err)
	}
	var all []places.Place
	for _, found := range answer.Places {
		if place, ok := convert(found); ok {
			all = append(all, place)
		}
	}
	return p.choose(all), nil
}

// convert returns a place as ours. ok is false for one that says not where it is.
func convert(p *maps.GoogleMapsPlacesV1Place) (place places.Place, ok bool) {
	if p.Id == "" || p.Location == nil {
		return places.Place{}, false
	}
	place = places.Place{
		ID: p.Id, Address: p.FormattedAddress, Precision: places.Exact,
		Location: geo.Point{Lat: p.Location.Latitude, Lng: p.Location.Longitude},
	}
	if p.DisplayName != nil {
		place.Name = p.DisplayName.Text
	}
	if p.TimeZone != nil {
		place.TimeZone = p.TimeZone.Id
	}
	return place, place.Location.Valid()
}

// choose returns the first of the places, which is the most relevant, unless others are called the same.
func (p *Places) choose(all []places.Place) places.Found {
	if len(all) == 0 {
		return places.Found{}
	}
	namesakes := all[:1:1]
	for _, other := range all[1:] {
		if other.Name == all[0].Name && geo.Distance(other.Location, all[0].Location) > apart {
			namesakes = append(namesakes, other)
		}
	}
	var near []places.Place
	for _, place := range namesakes {
		if p.near != nil && geo.Distance(place.Location, *p.near) <= radius {
			near = append(near, place)
		}
	}
	switch {
	case len(namesakes) == 1:
		return places.Found{Place: &all[0]}
	case len(near) == 1:
		return places.Found{Place: &near[0]}
	}
	return places.Found{Candidates: namesakes}
}

// failure is an error of the library as one of ours.
func failure(ctx context.Context, err error) error {
	var answer *googleapi.Error
	if errors.As(err, &answer) {
		return fmt.Errorf("google places: %w", &restjson.Refusal{Status: answer.Code})
	}
	return fmt.Errorf("google places: %w", restjson.Unsent(ctx, err))
}
