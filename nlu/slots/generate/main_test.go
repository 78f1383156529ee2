package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"annai/nlu/slots"
)

// pieces are slots in short.
func pieces(found []slots.Slot) string {
	var all []string
	for _, s := range found {
		all = append(all, string(s.Type)+":"+s.Text)
	}
	return strings.Join(all, " ")
}

// checkPieces says that slots stand in the text where they say.
func checkPieces(t *testing.T, text string, found []slots.Slot) {
	t.Helper()
	for _, s := range found {
		if text[s.Start:s.End] != s.Text {
			t.Errorf("in %q: %q is not at %d..%d", text, s.Text, s.Start, s.End)
		}
	}
}

func TestAlign(t *testing.T) {
	for _, c := range []struct{ text, annotated, want string }{
		{"wake me at nine am on friday", "wake me at [time : nine am] on [date : friday]", "time:nine am date:friday"},
		{"金曜日の午前九時に起こして", "[date : 金曜日] の [time : 午前九時] に起こして", "date:金曜日 time:午前九時"},
		{"olly 明日の tom との会議", "olly [date : 明日の] [person : tom] との [event_name : 会議]", "date:明日の person:tom event_name:会議"},
		{"call mom", "call [relation : mom]", "person:mom"},
		{"lunch at noon", "[meal_type : lunch] at [timeofday : noon]", "other:lunch time:noon"},
		{"nothing", "nothing", ""},
	} {
		found, err := align(c.text, c.annotated)
		if got := pieces(found); err != nil || got != c.want {
			t.Errorf("align(%q) = %q, %v, want %q", c.annotated, got, err, c.want)
		}
		checkPieces(t, c.text, found)
	}
	for _, annotated := range []string{"another [date : text]", "wake [time : me", "wake [me]"} {
		if _, err := align("wake me", annotated); err == nil {
			t.Errorf("align(%q, %q): no error", "wake me", annotated)
		}
	}
}

func TestDigits(t *testing.T) {
	for words, want := range map[string]string{
		"march twenty third at four thirty p. m.": "march 23rd at 4:30pm",
		"nine am":                          "9am",
		"twenty one":                       "21",
		"the first of may":                 "the first of may",
		"april third":                      "april 3rd",
		"two hours":                        "2 hours",
		"the meeting":                      "the meeting",
		"twelve p. m. on the eighteenth":   "12pm on the 18th",
		"one hundred":                      "1 hundred",
		"send me a second reminder at ten": "send me a second reminder at 10",
	} {
		if got := digitsEnglish(words); got != want {
			t.Errorf("digitsEnglish(%q) = %q, want %q", words, got, want)
		}
	}
	for words, want := range map[string]string{
		"十二月二十四日の午後三時半": "12月24日の午後3時半", "二千十七年": "2017年", "三浦さんと一緒に": "三浦さんと一緒に", "百二十分": "120分", "会議": "会議",
	} {
		if got := digitsJapanese(words); got != want {
			t.Errorf("digitsJapanese(%q) = %q, want %q", words, got, want)
		}
	}
}

func TestExamples(t *testing.T) {
	lines := []line{
		{Intent: "calendar_set", JA: "明日三時に太郎さんと会議", JAAnnot: "[date : 明日] [time : 三時] に [person : 太郎さん] と [event_name : 会議]"},
		{Intent: "alarm_set", JA: "朝に起こして", JAAnnot: "[timeofday : 朝] に起こして"},
		{Intent: "weather_query", JA: "天気は"},
		{Intent: "clinc:calendar", EN: "what is on my calendar"},
	}
	got, err := examples(lines, slots.Japanese)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, e := range got {
		texts = append(texts, e.Text)
		checkPieces(t, e.Text, e.Slots)
	}
	if want := "明日三時に太郎さんと会議|明日3時に太郎さんと会議|朝に起こして"; strings.Join(texts, "|") != want {
		t.Fatalf("examples are of %q, want %q", texts, want)
	}
	if got := pieces(got[1].Slots); got != "date:明日 time:3時 person:太郎さん event_name:会議" {
		t.Errorf("slots of the example in digits are %q", got)
	}
	if got[0].Operation != slots.Create || got[0].OperationWeight != 1 || got[0].SlotWeight != 0 || got[2].OperationWeight != near || got[2].SlotWeight != slotWeight {
		t.Errorf("examples count %+v, want one of a calendar to count in full, and one of an alarm less", got)
	}
	if got, err := examples(lines, slots.English); err != nil || len(got) != 1 || got[0].Operation != slots.Query || got[0].Slots != nil {
		t.Errorf("examples in English = %+v, %v, want a query without slots", got, err)
	}
}

// TestGenerate says that the same utterances always make the same files, and none is touched where the utterances are absent.
func TestGenerate(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("data", 0o700); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := generate([]string{"none"}, &out); err != nil || !strings.Contains(out.String(), "stay as they are") {
		t.Errorf("generate without utterances = %v, %q, want word that nothing changes", err, &out)
	}
	if _, err := os.Stat("data/weights_en.bin"); err == nil {
		t.Error("generate without utterances wrote weights")
	}
	write(t, "train/clinc_train_en.jsonl", `{"intent": "clinc:calendar", "en": "what is on my calendar"}`+"\n")
	write(t, "train/massive_train.jsonl", strings.Repeat(`{"id": "1", "intent": "calendar_set", "en": "add lunch tomorrow", "ja": "明日ランチを入れて", "en_annot": "add [meal_type : lunch] [date : tomorrow]", "ja_annot": "[date : 明日] [meal_type : ランチ] を入れて"}
{"id": "2", "intent": "calendar_remove", "en": "delete the meeting with john", "ja": "太郎との会議を消して", "en_annot": "delete the [event_name : meeting] with [person : john]", "ja_annot": "[person : 太郎] との [event_name : 会議] を消して"}
`, 5))
	var made [2][]byte
	for i := range made {
		if err := generate([]string{"train"}, &out); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"data/weights_ja.bin", "data/weights_en.bin"} {
			weights, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := slots.Load(weights); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			made[i] = append(made[i], weights...)
		}
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("generate made other weights of the same utterances the second time")
	}
	write(t, "train/massive_train.jsonl", `{"id": "7", "intent": "calendar_set", "en": "x", "en_annot": "[date : y]"}`)
	if err := generate([]string{"train"}, &out); err == nil || !strings.Contains(err.Error(), "utterance 7") {
		t.Errorf("generate of an annotation that does not fit = %v, want the utterance named", err)
	}
	if err := generate(nil, &out); err == nil {
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
