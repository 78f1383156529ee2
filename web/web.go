// Package web holds the pages that visitors see, built into the binary.
//
// Its one idea: the built files under dist are committed and embedded, so that a Go build needs no Node; a test
// rebuilds them and fails on a difference. The package knows no HTTP: whoever serves a page picks its address (the
// kiosk's files expect /kiosk/) and its headers (they need nothing beyond "default-src 'self'").
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Kiosk returns the files of the kiosk page. Its root holds index.html, akari.svg, assets and sw.js, the service
// worker, whose answer has to allow the scope /kiosk. Names of assets change with their content, so they may be
// cached for ever. A file NAME.gz is to be served as NAME: it is stored compressed, since few kiosks want it.
func Kiosk() fs.FS {
	kiosk, err := fs.Sub(dist, "dist/kiosk")
	if err != nil {
		panic("web: " + err.Error()) // Sub fails only on an invalid path, and this one is constant.
	}
	return kiosk
}
