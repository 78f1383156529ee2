package poster

import (
	"image/color"

	"annai/tools/media/canvas"
)

// A palette is the colors of a poster. Text is only ever ink on paper, or paper on ink; the others
// are for shapes. A test measures the contrast.
type palette struct {
	paper, ink color.NRGBA
	// soft is ink for what matters less. It can still be read.
	soft color.NRGBA
	// shapes are for what is no text.
	shapes []color.NRGBA
}

func newPalette(paper, ink, soft string, shapes ...string) palette {
	p := palette{paper: canvas.Hex(paper), ink: canvas.Hex(ink), soft: canvas.Hex(soft)}
	for _, s := range shapes {
		p.shapes = append(p.shapes, canvas.Hex(s))
	}
	return p
}

// palettes are those of each style, of which the title chooses one.
var palettes = map[Style][]palette{
	Modern: {
		newPalette("F6F2E9", "14213D", "4A556B", "0B6E69", "FF7A59", "F2B134", "14213D", "CFE5E1"),
		newPalette("F4F3EF", "1B1B3A", "52526E", "2F4BD8", "F25C54", "F7B267", "1B1B3A", "D9DFF8"),
		newPalette("F7F4EC", "22262B", "565C63", "1F7A4D", "E4572E", "F3A712", "22262B", "D3E6D6"),
	},
	// The ground around the paper, its pattern, and the ornaments.
	Classic: {
		newPalette("FBF7EC", "1B2A49", "4B5873", "1F3A5F", "3A5A85", "A8823A"),
		newPalette("FBF6EE", "4A1521", "74424C", "6A1F2E", "8F4654", "B08A46"),
		newPalette("F8F6EA", "17382C", "466357", "1F4A3B", "3F6F5D", "A98A3D"),
	},
	// Ink is the white of the letters, paper what they stand on in the card; the ground goes from
	// the first shape to the second, and the others float on it.
	Vibrant: {
		newPalette("FFFFFF", "2A1458", "5A4A80", "5323C8", "C91A63", "FFB238", "FF5F6D", "3DD6E0"),
		newPalette("FFFFFF", "0A2A5E", "44597F", "0B3FBF", "0A7A6C", "FFD23F", "22C1F0", "7CF0B8"),
		newPalette("FFFFFF", "4A1208", "7A4A3E", "A81C4B", "C24A00", "FFC53D", "FF7B54", "FFE3A3"),
	},
}

// palette returns the one that the title chooses.
func (p *page) palette(s Style) palette {
	all := palettes[s]
	return all[p.random.IntN(len(all))]
}
