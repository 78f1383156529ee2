// Command golden writes testdata/labels.zst: the labels that Open JTalk itself gives to the
// sentences of testdata/sentences.txt. It runs in the folder of package jtalk, needs Debian's
// packages open-jtalk and open-jtalk-mecab-naist-jdic, and is given the file of a voice, which does
// not change the labels: go run ./generate/golden mei_normal.htsvoice. That takes a few minutes.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./generate/golden VOICE.htsvoice")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, voice string) (err error) {
	folder, err := os.MkdirTemp("", "golden")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	sentences, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		return err
	}
	var all bytes.Buffer
	for line := range strings.Lines(string(sentences)) {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		labels, err := ask(ctx, folder, voice, line)
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		fmt.Fprintln(&all, strings.Join(labels, " "))
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	packed := w.EncodeAll(all.Bytes(), nil)
	return errors.Join(w.Close(), os.WriteFile("testdata/labels.zst", packed, 0o644))
}

// ask returns the labels of a sentence; there are none where Open JTalk has nothing to say.
func ask(ctx context.Context, folder, voice, sentence string) ([]string, error) {
	const dictionary = "/var/lib/mecab/dic/open-jtalk/naist-jdic"
	trace := filepath.Join(folder, "trace")
	cmd := exec.CommandContext(ctx, "open_jtalk", "-x", dictionary, "-m", voice, "-ot", trace)
	cmd.Stdin = strings.NewReader(sentence)
	if out, err := cmd.CombinedOutput(); err != nil && !strings.Contains(string(out), "No phoneme") {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	b, err := os.ReadFile(trace)
	if err != nil {
		return nil, err
	}
	_, b, _ = bytes.Cut(b, []byte("[Output label]\n"))
	b, _, _ = bytes.Cut(b, []byte("\n\n"))
	var labels []string
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 { // from, to, label
			labels = append(labels, f[2])
		}
	}
	return labels, nil
}
