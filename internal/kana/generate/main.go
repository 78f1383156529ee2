// Generate makes data/readings.txt.gz of UniDic:
//
//	go run ./internal/kana/generate DIR
//
// DIR is the folder dicdir of the Python package unidic-lite 1.0.8, which has UniDic 2.1.2 as MeCab
// compiles it. The same dictionary always makes the same file.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate DIR")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(dir string) error {
	d, err := readCompiled(filepath.Join(dir, "sys.dic"))
	if err != nil {
		return err
	}
	c := newCollection()
	if err := d.walk(c.add); err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, c.lines()); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("internal", "kana", "data", "readings.txt.gz"), packed.Bytes(), 0o644)
}
