package poster

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/tools/media/canvas"
)

var (
	tokyo  = time.FixedZone("JST", 9*3600)
	styles = []Style{Modern, Classic, Vibrant}
)

func at(month time.Month, day, hour, minute int) time.Time {
	return time.Date(2026, month, day, hour, minute, 0, 0, tokyo)
}

const long = "福岡市中央区天神1丁目15番30号 エンジニアカフェ B1 ミーティングスペース"

// samples are events of all kinds: of short and long titles, with everything and with nothing else.
var samples = []struct {
	language string
	Event
}{
	{"ja", Event{
		Title: "冬のもくもく会", Description: strings.Repeat("それぞれの作業を持ち寄って、静かに手を動かす夜です。", 12),
		Start: at(1, 14, 19, 0), End: at(1, 14, 21, 30), Place: "1F メインホール", Venue: "エンジニアカフェ",
		URL: "https://engineercafe.connpass.com/event/123456/",
	}},
	{"ja", Event{
		Title:       "はじめてのブロックチェーンミートアップ〜スマートコントラクトを書いてみよう〜",
		Description: "仕組みを図で学びます。\n\n持ち物：ノートパソコン", Start: at(1, 16, 19, 0), Place: long, Venue: "エンジニアカフェ",
		URL: "https://example.com/" + strings.Repeat("a", MaxURL-20),
	}},
	{"en", Event{
		Title:       "Introduction to Generative Art with p5.js and Friends: A Weekend Workshop for Everyone",
		Description: "Two days of drawing with code.", Start: at(1, 31, 10, 0), End: at(2, 1, 17, 0),
		Place: "B1 Makers Space", Venue: "Engineer Cafe",
		URL: "https://engineercafe.connpass.com/event/987654/?utm_source=poster",
	}},
	{"en", Event{Title: "Expo", Start: at(3, 20, 0, 0), End: at(3, 22, 0, 0), AllDay: true}},
	{"ja", Event{Title: "会"}},
	{"ja", Event{
		Title: strings.Repeat("とても長い題名の勉強会", 14), Place: strings.Repeat("長い場所", 30),
		Start: at(12, 31, 22, 0), End: at(13, 1, 2, 0),
	}},
}

// TestCode has the QR code of each poster read by a program of others. The finest is for the
// longest address.
func TestCode(t *testing.T) {
	zbarimg, err := exec.LookPath("zbarimg")
	if err != nil {
		t.Skip("zbarimg is not here: scripts/setup installs it")
	}
	for i, sample := range samples[:3] {
		for _, style := range styles {
			sizes := [][2]int{{1080, 1920}} // which the longest address needs
			if i == 0 {
				sizes = [][2]int{{540, 960}, {960, 540}, {700, 700}}
			}
			for _, size := range sizes {
				p, err := Draw(sample.Event, style, size[0], size[1], sample.language)
				if err != nil || len(p.Omitted) > 0 || len(p.Missing) > 0 {
					t.Errorf("Draw(%d, %s, %v) = %v without %v %v, want all", i, style, size, err, p.Omitted, p.Missing)
					continue
				}
				var picture bytes.Buffer
				if err := png.Encode(&picture, p.Canvas.Image()); err != nil {
					t.Fatal(err)
				}
				read := exec.CommandContext(t.Context(), zbarimg, "--quiet", "--raw", "-Sbinary", "png:-")
				read.Stdin = &picture
				got, err := read.Output()
				if string(got) != sample.URL {
					t.Errorf("zbarimg of sample %d, %s, %v = %q, %v, want %q", i, style, size, got, err, sample.URL)
				}
			}
		}
	}
}

// TestSamePicture holds that the same event is the same picture.
func TestSamePicture(t *testing.T) {
	for _, style := range styles {
		var svg [2][]byte
		for i := range svg {
			p, err := Draw(samples[0].Event, style, 300, 500, "ja")
			if err != nil {
				t.Fatal(err)
			}
			svg[i] = p.Canvas.SVG("")
		}
		if !bytes.Equal(svg[0], svg[1]) {
			t.Errorf("Draw in style %s twice is two pictures", style)
		}
	}
}

// TestEverySize draws every sample in sizes of all shapes.
func TestEverySize(t *testing.T) {
	for i, sample := range samples {
		for _, style := range styles {
			for _, size := range [][2]int{{200, 200}, {200, 1500}, {1500, 200}, {500, 350}} {
				if _, err := Draw(sample.Event, style, size[0], size[1], sample.language); err != nil {
					t.Errorf("Draw(%d, %s, %v) = %v", i, style, size, err)
				}
			}
		}
	}
}

