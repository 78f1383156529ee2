package video

import (
	"image/color"

	"annai/tools/media/canvas"
)

// A page is the drawing of a slide.
type page struct {
	*canvas.Canvas

	theme *theme
	// u is a unit of length: the shorter side has 1080.
	u float64
}

// newPage returns a page of a film that is transparent yet.
func newPage(day Day) *page {
	width, height := day.Shape.size()
	return &page{
		Canvas: canvas.New(width, height), theme: themes[day.Style],
		u: float64(min(width, height)) / 1080,
	}
}

// wide says that what is below each other on a tall page is side by side.
func (p *page) wide() bool { return p.Width > p.Height }

// whole is the column between the margins.
func (p *page) whole() column {
	margin := 90 * p.u
	if p.wide() {
		margin = 120 * p.u
	}
	return column{margin, float64(p.Width) - 2*margin}
}

// column is a part of a page from left to right.
type column struct{ x, width float64 }

// headHeight is what the line at the top takes.
func (p *page) headHeight() float64 {
	if p.wide() {
		return 140 * p.u
	}
	return 190 * p.u
}

// body is the room between head and foot.
func (p *page) body() (top, bottom float64) {
	foot := p.theme.foot
	if p.wide() {
		foot = p.theme.wideFoot
	}
	return p.headHeight() + 90*p.u, float64(p.Height) - foot*p.u
}

// center draws what draw draws from y down to what it returns, as high on the page as looks
// well: a little above the middle.
func (p *page) center(day Day, draw func(p *page, y float64) float64) {
	top, bottom := p.body()
	height := draw(newPage(day), top) - top
	draw(p, top+max(0, (bottom-top-height)*0.42))
}

// ascent is how far, in ems, a kanji reaches above the baseline.
const ascent = 0.88

// write writes a line whose top is at y.
func (p *page) write(t canvas.Type, line string, x, y float64, c color.NRGBA) {
	p.Fill(t.Outline(line, x, y+ascent*t.Size), canvas.Solid(c))
}

// lines writes lines one below the other, leading ems apart, and returns where they end.
func (p *page) lines(t canvas.Type, lines []string, x, y, leading float64, c color.NRGBA) float64 {
	for _, line := range lines {
		p.write(t, line, x, y, c)
		y += leading * t.Size
	}
	return y - (leading-1)*t.Size
}

// fit writes text as large as it fits, and returns where it ends.
func (p *page) fit(text string, at column, y float64, box canvas.Box, c color.NRGBA) float64 {
	box.Width, box.Height = at.width, box.Height*p.u
	box.Smallest, box.Largest = box.Smallest*p.u, box.Largest*p.u
	t, lines := canvas.Type{Face: canvas.Heavy}.Fit(text, box)
	return p.lines(t, lines, at.x, y, box.Leading, c)
}

// sans is the face for what is no headline.
func (p *page) sans(size float64) canvas.Type {
	return canvas.Type{Face: canvas.Sans, Size: size * p.u}
}

// dash draws a short line of the accent's color and returns where it ends.
func (p *page) dash(x, y float64) float64 {
	p.Fill(canvas.RoundRect(x, y, 150*p.u, 10*p.u, 5*p.u), canvas.Solid(p.theme.accent))
	return y + 10*p.u
}

// head draws the line at the top: bars for the slides so far, and below them the date, where it is
// not the slide's own matter, and the venue.
func (p *page) head(day Day, at int, date string) {
	of := slideCount(day)
	line := p.whole()
	y := 48 * p.u
	if p.wide() {
		y = 36 * p.u
	}
	gap := 10 * p.u
	bar := (line.width - gap*float64(of-1)) / float64(of)
	for i := range of {
		c := p.theme.track
		if i <= at {
			c = p.theme.spent
		}
		p.Fill(canvas.RoundRect(line.x+float64(i)*(bar+gap), y, bar, 9*p.u, 4.5*p.u), canvas.Solid(c))
	}
	y += 36 * p.u
	t := p.sans(46)
	p.write(t, date, line.x, y, p.theme.date)
	if name := oneLine(t.Face, day.Venue, maxLine); name != "" {
		room := line.width
		if date != "" {
			room -= t.Width(date) + 60*p.u
		}
		name = t.Clamp(name, room, 1)[0]
		x := line.x
		if date != "" {
			x += line.width - t.Width(name)
		}
		p.write(t, name, x, y, p.theme.venue)
	}
}

// pin draws the sign of a place, of that height, with its left end at x and its top at y.
func (p *page) pin(x, y, height float64) {
	radius := height * 0.36
	cx, cy := x+radius, y+radius
	accent := canvas.Solid(p.theme.accent)
	p.Fill(canvas.Ring(cx, cy, radius, radius*0.42), accent)
	p.Fill(canvas.Polygon(
		canvas.Point{X: cx - radius*0.8, Y: cy + radius*0.6},
		canvas.Point{X: cx + radius*0.8, Y: cy + radius*0.6},
		canvas.Point{X: cx, Y: y + height},
	), accent)
}

// row writes text of at most so many lines in the middle of a row of a list.
func (p *page) row(face *canvas.Face, text string, most int, at column, y, height, size float64, c color.NRGBA) {
	const leading = 1.2
	t, lines := canvas.Type{Face: face}.Fit(text, canvas.Box{
		Width: at.width, Height: height * 0.9, Smallest: size * 0.68, Largest: size, Leading: leading, Lines: most,
	})
	tall := t.Size * (1 + leading*float64(len(lines)-1))
	p.lines(t, lines, at.x, y+(height-tall)/2, leading, c)
}
