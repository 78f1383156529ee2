package clean

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
)

// corners is a picture of four colors, one in each quarter, from the upper left on by rows.
func corners(w, h int, colors [4]color.Color) image.Image {
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			picture.Set(x, y, colors[2*(2*y/h)+2*x/w])
		}
	}
	return picture
}

// withOrientation puts EXIF data into a JPEG.
func withOrientation(data []byte, orientation uint16, order binary.AppendByteOrder, mark string) []byte {
	tiff := append([]byte(mark), order.AppendUint32(order.AppendUint16(nil, 42), 8)...)
	tiff = order.AppendUint16(tiff, 1)
	tiff = order.AppendUint16(order.AppendUint16(tiff, tagOrientation), 3)
	tiff = order.AppendUint32(tiff, 1)
	tiff = order.AppendUint16(order.AppendUint16(tiff, orientation), 0)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	head := binary.BigEndian.AppendUint16([]byte{0xFF, markerAPP1}, uint16(len(segment)+2))
	return slices.Concat(data[:2], head, segment, data[2:])
}

func TestOrientation(t *testing.T) {
	ink := [4]color.Color{color.Gray{0}, color.Gray{80}, color.Gray{160}, color.Gray{240}}
	var stored bytes.Buffer
	if err := jpeg.Encode(&stored, corners(64, 32, ink), &jpeg.Options{Quality: 100}); err != nil {
		t.Fatal(err)
	}
	// What is at the upper left, upper right, lower left and lower right after it was turned.
	for orientation, want := range map[uint16][4]int{
		0: {0, 1, 2, 3}, 1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {3, 2, 1, 0}, 4: {2, 3, 0, 1},
		5: {0, 2, 1, 3}, 6: {2, 0, 3, 1}, 7: {3, 1, 2, 0}, 8: {1, 3, 0, 2}, 9: {0, 1, 2, 3},
	} {
		for mark, order := range map[string]binary.AppendByteOrder{"II": binary.LittleEndian, "MM": binary.BigEndian} {
			o, err := open(withOrientation(stored.Bytes(), orientation, order, mark))
			if err != nil {
				t.Fatalf("open = %v", err)
			}
			r := rasterOf(o)
			var got [4]int
			for i := range got {
				x, y := r.w/4+i%2*r.w/2, r.h/4+i/2*r.h/2
				got[i] = (int(r.planes[0][y*r.w+x]) + 40) / 80
			}
			turned := orientation >= 5 && orientation <= 8
			if diff := cmp.Diff(want, got); diff != "" || (r.h > r.w) != turned {
				t.Errorf("orientation %d %s: %d x %d, corners (-want +got):\n%s", orientation, mark, r.w, r.h, diff)
			}
		}
	}
}

func TestFormats(t *testing.T) {
	picture := corners(60, 40, [4]color.Color{color.Black, color.White, color.White, color.Transparent})
	webp, err := base64.StdEncoding.DecodeString("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"png": encoded(t, picture), "webp": webp}
	var b bytes.Buffer
	if err := gif.Encode(&b, picture, nil); err != nil {
		t.Fatal(err)
	}
	files["gif"] = bytes.Clone(b.Bytes())
	b.Reset()
	if err := jpeg.Encode(&b, picture, nil); err != nil {
		t.Fatal(err)
	}
	files["jpeg"] = bytes.Clone(b.Bytes())
	for format, data := range files {
		for _, operations := range [][]Operation{nil, {Denoise}, {RemoveBackground}, {EnhanceText, Denoise}} {
			got, err := Edit(t.Context(), data, operations)
			if err != nil {
				t.Errorf("Edit(%s, %v) = %v", format, operations, err)
				continue
			}
			head, err := png.DecodeConfig(bytes.NewReader(got.PNG))
			right := head.Width == got.Width && head.Height == got.Height
			if err != nil || !right || format != "webp" && got.Width != 60 {
				t.Errorf("Edit(%s, %v) is %v, %d x %d, want its size", format, operations, err, got.Width, got.Height)
			}
			if got.Confidence < 0 || got.Confidence > 1 {
				t.Errorf("Edit(%s, %v) has confidence %v, want 0 to 1", format, operations, got.Confidence)
			}
		}
	}
	got, err := Edit(t.Context(), files["png"], []Operation{EnhanceText, Denoise})
	if diff := cmp.Diff([]Operation{Denoise, EnhanceText}, got.Operations); err != nil || diff != "" {
		t.Errorf("operations, %v (-want +got):\n%s", err, diff)
	}
}

// bomb is a PNG that says it is so large, and has hardly any data.
func bomb(w, h uint32, depth byte) []byte {
	chunk := func(kind string, data []byte) []byte {
		body := append([]byte(kind), data...)
		out := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), body...)
		return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	head = append(head, depth, 6, 0, 0, 0)
	return slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", head), chunk("IDAT", []byte{0}))
}

