//go:build !race

package tables_test

// times is how many threads are made of each.
const times = 1000
