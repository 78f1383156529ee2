package canvas

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// fonts holds the faces, which scripts/fonts makes, and their license.
//
//go:embed fonts
var fonts embed.FS

// A Face is one of the typefaces in the program. It is unpacked when it is first used, and safe for
// concurrent use.
type Face struct {
	file string
	load func() (*sfnt.Font, error)
}

// The faces. They have the characters of code page 932, which are what Japanese is written with,
// and Latin for Western and Central Europe; Sans for text, Heavy for titles, Serif for what is to
// look traditional.
var (
	Sans  = newFace("NotoSansJP_Medium")
	Heavy = newFace("NotoSansJP_ExtraBold")
	Serif = newFace("NotoSerifJP_Bold")
)

func newFace(name string) *Face {
	f := &Face{file: "fonts/" + name + ".ttf.gz"}
	f.load = sync.OnceValues(f.unpack)
	return f
}

func (f *Face) unpack() (*sfnt.Font, error) {
	packed, err := fonts.ReadFile(f.file)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	parsed, err := sfnt.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	return parsed, nil
}

// font returns the parsed face. The program's own files are whole: a test unpacks each.
func (f *Face) font() *sfnt.Font {
	parsed, err := f.load()
	if err != nil {
		panic(err)
	}
	return parsed
}

// Drawable splits text into what the face can draw and the characters that it lacks, each once and
// in order. Marks that only choose a variant of the character before them are dropped without a
// word.
func (f *Face) Drawable(text string) (rest string, missing []rune) {
	parsed, seen := f.font(), map[rune]bool{}
	var buffer sfnt.Buffer
	var b bytes.Buffer
	for _, r := range text {
		glyph, err := parsed.GlyphIndex(&buffer, r)
		switch {
		case r == '\n', err == nil && glyph != 0:
			b.WriteRune(r)
		case unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Cf, r), unicode.IsControl(r):
		case !seen[r]:
			seen[r] = true
			missing = append(missing, r)
		}
	}
	return b.String(), missing
}

// A Type is how text is set.
type Type struct {
	Face *Face
	// Size is that of the em square, in pixels: a kanji with its margins.
	Size float64
	// Tracking is what is added between characters, in ems.
	Tracking float64
}

// glyph is a character in its place.
type glyph struct {
	index sfnt.GlyphIndex
	// x is where it begins, and advance where the next one begins after it; both in ems.
	x, advance float64
}

// units is the resolution at which outlines are read: 1 em is that many pixels.
const units = 1 << 10

func ems(v fixed.Int26_6) float64 { return float64(v) / 64 / units }

// place places the characters of one line and returns its width in ems. Brackets and stops of full
// width lose the empty half that would look like a hole: at the ends of the line and beside each
// other.
func (t Type) place(text string) (glyphs []glyph, width float64) {
	parsed := t.Face.font()
	var buffer sfnt.Buffer
	const ppem = fixed.Int26_6(units << 6)
	x, before := 0.0, rune(0)
	var last sfnt.GlyphIndex
	for _, r := range text {
		index, err := parsed.GlyphIndex(&buffer, r)
		if err != nil || index == 0 {
			continue
		}
		advance, err := parsed.GlyphAdvance(&buffer, index, ppem, font.HintingNone)
		if err != nil {
			continue
		}
		if before != 0 {
			if kern, err := parsed.Kern(&buffer, last, index, ppem, font.HintingNone); err == nil {
				x += ems(kern)
			}
			x += t.Tracking
		}
		if isWideClosing(before) && isWidePoint(r) || isWideOpening(r) && (before == 0 || isWideOpening(before)) {
			x -= 0.5
		}
		glyphs = append(glyphs, glyph{index, x, ems(advance)})
		x += ems(advance)
		before, last = r, index
	}
	if isWideClosing(before) {
		x -= 0.5
	}
	return glyphs, x
}

// Width returns how wide a line is, in pixels.
func (t Type) Width(text string) float64 {
	_, width := t.place(text)
	return width * t.Size
}

// Outline returns the letters of a line that begins at x and stands on the baseline y.
func (t Type) Outline(text string, x, y float64) Path {
	glyphs, _ := t.place(text)
	parsed := t.Face.font()
	var buffer sfnt.Buffer
	var p Path
	scale := t.Size / units / 64
	for _, g := range glyphs {
		segments, err := parsed.LoadGlyph(&buffer, g.index, fixed.Int26_6(units<<6), nil)
		if err != nil {
			continue // a face that is whole has them all
		}
		left := x + g.x*t.Size
		p.outline(segments, func(at fixed.Point26_6) Point {
			return Point{left + float64(at.X)*scale, y + float64(at.Y)*scale}
		})
	}
	return p
}

// outline adds the curves of a letter, each of which it closes.
func (p *Path) outline(segments sfnt.Segments, at func(fixed.Point26_6) Point) {
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				p.add(closePath)
			}
			p.add(moveTo, at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			p.add(lineTo, at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.add(quadTo, at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.add(cubeTo, at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		p.add(closePath)
	}
}