func TestRefused(t *testing.T) {
	good := encoded(t, corners(20, 20, [4]color.Color{color.Black, color.White, color.White, color.Black}))
	for what, test := range map[string]struct {
		data       []byte
		operations []Operation
	}{
		"nothing":                {nil, nil},
		"text":                   {[]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), nil},
		"too many bytes":         {append(good, make([]byte, MaxBytes)...), nil},
		"a bomb":                 {bomb(50_000, 50_000, 8), nil},
		"one with deep colors":   {bomb(5000, 4000, 16), nil},
		"one that is one line":   {bomb(1<<31-1, 1, 8), nil},
		"half a picture":         {good[:len(good)/2], nil},
		"an unknown operation":   {good, []Operation{"sharpen"}},
		"more than is in a bomb": {bomb(5001, 5000, 8), nil},
	} {
		if _, err := Edit(t.Context(), test.data, test.operations); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Edit of %s = %v, want ErrInvalid", what, err)
		}
	}
}

// TestFilters compares windows that slide with ones that are summed up anew.
func TestFilters(t *testing.T) {
	const w, h = 23, 17
	plane := make([]uint8, w*h)
	for i := range plane {
		plane[i] = uint8(i * i * 31)
	}
	at := func(x, y int) uint8 { return plane[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)] }
	r := &raster{w: w, h: h}
	for _, half := range []int{1, 4, 30} {
		seen := 0
		r.slide(slices.Clone(plane), half, func(i int, got sums) {
			var want sums
			for y := max(i/w-half, 0); y <= min(i/w+half, h-1); y++ {
				for x := max(i%w-half, 0); x <= min(i%w+half, w-1); x++ {
					v := int64(at(x, y))
					want = sums{want.n + 1, want.sum + v, want.square + v*v}
				}
			}
			seen++
			if got != want {
				t.Errorf("sums of half %d around %d = %+v, want %+v", half, i, got, want)
			}
		})
		if seen != w*h {
			t.Errorf("slide over %d pixels, want %d", seen, w*h)
		}
	}
	got := slices.Clone(plane)
	r.median(got)
	for i := range got {
		var near []uint8
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				near = append(near, at(i%w+dx, i/w+dy))
			}
		}
		slices.Sort(near)
		if got[i] != near[4] {
			t.Errorf("median at %d = %d, want %d of %v", i, got[i], near[4], near)
		}
	}
	flat := bytes.Repeat([]byte{100}, w*h)
	r.blur(flat)
	if !bytes.Equal(flat, bytes.Repeat([]byte{100}, w*h)) {
		t.Errorf("blur of an even plane = %v, want the same", flat)
	}
}

// TestSeparation holds that confidence is high where ink and paper are apart, and 0 where nothing
// is.
func TestSeparation(t *testing.T) {
	plane := func(ink, paper, share int) []uint8 {
		p := bytes.Repeat([]byte{uint8(paper)}, 1000)
		copy(p, bytes.Repeat([]byte{uint8(ink)}, share))
		for i := range p {
			p[i] += uint8(i % 5)
		}
		return p
	}
	for _, test := range []struct {
		what      string
		plane     []uint8
		low, high float64
	}{
		{"letters", plane(20, 230, 100), 0.99, 1},
		{"an empty sheet", plane(230, 230, 0), 0, 0},
		{"one speck", plane(20, 230, 1), 0, 0},
		{"a dark room", plane(20, 230, 900), 0, 0},
		{"faint letters", plane(200, 215, 100), 0.5, 0.98},
	} {
		if got := separation(test.plane); got < test.low || got > test.high {
			t.Errorf("separation of %s = %v, want %v to %v", test.what, got, test.low, test.high)
		}
	}
}

// BenchmarkEdit is a photograph of 12 million pixels.
func BenchmarkEdit(b *testing.B) {
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, printed(3000, 4000), nil); err != nil {
		b.Fatal(err)
	}
	for _, operations := range [][]Operation{nil, {Denoise}, {RemoveBackground}, order} {
		b.Run(fmt.Sprint(operations), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Edit(b.Context(), photo.Bytes(), operations); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzEdit(f *testing.F) {
	f.Add(encoded(f, corners(9, 5, [4]color.Color{color.Black, color.White, color.White, color.Black})))
	f.Add(bomb(3, 3, 16))
	f.Add([]byte("GIF89a"))
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x10Exif\x00\x00II*\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if head, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && head.Width*head.Height > 1e6 {
			t.Skip("large ones take time only")
		}
		got, err := Edit(t.Context(), data, nil)
		if err == nil && len(got.PNG) == 0 || err != nil && !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Edit = %d bytes, %v, want a picture or ErrInvalid", len(got.PNG), err)
		}
	})
}
