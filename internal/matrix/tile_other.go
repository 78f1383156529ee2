//go:build !amd64

package matrix

// FastestTile returns the [Tile] for this machine.
func FastestTile() Tile { return PlainTile }

// FastestFloatTile returns the [FloatTile] for this machine.
func FastestFloatTile() FloatTile { return PlainFloatTile }
