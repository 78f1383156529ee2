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

// printed is a flyer as it leaves the printer, as wide as that.
func (f flyerCase) printed(width int) *image.RGBA {
	ink := canvas.Solid(canvas.Hex("1A1A1A"))
	high := f.lay(float64(width), func(canvas.Type, string, float64, float64) {})
	c := canvas.New(width, int(high))
	c.Fill(canvas.Rect(0, 0, float64(width), high), canvas.Solid(canvas.Hex("FFFFFF")))
	f.lay(float64(width), func(set canvas.Type, line string, x, y float64) { c.Fill(set.Outline(line, x, y), ink) })
	return c.Image()
}

// lay gives the place of each line on a flyer of that width, and returns how high that is.
func (f flyerCase) lay(width float64, set func(t canvas.Type, line string, x, y float64)) float64 {
	unit := width / 26
	y := 3 * unit
	for line := range strings.Lines(strings.TrimRight(f.body, "\n")) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			y += 0.9 * unit
			continue
		}
		t := canvas.Type{Face: canvas.Sans, Size: unit}
		if f.face == "serif" {
			t.Face = canvas.Serif
		}
		for mark, times := range sizes {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				line, t.Size = rest, unit*times
				if times > 1 && f.face == "sans" {
					t.Face = canvas.Heavy
				}
			}
		}
		t.Size = min(t.Size, t.Size*(width-4*unit)/t.Width(line))
		x := 2 * unit
		if f.align == "center" {
			x = (width - t.Width(line)) / 2
		}
		set(t, line, x, y+0.9*t.Size)
		y += 1.65 * t.Size
	}
	return y + 2.5*unit
}

// photographed is a picture as a phone takes it in poor light, held a little askew: turned by so many degrees, a
// little out of focus, lit from one side by a yellow lamp, a shadow across it, and grain with some wrong pixels.
//
//go:norace // it touches each of millions of pixels, and nothing runs beside it
func photographed(picture *image.RGBA, degrees float64, seed uint64) *image.RGBA {
	random := rand.New(rand.NewPCG(seed, 2))
	w, h := picture.Rect.Dx(), picture.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	lamp := [3]float64{1, 0.93, 0.78}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for y := range h {
		for x := range w {
			u, v := float64(x)/float64(w), float64(y)/float64(h)
			light := 0.95 - 0.45*u - 0.15*v
			light *= 1 - 0.5/(1+math.Exp(-(v-0.45-0.3*u)*40)) // the edge of a shadow
			dx, dy := float64(x-w/2), float64(y-h/2)
			value := light * around(picture, float64(w/2)+cos*dx+sin*dy, float64(h/2)-sin*dx+cos*dy)
			bits := random.Uint64()
			value += grain(bits)
			switch bits >> 32 % 120 {
			case 0:
				value = 0
			case 1:
				value = 255
			}
			at := out.PixOffset(x, y)
			for i, share := range lamp {
				out.Pix[at+i] = uint8(max(0, min(255, value*share)))
			}
			out.Pix[at+3] = 0xFF
		}
	}
	return out
}

// grain is noise: the sum of four bytes is nearly normal, here with a deviation of 9.
func grain(bits uint64) float64 {
	sum := int(bits&0xFF) + int(bits>>8&0xFF) + int(bits>>16&0xFF) + int(bits>>24&0xFF)
	return float64(sum-510) * 9 / 147.8
}

// around is the mean of the pixels of a gray picture about a point, which is the table beyond the edge.
//
//go:norace
func around(picture *image.RGBA, x, y float64) float64 {
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	w, h := picture.Rect.Dx(), picture.Rect.Dy()
	if x0 < 0 || y0 < 0 || x0+1 >= w || y0+1 >= h {
		return 110
	}
	at, fx, fy := y0*picture.Stride+4*x0, x-float64(x0), y-float64(y0)
	a, b := float64(picture.Pix[at]), float64(picture.Pix[at+4])
	c, d := float64(picture.Pix[at+picture.Stride]), float64(picture.Pix[at+picture.Stride+4])
	sharp := (a*(1-fx)+b*fx)*(1-fy) + (c*(1-fx)+d*fx)*fy
	return 0.5*sharp + 0.125*(a+b+c+d) // out of focus
}

func asJPEG(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture, &jpeg.Options{Quality: 85}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
