package video

import (
	"cmp"
	"image/color"
	"math"
	"slices"
)

// colorCount is a color of [fine] bits a part, and how many pixels have it.
type colorCount struct {
	at [3]uint8
	n  int
}

// colorBox is colors that become one.
type colorBox struct{ colors []colorCount }

// cutColors parts colors into at most so many boxes by the median cut of Heckbert (Color Image
// Quantization for Frame Buffer Display, 1982): again and again, the box that is widest for its
// pixels is cut along its longest side where half of its pixels are on either side.
func cutColors(counts map[[3]uint8]int, most int) []colorBox {
	var whole colorBox
	for at, n := range counts {
		whole.colors = append(whole.colors, colorCount{at, n})
	}
	slices.SortFunc(whole.colors, func(a, b colorCount) int { return slices.Compare(a.at[:], b.at[:]) })
	boxes := []colorBox{whole}
	for len(boxes) < most {
		widest, worst := -1, 0
		for i, b := range boxes {
			if badness := b.badness(); badness > worst {
				widest, worst = i, badness
			}
		}
		if widest < 0 {
			break
		}
		lower, upper := boxes[widest].cut()
		boxes[widest] = lower
		boxes = append(boxes, upper)
	}
	return boxes
}

// longest returns the part of a color in which the box is longest, and how long.
func (b colorBox) longest() (part, length int) {
	for i := range 3 {
		low, high := uint8(255), uint8(0)
		for _, c := range b.colors {
			low, high = min(low, c.at[i]), max(high, c.at[i])
		}
		if side := int(high) - int(low); side > length {
			part, length = i, side
		}
	}
	return part, length
}

// badness is how much would be seen of the box being one color: the square of its length, and of
// its pixels less than their number, so that what is small keeps its colors too.
func (b colorBox) badness() int {
	_, length := b.longest()
	n := 0
	for _, c := range b.colors {
		n += c.n
	}
	return length * length * int(math.Sqrt(float64(n)))
}

// cut parts a box of at least two colors.
func (b colorBox) cut() (lower, upper colorBox) {
	part, _ := b.longest()
	slices.SortStableFunc(b.colors, func(x, y colorCount) int { return cmp.Compare(x.at[part], y.at[part]) })
	total := 0
	for _, c := range b.colors {
		total += c.n
	}
	at, seen := 0, 0
	for at < len(b.colors)-1 && (at == 0 || seen+b.colors[at].n <= total/2) {
		seen += b.colors[at].n
		at++
	}
	return colorBox{b.colors[:at]}, colorBox{b.colors[at:]}
}

// mean is the color of the box: the mean of its pixels.
func (b colorBox) mean() color.Color {
	var sum [3]int
	n := 0
	for _, c := range b.colors {
		for i := range sum {
			sum[i] += int(c.at[i]) * c.n
		}
		n += c.n
	}
	full := func(sum int) uint8 { return uint8((sum*255/(1<<fine-1) + n/2) / n) }
	return color.RGBA{full(sum[0]), full(sum[1]), full(sum[2]), 255}
}
