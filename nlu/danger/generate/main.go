// Command generate learns the linear model of package danger from the reports and harmless sentences in a folder, the
// examples of package nlu, and files of harmless sentences, one a line, and writes it into data/ of the
// current folder, which is that package's.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"annai/nlu/danger"
	"annai/nlu/linear"
)

func main() {
	if err := generate(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "nlu/danger/generate:", err)
		os.Exit(1)
	}
}

// rows is how many n-grams are kept.
const rows = 40000

func generate(args []string) error {
	if len(args) < 1 {
		return errors.New("usage: generate FOLDER [FILE...]")
	}
	examples, err := reports(args[0])
	if err != nil {
		return err
	}
	more, err := ours("../data/examples.jsonl")
	if err != nil {
		return err
	}
	examples = append(examples, more...)
	for _, name := range args[1:] {
		turns, err := harmless(name)
		if err != nil {
			return err
		}
		examples = append(examples, turns...)
	}
	slices.SortStableFunc(examples, func(a, b linear.Example) int { return strings.Compare(a.Text, b.Text) })
	model := linear.Train(examples, danger.Labels(), linear.Options{Rows: rows, Epochs: 8})
	return os.WriteFile("data/grams.bin", model.Bytes(), 0o644)
}

// reports reads the files of a folder: a sentence and its class a line.
func reports(folder string) ([]linear.Example, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", folder, err)
	}
	var examples []linear.Example
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
			var e struct{ Say, Class string }
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
			examples = append(examples, linear.Example{Text: danger.Features(e.Say), Label: e.Class})
		}
	}
	return examples, nil
}

// ours reads the examples of intents with their classes of danger; without injuries, which may be a matter of life.
func ours(name string) ([]linear.Example, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var examples []linear.Example
	for line := range strings.Lines(string(text)) {
		var e struct{ Label, JA, EN string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		class := string(danger.None)
		if report, ok := strings.CutPrefix(e.Label, "safety/"); ok {
			class = strings.TrimPrefix(report, "earth")
		}
		for _, say := range []string{e.JA, e.EN} {
			if say != "" && class != string(danger.Injury) {
				examples = append(examples, linear.Example{Text: danger.Features(say), Label: class})
			}
		}
	}
	return examples, nil
}

// harmless reads the sentences of a text file, one a line.
func harmless(name string) ([]linear.Example, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var examples []linear.Example
	for line := range strings.Lines(string(text)) {
		if say := strings.TrimSpace(line); say != "" {
			examples = append(examples, linear.Example{Text: danger.Features(say), Label: string(danger.None)})
		}
	}
	return examples, nil
}
