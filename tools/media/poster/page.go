package poster

import (
	"image/color"
	"math/rand/v2"

	"rsc.io/qr"

	"annai/tools/media/canvas"
)

// page is a poster while it is drawn.
type page struct {
	*canvas.Canvas

	event    Event
	language string
	w, h     float64
	random   *rand.Rand // seeded by the title
	missing  []string
	omitted  []string
}

// area is a rectangle of the page.
type area struct{ x, y, w, h float64 }

// inset is the area without a margin.
func (a area) inset(m float64) area { return area{a.x + m, a.y + m, a.w - 2*m, a.h - 2*m} }

// wide says whether an area is for two columns.
func (a area) wide() bool { return a.w > 1.2*a.h }

// unit is a thousandth of the page's scale: the width of a portrait, and of a landscape the width
// of a portrait of the same height.
func (p *page) unit() float64 {
	if p.w > p.h {
		return min(p.h, p.w*0.75) / 1000
	}
	return min(p.w, p.h*0.75) / 1000
}

// align is where lines stand in their area.
type align float64

const (
	left   align = 0
	middle align = 0.5
)

// paragraph is lines that are ready to be drawn.
type paragraph struct {
	set     canvas.Type
	lines   []string
	leading float64 // in ems
}

func (b paragraph) height() float64 { return float64(len(b.lines)) * b.set.Size * b.leading }

// ascent is where the baseline is in a face's em square, from its top.
const ascent = 0.88

// draw draws a paragraph from the top of an area on.
func (p *page) draw(b paragraph, in area, at align, c color.NRGBA) {
	for i, line := range b.lines {
		x := in.x + float64(at)*(in.w-b.set.Width(line))
		y := in.y + b.set.Size*(float64(i)*b.leading+(b.leading-1)/2+ascent)
		p.Fill(b.set.Outline(line, x, y), canvas.Solid(c))
	}
}

// line is a paragraph of one line, or none, that is made smaller until it fits.
func line(words string, set canvas.Type, width float64) paragraph {
	if words == "" {
		return paragraph{set: set, leading: 1.2}
	}
	if w := set.Width(words); w > width {
		set.Size *= width / w
	}
	return paragraph{set, []string{words}, 1.2}
}

// figures sets the day as large as it fits beside the weekday, whose box is so wide. Where it would
// become much smaller, the day has the width for itself, and the weekday goes beside the hours.
func (p *page) figures(w when, size, box, width float64) (day paragraph, besideHours bool) {
	set := canvas.Type{Face: canvas.Heavy, Size: size, Tracking: -0.02}
	day = line(w.short, set, width-box)
	if w.hours != "" && day.set.Size < 0.7*size {
		return line(w.short, set, width), true
	}
	return day, false
}

// hours sets the hours, beside the weekday's box if it is there.
func (p *page) hours(w when, size, box, width float64, beside bool) paragraph {
	if beside {
		width -= box
	}
	return line(w.hours, canvas.Type{Face: canvas.Heavy, Size: size}, width)
}

// lines is a paragraph of at most that many lines that end where phrases do. Where it does not fit,
// it is made smaller, and cut where it would be smaller than two thirds.
func lines(words string, set canvas.Type, width float64, most int, leading float64) paragraph {
	if words == "" {
		return paragraph{set: set, leading: leading}
	}
	fitted, broken := set.Fit(words, canvas.Box{
		Width: width, Height: float64(most) * set.Size * leading, Smallest: set.Size * 2 / 3, Largest: set.Size,
		Leading: leading, Lines: most,
	})
	return paragraph{fitted, broken, leading}
}

// headline is the title as large as it fits in an area.
func (p *page) headline(set canvas.Type, in area, smallest, largest float64, lines int) paragraph {
	const leading = 1.22
	fitted, broken := set.Fit(p.event.Title, canvas.Box{
		Width: in.w, Height: in.h, Smallest: smallest, Largest: largest, Leading: leading, Lines: lines,
	})
	return paragraph{fitted, broken, leading}
}

// bodyLeading is from one line of a description to the next, in ems.
const bodyLeading = 1.75

// body is the description in as many lines as an area has room for, and at most so many.
func (p *page) body(size float64, in area, most int) paragraph {
	b := paragraph{set: canvas.Type{Face: canvas.Sans, Size: size}, leading: bodyLeading}
	if p.event.Description == "" {
		return b
	}
	most = min(most, int(in.h/(size*bodyLeading)))
	if most < 1 {
		p.omitted = note(p.omitted, "description")
		return b
	}
	b.lines = b.set.Clamp(p.event.Description, in.w, most)
	return b
}

// Margins and the smallest module of a QR code, in modules and in pixels.
const (
	quietZone     = 4
	smallestPixel = 2
)

// code draws the QR code of the event's address, with its quiet zone, into a square. It reports
// whether there was an address and room for it.
func (p *page) code(x, y, side float64, dark color.NRGBA) bool {
	if p.event.URL == "" {
		return false
	}
	code, err := qr.Encode(p.event.URL, qr.M)
	if err != nil {
		p.omitted = note(p.omitted, "qr")
		return false
	}
	modules := code.Size + 2*quietZone
	pixel := int(side) / modules // whole pixels have sharp edges
	if pixel < smallestPixel {
		p.omitted = note(p.omitted, "qr")
		return false
	}
	margin := (side-float64(pixel*modules))/2 + float64(pixel*quietZone)
	x0, y0 := float64(int(x+margin)), float64(int(y+margin))
	p.Fill(canvas.RoundRect(x, y, side, side, side/24), canvas.Solid(canvas.Hex("FFFFFF")))
	var path canvas.Path
	for row := range code.Size {
		for column := 0; column < code.Size; column++ {
			run := 0
			for column+run < code.Size && code.Black(column+run, row) {
				run++
			}
			if run > 0 {
				left, top := x0+float64(column*pixel), y0+float64(row*pixel)
				path.Append(canvas.Rect(left, top, float64(run*pixel), float64(pixel)))
			}
			column += run
		}
	}
	p.Fill(path, canvas.Solid(dark))
	return true
}

// captioned draws the QR code with words below it.
func (p *page) captioned(x, y, side, gap float64, ink color.NRGBA) {
	if p.code(x, y, side, ink) {
		words := line(p.caption(), canvas.Type{Face: canvas.Heavy, Size: 25 * p.unit()}, side)
		p.draw(words, area{x, y + side + gap, side, 0}, middle, ink)
	}
}

// caption is what stands beside the QR code.
func (p *page) caption() string {
	if p.language == "en" {
		return "Find out more"
	}
	return "詳しくはこちら"
}
