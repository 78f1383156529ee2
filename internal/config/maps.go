package config

import (
	"fmt"
	"slices"
	"strings"

	"annai/internal/secret"
)

// Maps are the services that know places, time zones and ways better than the program does by itself.
type Maps struct {
	// GoogleKey is a key of Google Maps Platform. Empty means that Google is not asked.
	GoogleKey secret.Text
	// GoogleFor are the tools that ask Google: "places", "directions", "timezone".
	GoogleFor []string
	// GoogleURL is another address than Google's. Empty means Google's.
	GoogleURL string
	// OSRMDriving and OSRMWalking are servers of OSRM with a map for cars and one for walkers. Empty means none.
	OSRMDriving, OSRMWalking string
}

// Google reports whether a tool asks Google: "places", "directions" or "timezone".
func (m Maps) Google(tool string) bool {
	return m.GoogleKey != "" && slices.Contains(m.GoogleFor, tool)
}

func mapsKeyField(c *Config) *secret.Text { return &c.Maps.GoogleKey }

// mapTools are what can ask Google.
var mapTools = []string{"places", "directions", "timezone"}

func mapsTable() []setting {
	googleFor := func(c *Config) *[]string { return &c.Maps.GoogleFor }
	googleURL := func(c *Config) *string { return &c.Maps.GoogleURL }
	driving := func(c *Config) *string { return &c.Maps.OSRMDriving }
	walking := func(c *Config) *string { return &c.Maps.OSRMWalking }
	key := secretText(mapsKeyField)
	return []setting{
		{
			key: "google-maps-key", value: "KEY", secret: true, parse: key,
			usage: "key of Google Maps Platform, for places and ways (none)",
		},
		{
			key: "google-maps-key-file", value: "FILE", path: true, usage: "file with that key (none)",
			parse: fromSecretFile("google-maps-key", mapsKeyField, key),
		},
		{
			key: "google-maps-for", value: "TOOLS", def: "places,directions", parse: list(googleFor, checkMapTool),
			usage: "what that key is used for, with commas: places, directions, timezone",
		},
		{
			key: "google-maps-url", value: "URL", parse: address(googleURL),
			usage: "address of these interfaces, for tests and private endpoints (Google's)",
		},
		{
			key: "osrm-driving-url", value: "URL", parse: serviceURL("http://osrm.example:5000", driving),
			usage: "OSRM server with a map for cars; it goes before Google (none)",
		},
		{
			key: "osrm-walking-url", value: "URL", parse: serviceURL("http://osrm.example:5001", walking),
			usage: "OSRM server with a map for walkers; it goes before Google (none)",
		},
	}
}

func checkMapTool(s string) error {
	if !slices.Contains(mapTools, s) {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(mapTools, ", "))
	}
	return nil
}
