//go:build !amd64

package embedded

// fastestTile returns the [tile] for this machine.
func fastestTile() tile { return plainTile }
