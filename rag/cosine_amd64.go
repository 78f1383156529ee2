package rag

import "golang.org/x/sys/cpu"

// fastestDot returns the dot product of two vectors of the same dimension, the fastest that this machine has.
func fastestDot() func(a, b Vector) float32 {
	if cpu.X86.HasAVX {
		return avxDot
	}
	return plainDot
}

func avxDot(a, b Vector) float32 {
	if len(a) == 0 || len(a)%8 != 0 {
		return plainDot(a, b)
	}
	_ = b[len(a)-1] // what the assembly reads
	return dotAVX(&a[0], &b[0], len(a))
}

// dotAVX is in cosine_amd64.s. It needs AVX and an n that is a multiple of 8 and not 0.
//
//go:noescape
func dotAVX(a, b *float32, n int) float32

// fastRounded says that products with bytes are faster here than with floats.
var fastRounded = cpu.X86.HasAVX2 && cpu.X86.HasFMA
