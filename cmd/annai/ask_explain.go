package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"annai/civil"
	"annai/dialog"
	"annai/fault"
	"annai/internal/setup"
	"annai/nlu"
	"annai/rag"
)

// explain answers a question, and says what was looked up for it.
func (v *view) explain(cmd *cobra.Command, question string) error {
	if v.json {
		return fmt.Errorf("%w: --explain is for people; it does not go with --json", errUsage)
	}
	w := &witness{}
	a, err := v.open(cmd, w.watch)
	if err != nil {
		return err
	}
	return errors.Join(v.explainTurn(cmd.Context(), a, w, question), a.close())
}

func (v *view) explainTurn(ctx context.Context, a *assembly, w *witness, question string) error {
	answer, how, err := a.concierge.Explain(ctx, dialog.Turn{
		Query: question, Language: v.language, Owner: v.owner,
	})
	if err != nil {
		return err
	}
	if err := v.show(dialog.Final{QueryResponse: answer}); err != nil {
		return err
	}
	u := nlu.New(understanding(a.venue)).Understand(question, a.now().In(a.venue.Location))
	words, lang := explainWords[answer.Language], string(u.Language)
	first := questionExplained(how, answer.Metadata.ProcessingInfo, questionWords[answer.Language])
	if _, err := io.WriteString(v.out, "\n"+first); err != nil {
		return err
	}
	explained := w.explanations()
	if answer.Metadata.SourceStatus["knowledge_base"] == "disabled" { // it was only looked for what is meant
		explained = nil
	}
	if len(explained) == 0 {
		text := strings.TrimSpace(u.Text)
		if text == "" {
			text = question
		}
		e, err := w.Explain(ctx, rag.Query{Text: text, Lang: lang, On: civil.DateOf(a.now().In(a.venue.Location))})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(v.out, "\n%s\n", words["not asked"]); err != nil {
			return err
		}
		explained = append(explained, e)
	}
	for _, e := range explained {
		if _, err := io.WriteString(v.out, "\n"+explanation(e, words)); err != nil {
			return err
		}
	}
	return nil
}

// A witness is a [rag.Retriever] that remembers how each search went.
type witness struct {
	knowledge rag.Explainer

	mu   sync.Mutex
	seen []rag.Explanation
}

// watch puts the witness before the knowledge. What can't explain itself is searched without a witness.
func (w *witness) watch(knowledge rag.Retriever) rag.Retriever {
	e, ok := knowledge.(rag.Explainer)
	if !ok {
		return knowledge
	}
	w.knowledge = e
	return w
}

// Explain says how a search goes.
func (w *witness) Explain(ctx context.Context, q rag.Query) (rag.Explanation, error) {
	if w.knowledge == nil {
		return rag.Explanation{}, fmt.Errorf("this knowledge can't explain itself: %w", fault.ErrInvalid)
	}
	return w.knowledge.Explain(ctx, q)
}

// Search implements [rag.Retriever].
func (w *witness) Search(ctx context.Context, q rag.Query) ([]rag.Hit, error) {
	plain := q
	plain.Near = false // how sure each is matters to people, also where the nearest is taken however far it is
	if e, err := w.knowledge.Explain(ctx, plain); err == nil {
		w.mu.Lock()
		if !slices.ContainsFunc(w.seen, func(s rag.Explanation) bool { return reflect.DeepEqual(s.Query, e.Query) }) {
			w.seen = append(w.seen, e)
		}
		w.mu.Unlock()
	}
	return w.knowledge.Search(ctx, q)
}

func (w *witness) explanations() []rag.Explanation {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen
}

// explainWords are what an explanation is made of, by language and then by name.
var explainWords = map[string]map[string]string{
	"ja": {
		"not asked": "この答えでは知識を調べていません。調べた場合は次のとおりです。",
		"looked up": "調べた文", "looked for": "探した言葉", "needed": "必要な確かさ",
		"common": "（誰でも尋ねそうな質問なので %+.2f）", "uncommon": "（珍しい質問なので %+.2f）", "all": "（すべて表示）",
		"found": "採用", "left": "不採用", "nothing": "候補はありません。",
		"meaning": "意味 %.2f（類似度 %.2f）", "words": "言葉 %.2f（BM25 %.1f）", "foreign": "他言語のみ %.2f", "certain": "、確かさ %.2f",
		"nearest": "近い箇所", "by": "訳文 %s による",
		"by words": "意味では比べられなかったので、言葉だけで探しました。", "silent": "意味を調べる部品が応答しないので、言葉だけで探しました",
		string(rag.BelowThreshold): "確かさ不足", string(rag.OtherCategory): "分類が違う", string(rag.NotValid): "有効期間外",
		string(rag.SamePair): "同じ内容が上位にある", string(rag.BeyondLimit): "件数の上限",
		"more": "ほか %d 件は省略しました。",
	},
	"en": {
		"not asked": "The knowledge was not asked for this answer. If it had been:",
		"looked up": "looked up", "looked for": "words", "needed": "certainty needed",
		"common": " (%+.2f for being like what people ask anywhere)", "uncommon": " (%+.2f for being unlike what people ask anywhere)", "all": " (everything is shown)",
		"found": "found", "left": "not", "nothing": "There are no candidates.",
		"meaning": "meaning %.2f (cosine %.2f)", "words": "words %.2f (BM25 %.1f)", "foreign": "other language only %.2f", "certain": "; certainty %.2f",
		"nearest": "nearest", "by": "by its translation %s",
		"by words": "Nothing could be compared by meaning, so that the words alone count.", "silent": "The embedder does not answer, so that the words alone count",
		string(rag.BelowThreshold): "below the threshold", string(rag.OtherCategory): "another category", string(rag.NotValid): "not valid today",
		string(rag.SamePair): "the same as a better one", string(rag.BeyondLimit): "beyond the limit",
		"more": "%d more are left out.",
	},
}

