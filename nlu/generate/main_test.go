package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/nlu/linear"
)

func TestMassive(t *testing.T) {
	for _, c := range []struct{ intent, text, want string }{
		{"calendar_set", "予定を入れて", "calendar/set"},
		{"calendar_query", "what is on my calendar", "calendar/query"},
		{"calendar_query", "what events are there today", "event"},
		{"calendar_query", "do I have events today", "calendar/query"},
		{"calendar_query", "今日何かイベントはある", "event"},
		{"calendar_query", "私の今日のイベントは", "calendar/query"},
		{"calendar_remove", "会議を消して", "calendar/remove"},
		{"recommendation_events", "何か面白いことはある", "event"},
		{"recommendation_locations", "美味しい店は", "info/places"},
		{"datetime_convert", "what time is it in london", "date/zone"},
		{"datetime_query", "今日は何日", "date"},
		{"general_greet", "hello", "greeting"},
		{"general_quirky", "tell me a story", "out_of_scope/chat"},
		{"iot_hue_lightoff", "turn off the light", "out_of_scope/device"},
	} {
		if got := massive(c.intent, c.text); got != c.want {
			t.Errorf("massive(%s, %s) = %s, want %s", c.intent, c.text, got, c.want)
		}
	}
	for intent, want := range map[string]string{
		"clinc:calendar": "calendar/query", "clinc:schedule_meeting": "calendar/set", "clinc:timezone": "date/zone",
		"clinc:goodbye":           "farewell",
		"clinc:what_is_your_name": "identity", "clinc:do_you_have_pets": "small_talk",
		"clinc:oos": "out_of_scope/request",
	} {
		if got := clinc(intent); got != want {
			t.Errorf("clinc(%s) = %s, want %s", intent, got, want)
		}
	}
}

// TestGenerate says that the same utterances always make the same weights, and that none are
// touched where the utterances are absent.
func TestGenerate(t *testing.T) {
	own, err := os.ReadFile(filepath.Join("..", "data", "examples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	few := strings.Join(strings.SplitAfter(string(own), "\n")[:40], "")
	t.Chdir(t.TempDir())
	write(t, "data/examples.jsonl", few)
	var log bytes.Buffer
	if err := generate([]string{"train"}, &log); err != nil || !strings.Contains(log.String(), "stay as they are") {
		t.Errorf("generate without utterances = %v, %q, want word that nothing changes", err, &log)
	}
	if _, err := os.Stat("data/weights.bin"); err == nil {
		t.Error("generate without utterances wrote weights")
	}
	write(t, "train/clinc_train_en.jsonl", strings.Repeat(`{"intent": "clinc:date", "en": "what day is it"}`+"\n", 3))
	write(t, "train/massive_train.jsonl", strings.Repeat(`{"id": "1", "intent": "calendar_set", "en": "add lunch tomorrow", "ja": "明日ランチを入れて"}
{"id": "2", "intent": "calendar_remove", "en": "delete the meeting", "ja": "会議を消して"}
`, 5))
	var made [2][]byte
	for i := range made {
		if err := generate([]string{"train"}, &log); err != nil {
			t.Fatal(err)
		}
		if made[i], err = os.ReadFile("data/weights.bin"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("generate made other weights of the same utterances the second time")
	}
	model, err := linear.Read(made[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"calendar/remove", "calendar/set", "date", "info"}, model.Labels()); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}

	write(t, "train/massive_train.jsonl", "{}\nnot JSON\n")
	if err := generate([]string{"train"}, &log); err == nil ||
		!strings.Contains(err.Error(), "massive_train.jsonl, line 2") {
		t.Errorf("generate of a broken line = %v, want the line named", err)
	}
	if err := generate(nil, &log); err == nil {
		t.Error("generate without a folder: no error")
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
