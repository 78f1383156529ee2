package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"annai/nlu"
)

// An utterance teaches that a text has a label: an intent, or an intent and a sort of it behind a slash.
type utterance struct {
	id, text, label string
	weight          float32
}

// ownWeight is how much an example of ours counts beside one of others, of which there are many more.
const ownWeight = 1

// read returns all utterances, in the order of the files.
func read(folder, own string) ([]utterance, error) {
	var all []utterance
	err := first(
		lines(filepath.Join(folder, "massive_train.jsonl"), func(_ string, l line) {
			all = append(all, utterance{id: l.ID, text: l.JA, label: massive(l.Intent, l.JA)},
				utterance{id: l.ID, text: l.EN, label: massive(l.Intent, l.EN)})
		}),
		lines(filepath.Join(folder, "clinc_train_en.jsonl"), func(id string, l line) {
			all = append(all, utterance{id: id, text: l.EN, label: clinc(l.Intent)})
		}),
		lines(own, func(id string, l line) {
			for _, text := range []string{l.JA, l.EN} {
				if text != "" {
					all = append(all, utterance{id: id, text: text, label: l.Label, weight: ownWeight})
				}
			}
		}),
	)
	for i := range all {
		all[i].text = nlu.Fold(nlu.Normalize(all[i].text))
	}
	return all, err
}

// first is the first error of several.
func first(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// A line is one of any of the files.
type line struct {
	ID, Intent, Label, JA, EN string
}

// lines calls do with every line of a file, and an id of it.
func lines(name string, do func(id string, l line)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		var l line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, n, err)
		}
		do(fmt.Sprintf("%s:%d", filepath.Base(name), n), l)
	}
	return s.Err()
}

// massive is the label of an utterance of MASSIVE. Who asks a calendar for events, and not for
// events of his own, asks for what is on.
func massive(intent, text string) string {
	scenario, _, _ := strings.Cut(intent, "_")
	switch {
	case intent == "calendar_query" && namesEvent(text) && !namesOwner(text):
		return "event"
	case intent == "recommendation_events":
		return "event"
	case scenario == "calendar":
		return strings.Replace(intent, "_", "/", 1)
	case intent == "datetime_convert":
		return "date/zone"
	case scenario == "datetime":
		return "date"
	case intent == "general_greet":
		return "greeting"
	case scenario == "recommendation":
		return "info/places"
	}
	return "out_of_scope/" + sorts[scenario]
}

// sorts are the scenarios of MASSIVE that are no business of a venue. Those that sound the same are one.
var sorts = map[string]string{
	"alarm": "alarm", "audio": "device", "cooking": "food", "email": "email", "general": "chat", "iot": "device",
	"lists": "lists",
	"music": "device", "news": "news", "play": "device", "qa": "qa", "social": "news", "takeaway": "food",
	"transport": "transport", "weather": "weather",
}

func namesEvent(text string) bool {
	return hasWord(text, "event", "events", "event's") || containsAny(text, "イベント", "催し", "行事")
}

func namesOwner(text string) bool {
	return hasWord(text, "i", "my", "me", "our", "we", "i'm", "i've", "calendar") ||
		containsAny(text, "私", "僕", "俺", "自分", "カレンダー")
}

func hasWord(text string, words ...string) bool {
	return slices.ContainsFunc(strings.Fields(nlu.Normalize(text)),
		func(w string) bool { return slices.Contains(words, w) })
}

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// clinc is the label of an utterance of CLINC150. What we have no sort for is a request that has
// nothing to do with a venue.
func clinc(intent string) string {
	switch strings.TrimPrefix(intent, "clinc:") {
	case "calendar", "meeting_schedule", "reminder":
		return "calendar/query"
	case "calendar_update", "schedule_meeting", "reminder_update":
		return "calendar/set"
	case "date", "time":
		return "date"
	case "timezone":
		return "date/zone"
	case "greeting":
		return "greeting"
	case "goodbye":
		return "farewell"
	case "thank_you":
		return "thanks"
	case "who_made_you", "are_you_a_bot", "what_is_your_name", "what_can_i_ask_you", "who_do_you_work_for",
		"where_are_you_from":
		return "identity"
	case "how_old_are_you", "what_are_your_hobbies", "do_you_have_pets":
		return "small_talk"
	}
	return "out_of_scope/request"
}
