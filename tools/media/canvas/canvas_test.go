package canvas_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/tools/media/canvas"
)

var (
	red  = canvas.Hex("C8102E")
	blue = canvas.Hex("00205B")
)

func TestFaces(t *testing.T) {
	const most = "日本語の髙﨑さん、Zürich ①〜㈱！「ｶﾅ」naïveÞ€"
	for name, face := range map[string]*canvas.Face{"Sans": canvas.Sans, "Heavy": canvas.Heavy, "Serif": canvas.Serif} {
		if rest, missing := face.Drawable(most + "\U0001F389x葛\U000E0100\U0001F389\u0E01"); rest != most+"x葛" ||
			string(missing) != "\U0001F389\u0E01" {
			t.Errorf("%s.Drawable = %q without %q, want the picture and the Thai letter missing, once",
				name, rest, string(missing))
		}
		kanji := canvas.Type{Face: face, Size: 20}
		if got := kanji.Width("漢字"); got != 40 {
			t.Errorf("%s: width of two kanji of 20 pixels = %v, want 40", name, got)
		}
		// 5 ems, the outer halves of both brackets, and one half between the stop and the closing
		// bracket.
		if got := kanji.Width("「漢字。」"); got != 70 {
			t.Errorf("%s: width in brackets = %v, want 70: empty halves are trimmed", name, got)
		}
	}
}

func TestImage(t *testing.T) {
	c := canvas.New(60, 30)
	c.Fill(canvas.Rect(0, 0, 60, 30), canvas.Solid(red))
	c.Fill(canvas.Ring(15, 15, 12, 6), canvas.Solid(blue))
	c.Fill(canvas.Frame(30, 0, 30, 30, 4), canvas.Solid(blue))
	c.Fill(canvas.Rect(-100, 14, 1000, 2), canvas.Solid(canvas.Hex("FFFFFF80"))) // beyond the edges
	c.Fill(canvas.Path{}, canvas.Solid(blue))
	c.Fill(canvas.Rect(40, 20, 10, 4), canvas.Linear(canvas.Point{X: 40}, canvas.Point{X: 50}, red, blue))
	picture := c.Image()
	for _, want := range []struct {
		what string
		x, y int
		c    color.NRGBA
	}{
		{"the ground", 2, 2, red},
		{"the ring", 15, 6, blue},
		{"the hole of the ring", 15, 12, red},
		{"the frame", 31, 5, blue},
		{"the hole of the frame", 45, 8, red},
		{"what shines through", 1, 15, canvas.Blend(red, canvas.Hex("FFFFFF"), 0.502)},
		{"the first half of the gradient", 42, 22, canvas.Blend(red, blue, 0.25)},
	} {
		got, _ := color.NRGBAModel.Convert(picture.At(want.x, want.y)).(color.NRGBA)
		if !near(got, want.c) {
			t.Errorf("%s at %d,%d = %v, want %v", want.what, want.x, want.y, got, want.c)
		}
	}
}

func near(a, b color.NRGBA) bool {
	close := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 2 }
	return close(a.R, b.R) && close(a.G, b.G) && close(a.B, b.B) && a.A == b.A
}

func TestSVG(t *testing.T) {
	c := canvas.New(200, 100)
	c.Fill(canvas.Rect(0, 0, 200, 100), canvas.Linear(canvas.Point{}, canvas.Point{X: 200}, red, blue))
	c.Fill(canvas.Type{Face: canvas.Heavy, Size: 40}.Outline("案内A", 10, 60), canvas.Solid(canvas.Hex("FFFFFFCC")))
	svg := c.SVG(`<案内> & "co"`)
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	count := map[string]int{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
	want := map[string]int{"svg": 1, "title": 1, "path": 2, "linearGradient": 1, "stop": 2}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("elements (-want +got):\n%s", diff)
	}
	for _, part := range []string{`viewBox="0 0 200 100"`, "&lt;案内&gt; &amp;", `fill-opacity="0.800"`, "Q"} {
		if !strings.Contains(string(svg), part) {
			t.Errorf("SVG lacks %q: %s", part, svg)
		}
	}
}
