package canvas

import (
	"image"
	"math"
)

// A Point is a place on a canvas, in pixels.
type Point struct{ X, Y float64 }

// A Path is the outline of a shape: closed curves. Its zero value is empty.
type Path struct{ segments []segment }

type segment struct {
	op op
	// points are the control points and the end of the segment; a closePath has none.
	points [3]Point
}

type op int

const (
	moveTo op = iota
	lineTo
	quadTo
	cubeTo
	closePath
)

// count is how many points a segment has.
func (o op) count() int { return [...]int{moveTo: 1, lineTo: 1, quadTo: 2, cubeTo: 3, closePath: 0}[o] }

func (p *Path) add(o op, points ...Point) {
	s := segment{op: o}
	copy(s.points[:], points)
	p.segments = append(p.segments, s)
}

// Append adds the outlines of another path.
func (p *Path) Append(other Path) { p.segments = append(p.segments, other.segments...) }

// bounds returns the pixels that the path may touch.
func (p Path) bounds() image.Rectangle {
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, s := range p.segments {
		for _, at := range s.points[:s.op.count()] {
			low = Point{min(low.X, at.X), min(low.Y, at.Y)}
			high = Point{max(high.X, at.X), max(high.Y, at.Y)}
		}
	}
	if low.X > high.X {
		return image.Rectangle{}
	}
	const far = 1 << 20 // beyond every canvas, and within int
	whole := func(v float64) int { return int(min(far, max(-far, v))) }
	return image.Rect(
		whole(math.Floor(low.X)), whole(math.Floor(low.Y)), whole(math.Ceil(high.X)), whole(math.Ceil(high.Y)))
}

// Polygon returns the shape between points.
func Polygon(points ...Point) Path {
	var p Path
	for i, at := range points {
		p.add(op(min(i, 1)), at) // moveTo, then lineTo
	}
	p.add(closePath)
	return p
}

// Rect returns a rectangle.
func Rect(x, y, width, height float64) Path {
	return Polygon(Point{x, y}, Point{x + width, y}, Point{x + width, y + height}, Point{x, y + height})
}

// arcControl is how far, in radii, the control points of a quarter of a circle are from its ends,
// so that a cubic curve comes within 0.03 % of it.
const arcControl = 0.5519

// RoundRect returns a rectangle whose corners are quarters of circles.
func RoundRect(x, y, width, height, radius float64) Path {
	r := min(radius, width/2, height/2)
	k := r * (1 - arcControl)
	right, bottom := x+width, y+height
	var p Path
	p.add(moveTo, Point{x + r, y})
	p.add(lineTo, Point{right - r, y})
	p.add(cubeTo, Point{right - k, y}, Point{right, y + k}, Point{right, y + r})
	p.add(lineTo, Point{right, bottom - r})
	p.add(cubeTo, Point{right, bottom - k}, Point{right - k, bottom}, Point{right - r, bottom})
	p.add(lineTo, Point{x + r, bottom})
	p.add(cubeTo, Point{x + k, bottom}, Point{x, bottom - k}, Point{x, bottom - r})
	p.add(lineTo, Point{x, y + r})
	p.add(cubeTo, Point{x, y + k}, Point{x + k, y}, Point{x + r, y})
	p.add(closePath)
	return p
}

// Circle returns a circle around a center.
func Circle(x, y, radius float64) Path {
	return RoundRect(x-radius, y-radius, 2*radius, 2*radius, radius)
}

// Pie returns a part of a circle around a center: so many quarters, 1 to 4, clockwise from the one
// that is at the lower right (0), lower left (1), upper left (2) or upper right (3).
func Pie(x, y, radius float64, first, quarters int) Path {
	if quarters >= 4 {
		return Circle(x, y, radius)
	}
	axes := [4]Point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	at := func(a, b Point, s, t float64) Point {
		return Point{x + radius*(a.X*s+b.X*t), y + radius*(a.Y*s+b.Y*t)}
	}
	var p Path
	p.add(moveTo, Point{x, y})
	p.add(lineTo, at(axes[first%4], Point{}, 1, 0))
	for i := first; i < first+quarters; i++ {
		a, b := axes[i%4], axes[(i+1)%4]
		p.add(cubeTo, at(a, b, 1, arcControl), at(a, b, arcControl, 1), at(a, b, 0, 1))
	}
	p.add(closePath)
	return p
}

// Ring returns what is between two circles around a center.
func Ring(x, y, outer, inner float64) Path {
	p := Circle(x, y, outer)
	p.Append(Circle(x, y, inner).reversed())
	return p
}

// Frame returns a rectangle's border, which is inside of it.
func Frame(x, y, width, height, thickness float64) Path {
	p := Rect(x, y, width, height)
	p.Append(Rect(x+thickness, y+thickness, width-2*thickness, height-2*thickness).reversed())
	return p
}

// reversed returns a path of one curve in the other direction, which makes a hole of it.
func (p Path) reversed() Path {
	var out Path
	last := func(s segment) Point { return s.points[max(s.op.count(), 1)-1] }
	curve := p.segments[:len(p.segments)-1] // without the closePath
	out.add(moveTo, last(curve[len(curve)-1]))
	for i := len(curve) - 1; i > 0; i-- {
		s, end := curve[i], last(curve[i-1])
		switch s.op {
		case cubeTo:
			out.add(cubeTo, s.points[1], s.points[0], end)
		case quadTo:
			out.add(quadTo, s.points[0], end)
		case moveTo, lineTo, closePath:
			out.add(lineTo, end)
		}
	}
	out.add(closePath)
	return out
}
