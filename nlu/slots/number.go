package slots

import "math"

// exp is e to the power of x to within a few units of the last place, with the same bits on every machine; the standard
// library's differs between processors.
func exp(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01
		ln2Low  = 1.90821492927058770002e-10
	)
	switch {
	case x < -700:
		return 0
	case x > 700:
		x = 700
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	sum, term := 1.0, 1.0
	for n := 1.0; n <= 13; n++ {
		term = float64(term*r) / n
		sum += term
	}
	return float64(sum * math.Float64frombits(uint64(int64(k)+1023)<<52))
}

// lcg is a generator of numbers that are random enough to shuffle by and stay the same in every version of Go.
type lcg uint64

func (g *lcg) below(n int) int {
	*g = *g*6364136223846793005 + 1442695040888963407
	return int(uint64(*g) >> 33 % uint64(n))
}

func (g *lcg) shuffle(order []int) {
	for i := len(order) - 1; i > 0; i-- {
		j := g.below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
}
