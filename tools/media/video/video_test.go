package video

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools/media/h264"

	"github.com/google/go-cmp/cmp"
)

var tokyo = time.FixedZone("Asia/Tokyo", 9*60*60)

// wednesday is the day of the tests.
var wednesday = civil.Date{Year: 2025, Month: time.January, Day: 15}

func at(day, hour, minute int) time.Time { return time.Date(2025, 1, day, hour, minute, 0, 0, tokyo) }

func span(from, to time.Time) civil.TimeRange { return civil.TimeRange{Start: from, End: to} }

// someDay returns a day with so many events.
func someDay(n int) Day {
	day := Day{
		Date: wednesday, Venue: "エンジニアカフェ", Language: "ja", Style: Documentary, Shape: Portrait,
	}
	for i := range n {
		day.Events = append(day.Events, Event{
			Title: "はじめての3Dプリンター講習会（入門編）", Location: "B1 Makersスペース",
			Description: "3Dプリンターの使い方を基礎から学びます。",
			Span:        span(at(15, 9+i%12, 0), at(15, 10+i%12, 30)),
		})
	}
	return day
}

func needFFmpeg(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err == nil {
		return
	}
	if os.Getenv("ANNAI_TEST_NOSKIP") == "1" {
		t.Fatal("cannot run without ffmpeg; run scripts/setup")
	}
	t.Skip("SKIPPED, NOT TESTED: cannot run without ffmpeg")
}

// TestFilmIsDecodedAsDrawn has ffmpeg decode a whole film, and compares it with what was drawn.
func TestFilmIsDecodedAsDrawn(t *testing.T) {
	needFFmpeg(t)
	for _, day := range []Day{
		{Style: Documentary, Shape: Portrait}, {Style: Cinematic, Shape: Landscape},
	} {
		whole := someDay(1)
		whole.Style, whole.Shape = day.Style, day.Shape
		film, err := Make(t.Context(), whole, MP4)
		if err != nil {
			t.Fatal(err)
		}
		if film.Duration != 7*time.Second || len(film.Data) > 2<<20 {
			t.Errorf("%s: %v of %d bytes, want 7 s of at most 2 MiB", day.Style, film.Duration, len(film.Data))
		}
		file := filepath.Join(t.TempDir(), "film.mp4")
		if err := os.WriteFile(file, film.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		compareFilm(t, file, whole)
	}
}

// compareFilm compares the first picture of each slide, and of others one in nineteen.
func compareFilm(t *testing.T, file string, day Day) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ffmpeg", "-v", "warning", "-err_detect", "explode", "-i", file,
		"-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-")
	var words bytes.Buffer
	cmd.Stderr = &words
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	width, height := day.Shape.size()
	got := make([]byte, width*height*3/2)
	least, n := math.Inf(1), 0
	for f := range frames(day) {
		if _, err := io.ReadFull(out, got); err != nil {
			t.Fatalf("picture %d: %v; ffmpeg says %s", n, err, &words)
		}
		if n%19 == 0 || f.kind == begins {
			least = min(least, psnr(f.picture, got))
		}
		n++
	}
	rest, _ := io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil || rest != 0 || words.Len() > 0 {
		t.Errorf("ffmpeg = %v, %d bytes too many, and says:\n%s", err, rest, &words)
	}
	if least < 38 {
		t.Errorf("%s %s: a picture has %.1f dB, want 38", day.Style, day.Shape, least)
	}
	t.Logf("%s %s: %d pictures, the worst with %.1f dB", day.Style, day.Shape, n, least)
}

// psnr is the peak signal-to-noise ratio of all samples of a picture, in dB.
func psnr(want *image.YCbCr, got []byte) float64 {
	var sum int
	for _, plane := range [][]uint8{want.Y, want.Cb, want.Cr} { // which have no padding
		for i, sample := range plane {
			d := int(sample) - int(got[i])
			sum += d * d
		}
		got = got[len(plane):]
	}
	return 10 * math.Log10(255*255*float64(len(want.Y)*3/2)/float64(max(sum, 1)))
}

func TestGIF(t *testing.T) {
	film, err := Make(t.Context(), someDay(2), GIF)
	if err != nil {
		t.Fatal(err)
	}
	got, err := gif.DecodeAll(bytes.NewReader(film.Data))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{300, 400, 400, 500}, got.Delay); diff != "" || got.LoopCount != 0 {
		t.Errorf("delays (-want +got), %d loops, want 0 for ever:\n%s", got.LoopCount, diff)
	}
	if size := image.Pt(got.Config.Width, got.Config.Height); size != image.Pt(540, 960) || len(film.Data) > 1<<20 {
		t.Errorf("%v of %d bytes, want 540 x 960 of at most 1 MiB", size, len(film.Data))
	}
	drawn := halved(slides(someDay(2))[1].picture())
	worst := 0
	for y := range 960 {
		for x := range 540 {
			worst = max(worst, distance(drawn.At(x, y), got.Image[1].At(x, y)))
		}
	}
	if worst > 40 {
		t.Errorf("a pixel is %d of 255 away from its color, want at most 40", worst)
	}
}

