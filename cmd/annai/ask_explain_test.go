package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/internal/config"
	"annai/rag"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// explained are some passages of which each is left out for another reason by some question.
var explained = []rag.Passage{
	{ID: "pets.ja", Title: "お願い / ペット", Text: "ペットは入れません。補助犬は一緒にお入りいただけます。", Lang: "ja", Category: "rules", Pair: "pets"},
	{ID: "pets.en", Title: "Rules / Pets", Text: "Pets cannot come in. Service dogs are welcome.", Lang: "en", Category: "rules", Pair: "pets"},
	{ID: "lockers.en", Title: "Facilities / Lockers", Text: "Lockers for bags are left of the entrance. They cost 100 yen.", Lang: "en", Category: "facility"},
	{ID: "tea.ja", Title: "喫茶 / 営業時間", Text: "喫茶室は10時から16時まで営業しています。", Lang: "ja", Category: "food", Pair: "tea"},
	{ID: "tea.en", Title: "Tea room / Hours", Text: "The tea room is open from 10:00 to 16:00.", Lang: "en", Category: "food", Pair: "tea"},
}

func TestExplanation(t *testing.T) {
	t.Parallel()
	e, err := openEmbedder(t.Context(), config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	demo, err := openVenue("")
	if err != nil {
		t.Fatal(err)
	}
	h, err := rag.New(t.Context(), explained, e, rag.NewFlat, knowledgeOptions(config.Config{}, shippedVectors(demo, discard)))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, q := range []rag.Query{
		{Text: "犬を連れて行けますか", Lang: "ja"},
		{Text: "スーツケースを預けたい", Lang: "ja"},
		{Text: "When does the tea room open?", Lang: "en", Categories: []string{"food"}},
		{Text: "Who won the match?", Lang: "en"},
		{Text: "주차장은 어디입니까", Lang: "en"},
	} {
		found, err := h.Explain(t.Context(), q)
		if err != nil {
			t.Fatalf("Explain(%+v): %v", q, err)
		}
		got.WriteString(explanation(found, explainWords[q.Lang]) + "\n")
	}
	path := filepath.Join("testdata", "explain.txt")
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s is out of date; run go test ./cmd/annai -run TestExplanation -update (-want +got):\n%s", path, diff)
	}
}

func TestAskExplain(t *testing.T) {
	t.Parallel()
	for question, words := range map[string][]string{
		"犬を連れて行けますか": {
			"質問: 犬を連れて行けますか", "求める答え: may_i (発話から)", "文書: ペット", "否定: ペットは入れません。", "結論: 根拠に述べられている",
			"調べた文: 犬を連れて行けますか [ja]", "必要な確かさ", "採用 [ja] 館内のルール / ペット", "不採用: 確かさ不足",
		},
		"Can I bring my dog?": {
			"ask: may_i (said)", "passage: Pets", "conclusion: the evidence states it", "answered by: info",
			"looked up: Can I bring my dog? [en]", "found [en] House rules / Pets", "not: below the threshold",
		},
		"2週間後は何日？": {"結論: 規則や日付、一覧から求めた", "この答えでは知識を調べていません"},
		"What day is it tomorrow?": {
			"when: tomorrow (said)", "conclusion: worked out", "The knowledge was not asked for this answer",
		},
		"厕所在哪里": {"answered by: respond (another language: zh-Hans)"},
	} {
		code, out, errs := command(t, "", "ask", "--explain", "--now", thursday, question)
		if code != exitOK || errs != "" {
			t.Errorf("annai ask --explain %q = %d, %q", question, code, errs)
		}
		for _, word := range words {
			if !strings.Contains(out, word) {
				t.Errorf("annai ask --explain %q = %q, want %q in it", question, out, word)
			}
		}
		_, explanation, _ := strings.Cut(out, "\n\n")
		for line := range strings.Lines(explanation) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > explainWidth {
				t.Errorf("annai ask --explain %q has a line of %d columns, want at most %d: %q", question, n, explainWidth, line)
			}
		}
	}
	if code, _, errs := command(t, "", "ask", "--explain", "--json", "x"); code != exitUsage || !strings.Contains(errs, "--json") {
		t.Errorf("annai ask --explain --json = %d, %q, want a usage error", code, errs)
	}
}

// columns is how wide a terminal shows a line.
func columns(line string) (n int) {
	for _, r := range line {
		if n++; r >= wideFrom {
			n++
		}
	}
	return n
}
