// Command generate makes the dictionaries of package dictionary from the files that others publish: EDICT (Japanese to English) and
// Princeton's WordNet (English). It keeps of them what compares words: no readings, no definitions, no examples.
//
//	go run ./grounding/dictionary/generate -edict edict.utf8 -wordnet /usr/share/wordnet -to grounding/dictionary/data
//
// Debian's packages edict (its file turned into UTF-8) and wordnet-base hold both.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	edict := flag.String("edict", "edict.utf8", "the file of EDICT, in UTF-8")
	wordnet := flag.String("wordnet", "/usr/share/wordnet", "the folder with the database files of WordNet 3.0")
	to := flag.String("to", "grounding/dictionary/data", "the folder to write to")
	flag.Parse()
	if err := generate(*edict, *wordnet, *to); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(edict, wordnet, to string) error {
	wn, err := readWordnet(wordnet)
	if err != nil {
		return err
	}
	japanese, err := readEdict(edict, wn.everyday)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(to, "japanese.txt"), japanese.lines()); err != nil {
		return err
	}
	if err := write(filepath.Join(to, "english.txt"), wn.lines(japanese.words)); err != nil {
		return err
	}
	return write(filepath.Join(to, "irregular.txt"), wn.irregular)
}

// write writes lines sorted by their bytes.
func write(name string, lines []string) error {
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}
