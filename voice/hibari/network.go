package hibari

import (
	"context"
	"fmt"
	"math"

	"annai/internal/matrix"
	"annai/internal/tensorfile"
)

const (
	prosodyWidth = 192
	soundWidth   = 128 // of what is known of a phoneme
	frameWidth   = 256
	bins         = fftSize/2 + 1
	// headWidth is five numbers a bin, as many as panels have.
	headWidth = (5*bins + matrix.TileColumns - 1) / matrix.TileColumns * matrix.TileColumns
	// highest is the greatest duration of a phoneme, in steps of two frames: memory has bounds,
	// whatever a network says.
	highest = 40
)

// A network says how phonemes sound: first how long and how high each is, then the spectrum of every frame.
type network struct {
	prosody    text
	durations  [2]*dense
	prosodyIn  *dense
	prosodyDec [6]convolution
	prosodyOut *dense

	sound    text
	soundIn  *dense
	soundDec [8]convolution
	last     norm
	head     *rounded
}

// A text is what the networks of phonemes begin with. Its attention is applied several times.
type text struct {
	width, times int
	embedding    []float32
	convolutions [2]convolution
	attention    attention
	last         norm
}

// phonemes is how many ids there are.
const phonemes = 178

func newText(f *tensorfile.File, name string, width, times int) text {
	t := text{
		width: width, times: times, embedding: halves(f.Tensor(name+".emb", "f16", phonemes, width).Data),
		attention: newAttention(f, name+".attn", width, 2, 2*width, func(name string, in, out int) linear {
			return newRounded(f, name, in, out)
		}),
		last: newNorm(f, name+".norm", width),
	}
	for i := range t.convolutions {
		t.convolutions[i] = newConvolution(f, fmt.Sprintf("%s.conv%d", name, i), width, 5, 1, 2*width)
	}
	return t
}

// apply returns a row for each phoneme.
func (t *text) apply(ctx context.Context, ids []int) ([]float32, error) {
	x := make([]float32, 0, len(ids)*t.width)
	for _, id := range ids {
		x = append(x, t.embedding[id*t.width:][:t.width]...)
	}
	for i := range t.convolutions {
		if err := t.convolutions[i].apply(ctx, x); err != nil {
			return nil, err
		}
	}
	for range t.times {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.attention.apply(x)
	}
	for at := 0; at < len(x); at += t.width {
		t.last.apply(x[at:][:t.width])
	}
	return x, nil
}

func newNetwork(f *tensorfile.File) *network {
	n := &network{
		prosody: newText(f, "prosody", prosodyWidth, 6),
		durations: [2]*dense{
			newDense(f, "dur0", 3*prosodyWidth, prosodyWidth),
			newDense(f, "dur1", prosodyWidth, matrix.TileColumns),
		},
		prosodyIn:  newDense(f, "prosody.in", prosodyWidth, prosodyWidth),
		prosodyOut: newDense(f, "prosody.out", prosodyWidth, matrix.TileColumns),
		sound:      newText(f, "sound", soundWidth, 4),
		soundIn:    newDense(f, "sound.in", 7*(soundWidth+2), frameWidth),
		last:       newNorm(f, "sound.last", frameWidth),
		head:       newRounded(f, "sound.head", frameWidth, headWidth),
	}
	for i, dilation := range [...]int{1, 2, 4, 8, 1, 2} {
		name := fmt.Sprintf("prosody.dec%d", i)
		n.prosodyDec[i] = newConvolution(f, name, prosodyWidth, 7, dilation, 2*prosodyWidth)
	}
	for i := range n.soundDec {
		n.soundDec[i] = newConvolution(f, fmt.Sprintf("sound.dec%d", i), frameWidth, 7, 1, 3*frameWidth)
	}
	return n
}

// A prosody says how phonemes are spoken: how many steps of two frames each lasts, and of every
// frame the pitch in hertz and the energy.
type prosody struct {
	steps         []int
	pitch, energy []float32
}

// speak returns how phonemes are spoken.
func (n *network) speak(ctx context.Context, ids []int) (*prosody, error) {
	x, err := n.prosody.apply(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := &prosody{steps: n.steps(x, len(ids))}
	in := make([]float32, len(x))
	n.prosodyIn.apply(x, prosodyWidth, len(ids), in)
	in = repeat(in, prosodyWidth, p.steps, 1)
	for i := range n.prosodyDec {
		if err := n.prosodyDec[i].apply(ctx, in); err != nil {
			return nil, err
		}
	}
	steps := len(in) / prosodyWidth
	out := make([]float32, steps*matrix.TileColumns)
	n.prosodyOut.apply(in, prosodyWidth, steps, out)
	for at := 0; at < len(out); at += matrix.TileColumns {
		p.pitch = append(p.pitch, 100*out[at], 100*out[at+1])
		p.energy = append(p.energy, 5*out[at+2], 5*out[at+3])
	}
	return p, nil
}

// steps are how long phonemes last.
func (n *network) steps(x []float32, rows int) []int {
	padded := make([]float32, (rows+2)*prosodyWidth)
	copy(padded[prosodyWidth:], x)
	h, out := make([]float32, rows*prosodyWidth), make([]float32, rows*matrix.TileColumns)
	n.durations[0].apply(padded, prosodyWidth, rows, h)
	gelu(h)
	n.durations[1].apply(h, prosodyWidth, rows, out)
	steps := make([]int, rows)
	for i := range steps {
		long := math.RoundToEven(math.Exp(float64(out[i*matrix.TileColumns])) - 1)
		steps[i] = int(max(1, min(long, highest)))
	}
	return steps
}

// repeat returns every row as often as steps says, times each.
func repeat(x []float32, width int, steps []int, times int) []float32 {
	var out []float32
	for i, n := range steps {
		for range n * times {
			out = append(out, x[i*width:][:width]...)
		}
	}
	return out
}

// frames returns a row of frameWidth numbers for every frame, of which [network.spectrum] makes what is heard.
func (n *network) frames(ctx context.Context, ids []int, p *prosody) ([]float32, error) {
	x, err := n.sound.apply(ctx, ids)
	if err != nil {
		return nil, err
	}
	const width, around = soundWidth + 2, 3
	rows := repeat(x, soundWidth, p.steps, 2)
	count := len(p.pitch)
	padded := make([]float32, (count+2*around)*width)
	for t := range count {
		row := padded[(t+around)*width:][:width]
		copy(row, rows[t*soundWidth:][:soundWidth])
		row[soundWidth] = float32(math.Log(float64(1+max(p.pitch[t], 0)))) / 5
		row[soundWidth+1] = p.energy[t] / 5
	}
	y := make([]float32, count*frameWidth)
	if err := parallel(ctx, count, func(from, to int) {
		n.soundIn.apply(padded[from*width:], width, to-from, y[from*frameWidth:])
	}); err != nil {
		return nil, err
	}
	for i := range n.soundDec {
		if err := n.soundDec[i].apply(ctx, y); err != nil {
			return nil, err
		}
	}
	for at := 0; at < len(y); at += frameWidth {
		n.last.apply(y[at:][:frameWidth])
	}
	return y, nil
}

// spectrum writes what makes the sound of as many frames as there are rows of headWidth numbers in to.
func (n *network) spectrum(frames, to []float32) {
	n.head.apply(frames, frameWidth, len(to)/headWidth, to)
}
