package rag

// Cosine returns the cosine of two vectors of unit length and the same dimension, 0 where the dimensions differ.
func Cosine(a, b Vector) float64 {
	if len(a) != len(b) {
		return 0
	}
	return float64(dot(a, b))
}

var dot = fastestDot()

// plainDot is the dot product in plain Go. The faster ones add in the same order, so that they find
// the same to the last bit.
//
//go:norace
func plainDot(a, b Vector) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32 // eight sums, because one would make every addition wait for the last
	i := 0
	for ; i+8 <= len(a); i += 8 {
		x, y := a[i:i+8:i+8], b[i:i+8:i+8]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		s4 += x[4] * y[4]
		s5 += x[5] * y[5]
		s6 += x[6] * y[6]
		s7 += x[7] * y[7]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
}
