package config

import "os"

// NoColour reports whether the environment asks for output without colours (https://no-color.org).
func NoColour() bool { return os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" }
