package capture

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"annai/tools/media/canvas"
)

// A flyer is one of testdata/flyers: what it should be read as, and how it is printed.
type flyerCase struct {
	want        map[string]string
	body        string
	face, align string
}

func parseFlyer(file string) flyerCase {
	head, body, _ := strings.Cut(file, "\n--\n")
	f := flyerCase{want: map[string]string{}, body: body}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		f.want[name] = value
	}
	f.face, f.align = f.want["face"], f.want["align"]
	return f
}

// sizes are those of the letters, by the mark at the beginning of a line.
var sizes = map[string]float64{"# ": 2, "+ ": 1.4, "- ": 0.85}

// printed is a flyer as it leaves the printer.
func (f flyerCase) printed(width, height int) *image.RGBA {
	c := canvas.New(width, height)
	c.Fill(canvas.Rect(0, 0, float64(width), float64(height)), canvas.Solid(canvas.Hex("FFFFFF")))
	unit := float64(width) / 26
	y := 3.5 * unit
	for line := range strings.Lines(strings.TrimRight(f.body, "\n")) {
		line = strings.TrimRight(line, "\n")
		set := canvas.Type{Face: canvas.Sans, Size: unit}
		if f.face == "serif" {
			set.Face = canvas.Serif
		}
		for mark, times := range sizes {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				line, set.Size = rest, unit*times
				if times > 1 && f.face == "sans" {
					set.Face = canvas.Heavy
				}
			}
		}
		if line == "" {
			y += 0.9 * unit
			continue
		}
		room := float64(width) - 4*unit
		set.Size = min(set.Size, set.Size*room/set.Width(line))
		x := 2 * unit
		if f.align == "center" {
			x = (float64(width) - set.Width(line)) / 2
		}
		y += 0.9 * set.Size
		c.Fill(set.Outline(line, x, y), canvas.Solid(canvas.Hex("1A1A1A")))
		y += 0.75 * set.Size
	}
	return c.Image()
}

// photographed is a picture as a phone takes it in poor light, held a little askew: turned by so many degrees, a little
// out of focus, lit from one side by a yellow lamp, a shadow across it, and grain with some wrong pixels.
func photographed(picture *image.RGBA, degrees float64, seed uint64) *image.RGBA {
	random := rand.New(rand.NewPCG(seed, 2))
	w, h := picture.Rect.Dx(), picture.Rect.Dy()
	out := image.NewRGBA(picture.Rect)
	lamp := [3]float64{1, 0.93, 0.78}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for y := range h {
		for x := range w {
			u, v := float64(x)/float64(w), float64(y)/float64(h)
			light := 0.95 - 0.45*u - 0.15*v
			light *= 1 - 0.5/(1+math.Exp(-(v-0.45-0.3*u)*40)) // the edge of a shadow
			dx, dy := float64(x-w/2), float64(y-h/2)
			from := float64(w/2) + cos*dx + sin*dy
			down := float64(h/2) - sin*dx + cos*dy
			for i := range 3 {
				value := around(picture, from, down, i)*light*lamp[i] + random.NormFloat64()*9
				switch random.IntN(120) {
				case 0:
					value = 0
				case 1:
					value = 255
				}
				out.Pix[out.PixOffset(x, y)+i] = uint8(max(0, min(255, value)))
			}
			out.Pix[out.PixOffset(x, y)+3] = 0xFF
		}
	}
	return out
}

// around is the mean of the pixels about a point, which is the table beyond the edge.
func around(picture *image.RGBA, x, y float64, channel int) float64 {
	sum := 0.0
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	for _, dy := range []int{0, 1} {
		for _, dx := range []int{0, 1} {
			value := 110.0
			if at := image.Pt(x0+dx, y0+dy); at.In(picture.Rect) {
				value = float64(picture.Pix[picture.PixOffset(at.X, at.Y)+channel])
			}
			wx, wy := math.Abs(1-float64(dx)-(x-float64(x0))), math.Abs(1-float64(dy)-(y-float64(y0)))
			sum += value * (0.5*wx*wy + 0.125) // out of focus
		}
	}
	return sum
}

func asJPEG(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture, &jpeg.Options{Quality: 85}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
