// Package recipes is the page /connect: what to fill in where to connect a front end of somebody
// else, and a button that sends a sentence as that front end would and shows what it makes of the
// answer.
//
// The idea to hold: the browser sends the very request of the front end to its door, and hands what
// came back to the reader that the door's tests use too. Nothing is simulated but the front end's
// ears.
package recipes

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
	"annai/server/render"
	"annai/server/render/readers"
)

//go:embed page.html
var page []byte

//go:embed page.js
var script []byte

//go:embed page.css
var style []byte

// maxRead is the longest answer that is read again, in bytes.
const maxRead = 256 << 10

// rules let the page run its script and ask here, and nothing else.
const rules = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// Door returns the door.
func Door() door.Door {
	file := func(mediaType string, text []byte) door.Handler {
		return func(c *gin.Context) error {
			h := c.Writer.Header()
			h.Set("Content-Security-Policy", rules)
			h.Set("Cache-Control", "no-cache")
			c.Data(http.StatusOK, mediaType+"; charset=utf-8", text)
			return nil
		}
	}
	anyone := func(path string, handle door.Handler) door.Route {
		return door.Route{Method: http.MethodGet, Path: path, Role: door.Anyone, Handle: handle}
	}
	return door.Door{Name: "connect", Fail: render.Fail, Routes: []door.Route{
		anyone("/connect", file("text/html", page)),
		anyone("/connect/page.js", file("text/javascript", script)),
		anyone("/connect/page.css", file("text/css", style)),
		anyone("/connect/clients", func(c *gin.Context) error { return render.WriteJSON(c, http.StatusOK, clients) }),
		{Method: http.MethodPost, Path: "/connect/heard", Role: door.Visitor, Handle: heard, MaxBody: maxRead},
	}}
}

// An answer is what a front end makes of what came back.
type answer struct {
	// Spoken are the sentences that it gives to its voice, each with its face; Shown is what stands
	// on its screen.
	Spoken []spoken `json:"spoken"`
	Shown  string   `json:"shown"`
	// Status is what it shows of what is being done.
	Status []string `json:"status"`
	// Problem is what it breaks at; empty: at nothing.
	Problem string `json:"problem,omitempty"`
}

type spoken struct {
	Face string `json:"face"`
	Text string `json:"text"`
}

// heard is POST /connect/heard: what the client named by ?client= makes of the body, as it came
// back.
func heard(c *gin.Context) error {
	read := readerOf(c.Query("client"))
	if read == nil {
		return fmt.Errorf("front end: %w", fault.ErrNotFound)
	}
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return fmt.Errorf("read body: %w", err)
	}
	h, err := read(frames(string(body)))
	a := answer{Spoken: []spoken{}, Shown: h.Shown, Status: h.Status}
	for _, s := range h.Spoken {
		a.Spoken = append(a.Spoken, spoken{s.Face, s.Text})
	}
	if err != nil {
		a.Problem = err.Error()
	}
	return render.WriteJSON(c, http.StatusOK, a)
}

func readerOf(id string) readers.Reader {
	for _, known := range clients {
		if known.ID == id {
			return known.read
		}
	}
	return nil
}

// frames is a stream of which every read brings one frame, as a network does that is not in a
// hurry.
func frames(text string) io.Reader {
	var all []io.Reader
	for frame := range strings.SplitAfterSeq(text, "\n\n") {
		all = append(all, strings.NewReader(frame))
	}
	return io.MultiReader(all...)
}
