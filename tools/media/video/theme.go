package video

import (
	"image/color"
	"math"

	"annai/tools/media/canvas"
)

// A theme is the colors of a [Style], and what is drawn behind the words.
type theme struct {
	top, bottom        color.NRGBA // of the background
	ink, quiet, accent color.NRGBA
	date, venue        color.NRGBA // in the line at the top
	spent, track       color.NRGBA // of the bars that count the slides
	rule               color.NRGBA // between the lines of a list
	backdrop           func(p *page)
	// foot is the room at the bottom that is kept free, of tall and of wide pages.
	foot, wideFoot float64
	// fade is how many pictures are between two slides.
	fade int
}

var themes = map[Style]*theme{
	Cinematic: {
		top: canvas.Hex("080d20"), bottom: canvas.Hex("2a3470"),
		ink: canvas.Hex("fff6e4"), quiet: canvas.Hex("c2cdea"), accent: canvas.Hex("ffc466"),
		date: canvas.Hex("fff6e4"), venue: canvas.Hex("c2cdea"),
		spent: canvas.Hex("ffc466"), track: canvas.Hex("ffffff38"), rule: canvas.Hex("ffffff30"),
		backdrop: lanterns, foot: 320, wideFoot: 200, fade: 20,
	},
	Documentary: {
		top: canvas.Hex("fff9ef"), bottom: canvas.Hex("f6eedd"),
		ink: canvas.Hex("14213d"), quiet: canvas.Hex("41506f"), accent: canvas.Hex("0b6e69"),
		date: canvas.Hex("ffffff"), venue: canvas.Hex("d6ebe7"),
		spent: canvas.Hex("ffecbd"), track: canvas.Hex("ffffff4c"), rule: canvas.Hex("dccfb4"),
		backdrop: curtain, foot: 190, wideFoot: 110, fade: 10,
	},
}

// background fills the page from top to bottom.
func (p *page) background() {
	w, h := float64(p.Width), float64(p.Height)
	p.Fill(canvas.Rect(0, 0, w, h), canvas.Linear(
		canvas.Point{X: w / 2}, canvas.Point{X: w / 2, Y: h}, p.theme.top, p.theme.bottom))
}

// lanterns is a night with a string of paper lanterns across the foot of the page.
func lanterns(p *page) {
	p.background()
	w := float64(p.Width)
	high, sag, size, n := float64(p.Height)-300*p.u, 60*p.u, 62*p.u, 6
	if p.wide() {
		high, sag, size, n = float64(p.Height)-190*p.u, 34*p.u, 46*p.u, 9
	}
	height := func(x float64) float64 { return high + sag*(1-math.Pow(2*x/w-1, 2)) }
	var upper, lower []canvas.Point
	const steps = 48
	for i := range steps + 1 {
		x := w * float64(i) / steps
		upper = append(upper, canvas.Point{X: x, Y: height(x) - 2*p.u})
		lower = append(lower, canvas.Point{X: w - x, Y: height(w-x) + 2*p.u})
	}
	p.Fill(canvas.Polygon(append(upper, lower...)...), canvas.Solid(canvas.Hex("6f7bb0")))
	for i := range n {
		x := w * (float64(i) + 0.5) / float64(n)
		p.lantern(x, height(x), size)
	}
}

// lantern hangs a paper lantern of a width of 2 * size from x, y.
func (p *page) lantern(x, y, size float64) {
	glow := canvas.Hex("ffb45409")
	middle := y + size*1.35
	const rings = 12
	for i := range rings {
		p.Fill(canvas.Circle(x, middle, size*(2.1-float64(i)*0.1)), canvas.Solid(glow))
	}
	dark := canvas.Solid(canvas.Hex("141b3c"))
	p.Fill(canvas.Rect(x-1.5*p.u, y, 3*p.u, size*0.3), canvas.Solid(canvas.Hex("6f7bb0")))
	body := canvas.RoundRect(x-size, y+size*0.46, 2*size, size*1.8, size*0.86)
	p.Fill(body, canvas.Linear(canvas.Point{X: x, Y: y + size*0.4}, canvas.Point{X: x, Y: y + size*2.3},
		canvas.Hex("ffe9b8"), canvas.Hex("ff9f45")))
	rib := canvas.Solid(canvas.Hex("c8681f40"))
	for i := range 5 {
		at := y + size*(0.72+float64(i)*0.32)
		p.Fill(canvas.Rect(x-size*0.93, at, size*1.86, 3*p.u), rib)
	}
	p.Fill(canvas.RoundRect(x-size*0.5, y+size*0.3, size, size*0.24, 4*p.u), dark)
	p.Fill(canvas.RoundRect(x-size*0.44, y+size*2.2, size*0.88, size*0.2, 4*p.u), dark)
}

// curtain is a noren, the cloth over the door of a shop, on paper.
func curtain(p *page) {
	p.background()
	w := float64(p.Width)
	board := 16 * p.u
	p.Fill(canvas.Rect(0, 0, w, board), canvas.Solid(canvas.Hex("6b4630")))
	teal := canvas.Solid(p.theme.accent)
	bottom := p.headHeight()
	p.Fill(canvas.Rect(0, board, w, bottom-board), teal)
	const cloths = 5
	gap := 8 * p.u
	width := (w - gap*(cloths-1)) / cloths
	for i := range cloths {
		drop := 34 * p.u
		if i%2 == 1 {
			drop = 26 * p.u
		}
		p.Fill(canvas.RoundRect(float64(i)*(width+gap), bottom-30*p.u, width, 30*p.u+drop, 14*p.u), teal)
	}
}
