package h264

import "image"

// weights are how much red, green and blue count in Y', Cb and Cr, as parts of 65,536: 0.2126,
// 0.7152 and 0.0722 scaled to 219 steps of luma, and the differences from it to 224 of chroma,
// Rec. ITU-R BT.709-6 items 3.2 to 3.4 and 4.6.
var weights = [3][3]int{{11966, 40254, 4064}, {-6596, -22188, 28784}, {28784, -26145, -2639}}

// weigh returns a component of some pixels' sum; n is 2 to the power of shift less 16.
func weigh(weights *[3]int, red, green, blue, offset, shift int) uint8 {
	return uint8(offset + (weights[0]*red+weights[1]*green+weights[2]*blue+1<<(shift-1))>>shift)
}

// Convert returns a picture as Y'CbCr of Rec. ITU-R BT.709 in narrow range (Y' from 16 to 235)
// with 4:2:0 sampling: a chroma sample is the mean of four pixels. The picture is opaque, and its
// sides are even; of odd ones the last column or row is left out.
func Convert(picture *image.RGBA) *image.YCbCr {
	width, height := picture.Rect.Dx()&^1, picture.Rect.Dy()&^1
	out := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	for y := 0; y < height; y += 2 {
		rows := [2][]uint8{picture.Pix[y*picture.Stride:], picture.Pix[(y+1)*picture.Stride:]}
		for x := 0; x < width; x += 2 {
			var red, green, blue int
			for dy, row := range rows {
				for dx := range 2 {
					pixel := row[4*(x+dx):][:3]
					r, g, b := int(pixel[0]), int(pixel[1]), int(pixel[2])
					out.Y[(y+dy)*out.YStride+x+dx] = weigh(&weights[0], r, g, b, 16, 16)
					red, green, blue = red+r, green+g, blue+b
				}
			}
			at := y/2*out.CStride + x/2
			out.Cb[at] = weigh(&weights[1], red, green, blue, 128, 18)
			out.Cr[at] = weigh(&weights[2], red, green, blue, 128, 18)
		}
	}
	return out
}
