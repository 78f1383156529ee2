package poster

import (
	"image/color"

	"annai/tools/media/canvas"
)

// vibrant sets large white letters on a gradient, and when and where on a card.
func (p *page) vibrant() {
	colors, u := p.palette(Vibrant), p.unit()
	p.Fill(canvas.Rect(0, 0, p.w, p.h),
		canvas.Linear(canvas.Point{}, canvas.Point{X: p.w * 0.8, Y: p.h}, colors.shapes[0], colors.shapes[1]))
	margin := 70 * u
	in := area{0, 0, p.w, p.h}.inset(margin)
	if in.wide() {
		card := area{in.x + in.w*0.6, in.y, in.w * 0.4, in.h}
		p.bubbles(area{0, 0, card.x, p.h}, colors)
		p.card(card, colors)
		p.vibrantTitle(area{in.x, in.y, in.w*0.6 - 56*u, in.h}, p.bubble(area{0, 0, card.x, p.h}), colors)
		return
	}
	height := 410 * u
	card := area{in.x, in.y + in.h - height, in.w, height}
	p.bubbles(area{0, 0, p.w, card.y}, colors)
	p.card(card, colors)
	p.vibrantTitle(area{in.x, in.y, in.w, card.y - in.y}, p.bubble(area{0, 0, p.w, card.y}), colors)
}

// bubbles floats circles around an area: strong ones at its edges, and faint ones behind the words.
func (p *page) bubbles(in area, colors palette) {
	s := p.bubble(in)
	fill := func(path canvas.Path, c color.NRGBA) { p.Fill(path, canvas.Solid(c)) }
	faint := func(alpha uint8) color.NRGBA { return color.NRGBA{0xFF, 0xFF, 0xFF, alpha} }
	accents := colors.shapes[2:]
	first := p.random.IntN(len(accents))
	accent := func(i int) color.NRGBA { return accents[(first+i)%len(accents)] }

	right, bottom := in.x+in.w, in.y+in.h
	fill(canvas.Circle(right-s*0.16, in.y+s*0.08, s*0.27), accent(0))
	fill(canvas.Circle(right-s*0.42, in.y+s*0.01, s*0.15), accent(1))
	fill(canvas.Ring(right-s*0.02, in.y+s*0.28, s*0.12, s*0.075), accent(2))
	fill(canvas.Circle(in.x+s*0.03, bottom+s*0.02, s*0.15), accent(1))
	fill(canvas.Ring(in.x+s*0.24, bottom+s*0.02, s*0.09, s*0.06), accent(2))
	fill(canvas.Circle(in.x-in.w*0.05, in.y+in.h*0.45, s*0.5), faint(0x12))
	fill(canvas.Circle(in.x+in.w*0.75, in.y+in.h*0.70, s*0.6), faint(0x10))
	for i := range 28 { // confetti along the upper edge
		x := right - s*0.8*p.random.Float64()
		y := in.y + s*0.4*p.random.Float64()*p.random.Float64()
		r := s * (0.006 + 0.009*p.random.Float64())
		if i%2 == 0 {
			fill(canvas.Circle(x, y, r), accent(i))
		} else {
			fill(canvas.Pie(x, y, r*2, p.random.IntN(4), 1), accent(i))
		}
	}
}

// bubble is the scale of the circles around an area. They leave free what is 0.41 of it below the
// top and 0.14 above the bottom.
func (p *page) bubble(in area) float64 { return min(in.w, in.h*0.62) }

// vibrantTitle writes the name, the title and the description, below the circles.
func (p *page) vibrantTitle(in area, bubble float64, colors palette) {
	u, white := p.unit(), colors.paper
	top, bottom := 0.42*bubble, in.y+in.h-0.15*bubble
	name := line(p.event.Venue, canvas.Type{Face: canvas.Heavy, Size: 33 * u, Tracking: 0.05}, in.w*0.5)
	p.draw(name, area{in.x, in.y, in.w, 0}, left, white)

	room := bottom - top
	forTitle := room
	if p.event.Description != "" {
		forTitle = max(room/2, room-30*u-3*33*1.75*u)
	}
	title := p.headline(canvas.Type{Face: canvas.Heavy}, area{w: in.w, h: min(forTitle, 0.42*p.h)}, 30*u, 176*u, 6)
	text := p.body(33*u, area{w: in.w, h: room - title.height() - 30*u}, 7)
	used := title.height()
	if text.height() > 0 {
		used += 30*u + text.height()
	}
	y := top + max(0, room-used)/2
	p.draw(title, area{in.x, y, in.w, 0}, left, white)
	p.draw(text, area{in.x, y + title.height() + 30*u, in.w, 0}, left, white)
}

// card writes when and where on white, beside the QR code or above it.
func (p *page) card(in area, colors palette) {
	u, w := p.unit(), p.when()
	p.Fill(canvas.RoundRect(in.x, in.y+10*u, in.w, in.h, 40*u), canvas.Solid(color.NRGBA{A: 0x38}))
	p.Fill(canvas.RoundRect(in.x, in.y, in.w, in.h, 40*u), canvas.Solid(colors.paper))
	words := in.inset(46 * u)
	side, beside, most := 250*u, in.w > 1.5*in.h, 2
	if p.event.URL != "" {
		if beside {
			p.captioned(words.x+words.w-side, in.y+(in.h-side-36*u)/2, side, 2*u, colors.ink)
			words.w -= side + 36*u
		} else {
			words.h, most = words.h-side-70*u, 4
			p.captioned(words.x+(words.w-side)/2, words.y+words.h+30*u, side, 2*u, colors.ink)
		}
	}
	mark := canvas.Type{Face: canvas.Heavy, Size: 42 * u}
	badge := max(84*u, mark.Width(w.weekday)+44*u)
	day, besideHours := p.figures(w, 136*u, badge+20*u, words.w)
	day.leading = 1
	hours := p.hours(w, 58*u, badge+16*u, words.w, besideHours)
	place := lines(p.event.Place, canvas.Type{Face: canvas.Sans, Size: 35 * u}, words.w, most, 1.4)
	y := words.y + max(0, words.h-day.height()-hours.height()-place.height())/2
	p.draw(day, area{words.x - 4*u, y, words.w, 0}, left, colors.shapes[0])
	if w.weekday != "" {
		x, y, high := words.x+day.set.Width(w.short)+16*u, y+day.set.Size*0.5, 84*u
		if besideHours {
			x, y, high = words.x+hours.set.Width(w.hours)+16*u, y+day.height()+hours.height()/2, 58*u
		}
		p.Fill(canvas.RoundRect(x, y-high/2, badge, high, high/2), canvas.Solid(colors.shapes[1]))
		p.Fill(mark.Outline(w.weekday, x+(badge-mark.Width(w.weekday))/2, y+15*u), canvas.Solid(colors.paper))
	}
	y += day.height()
	p.draw(hours, area{words.x, y, words.w, 0}, left, colors.ink)
	p.draw(place, area{words.x, y + hours.height() + 6*u, words.w, 0}, left, colors.ink)
}
