//go:build novoice

package jtalk

// Nothing is embedded: [New] says so.
var packedDictionary []byte