// distance is the largest difference of a part of two colors.
func distance(a, b color.Color) int {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	apart := func(x, y uint32) int { return max(int(x)-int(y), int(y)-int(x)) >> 8 }
	return max(apart(ar, br), apart(ag, bg), apart(ab, bb))
}

func TestMakeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, format := range []Format{MP4, GIF} {
		if _, err := Make(ctx, someDay(1), format); !errors.Is(err, context.Canceled) {
			t.Errorf("Make %s = %v, want context.Canceled", format, err)
		}
		if _, err := Make(t.Context(), someDay(0), format); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Make %s of nothing = %v, want ErrNotFound", format, err)
		}
	}
}

// TestSlidesHoldWhatIsOdd draws what nobody should enter, within the page.
func TestSlidesHoldWhatIsOdd(t *testing.T) {
	long := strings.Repeat("とても長い題名", 2000)
	for _, style := range []Style{Cinematic, Documentary} {
		for lang, shape := range map[string]Shape{"ja": Portrait, "en": Landscape} {
			day := someDay(20)
			day.Style, day.Shape, day.Language, day.Venue = style, shape, lang, long
			day.Events[0] = Event{
				Title: long, Location: long, Description: long, Span: span(at(14, 9, 0), at(15, 10, 0)),
			}
			day.Events[1] = Event{
				Title: "🎉", Location: "🎉", Description: "\u202e\x00", Span: span(at(15, 9, 0), at(15, 9, 0)),
			}
			day.Events[2] = Event{
				Title: strings.Repeat("W", 400), AllDay: true, Span: span(at(14, 0, 0), at(20, 0, 0)),
			}
			all := slides(day)
			if len(all) != slideCount(day) || len(all) != 2+MaxSlides {
				t.Errorf("%d slides, want %d", len(all), 2+MaxSlides)
			}
			for _, i := range []int{1, 2, 3, len(all) - 1} {
				checkMargins(t, all[i].words.Image(), i)
			}
		}
	}
}

// checkMargins wants nothing at the edges of a slide.
func checkMargins(t *testing.T, words *image.RGBA, n int) {
	t.Helper()
	const edge = 40
	for y := 0; y < words.Rect.Dy(); y += 3 {
		for x := 0; x < words.Rect.Dx(); x += 3 {
			inner := x >= edge && x < words.Rect.Dx()-edge && y < words.Rect.Dy()-edge
			if !inner && words.RGBAAt(x, y).A > 0 && y > 60 { // the bars are at the top
				t.Fatalf("slide %d of %v: something is at %d, %d", n, words.Rect, x, y)
			}
		}
	}
}

func TestClockOn(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event Event
		ja    [2]string
		en    [2]string
	}{
		{
			"within the day",
			Event{Span: span(at(15, 9, 5), at(15, 21, 0))},
			[2]string{"09:05", "〜21:00"},
			[2]string{"09:05", "– 21:00"},
		},
		{
			"without an end",
			Event{Span: span(at(15, 9, 5), at(15, 9, 5))},
			[2]string{"09:05", ""},
			[2]string{"09:05", ""},
		},
		{
			"into the night",
			Event{Span: span(at(15, 22, 0), at(16, 2, 0))},
			[2]string{"22:00", "〜02:00"},
			[2]string{"22:00", "– 02:00"},
		},
		{
			"for days from today",
			Event{Span: span(at(15, 10, 0), at(17, 18, 0))},
			[2]string{"10:00", "1月17日（金） 18:00まで"},
			[2]string{"10:00", "until Fri 17 Jan 18:00"},
		},
		{
			"since yesterday",
			Event{Span: span(at(14, 22, 0), at(15, 10, 0))},
			[2]string{"10:00まで", "1月14日（火）から"},
			[2]string{"until 10:00", "since Tue 14 Jan"},
		},
		{
			"over the day",
			Event{Span: span(at(14, 22, 0), at(16, 10, 0))},
			[2]string{"終日", ""},
			[2]string{"All day", ""},
		},
		{
			"all of the day",
			Event{AllDay: true, Span: span(at(15, 0, 0), at(16, 0, 0))},
			[2]string{"終日", ""},
			[2]string{"All day", ""},
		},
		{
			"all of some days",
			Event{AllDay: true, Span: span(at(13, 0, 0), at(18, 0, 0))},
			[2]string{"終日", "1月17日（金）まで"},
			[2]string{"All day", "until Fri 17 Jan"},
		},
	} {
		for lang, want := range map[string][2]string{"ja": tt.ja, "en": tt.en} {
			large, beside := clockOn(tt.event, wednesday, lang)
			if got := [2]string{large, beside}; got != want {
				t.Errorf("%s: clockOn(%s) = %q, want %q", tt.name, lang, got, want)
			}
		}
	}
}

func BenchmarkMake(b *testing.B) {
	day := someDay(6)
	day.Style = Cinematic
	for b.Loop() {
		film, err := Make(b.Context(), day, MP4)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(film.Data))/1e6, "MB/film")
	}
}

func BenchmarkDraw(b *testing.B) {
	day := someDay(1)
	day.Style = Cinematic
	for b.Loop() {
		h264.Convert(slides(day)[1].picture())
	}
}
