package h264_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"annai/fault"
	"annai/tools/media/h264"

	"github.com/google/go-cmp/cmp"
)

// startCode comes before each NAL unit of a byte stream, Annex B.
var startCode = []byte{0, 0, 0, 1}

// drawn returns a picture with a slope of colour, bars that are fine as writing, and noise: what
// a slide has and what is hard.
func drawn(width, height int, seed uint64) *image.RGBA {
	random := rand.New(rand.NewPCG(seed, 1))
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{uint8(40 + 120*x/width), uint8(20 + 90*y/height), uint8(200 - 90*x/width), 255}
			switch {
			case y > height/2 && (x/3+y/7+int(seed))%5 == 0:
				c = color.RGBA{250, 250, 245, 255}
			case x < width/4 && y < height/4:
				c = color.RGBA{uint8(random.IntN(256)), uint8(random.IntN(256)), uint8(random.IntN(256)), 255}
			}
			picture.SetRGBA(x, y, c)
		}
	}
	return picture
}

// mixed returns the picture that is part of the way from one to the other.
func mixed(from, to *image.YCbCr, part float64) *image.YCbCr {
	out := image.NewYCbCr(from.Rect, from.SubsampleRatio)
	planes := [][3][]uint8{{from.Y, to.Y, out.Y}, {from.Cb, to.Cb, out.Cb}, {from.Cr, to.Cr, out.Cr}}
	for _, p := range planes {
		for i := range p[2] {
			p[2][i] = uint8(float64(p[0][i])*(1-part) + float64(p[1][i])*part)
		}
	}
	return out
}

// psnr is the peak signal-to-noise ratio of luma and chroma together, in dB.
func psnr(want *image.YCbCr, got []byte) float64 {
	width, height := want.Rect.Dx(), want.Rect.Dy()
	var sum float64
	compare := func(pix []uint8, stride, width, height int) {
		for y := range height {
			for x := range width {
				d := float64(pix[y*stride+x]) - float64(got[y*width+x])
				sum += d * d
			}
		}
		got = got[width*height:]
	}
	compare(want.Y, want.YStride, width, height)
	compare(want.Cb, want.CStride, width/2, height/2)
	compare(want.Cr, want.CStride, width/2, height/2)
	return 10 * math.Log10(255*255/(sum/float64(width*height*3/2)))
}

// decode has ffmpeg turn a byte stream into pictures in planes of 4:2:0, and fails on any word of
// it.
func decode(t *testing.T, stream []byte) []byte {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("ANNAI_TEST_NOSKIP") == "1" {
			t.Fatal("cannot run without ffmpeg; run scripts/setup")
		}
		t.Skip("SKIPPED, NOT TESTED: cannot run without ffmpeg")
	}
	cmd := exec.CommandContext(t.Context(), "ffmpeg", "-v", "warning", "-err_detect", "explode",
		"-f", "h264", "-i", "-", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-")
	var words bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(stream), &words
	pictures, err := cmd.Output()
	if err != nil || words.Len() > 0 {
		t.Fatalf("ffmpeg = %v, and says:\n%s", err, &words)
	}
	return pictures
}

func TestPicturesAreDecodedAsTheyWere(t *testing.T) {
	for _, size := range []image.Point{{64, 48}, {270, 162}, {16, 16}} {
		for _, qp := range []int{h264.MinQP, 20, 27, 36} {
			encoder, err := h264.New(size.X, size.Y, 25)
			if err != nil {
				t.Fatal(err)
			}
			first, second := h264.Convert(drawn(size.X, size.Y, 1)), h264.Convert(drawn(size.X, size.Y, 2))
			sequence, parameters := encoder.Parameters()
			stream := bytes.Join([][]byte{nil, sequence, parameters}, startCode)
			var want []*image.YCbCr
			add := func(picture *image.YCbCr, unit []byte) {
				stream = append(append(stream, startCode...), unit...)
				want = append(want, picture)
			}
			add(first, encoder.Key(first, qp))
			add(first, encoder.Repeat())
			for i := range 8 {
				between := mixed(first, second, float64(i)/8)
				add(between, encoder.Next(between, qp))
			}
			add(second, encoder.Next(second, qp))
			for range min(300, 1<<20/(size.X*size.Y)) { // frame_num starts again at 256
				add(second, encoder.Repeat())
			}
			add(first, encoder.Key(first, qp))
			add(second, encoder.Key(second, qp))

			got := decode(t, stream)
			each := size.X * size.Y * 3 / 2
			if len(got) != each*len(want) {
				t.Fatalf("%v at QP %d: %d bytes were decoded, want %d pictures of %d",
					size, qp, len(got), len(want), each)
			}
			least := math.Inf(1)
			for i, picture := range want {
				least = min(least, psnr(picture, got[i*each:][:each]))
			}
			// a step of quantization is 2^((QP-4)/6), and what is lost is evenly spread within
			// some of it
			if bound := 52 - 0.92*float64(qp-4); least < bound-1.5 {
				t.Errorf("%v at QP %d: a picture has %.1f dB, want %.1f", size, qp, least, bound)
			}
			t.Logf("%v at QP %d: %d bytes, %.1f dB", size, qp, len(stream), least)
		}
	}
}

func TestConvert(t *testing.T) {
	for _, tt := range []struct {
		of   color.RGBA
		want [3]uint8
	}{
		{color.RGBA{0, 0, 0, 255}, [3]uint8{16, 128, 128}},
		{color.RGBA{255, 255, 255, 255}, [3]uint8{235, 128, 128}},
		{color.RGBA{255, 0, 0, 255}, [3]uint8{63, 102, 240}},
		{color.RGBA{0, 255, 0, 255}, [3]uint8{173, 42, 26}},
		{color.RGBA{0, 0, 255, 255}, [3]uint8{32, 240, 118}},
	} {
		picture := image.NewRGBA(image.Rect(0, 0, 3, 2))
		for i := range picture.Pix {
			picture.Pix[i] = [4]uint8{tt.of.R, tt.of.G, tt.of.B, tt.of.A}[i%4]
		}
		got := h264.Convert(picture)
		if got.Rect != image.Rect(0, 0, 2, 2) {
			t.Fatalf("Convert of 3 x 2 is %v, want 2 x 2", got.Rect)
		}
		if diff := cmp.Diff(tt.want, [3]uint8{got.Y[3], got.Cb[0], got.Cr[0]}); diff != "" {
			t.Errorf("Convert(%v) (-want +got):\n%s", tt.of, diff)
		}
	}
}

func TestNewRefusesSizes(t *testing.T) {
	for _, tt := range [][3]int{{0, 16, 25}, {16, 17, 25}, {2050, 16, 25}, {16, -2, 25}, {16, 16, 0}, {16, 16, 61}} {
		if _, err := h264.New(tt[0], tt[1], tt[2]); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("New(%v) = %v, want ErrInvalid", tt, err)
		}
	}
}

func BenchmarkKey(b *testing.B) {
	encoder, err := h264.New(1080, 1920, 25)
	if err != nil {
		b.Fatal(err)
	}
	picture := h264.Convert(drawn(1080, 1920, 1))
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(encoder.Key(picture, 24))))
	}
}
