// Package hts turns full-context labels, which say how each phoneme of an utterance stands among the
// others, into sound: hidden Markov models whose decision trees choose durations, spectra and pitch,
// the smoothest curves through these, and a filter that speaks them.
//
// The idea to hold: labels choose distributions ([Voice]), distributions make one vector of parameters
// per frame (generate.go), and vectors drive a source of pulses and noise through a filter
// (vocoder.go). The same labels always make the same sound. It follows the algorithms of hts_engine API
// 1.10, as Open JTalk runs it. The package knows nothing of texts and of dictionaries.
package hts

import (
	"fmt"
	"strconv"
	"strings"

	"annai/fault"
)

// A Voice is what a .htsvoice file holds: the models of one speaker. It is safe for concurrent use.
type Voice struct {
	rate, period, states int
	// alpha is the warping of the frequency axis of the spectra.
	alpha float64
	// uneven are the contexts, pauses, whose variance is not that of speech.
	uneven                  question
	durations               model
	spectrum, pitch, mixing stream
}

// A stream is one kind of parameter, with what its curves follow.
type stream struct {
	model

	size int
	// windows weigh a frame and its neighbours: the values, then their first and second differences.
	windows [][]float64
	// variance models how far a curve goes from its mean over an utterance; nil: it is not known.
	variance *model
	// voiced says that the parameter exists only where the model's last number, a probability, is large.
	voiced bool
}

// Limits of a file, for what is not one.
const (
	maxStates = 10
	maxVector = 256
	maxRate   = 192_000
)

// Rate returns the samples per second of the voice's sound.
func (v *Voice) Rate() int { return v.rate }

// Load reads a .htsvoice file of version 1.0 with spectra (mel-cepstra), pitch and mixing filter, for
// any contexts. Another one is [fault.ErrInvalid]. The voice keeps nothing of data.
func Load(data []byte) (*Voice, error) {
	const mark = "[DATA]\n"
	head, body, found := strings.Cut(string(data), mark)
	if !found {
		return nil, fmt.Errorf("voice without %q: %w", strings.TrimSpace(mark), fault.ErrInvalid)
	}
	f := &file{header: map[string]string{}, body: body}
	for line := range strings.Lines(head) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			f.header[key] = value
		}
	}
	v := f.voice()
	if f.err != nil {
		return nil, fmt.Errorf("voice: %w", f.err)
	}
	return v, nil
}

// A file is a .htsvoice file that is being read. Its first error stays.
type file struct {
	header map[string]string
	body   string
	err    error
}

func (f *file) voice() *Voice {
	if types := f.header["STREAM_TYPE"]; types != "MCP,LF0,LPF" {
		f.fail("streams %q, want MCP,LF0,LPF", types)
		return nil
	}
	v := &Voice{
		rate: f.number("SAMPLING_FREQUENCY", maxRate), period: f.number("FRAME_PERIOD", maxRate),
		states: f.number("NUM_STATES", maxStates),
	}
	v.alpha = f.option("MCP", "ALPHA")
	for _, context := range strings.Split(f.header["GV_OFF_CONTEXT"], ",") {
		v.uneven = append(v.uneven, pattern(strings.Trim(context, `"`)))
	}
	v.durations = f.model(f.header["DURATION_TREE"], f.header["DURATION_PDF"], 2*v.states, 1)
	v.spectrum, v.pitch, v.mixing = f.stream("MCP", v.states), f.stream("LF0", v.states), f.stream("LPF", v.states)
	switch {
	case f.err != nil:
	case v.pitch.size != 1 || !v.pitch.voiced:
		f.fail("pitch of %d numbers", v.pitch.size)
	case f.option("MCP", "GAMMA") != 0:
		f.fail("spectra that are no mel-cepstra")
	case v.mixing.size%2 == 0 || v.spectrum.size < 3 || v.spectrum.voiced || v.mixing.voiced:
		f.fail("spectra of %d and mixing of %d numbers", v.spectrum.size, v.mixing.size)
	}
	return v
}

func (f *file) stream(kind string, states int) stream {
	of := func(name string) string { return f.header[name+"["+kind+"]"] }
	s := stream{size: f.number("VECTOR_LENGTH["+kind+"]", maxVector), voiced: of("IS_MSD") == "1"}
	for _, part := range strings.Split(of("STREAM_WIN"), ",") {
		s.windows = append(s.windows, f.window(part))
	}
	count := f.number("NUM_WINDOWS["+kind+"]", 3)
	if count != len(s.windows) || f.err == nil && len(s.windows[0]) != 1 {
		f.fail("%d windows of %s, want %d", len(s.windows), kind, count)
	}
	numbers := 2 * s.size * len(s.windows)
	if s.voiced {
		numbers++
	}
	s.model = f.model(of("STREAM_TREE"), of("STREAM_PDF"), numbers, states)
	if of("USE_GV") == "1" {
		m := f.model(of("GV_TREE"), of("GV_PDF"), 2*s.size, 1)
		s.variance = &m
	}
	return s
}

// window reads the number of weights and the weights. They have a middle, and reach one frame at most.
func (f *file) window(part string) []float64 {
	fields := strings.Fields(f.section(part))
	if len(fields) != 2 && len(fields) != 4 || fields[0] != strconv.Itoa(len(fields)-1) {
		f.fail("window %q", fields)
		return nil
	}
	var weights []float64
	for _, field := range fields[1:] {
		weights = append(weights, f.float(field))
	}
	return weights
}

// section returns the bytes that a range of the header names, "first-last".
func (f *file) section(part string) string {
	first, last, _ := strings.Cut(part, "-")
	from, err1 := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err1 != nil || err2 != nil || from < 0 || to < from || to >= len(f.body) {
		f.fail("no part %q", part)
		return ""
	}
	return f.body[from : to+1]
}

func (f *file) number(key string, most int) int {
	n, err := strconv.Atoi(f.header[key])
	if err != nil || n < 1 || n > most {
		f.fail("%s is %q, want 1 to %d", key, f.header[key], most)
		return 1
	}
	return n
}

// option reads one of the settings of a stream, "NAME=value,NAME=value"; 0 where it is not set.
func (f *file) option(kind, name string) float64 {
	for _, setting := range strings.Split(f.header["OPTION["+kind+"]"], ",") {
		if key, value, _ := strings.Cut(setting, "="); key == name {
			return f.float(value)
		}
	}
	return 0
}

func (f *file) float(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > -10 && x < 10) {
		f.fail("number %q", text)
	}
	return x
}

func (f *file) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format+": %w", append(args, fault.ErrInvalid)...)
	}
}