func TestBounds(t *testing.T) {
	for _, size := range [][2]int{{199, 500}, {500, 4097}, {4096, 4096}, {0, 0}, {-500, -500}} {
		if _, err := Draw(samples[0].Event, Modern, size[0], size[1], "ja"); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Draw of size %v = %v, want ErrInvalid", size, err)
		}
	}
	for _, address := range []string{
		"javascript:alert(1)", "ftp://example.com/", "example.com", "https://", "https://user@example.com/",
		"https://e.com/" + strings.Repeat("a", MaxURL),
	} {
		if _, err := Draw(Event{Title: "x", URL: address}, Modern, 500, 500, "ja"); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Draw with address %.40q = %v, want ErrInvalid", address, err)
		}
	}
	if _, err := Draw(samples[0].Event, "baroque", 500, 500, "ja"); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Draw in an unknown style = %v, want ErrInvalid", err)
	}
	p, err := Draw(Event{Title: "祝\U0001F389 \u202e会", Description: "\U0001F389กก"}, Modern, 500, 500, "ja")
	if diff := cmp.Diff([]string{"\U0001F389", "ก"}, p.Missing); err != nil || diff != "" {
		t.Errorf("Draw of what no face has: %v, missing (-want +got):\n%s", err, diff)
	}
	p, err = Draw(samples[2].Event, Modern, 200, 200, "en")
	if diff := cmp.Diff([]string{"qr"}, p.Omitted); err != nil || diff != "" {
		t.Errorf("Draw of a stamp: %v, omitted (-want +got):\n%s", err, diff)
	}
}

func TestWhen(t *testing.T) {
	for _, test := range []struct {
		language   string
		start, end time.Time
		days       bool
		want       when
	}{
		{"ja", at(1, 14, 19, 0), at(1, 14, 21, 30), false, when{
			"1.14", "水", "2026", []string{"2026年1月14日（水）"}, "19:00–21:30",
		}},
		{"en", at(1, 14, 19, 0), time.Time{}, false, when{
			"Jan 14", "Wed", "2026", []string{"Wednesday,", "January 14, 2026"}, "19:00",
		}},
		{"ja", at(12, 31, 22, 0), at(13, 1, 2, 0), false, when{
			"12.31", "木", "2026", []string{"2026年12月31日（木）"}, "22:00–翌02:00",
		}},
		{"en", at(12, 31, 22, 0), at(13, 1, 2, 0), false, when{
			"Dec 31", "Thu", "2026", []string{"Thursday,", "December 31, 2026"}, "22:00–02:00",
		}},
		{"ja", at(3, 20, 0, 0), at(3, 22, 0, 0), true, when{
			"3.20–22", "金–日", "2026", []string{"2026年3月20日（金）", "〜3月22日（日）"}, "",
		}},
		{"en", at(3, 20, 0, 0), at(3, 22, 0, 0), true, when{
			"Mar 20–22", "Fri–Sun", "2026", []string{"March 20–22, 2026"}, "",
		}},
		{"ja", at(1, 31, 10, 0), at(2, 1, 17, 0), false, when{
			"1.31–2.1", "土–日", "2026", []string{"2026年1月31日（土）", "〜2月1日（日）"}, "10:00–17:00",
		}},
		{"en", at(1, 31, 10, 0), at(2, 1, 17, 0), false, when{
			"Jan 31–Feb 1", "Sat–Sun", "2026", []string{"January 31–", "February 1, 2026"}, "10:00–17:00",
		}},
		{"ja", time.Time{}, time.Time{}, false, when{}},
	} {
		p := &page{event: Event{Start: test.start, End: test.end, AllDay: test.days}, language: test.language}
		if diff := cmp.Diff(test.want, p.when(), cmp.AllowUnexported(when{})); diff != "" {
			t.Errorf("when(%v to %v, %s) (-want +got):\n%s", test.start, test.end, test.language, diff)
		}
	}
}

// TestContrast holds that all words can be read, by the measure of WCAG 2: 4.5 to 1, and 3 to 1 for
// large ones.
func TestContrast(t *testing.T) {
	check := func(what string, a, b color.NRGBA, least float64) {
		t.Helper()
		if got := contrast(a, b); got < least {
			t.Errorf("%s: contrast of %v and %v = %.2f, want %v", what, a, b, got, least)
		}
	}
	for style, all := range palettes {
		for i, colors := range all {
			what := fmt.Sprintf("%s %d", style, i)
			check(what, colors.ink, colors.paper, 7)
			check(what, colors.soft, colors.paper, 4.5)
			if style != Vibrant {
				continue
			}
			check(what+": the day", colors.shapes[0], colors.paper, 4.5)
			check(what+": the badge", colors.shapes[1], colors.paper, 4.5)
			for step := range 5 {
				ground := canvas.Blend(colors.shapes[0], colors.shapes[1], float64(step)/4)
				check(what+": the ground", ground, colors.paper, 4.5)
				faint := canvas.Blend(canvas.Blend(ground, colors.paper, 0x12/255.0), colors.paper, 0x10/255.0)
				check(what+": the ground below both circles", faint, colors.paper, 3.6)
			}
		}
	}
}

// contrast is the ratio of relative luminances in WCAG 2.2.
func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		sum := 0.0
		for i, v := range []uint8{c.R, c.G, c.B} {
			s := float64(v) / 255
			if s <= 0.04045 {
				s /= 12.92
			} else {
				s = math.Pow((s+0.055)/1.055, 2.4)
			}
			sum += s * []float64{0.2126, 0.7152, 0.0722}[i]
		}
		return sum + 0.05
	}
	x, y := luminance(a), luminance(b)
	return max(x, y) / min(x, y)
}

// BenchmarkDraw is a poster of the usual size, as PNG.
func BenchmarkDraw(b *testing.B) {
	for _, style := range styles {
		b.Run(string(style), func(b *testing.B) {
			for b.Loop() {
				p, err := Draw(samples[0].Event, style, 1080, 1920, "ja")
				if err != nil {
					b.Fatal(err)
				}
				var picture bytes.Buffer
				if err := png.Encode(&picture, p.Canvas.Image()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
