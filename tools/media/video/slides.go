package video

import (
	"strings"

	"annai/internal/text"
	"annai/tools/media/canvas"
)

// slideCount is how many slides the film of a day has.
func slideCount(day Day) int {
	n := 1 + min(len(day.Events), MaxSlides)
	if len(day.Events) > 1 {
		n++ // the day at a glance
	}
	return n
}

// titlePage says which day it is, in both languages, and how much is on.
func titlePage(day Day) *page {
	p := newPage(day)
	p.head(day, 0, "")
	p.center(day, func(p *page, y float64) float64 {
		at := p.whole()
		own, weekday := dateLines(day.Date, day.Language)
		box := canvas.Box{Height: 400, Smallest: 90, Largest: 300, Leading: 1.05, Lines: 1}
		gap := 66 * p.u
		if p.wide() {
			box.Height, box.Largest, gap = 250, 240, 48*p.u
		}
		y = p.fit(own, at, y, box, p.theme.ink) + 30*p.u
		y = p.fit(weekday, at, y, canvas.Box{
			Height: 130, Smallest: 60, Largest: 112, Leading: 1.1, Lines: 1,
		}, p.theme.accent) + gap
		y = p.dash(at.x, y) + gap
		t := p.sans(62)
		other := longDate(day.Date, pick(day.Language, "en", "ja"))
		p.write(t, other, at.x, y, p.theme.quiet)
		count := countLine(len(day.Events), day.Language)
		if p.wide() {
			p.write(t, count, at.x+t.Width(other)+70*p.u, y, p.theme.ink)
			return y + t.Size
		}
		y += t.Size + 44*p.u
		p.write(t, count, at.x, y, p.theme.ink)
		return y + t.Size
	})
	return p
}

// eventPage shows one event: when in large, what, where, and what is said about it.
func eventPage(day Day, i int) *page {
	p := newPage(day)
	p.head(day, i+1, shortDate(day.Date, day.Language))
	e := day.Events[i]
	p.center(day, func(p *page, y float64) float64 {
		if !p.wide() {
			y = p.when(e, day, p.whole(), y) + 64*p.u
			y = p.dash(p.whole().x, y) + 70*p.u
			return p.what(e, day.Language, p.whole(), y)
		}
		left, right := p.halves()
		bottom := max(p.when(e, day, left, y), p.what(e, day.Language, right, y))
		p.Fill(canvas.RoundRect(right.x-70*p.u, y, 8*p.u, bottom-y, 4*p.u), canvas.Solid(p.theme.accent))
		return bottom
	})
	return p
}

// halves are the columns of a wide page.
func (p *page) halves() (left, right column) {
	whole := p.whole()
	left = column{whole.x, 540 * p.u}
	from := left.width + 140*p.u
	return left, column{whole.x + from, whole.width - from}
}

// when writes the time of an event and returns where it ends.
func (p *page) when(e Event, day Day, at column, y float64) float64 {
	large, beside := clockOn(e, day.Date, day.Language)
	y = p.fit(large, at, y, canvas.Box{
		Height: 280, Smallest: 90, Largest: 250, Leading: 1.1, Lines: 1,
	}, p.theme.accent)
	if beside == "" {
		return y
	}
	return p.fit(beside, at, y+24*p.u, canvas.Box{
		Height: 220, Smallest: 44, Largest: 92, Leading: 1.2, Lines: 2,
	}, p.theme.quiet)
}

// what writes the title, the place and the description of an event, and returns where they end.
func (p *page) what(e Event, lang string, at column, y float64) float64 {
	_, bottom := p.body()
	title := canvas.Box{Height: 580, Smallest: 60, Largest: 130, Leading: 1.26, Lines: 5}
	if p.wide() {
		title.Height, title.Largest = 400, 116
	}
	y = p.fit(drawn(e.Title, lang), at, y, title, p.theme.ink)
	if place := oneLine(canvas.Sans, e.Location, maxLine); place != "" {
		y += 56 * p.u
		p.pin(at.x, y+2*p.u, 64*p.u)
		indent := 68 * p.u
		t, lines := p.sans(0).Fit(place, canvas.Box{
			Width: at.width - indent, Height: 170 * p.u, Smallest: 52 * p.u, Largest: 62 * p.u, Leading: 1.35, Lines: 2,
		})
		y = p.lines(t, lines, at.x+indent, y, 1.35, p.theme.ink)
	}
	if told := oneLine(canvas.Sans, e.Description, maxDescription); told != "" {
		t := p.sans(46)
		const leading = 1.6
		top := y + 48*p.u
		if most := min(int((bottom-top)/(leading*t.Size)), 5); most > 0 {
			y = p.lines(t, t.Clamp(told, at.width, most), at.x, top, leading, p.theme.quiet)
		}
	}
	return y
}

// The longest texts that are shown, in characters.
const (
	maxTitle       = 160
	maxLine        = 120
	maxDescription = 300
)

// oneLine is what of a text can be drawn, as one line of at most so many characters.
func oneLine(face *canvas.Face, words string, limit int) string {
	rest, _ := face.Drawable(text.Compose(text.OneLine(words, limit)))
	return strings.TrimSpace(rest)
}

// drawn is what of a title can be drawn, or that it has none.
func drawn(title, lang string) string {
	if rest := oneLine(canvas.Heavy, title, maxTitle); rest != "" {
		return rest
	}
	return untitled(lang)
}

// glancePage lists the events of the day.
func glancePage(day Day) *page {
	p := newPage(day)
	p.head(day, slideCount(day)-1, shortDate(day.Date, day.Language))
	p.center(day, func(p *page, y float64) float64 {
		at := p.whole()
		y = p.fit(glance(day.Language), at, y, canvas.Box{
			Height: 120, Smallest: 60, Largest: 96, Leading: 1.2, Lines: 1,
		}, p.theme.ink) + 56*p.u
		return p.list(day, at, y)
	})
	return p
}

// list writes a line for each event, and how many more there are, and returns where they end.
func (p *page) list(day Day, at column, y float64) float64 {
	shown := day.Events[:min(len(day.Events), MaxSlides)]
	more := len(day.Events) - len(shown)
	_, bottom := p.body()
	step := min((bottom-y)/float64(len(shown)+min(more, 1)), 170*p.u)
	size := min(step*0.42, 64*p.u)
	clocks := column{at.x, 3.1 * size}
	titles := column{at.x + 3.7*size, at.width - 3.7*size}
	for i, e := range shown {
		if i > 0 {
			p.Fill(canvas.Rect(at.x, y, at.width, 2*p.u), canvas.Solid(p.theme.rule))
		}
		large, _ := clockOn(e, day.Date, day.Language)
		p.row(canvas.Heavy, large, 1, clocks, y, step, size, p.theme.accent)
		p.row(canvas.Sans, drawn(e.Title, day.Language), 2, titles, y, step, size, p.theme.ink)
		y += step
	}
	if more > 0 {
		p.row(canvas.Sans, moreLine(more, day.Language), 1, titles, y, step, size, p.theme.quiet)
		y += step
	}
	return y
}
