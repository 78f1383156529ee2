package canvas

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strconv"
)

// SVG returns the drawing as an SVG without scripts, references and text: letters are outlines, so
// that it prints the same everywhere. title is what is read aloud for it.
func (c *Canvas) SVG(title string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"`, c.Width, c.Height)
	fmt.Fprintf(&b, ` viewBox="0 0 %d %d" role="img">`, c.Width, c.Height)
	b.WriteString("\n<title>")
	_ = xml.EscapeText(&b, []byte(title)) // a buffer takes all
	b.WriteString("</title>\n")
	for i, s := range c.shapes {
		fill, opacity := svgColor(s.paint.from)
		if !s.paint.solid() {
			fill, opacity = fmt.Sprintf("url(#g%d)", i), ""
			writeGradient(&b, i, s.paint)
		}
		fmt.Fprintf(&b, `<path fill="%s"%s d="`, fill, attribute("fill-opacity", opacity))
		writePath(&b, s.path)
		b.WriteString("\"/>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func writeGradient(b *bytes.Buffer, i int, p Paint) {
	fmt.Fprintf(b, `<linearGradient id="g%d" gradientUnits="userSpaceOnUse" x1="%s" y1="%s" x2="%s" y2="%s">`,
		i, number(p.start.X), number(p.start.Y), number(p.end.X), number(p.end.Y))
	for offset, c := range []color.NRGBA{p.from, p.to} {
		fill, opacity := svgColor(c)
		fmt.Fprintf(b, `<stop offset="%d" stop-color="%s"%s/>`, offset, fill, attribute("stop-opacity", opacity))
	}
	b.WriteString("</linearGradient>\n")
}

// svgColor returns a color and its opacity, "" for 1.
func svgColor(c color.NRGBA) (rgb, opacity string) {
	if c.A != 0xFF {
		opacity = strconv.FormatFloat(float64(c.A)/0xFF, 'f', 3, 64)
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), opacity
}

func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + value + `"`
}

func writePath(b *bytes.Buffer, p Path) {
	for _, s := range p.segments {
		b.WriteByte("MLQCZ"[s.op])
		for i, at := range s.points[:s.op.count()] {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(number(at.X) + " " + number(at.Y))
		}
	}
}

// number writes a length to a hundredth of a pixel.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}
