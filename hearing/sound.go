package hearing

import (
	"encoding/binary"
	"math"
	"time"
)

const (
	// silence is how loud the loudest moment of a speech must be for something to have been said, as a root of mean
	// squares of which the loudest possible is 1: 60 decibels below that, which is less than the noise of most rooms.
	silence = 0.001
	// momentsPerSecond is how many moments of a speech are looked at.
	momentsPerSecond = 20
)

// measure returns how long a WAV file of 16 bits lasts, and how loud its loudest moment is; known is false for all
// other files, which only the recogniser can read.
func measure(file []byte) (length time.Duration, loud float64, known bool) {
	format, samples := chunks(file)
	if len(format) < 16 || binary.LittleEndian.Uint16(format) != 1 || binary.LittleEndian.Uint16(format[14:]) != 16 {
		return 0, 0, false
	}
	perSecond := int(binary.LittleEndian.Uint32(format[4:])) * int(binary.LittleEndian.Uint16(format[2:]))
	if perSecond < momentsPerSecond {
		return 0, 0, false
	}
	n := len(samples) / 2
	moment := perSecond / momentsPerSecond
	for from := 0; from < n; from += moment {
		sum, to := 0.0, min(from+moment, n)
		for i := from; i < to; i++ {
			v := float64(int16(binary.LittleEndian.Uint16(samples[2*i:]))) / (1 << 15)
			sum += v * v
		}
		loud = max(loud, math.Sqrt(sum/float64(to-from)))
	}
	return time.Duration(float64(n) / float64(perSecond) * float64(time.Second)), loud, true
}

// chunks returns what a WAV file says of its format, and its samples. Some programs write a length of them that is
// not true, because they did not know it yet.
func chunks(file []byte) (format, samples []byte) {
	const header, chunk = 12, 8
	if len(file) < header || string(file[:4]) != "RIFF" || string(file[8:header]) != "WAVE" {
		return nil, nil
	}
	for rest := file[header:]; len(rest) >= chunk; {
		name, size := string(rest[:4]), int(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[chunk:]
		body := rest[:min(size, len(rest))]
		switch name {
		case "fmt ":
			format = body
		case "data":
			return format, body
		}
		rest = rest[min(size+size%2, len(rest)):]
	}
	return nil, nil
}

// Length returns how long a WAV file of 16 bits lasts; known is false for all other files.
func Length(file []byte) (length time.Duration, known bool) {
	length, _, known = measure(file)
	return length, known
}
