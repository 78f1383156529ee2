//go:build !novoice

package jtalk

import _ "embed"

//go:generate go run ./generate

//go:embed data/naist-jdic.zst
var packedDictionary []byte
