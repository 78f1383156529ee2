package clean

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"annai/tools/media/canvas"
)

// flyer is what the flyer of the tests says.
var flyer = []string{
	"冬のものづくり体験会", "エンジニアカフェで、電子工作と", "プログラミングを楽しみませんか。", "日時　2026年1月24日（土）", "午後1時から午後4時まで",
	"場所　1階メインホール", "定員は20名、参加費は無料です。", "小学生のかたは保護者といっしょに", "お越しください。", "申込みはウェブサイトからどうぞ。",
}

// printed is the flyer as it left the printer.
func printed(width, height int) *image.RGBA {
	c := canvas.New(width, height)
	c.Fill(canvas.Rect(0, 0, float64(width), float64(height)), canvas.Solid(canvas.Hex("FFFFFF")))
	size := float64(width) / 22
	for i, line := range flyer {
		set := canvas.Type{Face: canvas.Sans, Size: size}
		if i == 0 {
			set.Face = canvas.Heavy
		}
		c.Fill(set.Outline(line, 2.4*size, (4+2.1*float64(i))*size), canvas.Solid(canvas.Hex("1A1A1A")))
	}
	return c.Image()
}

// photographed is a picture as a phone takes it in poor light: a little out of focus, lit from one
// side by a lamp that is yellow, a shadow across it, and grain with some wrong pixels.
func photographed(picture *image.RGBA) *image.RGBA {
	random := rand.New(rand.NewPCG(1, 2))
	w, h := picture.Rect.Dx(), picture.Rect.Dy()
	out := image.NewRGBA(picture.Rect)
	lamp := [3]float64{1, 0.93, 0.78}
	for y := range h {
		for x := range w {
			u, v := float64(x)/float64(w), float64(y)/float64(h)
			light := 0.95 - 0.5*u - 0.15*v
			light *= 1 - 0.55/(1+math.Exp(-(v-0.45-0.3*u)*40)) // the edge of a shadow
			for i := range 3 {
				value := blurred(picture, x, y, i)*light*lamp[i] + random.NormFloat64()*11
				switch random.IntN(80) {
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

// blurred is the mean of nine pixels.
func blurred(picture *image.RGBA, x, y, channel int) float64 {
	sum, n := 0.0, 0.0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if at := image.Pt(x+dx, y+dy); at.In(picture.Rect) {
				sum += float64(picture.Pix[picture.PixOffset(at.X, at.Y)+channel])
				n++
			}
		}
	}
	return sum / n
}

func encoded(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// errorRate has Tesseract read a picture, and returns how many characters must be put in, taken out
// or changed to make what was read what is written, for each that is written. Spaces do not count.
func errorRate(t *testing.T, tesseract string, picture []byte, want string) float64 {
	t.Helper()
	read := exec.CommandContext(t.Context(), tesseract, "stdin", "stdout", "-l", "jpn", "--psm", "6")
	read.Stdin = bytes.NewReader(picture)
	read.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1") // more threads wait for each other
	got, err := read.Output()
	if err != nil {
		t.Fatalf("tesseract: %v", err)
	}
	squeeze := func(s string) []rune {
		return []rune(strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s))
	}
	a, b := squeeze(string(got)), squeeze(want)
	return float64(distance(a, b)) / float64(len(b))
}

// distance is that of Levenshtein.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range b {
			cost := 1
			if r == s {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// TestFlyerIsRead holds that Tesseract, which makes nothing of the photograph, reads what was
// cleaned.
func TestFlyerIsRead(t *testing.T) {
	tesseract, err := exec.LookPath("tesseract")
	if err != nil {
		t.Skip("tesseract is not here: scripts/setup installs it")
	}
	want := strings.Join(flyer, "")
	photo := encoded(t, photographed(printed(1000, 1200)))
	before := errorRate(t, tesseract, photo, want)
	result, err := Edit(t.Context(), photo, nil)
	if err != nil {
		t.Fatalf("Edit = %v", err)
	}
	after := errorRate(t, tesseract, result.PNG, want)
	t.Logf("character error rate %.2f before and %.3f after, confidence %.2f", before, after, result.Confidence)
	if before < 0.5 || after > 0.10 {
		t.Errorf("character error rate %.2f before and %.3f after, want 0.5 or more, and at most 0.10", before, after)
	}
}
