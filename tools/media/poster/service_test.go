package poster

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/url"
	"path"
	"testing"
	"time"

	"annai/fault"
	"annai/tools"
	"annai/tools/media"
)

// service is one that answers as a test says.
type service struct {
	picture []byte
	err     error
	size    image.Point
	left    time.Duration
}

func (*service) Name() string { return "gemini" }

func (s *service) Art(ctx context.Context, _ Event, _ Style, width, height int, _ string) ([]byte, error) {
	s.size = image.Pt(width, height)
	deadline, _ := ctx.Deadline()
	s.left = time.Until(deadline)
	return s.picture, s.err
}

// red returns a picture of one color.
func red(t *testing.T, width, height int) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		copy(picture.Pix[4*i:], []uint8{255, 0, 0, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestService(t *testing.T) {
	at := image.Pt(190, 20) // in the art, if there is any
	const (
		tall  = `"dimensions":{"width":400,"height":600}`
		wide  = `"dimensions":{"width":700,"height":400}`
		small = `"dimensions":{"width":200,"height":200}`
	)
	for name, tt := range map[string]struct {
		service *service
		fields  string
		backend string
		size    image.Point
	}{
		"above":          {&service{picture: red(t, 10, 10)}, tall, "gemini", image.Pt(400, 252)},
		"beside":         {&service{picture: red(t, 10, 30)}, wide, "gemini", image.Pt(294, 400)},
		"an SVG":         {&service{picture: red(t, 10, 10)}, `"format":"svg"`, "embedded", image.Point{}},
		"a failure":      {&service{err: fault.ErrDenied}, tall, "embedded", image.Pt(400, 252)},
		"rubbish":        {&service{picture: []byte("GIF")}, tall, "embedded", image.Pt(400, 252)},
		"half a picture": {&service{picture: red(t, 90, 90)[:60]}, tall, "embedded", image.Pt(400, 252)},
		"no room for it": {&service{picture: red(t, 10, 10)}, small, "embedded", image.Point{}},
	} {
		now := func() time.Time { return time.Date(2026, 1, 14, 12, 0, 0, 0, tokyo) }
		files, err := media.OpenFiles(t.Context(), "", now, media.FileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r := tools.New(now, tools.Options{})
		if err := Register(r, files, Options{Service: tt.service}); err != nil {
			t.Fatal(err)
		}
		input := json.RawMessage(`{"eventTitle":"もくもく会",` + tt.fields + `}`)
		raw, err := r.Call(t.Context(), visitor, "imagen_generate_poster", input)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var out output
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
		if out.Backend != tt.backend || tt.service.size != tt.size || tt.service.left > 25*time.Second {
			t.Errorf("%s: by %s, asked for %v in %v; want %s and %v",
				name, out.Backend, tt.service.size, tt.service.left, tt.backend, tt.size)
		}
		if out.MediaType != "image/png" {
			continue
		}
		got := color.RGBAModel.Convert(opened(t, files, out.ImageURL).At(at.X, at.Y))
		if isRed := got == (color.RGBA{255, 0, 0, 255}); isRed != (tt.backend == "gemini") {
			t.Errorf("%s: the color at %v is %v", name, at, got)
		}
	}
}

// opened reads the picture at an address.
func opened(t *testing.T, files *media.Files, address string) image.Image {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	file, err := files.Open(path.Base(u.Path), u.Query().Get("expires"), u.Query().Get("signature"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func TestCovering(t *testing.T) {
	for _, tt := range []struct{ picture, area, want image.Rectangle }{
		{image.Rect(0, 0, 100, 100), image.Rect(0, 0, 20, 10), image.Rect(0, 25, 100, 75)},
		{image.Rect(0, 0, 100, 100), image.Rect(0, 0, 10, 20), image.Rect(25, 0, 75, 100)},
		{image.Rect(0, 0, 30, 10), image.Rect(5, 5, 8, 6), image.Rect(0, 0, 30, 10)},
	} {
		if got := covering(tt.picture, tt.area); got != tt.want {
			t.Errorf("covering(%v, %v) = %v, want %v", tt.picture, tt.area, got, tt.want)
		}
	}
}
