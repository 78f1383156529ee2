package poster

import (
	"math"

	"annai/tools/media/canvas"
)

// classic centers everything on paper, which lies on the old pattern of waves (seigaiha).
func (p *page) classic() {
	colors, u := p.palette(Classic), p.unit()
	ground, wave, gold := colors.shapes[0], colors.shapes[1], colors.shapes[2]
	edge := 62 * u
	paper := area{0, 0, p.w, p.h}.inset(edge)
	p.Fill(canvas.Rect(0, 0, p.w, p.h), canvas.Solid(ground))
	p.waves(paper, 58*u, canvas.Solid(ground), canvas.Solid(wave))
	p.Fill(canvas.Rect(paper.x, paper.y, paper.w, paper.h), canvas.Solid(colors.paper))
	p.frame(paper.inset(20*u), canvas.Solid(gold))

	in := paper.inset(84 * u)
	if in.wide() {
		// Title and description to the left, the rest to the right of a rule.
		right := area{in.x + in.w*0.62, in.y, in.w * 0.38, in.h}
		p.Fill(canvas.Rect(right.x+30*u, in.y+in.h*0.06, 2*u, in.h*0.88), canvas.Solid(gold))
		p.classicTitle(area{in.x, in.y, in.w * 0.6, in.h}, colors)
		right = area{right.x + 62*u, right.y, right.w - 62*u, right.h}
		height := p.classicInfo(right, colors, false)
		p.classicInfo(area{right.x, in.y + (in.h-height)/2, right.w, height}, colors, true)
		return
	}
	height := p.classicInfo(in, colors, false)
	p.classicInfo(area{in.x, in.y + in.h - height, in.w, height}, colors, true)
	p.classicTitle(area{in.x, in.y, in.w, in.h - height - 40*u}, colors)
}

// waves covers the page beside the paper with scales of circles, the lower ones over the upper.
func (p *page) waves(paper area, r float64, ground, wave canvas.Paint) {
	for row := 0; float64(row)*r/2-r < p.h; row++ {
		var scales, lines canvas.Path
		y := float64(row) * r / 2
		for column := 0; float64(column-1)*2*r < p.w; column++ {
			x := (float64(column) + float64(row%2)/2) * 2 * r
			if math.Abs(x-p.w/2)+r < paper.w/2 && math.Abs(y-p.h/2)+r < paper.h/2 {
				continue // the paper lies on it
			}
			scales.Append(canvas.Circle(x, y, r))
			for _, outer := range []float64{0.98, 0.7, 0.42} {
				lines.Append(canvas.Ring(x, y, r*outer, r*(outer-0.1)))
			}
		}
		p.Fill(scales, ground)
		p.Fill(lines, wave)
	}
}

// frame draws two lines around an area, with cut corners.
func (p *page) frame(in area, paint canvas.Paint) {
	u := p.unit()
	p.Fill(canvas.Frame(in.x, in.y, in.w, in.h, 3*u), paint)
	inner := in.inset(11 * u)
	p.Fill(canvas.Frame(inner.x, inner.y, inner.w, inner.h, 1.4*u), paint)
	for _, x := range []float64{in.x, in.x + in.w} {
		for _, y := range []float64{in.y, in.y + in.h} {
			p.Fill(diamond(x, y, 17*u), paint)
		}
	}
}

func diamond(x, y, r float64) canvas.Path {
	return canvas.Polygon(
		canvas.Point{X: x, Y: y - r}, canvas.Point{X: x + r, Y: y},
		canvas.Point{X: x, Y: y + r}, canvas.Point{X: x - r, Y: y},
	)
}

// rule draws an ornament: a line with a diamond in its middle.
func (p *page) rule(in area, y float64, paint canvas.Paint) {
	u, half := p.unit(), min(200*p.unit(), in.w/3)
	x := in.x + in.w/2
	p.Fill(canvas.Rect(x-half, y-u, half-24*u, 2*u), paint)
	p.Fill(canvas.Rect(x+24*u, y-u, half-24*u, 2*u), paint)
	p.Fill(diamond(x, y, 9*u), paint)
}

// classicTitle centers the house's name, the title and the description in an area.
func (p *page) classicTitle(in area, colors palette) {
	u := p.unit()
	name := line(p.event.Venue, canvas.Type{Face: canvas.Serif, Size: 34 * u, Tracking: 0.14}, in.w)
	room := in.h - name.height() - 110*u
	forTitle := room
	if p.event.Description != "" {
		forTitle = max(room/2, room-2*32*1.75*u)
	}
	set := canvas.Type{Face: canvas.Serif, Tracking: 0.02}
	title := p.headline(set, area{w: in.w, h: min(forTitle, 0.36*p.h)}, 30*u, 124*u, 7)
	text := p.body(31*u, area{w: in.w * 0.94, h: room - title.height()}, 9)
	y := in.y + max(0, in.h-name.height()-title.height()-text.height()-110*u)/2
	p.draw(name, area{in.x, y, in.w, 0}, middle, colors.soft)
	y += name.height() + 34*u
	p.draw(title, area{in.x, y, in.w, 0}, middle, colors.ink)
	y += title.height() + 38*u
	if text.height() > 0 {
		p.rule(in, y, canvas.Solid(colors.shapes[2]))
		at := middle
		if len(text.lines) > 2 {
			at = left // long text reads badly centered
		}
		p.draw(text, area{in.x + in.w*0.03, y + 38*u, in.w * 0.94, 0}, at, colors.soft)
	}
}

// classicInfo centers when, where and the QR code from the top of an area on, and returns its
// height. It can measure without drawing.
func (p *page) classicInfo(in area, colors palette, draw bool) float64 {
	u, w := p.unit(), p.when()
	y := in.y
	write := func(b paragraph, gap float64) {
		if b.height() == 0 {
			return
		}
		if draw {
			p.draw(b, area{in.x, y, in.w, 0}, middle, colors.ink)
		}
		y += b.height() + gap*u
	}
	if draw && !in.wide() {
		p.rule(in, y, canvas.Solid(colors.shapes[2]))
	}
	y += 44 * u
	for _, words := range w.long {
		write(line(words, canvas.Type{Face: canvas.Serif, Size: 50 * u}, in.w), 2)
	}
	write(line(w.hours, canvas.Type{Face: canvas.Serif, Size: 58 * u, Tracking: 0.03}, in.w), 14)
	write(lines(p.event.Place, canvas.Type{Face: canvas.Serif, Size: 36 * u}, in.w, 3, 1.4), 30)
	if p.event.URL == "" {
		return y - in.y
	}
	side := 210 * u
	if draw {
		p.code(in.x+(in.w-side)/2, y, side, colors.ink)
	}
	y += side + 8*u
	write(line(p.caption(), canvas.Type{Face: canvas.Sans, Size: 25 * u}, in.w), 0)
	return y - in.y
}
