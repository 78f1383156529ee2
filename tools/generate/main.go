// Command generate writes docs/tools.md, made from the tools themselves. It runs in the folder of package tools.
package main

import (
	"encoding/json"
	"errors"
	"log"
	"os"
	"time"

	"annai/tools"
	"annai/tools/calendar/agenda/family"
	"annai/tools/date"
	"annai/tools/directions"
	"annai/tools/media/clean"
	"annai/tools/media/poster"
	"annai/tools/media/video"
	"annai/tools/places"
	"annai/tools/tasks"
	"annai/tools/timezone"
	"annai/tools/webpage"
	"annai/venue"
)

const head = `# Tools

<!-- Made from the tools by go generate ./tools. Change them, not this page. -->

What nodes, models, other programs and, over HTTP, everybody with the right key can call: typed functions with JSON going in and out.

- ` + "`GET /tools`" + ` lists what the caller may call now, with JSON schemas of input and output, as function-calling declarations want them.
- ` + "`POST /tools/{name}`" + ` calls one: the body is the input, the answer the output.
- ` + "`POST /tools/calendar`" + ` and ` + "`POST /tools/date`" + ` guess the tool from the fields that are there. An ` + "`event_id`" + ` alone is refused unless ` + "`confirm`" + ` is true.

A failure is the envelope of all failures ([http.md](http.md)), whose ` + "`success`" + ` is false and whose ` + "`message`" + ` is in the caller's language
(` + "`Accept-Language`" + `). A field that a tool does not know is an error, and null is as good as absent. All-day events have dates, and their last day is included.

Writes are done once: the same request again (the same ` + "`X-Request-Id`" + ` and body, or the same ` + "`idempotency_key`" + `) finds what the first one wrote.
A calendar that could not be read makes an answer ` + "`degraded`" + `: then nothing is free, and no event is not none.
The tools for places, time zones and ways work by themselves (` + "`backend: embedded`" + `)
or with a service: [places.md](places.md).
The answers below are those of a test, at three in the morning of 2 March 2026 in UTC: by what is in the program,
and by fakes of services where it names one; "…" stands for what is long.
Tools that are not configured, or lack a scope, are not offered; ` + "`annai doctor`" + ` says why.

`

func main() {
	r := tools.New(time.Now, tools.Options{})
	err := errors.Join(
		date.Register(r, time.Now, time.UTC), family.Register(r, nil, family.Options{}),
		places.Register(r, places.NewEmbedded(&venue.Venue{}), nil),
		timezone.Register(r, time.Now, "UTC", nil), directions.Register(r, nil),
		webpage.Register(r, nil),
		clean.Register(r, clean.Options{}), poster.Register(r, nil, poster.Options{}),
		video.Register(r, video.NewMaker(nil, nil, nil, nil), video.Options{}),
		tasks.Register(r, nil, nil, tasks.Options{}),
	)
	if err == nil {
		err = write(r)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// write writes the page, with the examples that a test made.
func write(r *tools.Registry) error {
	text, err := os.ReadFile("testdata/examples.json")
	if err != nil {
		return err
	}
	var examples map[string][]tools.Example
	if err := json.Unmarshal(text, &examples); err != nil {
		return err
	}
	return os.WriteFile("../docs/tools.md", []byte(head+r.Document(examples)), 0o644)
}
