//go:build race

package tables_test

// times is how many threads are made of each. SQLite is C that was translated to Go: with the race detector it takes twenty times as long.
const times = 100
