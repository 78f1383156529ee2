package main

import (
	"fmt"
	"strings"

	"annai/api"
	"annai/nodes"
	"annai/nodes/talk"
)

// questionWords are what the first part of an explanation is made of, by language and name.
var questionWords = map[string]map[string]string{
	"ja": {
		"question": "質問", "act": "発話", "ask": "求める答え", "subject": "対象", "when": "時", "where": "場所",
		"sure": "確かさ", "unread": "会話の中では読まれていません",
		string(talk.Said): "発話から", string(talk.Inherited): "会話から", string(talk.Absent): "なし",
		"near": "近いもの", string(talk.Event): "催し", string(talk.Passage): "文書",
		"evidence": "調べた根拠", "states": "述べている", "grants": "肯定", "forbids": "否定",
		"silent": "述べていない", "shares": "同じ言葉あり",
		"conclusion": "結論", "route": "答えた部分",
		string(nodes.ConclusionStated):   "根拠に述べられている",
		string(nodes.ConclusionTold):     "見つかったものを伝えた",
		string(nodes.ConclusionUnstated): "どの文も述べていない",
		string(nodes.ConclusionComputed): "規則や日付、一覧から求めた",
	},
	"en": {
		"question": "question", "act": "act", "ask": "ask", "subject": "subject", "when": "when", "where": "where",
		"sure": "certainty", "unread": "it was not read in a talk",
		string(talk.Said): "said", string(talk.Inherited): "inherited", string(talk.Absent): "absent",
		"near": "near", string(talk.Event): "event", string(talk.Passage): "passage",
		"evidence": "evidence", "states": "states it", "grants": "grants it", "forbids": "forbids it",
		"silent": "does not state it", "shares": "shares a word",
		"conclusion": "conclusion", "route": "answered by",
		string(nodes.ConclusionStated):   "the evidence states it",
		string(nodes.ConclusionTold):     "what was found was told",
		string(nodes.ConclusionUnstated): "nothing states it",
		string(nodes.ConclusionComputed): "worked out from rules, dates or lists",
	},
}

// explainNear is how many of what a question comes near to are shown, explainEvidence how many pieces
// of evidence.
const explainNear, explainEvidence = 6, 12

// questionExplained says in plain text what was asked, what that comes near to, and what was concluded
// from which evidence.
func questionExplained(e nodes.Explanation, info api.ProcessingInfo, words map[string]string) string {
	var b strings.Builder
	line := func(indent int, text string) {
		b.WriteString(strings.Repeat(" ", indent) + clipped(text, explainWidth-indent) + "\n")
	}
	q := e.Question
	if q.Act == "" {
		line(0, fmt.Sprintf("%s: %s", words["question"], words["unread"]))
	} else {
		line(0, fmt.Sprintf("%s: %s", words["question"], q.Text))
		line(2, fmt.Sprintf("%s: %s; %s: %.2f", words["act"], q.Act, words["sure"], q.Confidence))
		part := func(name, value string, from talk.Origin) {
			line(2, strings.TrimSpace(words[name]+": "+value)+" ("+words[string(from)]+")")
		}
		part("ask", string(q.Ask), q.AskFrom)
		part("subject", q.Subject.Title, q.SubjectFrom)
		part("when", q.When, q.WhenFrom)
	}
	explainParts(line, e, words)
	line(0, fmt.Sprintf("%s: %s", words["conclusion"], words[string(e.Conclusion)]))
	line(2, fmt.Sprintf("%s: %s (%s)", words["route"], info.Route, info.Reason))
	return b.String()
}

// explainParts shows what a question comes near to, and the evidence.
func explainParts(line func(int, string), e nodes.Explanation, words map[string]string) {
	for i, near := range e.Near[:min(len(e.Near), explainNear)] {
		if i == 0 {
			line(0, words["near"]+":")
		}
		line(3, fmt.Sprintf("%.2f %s: %s", near.Score, words[string(near.Subject.Kind)], near.Subject.Title))
	}
	for i, piece := range e.Evidence[:min(len(e.Evidence), explainEvidence)] {
		if i == 0 {
			line(0, words["evidence"]+":")
		}
		line(2, evidenceLine(piece, words))
	}
}

// evidenceLine says of a piece of evidence what it states.
func evidenceLine(piece nodes.Evidence, words map[string]string) string {
	says := words["silent"]
	switch {
	case piece.Sign == '+':
		says = words["grants"]
	case piece.Sign == '-':
		says = words["forbids"]
	case piece.States:
		says = words["states"]
	}
	if piece.Shares {
		says += ", " + words["shares"]
	}
	text := piece.Text
	if piece.Field != nodes.FieldSentence {
		text = words[string(piece.Field)] + ": " + text
	}
	return fmt.Sprintf("%s: %s (%s)", says, text, piece.Source)
}
