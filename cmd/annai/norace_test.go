//go:build !race

package main

// raceFactor is how much slower the race detector makes things, at most.
const raceFactor = 1
