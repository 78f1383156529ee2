package poster

import (
	"image/color"
	"math"

	"annai/tools/media/canvas"
)

// modern fills what the words leave free with tiles, like those of Swiss and Bauhaus posters.
func (p *page) modern() {
	colors, u := p.palette(Modern), p.unit()
	margin := 74 * u
	full := area{0, 0, p.w, p.h}
	p.Fill(canvas.Rect(0, 0, p.w, p.h), canvas.Solid(colors.paper))
	if full.wide() {
		art := area{p.w * 0.64, 0, p.w * 0.36, p.h}
		p.tiles(art, colors)
		p.modernWords(area{0, 0, art.x, p.h}.inset(margin), 0, colors)
		return
	}
	words := full.inset(margin)
	free := p.modernWords(words, 0.26*p.h, colors)
	p.tiles(area{0, 0, p.w, free}, colors)
}

// modernWords writes what there is to say, and returns how much is left free at the top of the
// page, at least that much.
func (p *page) modernWords(in area, atLeast float64, colors palette) (free float64) {
	u := p.unit()
	top := in.y
	if atLeast > 0 {
		top = atLeast + 52*u
	}
	bottom := in.y + in.h
	info := p.modernInfo(area{in.x, top, in.w, bottom - top}, colors)
	bottom -= info + 46*u

	name := line(p.event.Venue, canvas.Type{Face: canvas.Heavy, Size: 31 * u, Tracking: 0.04}, in.w-44*u)
	head := name.height()
	if head > 0 {
		head += 24 * u
	}
	room := bottom - top - head
	forTitle := room
	if p.event.Description != "" {
		forTitle = max(room/2, room-26*u-2*32*1.75*u) // two lines of it
	}
	title := p.headline(canvas.Type{Face: canvas.Heavy}, area{w: in.w, h: min(forTitle, 0.34*p.h)}, 30*u, 150*u, 6)
	text := p.body(32*u, area{w: in.w, h: room - title.height() - 26*u}, 8)
	used := head + title.height()
	if text.height() > 0 {
		used += 26*u + text.height()
	}
	y := top
	if atLeast > 0 {
		y = bottom - used // the tiles take what is left
	}
	free = y - 52*u
	if name.height() > 0 {
		p.Fill(canvas.Rect(in.x, y+name.set.Size*0.16, 27*u, 27*u), canvas.Solid(colors.shapes[1]))
		p.draw(name, area{in.x + 44*u, y, in.w, 0}, left, colors.ink)
		y += head
	}
	p.draw(title, area{in.x, y, in.w, 0}, left, colors.ink)
	p.draw(text, area{in.x, y + title.height() + 26*u, in.w, 0}, left, colors.soft)
	return free
}

// modernInfo writes when and where at the bottom of an area, and returns its height.
func (p *page) modernInfo(in area, colors palette) float64 {
	u, w := p.unit(), p.when()
	const side = 236
	width := in.w
	if p.event.URL != "" {
		width -= (side + 40) * u
	}
	mark := canvas.Type{Face: canvas.Heavy, Size: 40 * u}
	chip := max(62*u, mark.Width(w.weekday)+30*u)
	day, besideHours := p.figures(w, 148*u, chip+22*u, width)
	day.leading = 0.94
	hours := p.hours(w, 60*u, chip+18*u, width, besideHours)
	place := lines(p.event.Place, canvas.Type{Face: canvas.Sans, Size: 36 * u}, width, 2, 1.4)
	words := day.height() + hours.height() + place.height()
	height := words
	if p.event.URL != "" {
		height = max(height, (side+44)*u)
	}
	height += 40 * u
	y := in.y + in.h - height
	p.Fill(canvas.Rect(in.x, y, in.w, 7*u), canvas.Solid(colors.ink))
	y += 40 * u
	p.draw(day, area{in.x - 4*u, y, width, 0}, left, colors.ink)
	if w.weekday != "" {
		x, y := in.x+day.set.Width(w.short)+18*u, y+day.height()/2-56*u
		if besideHours {
			x, y = in.x+hours.set.Width(w.hours)+18*u, in.y+in.h-height+(40-35)*u+day.height()
		} else {
			year := canvas.Type{Face: canvas.Heavy, Size: 30 * u, Tracking: 0.03}
			p.Fill(year.Outline(w.year, x, y+26*u), canvas.Solid(colors.soft))
		}
		p.Fill(canvas.RoundRect(x, y+40*u, chip, 62*u, 10*u), canvas.Solid(colors.ink))
		p.Fill(mark.Outline(w.weekday, x+(chip-mark.Width(w.weekday))/2, y+86*u), canvas.Solid(colors.paper))
	}
	y += day.height()
	p.draw(hours, area{in.x, y, width, 0}, left, colors.ink)
	p.draw(place, area{in.x, y + hours.height(), width, 0}, left, colors.ink)
	if p.event.URL != "" {
		x, y := in.x+in.w-side*u, in.y+in.h-height+40*u
		p.captioned(x, y, side*u, 10*u, colors.ink)
	}
	return height
}

