package linear

import "math"

// exp is e to the power of x for x <= 0, to the precision of float32. It does without [math.Exp],
// whose last bits depend on the machine; the conversions keep multiplications and additions apart
// where a machine could do both at once.
func exp(x float32) float32 {
	const lowest = -87 // below, the result is no normal float32
	if x <= lowest {
		return 0
	}
	v := float64(float64(x) * math.Log2E)
	whole := math.Floor(v)
	r := float64(v-whole) * math.Ln2 // in [0, ln 2)
	term, sum := 1.0, 1.0
	for i := 1.0; i <= 10; i++ {
		term = float64(term * r / i)
		sum += term
	}
	return float32(float64(sum * math.Float64frombits(uint64(1023+int64(whole))<<52)))
}
