//go:build !amd64

package matrix

func runnable() map[string]Tile { return map[string]Tile{"plain": PlainTile} }
