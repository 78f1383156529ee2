package documents

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"

	"annai/fault"
)

// pageText returns the lines of a page in the order in which they are drawn, with a blank one where
// the gap is that of paragraphs. Text of more than so many bytes is [fault.ErrInvalid].
func pageText(ctx context.Context, page pdf.Value, most int) (text string, err error) {
	contents := page.Key("Contents")
	if contents.Kind() == pdf.Null {
		return "", nil
	}
	w := writer{fonts: fontsOf(page), scale: 1, decoders: map[string]pdf.TextEncoding{}}
	defer func() {
		if r := recover(); r != nil {
			text, err = "", w.stopped
			if err == nil {
				err = fmt.Errorf("it is damaged: %w", fault.ErrInvalid)
			}
		}
	}()
	pdf.Interpret(contents, func(stack *pdf.Stack, op string) {
		switch {
		case ctx.Err() != nil:
			w.stopped = ctx.Err()
		case w.out.Len() > most:
			w.stopped = fmt.Errorf("the text is larger than %d MiB: %w", maxText>>20, fault.ErrInvalid)
		}
		if w.stopped != nil {
			panic(w.stopped) // the only way out of the library's loop
		}
		w.operate(op, arguments(stack))
	})
	return w.out.String(), nil
}

// fontsOf returns the fonts of a page: its own, or those of what it is in.
func fontsOf(page pdf.Value) pdf.Value {
	for range maxDepth {
		if fonts := page.Key("Resources").Key("Font"); fonts.Kind() != pdf.Null {
			return fonts
		}
		page = page.Key("Parent")
	}
	return pdf.Value{}
}

func arguments(stack *pdf.Stack) []pdf.Value {
	args := make([]pdf.Value, stack.Len())
	for i := range args {
		args[len(args)-1-i] = stack.Pop()
	}
	return args
}

// A writer follows the operators that draw text and writes down what a reader sees.
type writer struct {
	fonts    pdf.Value
	out      strings.Builder
	decoders map[string]pdf.TextEncoding
	decode   pdf.TextEncoding
	// font is the size of the font, scale what it is drawn with, leading the distance of lines.
	font, scale, leading float64
	// y and x are where the line begins, lastY where the last text was drawn.
	x, y, lastY float64
	moved       bool
	stopped     error
}

// operate does what an operator says. One with too few arguments is left out.
func (w *writer) operate(op string, args []pdf.Value) {
	number := func(i int) float64 {
		if i >= len(args) {
			return 0
		}
		return args[i].Float64()
	}
	switch op {
	case "BT":
		w.x, w.y, w.moved = 0, 0, true
		w.scale = 1
	case "Tf":
		w.setFont(args)
	case "TL":
		w.leading = number(0)
	case "Td":
		w.move(number(0), number(1))
	case "TD":
		w.leading = -number(1)
		w.move(number(0), number(1))
	case "Tm":
		w.scale = math.Hypot(number(2), number(3))
		w.x, w.y, w.moved = number(4), number(5), true
	case "T*":
		w.move(0, -w.leading)
	case "Tj":
		w.show(args)
	case "TJ":
		w.showPieces(args)
	case "'", `"`:
		w.move(0, -w.leading)
		w.show(args)
	}
}

func (w *writer) move(dx, dy float64) {
	w.x += dx * w.scale
	w.y += dy * w.scale
	w.moved = true
}

func (w *writer) setFont(args []pdf.Value) {
	if len(args) < 2 {
		return
	}
	name := args[0].Name()
	w.font = args[1].Float64()
	if _, found := w.decoders[name]; !found {
		font := pdf.Font{V: w.fonts.Key(name)}
		w.decoders[name] = font.Encoder()
	}
	w.decode = w.decoders[name]
}

// show writes the last argument, after the space between it and what was written before.
func (w *writer) show(args []pdf.Value) {
	if len(args) == 0 || w.decode == nil {
		return
	}
	w.write(w.decode.Decode(args[len(args)-1].RawString()))
}

// wordGap is the shift, in thousandths of the size of the font, from which on it stands for a space.
const wordGap = 180

func (w *writer) showPieces(args []pdf.Value) {
	if len(args) == 0 || w.decode == nil {
		return
	}
	var text strings.Builder
	for i := range args[0].Len() {
		piece := args[0].Index(i)
		if piece.Kind() == pdf.String {
			text.WriteString(w.decode.Decode(piece.RawString()))
		} else if -piece.Float64() > wordGap && !endsWide(text.String()) && text.Len() > 0 {
			text.WriteByte(' ')
		}
	}
	w.write(text.String())
}

func (w *writer) write(text string) {
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || r != '\n' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
	if text == "" {
		return
	}
	if w.moved && w.out.Len() > 0 {
		w.gap(text)
	}
	w.out.WriteString(text)
	w.moved, w.lastY = false, w.y
}

// gap writes what stands between the text before and this one, which is drawn elsewhere.
func (w *writer) gap(text string) {
	size := max(math.Abs(w.font*w.scale), 1)
	switch distance := math.Abs(w.y - w.lastY); {
	case distance > 1.9*size:
		w.out.WriteString("\n\n")
	case distance > 0.5*size:
		w.out.WriteString("\n")
	case !beginsWide(text) && !strings.HasPrefix(text, " "):
		w.out.WriteString(" ")
	}
}