const (
	// explainWidth is how many columns an explanation takes.
	explainWidth = 100
	// explainLeft is how many candidates that were not found are shown.
	explainLeft = 5
)

// explanation says in plain text how a search went.
func explanation(e rag.Explanation, words map[string]string) string {
	var b strings.Builder
	line := func(indent int, text string) {
		b.WriteString(strings.Repeat(" ", indent) + clipped(text, explainWidth-indent) + "\n")
	}
	line(0, fmt.Sprintf("%s: %s [%s]", words["looked up"], e.Query.Text, e.Query.Lang))
	var single []string
	for _, ways := range e.Terms {
		if len(ways) == 1 {
			single = append(single, ways[0])
			continue
		}
		line(2, words["looked for"]+": "+strings.Join(ways, " | "))
	}
	if len(single) > 0 {
		line(2, words["looked for"]+": "+strings.Join(single, ", "))
	}
	line(0, fmt.Sprintf("%s: %.2f", words["needed"], e.Threshold)+caution(e, words))
	switch {
	case e.EmbedErr != nil:
		line(0, fmt.Sprintf("%s: %v", words["silent"], setup.OneLine(e.EmbedErr)))
	case e.ByWords:
		line(0, words["by words"])
	}
	if len(e.Candidates) == 0 {
		line(0, words["nothing"])
	}
	left := 0
	for _, c := range e.Candidates {
		if c.Rejection != rag.Found {
			if left++; left > explainLeft {
				continue
			}
		}
		explainCandidate(line, c, e.ByWords, words)
	}
	if left > explainLeft {
		line(0, fmt.Sprintf(words["more"], left-explainLeft))
	}
	return b.String()
}

func caution(e rag.Explanation, words map[string]string) string {
	switch {
	case e.Threshold < 0:
		return words["all"]
	case e.Caution >= 0.005:
		return fmt.Sprintf(words["common"], e.Caution)
	case e.Caution <= -0.005:
		return fmt.Sprintf(words["uncommon"], e.Caution)
	}
	return ""
}

// explainCandidate writes a candidate in two or three lines.
func explainCandidate(line func(int, string), c rag.Candidate, byWords bool, words map[string]string) {
	p := c.Hit.Passage
	mark := words["found"]
	if c.Rejection != rag.Found {
		mark = words["left"] + ": " + words[string(c.Rejection)]
	}
	line(0, fmt.Sprintf("%5.2f  %s [%s] %s", c.Hit.Score, mark, p.Lang, p.Title))
	var parts []string
	if !byWords {
		parts = append(parts, fmt.Sprintf(words["meaning"], c.Parts.Meaning, c.Hit.Cosine))
	}
	parts = append(parts, fmt.Sprintf(words["words"], c.Parts.Words, c.Hit.BM25))
	if c.Parts.Foreign > 0 {
		parts = append(parts, fmt.Sprintf(words["foreign"], c.Parts.Foreign))
	}
	line(7, strings.Join(parts, " + ")+fmt.Sprintf(words["certain"], c.Certainty)+"  "+p.ID)
	if c.By != "" {
		line(7, fmt.Sprintf(words["by"], c.By))
	}
	if c.Rejection == rag.Found && c.Hit.Piece != "" {
		line(7, words["nearest"]+": "+c.Hit.Piece)
	}
}

// clipped returns a text in one line of at most so many columns; kana and kanji take two.
func clipped(text string, columns int) string {
	text = strings.Join(strings.Fields(text), " ")
	used, cut := 0, 0 // cut is where the text still leaves a column for the mark
	for i, r := range text {
		if used < columns {
			cut = i
		}
		used++
		if r >= wideFrom {
			used++
		}
		if used > columns {
			return text[:cut] + "…"
		}
	}
	return text
}

// wideFrom is the first of the characters that a terminal shows in two columns, as far as Japanese goes.
const wideFrom = 0x2E80
