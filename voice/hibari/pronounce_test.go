//go:build !novoice

package hibari

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPronunciation compares how sentences are pronounced with the Python package that the data are
// from; see generate/pronounce.py. That package knows nothing of Japanese words.
func TestPronunciation(t *testing.T) {
	r := *voice(t).reader
	r.japanese = func(string) (string, bool) { return "", false }
	text, err := os.ReadFile("testdata/phonemes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		sentence, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if got := r.read(sentence); got != want {
			t.Errorf("%s\n got %s\nwant %s", sentence, got, want)
		}
	}
}

// TestSpoken is what a kiosk says and the Python package reads otherwise.
func TestSpoken(t *testing.T) {
	for text, want := range map[string]string{
		"On Mon, Jan 20 – Fri, Jan 24:":             "On Monday, Jan 20 to Friday, Jan 24:",
		"Open Mon–Fri, 19:00–21:30.":                "Open Monday to Friday, 19:00 to 21:30.",
		"from 10am-5pm or 9 a.m.–5 p.m.":            "from 10am to 5pm or 9 a.m. to 5 p.m.",
		"The Sun sat on Wed (Sat), Fri.":            "The Sun sat on Wednesday (Saturday), Friday.",
		"Call 119, not 080-6742-7231.":              "Call 1 1 9, not 0 8 0 , 6 7 4 2 , 7 2 3 1.",
		"It is held at 1F, and in B1F.":             "It is held at the first floor, and in basement 1.",
		"See https://annai.example/events?x=1.":     "See.",
		"Write (www.annai.example) or a/b, Node.js": "Write or a/b, Node.js",
		"Free WiFi, wifi and Wi-Fi":                 "Free Wi-Fi, Wi-Fi and Wi-Fi",
		"Room A-3, 500 yen, 1-15-30 Tenjin":         "Room A-3, 500 yen, 1-15-30 Tenjin",
	} {
		if got := spoken(text); got != want {
			t.Errorf("spoken(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	const text = "Dr. Ito is here. J. K. Rowling is not! It is 3 p.m. now.\n\nReally?” Yes… and so on"
	got := voice(t).reader.sentences(text)
	want := []string{
		"Dr. Ito is here.", "J. K. Rowling is not!", "It is 3 p.m. now.", "Really?", "Yes… and so on",
	}
	if !slices.Equal(got, want) {
		t.Errorf("sentences = %q, want %q", got, want)
	}
}

// TestJapaneseWords is for names that no English lexicon has.
func TestJapaneseWords(t *testing.T) {
	r := voice(t).reader
	for word, want := range map[string]string{
		"Hakata": "hɑkˈɑtɑ", "Tenjin": "tˈɛnʤin", "Gion": "ɡˈiOn", "Dazaifu": "dɑzˈIfu", "Watanabe": "wˌɑtɑnˈɑbA",
		"Nishitetsu": "nˌiʃitˈɛtsu", "Mokumoku": "mˌOkumˈOku", "Shin'ichi": "ʃinˈiʧi", "Chōfu": "ʧˈOfu",
		"Noppo":    "nˈOpO",
		"Akarenga": "ˌɑkɑɹˈɛŋɡɑ", "Yamakasa": "jˌɑmɑkˈɑsɑ", "Ohashi": "Ohˈɑʃi", "Chuo-ku": "ʧˈuO kˈu",
		"Kyoto": "kijˈOTO", "wifi": "wˈIfi", "client": "klˈIənt", // English, or known
	} {
		if got := r.read(word); got != want {
			t.Errorf("read(%q) = %s, want %s", word, got, want)
		}
	}
}