// tiles fills an area with a pattern of squares, each with one figure.
func (p *page) tiles(in area, colors palette) {
	columns := max(1, math.Round(in.w/(250*p.unit())))
	rows := max(1, math.Round(in.h/(in.w/columns)))
	side := math.Ceil(max(in.w/columns, in.h/rows))
	before := -1
	for row := range int(rows) {
		for column := range int(math.Ceil(in.w / side)) {
			ground, figure := p.pair(len(colors.shapes))
			kind := p.random.IntN(figures)
			if kind == before {
				kind = (kind + 1) % figures
			}
			before = kind
			x, y := math.Floor(in.x)+float64(column)*side, math.Ceil(in.y+in.h)-float64(row+1)*side
			cell := area{x, y, side, side}
			p.tile(cell, kind, colors.shapes[ground], colors.shapes[figure], colors.paper)
		}
	}
}

// pair returns two different numbers below n.
func (p *page) pair(n int) (a, b int) {
	a = p.random.IntN(n)
	return a, (a + 1 + p.random.IntN(n-1)) % n
}

// figures is how many kinds of tiles there are.
const figures = 8

// tile draws one square.
func (p *page) tile(in area, kind int, ground, figure, paper color.NRGBA) {
	s, turn := in.w, p.random.IntN(4)
	cx, cy := in.x+s/2, in.y+s/2
	// corner is the one in which the quarter of a circle that begins at turn has its center.
	corner := canvas.Point{X: in.x, Y: in.y}
	if turn == 1 || turn == 2 {
		corner.X += s
	}
	if turn >= 2 {
		corner.Y += s
	}
	p.Fill(canvas.Rect(in.x, in.y, s, s), canvas.Solid(ground))
	fill := func(path canvas.Path, c color.NRGBA) { p.Fill(path, canvas.Solid(c)) }
	switch kind {
	case 0:
		fill(canvas.Pie(corner.X, corner.Y, s, turn, 1), figure)
	case 1:
		fill(canvas.Pie(corner.X, corner.Y, s, turn, 1), figure)
		fill(canvas.Pie(corner.X, corner.Y, s*0.66, turn, 1), paper)
		fill(canvas.Pie(corner.X, corner.Y, s*0.33, turn, 1), figure)
	case 2:
		fill(canvas.Circle(cx, cy, s*0.5), figure)
	case 3:
		fill(canvas.Circle(cx, cy, s*0.38), figure)
		fill(canvas.Circle(cx, cy, s*0.16), ground)
	case 4:
		edge := [4]canvas.Point{{X: cx, Y: in.y}, {X: in.x + s, Y: cy}, {X: cx, Y: in.y + s}, {X: in.x, Y: cy}}[turn]
		fill(canvas.Pie(edge.X, edge.Y, s/2, turn, 2), figure)
	case 5:
		for i := range 4 {
			if turn%2 == 0 {
				fill(canvas.Rect(in.x, in.y+s*float64(i)/4, s, s/8), figure)
			} else {
				fill(canvas.Rect(in.x+s*float64(i)/4, in.y, s/8, s), figure)
			}
		}
	case 6:
		for i := range 9 {
			fill(canvas.Circle(in.x+s*(float64(i%3)+0.5)/3, in.y+s*(float64(i/3)+0.5)/3, s*0.085), figure)
		}
	default:
		right, bottom := in.x+s, in.y+s
		points := [4]canvas.Point{{X: in.x, Y: in.y}, {X: right, Y: in.y}, {X: right, Y: bottom}, {X: in.x, Y: bottom}}
		fill(canvas.Polygon(points[turn], points[(turn+1)%4], points[(turn+2)%4]), figure)
	}
}
