//go:build novoice

package hibari

import "embed"

// data is empty: whoever builds with the tag novoice wants no voice.
var data embed.FS
