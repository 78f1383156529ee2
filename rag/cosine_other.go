//go:build !amd64

package rag

func fastestDot() func(a, b Vector) float32 { return plainDot }

const fastRounded = false
