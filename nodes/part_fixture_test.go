package nodes_test

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"annai/nlu"
	"annai/nodes"
	memory "annai/nodes/talk"
	"annai/rag"
	"annai/venue"
)

// ownVenue is the venue of a talk: that of its section venue, or else the demonstration venue.
func ownVenue(t *testing.T, tk talk) *venue.Venue {
	t.Helper()
	list, ok := tk.sections["venue"]
	if !ok {
		v, err := venue.Demo()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	return parsedVenue(t, strings.Join(list, "\n"))
}

// parsedVenue is the venue of a file.
func parsedVenue(t *testing.T, file string) *venue.Venue {
	t.Helper()
	v, err := venue.Parse(fstest.MapFS{"venue.yaml": {Data: []byte(file)}}, "venue.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// readings is a reader for tests: an utterance is read as its line says. Without one nothing is read of
// it, and the rules decide.
type readings map[string]nlu.Reading

// newReadings reads one reading a line: utterance | ask | ref | about | act. Without the last three it
// asks of a subject that it names.
func newReadings(list []string) readings {
	out := readings{}
	for _, line := range list {
		f := split(line, 5)
		if f == nil {
			continue
		}
		r := nlu.Reading{
			Act: nlu.Act(cmp.Or(f[4], string(nlu.ActAsks))), Ask: nlu.Ask(f[1]), Alone: nlu.Ask(f[1]),
			Ref:   nlu.Ref(cmp.Or(f[2], string(nlu.RefNamed))),
			About: nlu.About(cmp.Or(f[3], string(nlu.AboutSubject))), Confidence: 1,
		}
		if r.Ref == nlu.RefNamed {
			r.Named = 1
		}
		out[f[0]] = r
	}
	return out
}

// Read implements [memory.Reader].
func (r readings) Read(utterance string, _ memory.Context) nlu.Reading {
	if reading, ok := r[utterance]; ok {
		return reading
	}
	return nlu.Reading{}
}

// wordIndex is an index for tests: a passage is found by a half of its title.
func wordIndex(_ context.Context, list []rag.Passage) (rag.Retriever, error) {
	var out passages
	for _, p := range list {
		names := strings.Split(strings.ToLower(p.Title), rag.TitleSeparator)
		out.list = append(out.list, keyed{passage: p, keys: names})
	}
	return &out, nil
}

var (
	_ memory.Reader  = readings{}
	_ nodes.NewIndex = wordIndex
)
