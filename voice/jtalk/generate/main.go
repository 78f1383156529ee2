// Command generate writes data/naist-jdic.zst: the dictionary that Debian's package
// open-jtalk-mecab-naist-jdic carries, by columns, without what labels do not need. It runs in the
// folder of package jtalk.
package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// The files of version 1.11-3 that are read.
var checksums = map[string]string{
	"char.bin":   "888ee94c5a8a7a26d24ab3f1b7155441351954fd51ea06b4a2f78bd742492b2f",
	"matrix.bin": "62fd16b4f64c851d5dc352ef0d5740c5fc83ddc7c203b2b0b1fc5271969a14ce",
	"sys.dic":    "ca57d9029691a70a5dfb99afc2844180256161d7130da65b1a867510e129b9a6",
	"unk.dic":    "ce97851ecda075914fa3ffe7294a1ab34ee4f6d56ba6bf9197d74143b5dffbfe",
}

func main() {
	folder := "/var/lib/mecab/dic/open-jtalk/naist-jdic"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if err := run(folder, "data/naist-jdic.zst"); err != nil {
		log.Fatal(err)
	}
}

func run(folder, out string) error {
	files := map[string][]byte{}
	for name, want := range checksums {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(b)); sum != want {
			return fmt.Errorf("%s has the checksum %s, want %s of version 1.11-3", name, sum, want)
		}
		files[name] = b
	}
	words, err := readDictionary(files["sys.dic"])
	if err != nil {
		return fmt.Errorf("sys.dic: %w", err)
	}
	unknown, err := readDictionary(files["unk.dic"])
	if err != nil {
		return fmt.Errorf("unk.dic: %w", err)
	}
	p := packer{classes: map[string]int{}, rules: map[string]int{}}
	if err := p.words(words); err != nil {
		return err
	}
	if err := p.characters(files["char.bin"], unknown); err != nil {
		return err
	}
	p.matrix(files["matrix.bin"])
	packed, err := p.pack()
	if err != nil {
		return err
	}
	return os.WriteFile(out, packed, 0o644)
}
