// Command generate trains the weights of package slots from the annotated utterances in a folder, and writes them into data/ of the
// current folder, which is that package's. Where the folder is absent it says so and leaves the weights as they are.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"annai/nlu/datetime"
	"annai/nlu/slots"
)

func main() {
	if err := generate(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "slots/generate:", err)
		os.Exit(1)
	}
}

func generate(args []string, log io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: generate FOLDER")
	}
	var lines []line
	for _, name := range []string{"massive_train.jsonl", "clinc_train_en.jsonl"} {
		more, err := readLines(filepath.Join(args[0], name))
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(log, "slots/generate: %s is not in %s; the weights stay as they are\n", name, args[0])
			return nil
		}
		if err != nil {
			return err
		}
		lines = append(lines, more...)
	}
	languages := [...]string{slots.Japanese, slots.English}
	var failed [len(languages)]error
	var wait sync.WaitGroup
	for n, lang := range languages { // neither learns from the other, and both read the lines only
		wait.Go(func() { failed[n] = train(lines, lang) })
	}
	wait.Wait()
	return errors.Join(failed[:]...)
}

// train writes the weights of a language.
func train(lines []line, lang string) error {
	examples, err := examples(lines, lang)
	if err != nil {
		return err
	}
	return os.WriteFile("data/weights_"+lang+".bin", slots.Train(lang, examples), 0o644)
}

// A line is an utterance in both languages.
type line struct {
	ID, Intent, EN, JA string
	ENAnnot            string `json:"en_annot"`
	JAAnnot            string `json:"ja_annot"`
}

func readLines(name string) ([]line, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var lines []line
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var l line
		if err := json.Unmarshal(scanner.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, len(lines)+1, err)
		}
		lines = append(lines, l)
	}
	return lines, scanner.Err()
}

// operations are the intents that say what is to be done. Beside those of calendars there are others, in which the same is done in
// other words.
var operations = map[string]struct {
	operation slots.Operation
	weight    float64
}{
	"calendar_set": {slots.Create, 1}, "calendar_query": {slots.Query, 1}, "calendar_remove": {slots.Delete, 1},
	"alarm_set": {slots.Create, near}, "alarm_query": {slots.Query, near}, "alarm_remove": {slots.Delete, near},
	"lists_createoradd": {slots.Create, near}, "lists_query": {slots.Query, near}, "lists_remove": {slots.Delete, near},
	"clinc:calendar": {slots.Query, near}, "clinc:meeting_schedule": {slots.Query, near}, "clinc:reminder": {slots.Query, near},
	"clinc:schedule_meeting": {slots.Create, near}, "clinc:reminder_update": {slots.Create, near},
}

// near is what an utterance counts that is about something else than calendars, or of another collection.
const near = 0.3

// slotWeight is what an utterance counts that is annotated but no command to a calendar.
const slotWeight = 0.5

// reference is when the examples are said; which day it is makes no difference to where expressions are found.
var reference = time.Date(2025, time.January, 15, 10, 0, 0, 0, time.UTC)

// examples are the utterances of a language that teach something.
func examples(lines []line, lang string) ([]slots.Example, error) {
	var out []slots.Example
	for _, l := range lines {
		text, annotated := l.EN, l.ENAnnot
		if lang == slots.Japanese {
			text, annotated = l.JA, l.JAAnnot
		}
		o, isOperation := operations[l.Intent]
		if text == "" || annotated == "" && !isOperation {
			continue
		}
		e := slots.Example{Text: text, Times: datetime.Parse(text, reference), Operation: o.operation, OperationWeight: o.weight}
		if annotated != "" {
			var err error
			if e.Slots, err = align(text, annotated); err != nil {
				return nil, fmt.Errorf("utterance %s in %s: %w", l.ID, lang, err)
			}
			if !strings.HasPrefix(l.Intent, "calendar_") {
				e.SlotWeight = slotWeight
			}
		}
		out = append(out, e)
		if e, ok := typedExample(e, lang); ok {
			out = append(out, e)
		}
	}
	return out, nil
}

// typedExample is an example as people type it, with digits, if it has numbers in words.
func typedExample(e slots.Example, lang string) (slots.Example, bool) {
	if e.Slots == nil {
		return e, false
	}
	var differs bool
	e.Text, e.Slots, differs = typed(e.Text, e.Slots, lang)
	e.Times = datetime.Parse(e.Text, reference)
	return e, differs
}
