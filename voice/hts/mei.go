//go:build !novoice

package hts

import (
	_ "embed"
	"sync"
)

//go:embed data/mei_normal.htsvoice
var meiFile []byte

var mei = sync.OnceValues(func() (*Voice, error) { return Load(meiFile) })

// Mei returns the embedded voice: "Mei" of the MMDAgent Project Team, CC BY 3.0. It is read once.
func Mei() (*Voice, error) { return mei() }
