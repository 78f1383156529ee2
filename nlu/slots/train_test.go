package slots_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/nlu/slots"
)

// lessons are a few commands in a made-up way of speaking, in which a guest stands behind "cum" and a place behind "apud".
func lessons() []slots.Example {
	var examples []slots.Example
	for i := range 40 {
		guest, place := fmt.Sprintf("guest%d", i%7), fmt.Sprintf("place%d", i%5)
		text := fmt.Sprintf("scribe festum cum %s apud %s", guest, place)
		verb := slots.Create
		if i%2 == 1 {
			text, verb = strings.Replace(text, "scribe", "dele", 1), slots.Delete
		}
		examples = append(examples, slots.Example{
			Text: text, Operation: verb,
			Slots: []slots.Slot{pieceOf(slots.Event, text, "festum"), pieceOf(slots.Person, text, guest), pieceOf(slots.Place, text, place)},
		})
	}
	return examples
}

func pieceOf(kind slots.Type, text, words string) slots.Slot {
	start := strings.Index(text, words)
	return slots.Slot{Type: kind, Piece: slots.Piece{Text: words, Start: start, End: start + len(words)}}
}

func TestTrain(t *testing.T) {
	weights := slots.Train(slots.English, lessons())
	if again := slots.Train(slots.English, lessons()); !bytes.Equal(weights, again) {
		t.Errorf("Train returned other weights for the same examples: %d and %d bytes", len(weights), len(again))
	}
	m, err := slots.Load(weights)
	if err != nil {
		t.Fatal(err)
	}
	text := "dele festum cum quinto apud forum"
	got := m.Extract(text, nil)
	want := []slots.Slot{pieceOf(slots.Event, text, "festum"), pieceOf(slots.Person, text, "quinto"), pieceOf(slots.Place, text, "forum")}
	if diff := cmp.Diff(want, got.Slots); diff != "" || got.Operation != slots.Delete {
		t.Errorf("after training Extract(%q) = %s, slots (-want +got):\n%s", text, got.Operation, diff)
	}
}

func TestLoadRefusesWhatIsNoWeights(t *testing.T) {
	weights := slots.Train(slots.English, lessons()[:4])
	if _, err := slots.Load(weights); err != nil {
		t.Fatalf("Load(Train(...)): %v", err)
	}
	for name, b := range map[string][]byte{
		"nothing": nil, "something else": []byte("PK\x03\x04\nmore"), "a byte less": weights[:len(weights)-1], "a byte more": append(bytes.Clone(weights), 0),
		"half": weights[:len(weights)/2], "another form": bytes.Replace(weights, []byte("slots 1"), []byte("slots 9"), 1),
	} {
		if _, err := slots.Load(b); err == nil {
			t.Errorf("Load(%s): no error", name)
		}
	}
}

// TestExplain says that an explanation is of the same command, and names what the weights saw.
func TestExplain(t *testing.T) {
	for _, c := range commands[:4] {
		got := extract(t, c.text, c.lang)
		e := slots.Explain(c.text, c.lang, timesOf(t, c.text))
		if diff := cmp.Diff(got, e.Command); diff != "" {
			t.Errorf("Explain(%q).Command (-Extract +Explain):\n%s", c.text, diff)
		}
		began := 0
		for _, token := range e.Tokens {
			if strings.HasPrefix(token.Label, "B-") {
				began++
			}
			for _, w := range token.Because {
				if w.Feature == "" || w.Weight == 0 {
					t.Errorf("Explain(%q): token %q because of %+v, want a name and a weight", c.text, token.Text, w)
				}
			}
		}
		if began != len(got.Slots) || len(e.Operation) == 0 {
			t.Errorf("Explain(%q): %d slots begin, and %d features speak for the operation, want %d and some", c.text, began, len(e.Operation), len(got.Slots))
		}
	}
}
