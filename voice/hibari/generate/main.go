// Generate speaks the lines of a file, each into a file of its own in a folder: 0.wav, 1.wav and so
// on. It is for scripts/voice-check.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"annai/voice/hibari"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: generate SENTENCES FOLDER")
		os.Exit(2)
	}
	if err := speak(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func speak(sentences, folder string) error {
	voice, err := hibari.New()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(sentences)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		pcm, rate, _, err := voice.Synthesize(context.Background(), line)
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.wav", i)), wav(pcm, rate), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// wav is a file of one channel and 16 bits a sample.
func wav(pcm []float32, rate int) []byte {
	order := binary.LittleEndian
	bytes := uint32(2 * len(pcm))
	out := order.AppendUint32([]byte("RIFF"), 36+bytes)
	out = order.AppendUint32(append(out, "WAVEfmt "...), 16)
	out = order.AppendUint16(order.AppendUint16(out, 1), 1)
	out = order.AppendUint32(order.AppendUint32(out, uint32(rate)), uint32(2*rate))
	out = order.AppendUint16(order.AppendUint16(out, 2), 16)
	out = order.AppendUint32(append(out, "data"...), bytes)
	for _, s := range pcm {
		out = order.AppendUint16(out, uint16(int16(s*32767)))
	}
	return out
}
