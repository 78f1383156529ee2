package venue

import (
	"fmt"
	"slices"

	"annai/internal/geo"
)

// A Place is somewhere around the venue that visitors name: a station, a ward, a sight.
type Place struct {
	// ID is unique among the places. Absent means the English name.
	ID   string `yaml:"id"`
	Name Text   `yaml:"name"`
	// Aliases are what visitors call it besides.
	Aliases Words `yaml:"aliases"`
	Address Text  `yaml:"address"`
	// At is required.
	At Coordinates `yaml:"location"`
	// Area says that it is a ward or a town and not a spot: nobody is told how long the walk there is.
	Area bool `yaml:"area"`
}

// Names are all names of the place in both languages, the Japanese one first.
func (p *Place) Names() []string {
	var all []string
	for _, n := range slices.Concat([]string{p.Name.JA, p.Name.EN}, p.Aliases.In("")) {
		if n != "" && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// Coordinates are a point on the earth. The zero value is not known.
type Coordinates struct {
	geo.Point
	Known bool

	text string // as the file has it
}

// UnmarshalYAML reads "33.5925, 130.4039", latitude first, as maps show it.
func (c *Coordinates) UnmarshalYAML(unmarshal func(any) error) error {
	if err := unmarshal(&c.text); err != nil {
		return err
	}
	if p, err := geo.ParsePoint(c.text); err == nil {
		c.Point, c.Known = p, true
	}
	return nil
}

func (c *checker) checkLocation(key string, at Coordinates, required bool) {
	switch {
	case at.Known:
	case at.text != "":
		c.add(key, "%q is not a latitude and a longitude like 33.5925, 130.4039", at.text)
	case required:
		c.add(key, "is missing; give latitude and longitude like 33.5925, 130.4039")
	}
}

// checkPlaces fills in the ids of the places and adds what is wrong with them and with the venue's own
// location.
func (c *checker) checkPlaces(v *Venue) {
	c.checkLocation("location", v.At, false)
	ids := map[string]bool{}
	for i := range v.Places {
		p, key := &v.Places[i], fmt.Sprintf("places[%d]", i)
		if p.Name.IsZero() {
			c.add(key+".name", "is missing; give it as ja, en or both")
		}
		if p.ID == "" {
			p.ID = p.Name.In("en")
		}
		if ids[p.ID] && p.ID != "" {
			c.add(key, "%q is another place too; give each a name or id of its own", p.ID)
		}
		ids[p.ID] = true
		c.checkAliases(key+".aliases.ja", p.Name.JA, p.Aliases.JA)
		c.checkAliases(key+".aliases.en", p.Name.EN, p.Aliases.EN)
		c.checkLocation(key+".location", p.At, true)
	}
}
