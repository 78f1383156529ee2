// Package google finds time zones with Google's Time Zone API.
package google

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/internal/restjson"
	"annai/internal/secret"
)

// Zones is a [annai/tools/timezone.Finder].
type Zones struct {
	key    secret.Text
	base   string
	now    func() time.Time
	client *http.Client
}

// New returns the zones that Google knows, asked for with a key. base is where the API is, empty for Google; now is the
// clock.
func New(key secret.Text, base string, now func() time.Time) *Zones {
	if base == "" {
		base = "https://maps.googleapis.com"
	}
	return &Zones{key: key, base: strings.TrimSuffix(base, "/"), now: now, client: restjson.NewClient()}
}

// Zone asks for the zone of a point.
//
// https://developers.google.com/maps/documentation/timezone/requests-timezone says what is asked and answered.
func (z *Zones) Zone(ctx context.Context, at geo.Point) (string, error) {
	query := url.Values{
		"location":  {strconv.FormatFloat(at.Lat, 'f', 6, 64) + "," + strconv.FormatFloat(at.Lng, 'f', 6, 64)},
		"timestamp": {strconv.FormatInt(z.now().Unix(), 10)},
		"key":       {string(z.key)},
	}
	address := z.base + "/maps/api/timezone/json?" + query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return "", fmt.Errorf("google time zone: %w", fault.ErrInvalid) // not err, which has the key in it
	}
	var answer struct {
		Status     string `json:"status"`
		TimeZoneID string `json:"timeZoneId"`
	}
	if err := restjson.Do(z.client, request, &answer); err != nil {
		return "", fmt.Errorf("google time zone: %w", err)
	}
	if answer.Status != "OK" || answer.TimeZoneID == "" {
		return "", fmt.Errorf("google time zone: it answered %.40q: %w", answer.Status, kindOf(answer.Status))
	}
	return answer.TimeZoneID, nil
}

// kindOf is what a status that is not OK means.
func kindOf(status string) error {
	switch status {
	case "ZERO_RESULTS": // the sea
		return fault.ErrNotFound
	case "REQUEST_DENIED", "INVALID_REQUEST", "OVER_DAILY_LIMIT":
		return fault.ErrDenied
	}
	return fault.ErrUnavailable
}
