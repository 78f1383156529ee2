// Command generate trains the weights of package nlu from our own examples and the utterances in a
// folder, and writes them into data/ of the current folder, which is that package's. Where the
// folder is absent it says so and leaves the weights as they are.
package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"annai/nlu/linear"
)

func main() {
	if err := generate(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "nlu/generate:", err)
		os.Exit(1)
	}
}

func generate(args []string, log io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: generate FOLDER")
	}
	utterances, err := read(args[0], "data/examples.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(log, "nlu/generate: %v; the weights stay as they are\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	model := train(utterances, log)
	return os.WriteFile("data/weights.bin", model.Bytes(), 0o644)
}

// rows is how many n-grams are kept: with as many labels as we have, what fits into 500 KB.
const rows = 15500

// parts is into how many parts the utterances are divided; one of them is held out to see how sure the model may be.
const parts = 10

// train learns from all utterances. How sure the model may be comes from a second one that learnt only a part.
func train(utterances []utterance, log io.Writer) *linear.Model {
	labels := labelsOf(utterances)
	var all, learnt, heldOut []linear.Example
	for _, u := range utterances {
		e := linear.Example{Text: u.text, Label: u.label, Weight: u.weight}
		all = append(all, e)
		if part(u.id) == 0 {
			heldOut = append(heldOut, e)
		} else {
			learnt = append(learnt, e)
		}
	}
	opts := linear.Options{Rows: rows}
	var model *linear.Model
	var factor float32
	var wait sync.WaitGroup
	wait.Go(func() { model = linear.Train(all, labels, opts) })
	wait.Go(func() { factor = linear.Train(learnt, labels, opts).Calibrate(heldOut, intent) })
	wait.Wait()
	model.Temper(factor)
	fmt.Fprintf(log, "nlu/generate: %d utterances, %d labels; sureness x %.2f\n", len(all), len(labels), factor)
	return model
}

func labelsOf(utterances []utterance) []string {
	var labels []string
	for _, u := range utterances {
		labels = append(labels, u.label)
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// intent is the part of a label before the slash.
func intent(label string) string {
	before, _, _ := strings.Cut(label, "/")
	return before
}

// part says to which of the parts an utterance belongs, in whatever language it is said.
func part(id string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(id))
	return h.Sum32() % parts
}
