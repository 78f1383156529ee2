package openai_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"annai/api"
	"annai/dialog"
	"annai/rag"
	"annai/server/gate"
	"annai/server/render/readers"
	"annai/tools/calendar"
	calendarmem "annai/tools/calendar/mem"
)

// hardEvents have titles that readers of streams stumble over.
func hardEvents() []calendar.Event {
	var events []calendar.Event
	add := func(day, hour int, title, place, description string) {
		start := time.Date(2025, 1, day, hour, 0, 0, 0, monday.Location())
		events = append(events, calendar.Event{Title: title, Start: start, End: start.Add(2 * time.Hour), Location: place, Description: description})
	}
	add(13, 13, "[要予約] 朝活もくもく会 (Morning Session)", "[1F] メインホール", "静かに作業する会です。")
	add(13, 19, "「歌おう！」音楽会", "3F", "参加費は3.5ユーロ相当です。https://example.com/sing をご覧ください。")
	add(14, 19, "Go 1.22 勉強会 ver.2.0", "B1F", "data: と [DONE] の話。")
	add(15, 10, "Node.js & data: [DONE] night!", "Lounge", "Bring e.g. a laptop. See https://example.com/node.")
	add(15, 19, "🎉Party🎉 *all* {night}", "3F", "")
	add(16, 19, "Yahoo! Japan <b>見学会</b>", "1F", "")
	add(17, 18, "[happy][sad]Mr. Sato's Q&A? (free)", "2F", "At 7 p.m. sharp.")
	add(17, 20, "改行\nのある\t題名、とても、長い、題名、です", "2F", "")
	add(18, 10, "週末ハッカソン", "1F", "2日間で作品を作ります。")
	add(19, 10, "English Meetup", "Lounge", "Talk in English. Free entry.")
	return events
}

// hardKnowledge has what is hard to say.
func hardKnowledge() knowledge {
	list := []struct{ words, lang, title, text string }{
		{"アクセス,行き方,駅", "ja", "アクセス", "駅から3.5キロです。詳しくは https://example.com/access をご覧ください。バスは1日2.5往復、No.7です。"},
		{"access,station,get there", "en", "Access", "It is 3.5 km from Tenjin St. station, e.g. by bus No. 7 until 7 p.m. See https://example.com/access or engineercafe.jp for more."},
		{"wi-fi,wifi", "ja", "Wi-Fi", "名前は「cafe.guest」、合言葉は「Hello! 2025」です。[受付]でもお尋ねください。"},
		{"wi-fi,wifi", "en", "Wi-Fi", "The name is cafe.guest (v2.1). The password is \"Hello! 2025\". [Ask] the U.S. desk, Mr. Ito et al."},
		{"印刷,プリンタ", "ja", "印刷", "- 白黒: 1枚10.5円\n- カラー: 1枚*50*円！！\n1. 前日までに予約してください。"},
		{"print", "en", "Printing", "- Black: 10.5 yen\n- Colour: *50* yen!!\n1. Please book a day before."},
	}
	var k knowledge
	for _, l := range list {
		p := rag.Passage{ID: l.title + l.lang, Pair: l.title + l.lang, Lang: l.lang, Category: "facility", Title: l.title, Text: l.text, Source: "https://example.com/" + l.title}
		k = append(k, struct {
			words   []string
			passage rag.Passage
		}{strings.Split(l.words, ","), p})
	}
	return k
}

// A script is what one visitor says, line by line. Every line gets an answer.
type script struct {
	owner bool
	lines []string
}

// scripts have more than thirty answers in both languages: titles in brackets, decimals, addresses, long lists, questions back, confirmations.
var scripts = []script{
	{lines: []string{"こんにちは", "今日のイベントは？", "1つ目について詳しく", "2つ目は？", "場所は？", "ありがとう"}},
	{lines: []string{"今週のイベントを教えて", "明日は？", "明後日は？", "17日は？", "来月は？"}},
	{lines: []string{"カフェは何時まで開いていますか？", "2"}},
	{lines: []string{"駅からの行き方は？", "Wi-Fiは使えますか？", "印刷できますか？", "来週の金曜日は何日？", "火事です！"}},
	{lines: []string{"What events are on this week?", "Tell me about the first one", "What about tomorrow?", "And on Friday?", "Where is it?"}},
	{lines: []string{"How do I get there from the station?", "Is there Wi-Fi?", "Can I print?", "What are the opening hours?", "Thanks!"}},
	{lines: []string{"What time does the cafe close?", "the second one"}},
	{owner: true, lines: []string{"明日の15時に会議を入れて", "いや、16時", "はい", "明日の予定は？"}},
	{owner: true, lines: []string{"Add a meeting with Mr. Ito on Thursday at 3 p.m.", "yes", "What's on my calendar on Thursday?"}},
	{lines: []string{"ねえ、好きな食べ物は？", "？？？", "What is the meaning of life?"}},
}

// A client is a front end as it is set up to ask us.
type client struct {
	name, path, model, system string
	// history says that it sends all that was said; else it names the conversation.
	history bool
	read    readers.Reader
	faces   map[string]string
	// form makes the body for what is said in a conversation, where that is none of OpenAI's. The
	// conversation is the one that was told last.
	form func(session, conversation, said string) any
	// accept is what the client says that it reads.
	accept string
}

var same = map[string]string{"happy": "happy", "relaxed": "relaxed", "sad": "sad", "surprised": "surprised", "neutral": "neutral"}

var clients = []client{
	{name: "AITuberKit", path: "/v1/chat/completions", model: `"model":"annai","stream":true,`, read: readers.AITuberKit, faces: same},
	{name: "AITuberKit as it comes", path: "/v1/avatar/completions", read: readers.AITuberKit, faces: same},
	{
		name: "ChatVRM", path: "/v1/avatar/completions", model: `"model":"gpt-3.5-turbo","stream":true,"max_tokens":200,`, history: true, read: readers.ChatVRM,
		system: `感情は"neutral" "happy" "angry" "sad" "relaxed"の5つで、文の前に[neutral]おはよう。[happy]元気？のように書きます。`,
		faces:  map[string]string{"happy": "happy", "relaxed": "relaxed", "sad": "sad", "surprised": "relaxed", "neutral": "neutral"},
	},
	{
		name: "Amica", path: "/v1/chat/completions", model: `"model":"annai","stream":true,"max_tokens":200,`, history: true, read: readers.Amica, faces: same,
		system: "Begin with a face: [neutral], [happy], [angry], [sad], [relaxed], [surprised], [shy], [bored], [sleep].",
	},
	{
		name: "Open-LLM-VTuber", path: "/v1/chat/completions", model: `"model":"annai:olv","stream":true,"tools":[{"type":"function","function":{"name":"x"}}],`,
		history: true, read: readers.OpenLLMVTuber("neutral", "anger", "disgust", "fear", "joy", "smirk", "sadness", "surprise"),
		system: "Use [neutral], [anger], [disgust], [fear], [joy], [smirk], [sadness] or [surprise] anywhere.",
		faces:  map[string]string{"happy": "joy", "relaxed": "neutral", "sad": "sadness", "surprised": "surprise", "neutral": "neutral"},
	},
}

// others are front ends whose requests are none of OpenAI's.
var others = []client{
	{
		name: "AITuberKit with Dify", path: "/v1/chat-messages", read: readers.AITuberKitDify, faces: same,
		form: func(_, conversation, said string) any {
			return map[string]any{
				"inputs": map[string]any{}, "query": said, "response_mode": "streaming",
				"conversation_id": conversation, "user": "aituber-kit", "files": []any{},
			}
		},
	},
	{
		name: "AITuberKit with a custom API", path: "/api/chat", read: readers.AITuberKitPage, faces: same,
		form: func(session, _, said string) any {
			said = "[2026-11-28T10:00:00.000Z] " + said
			message := map[string]any{"role": "user", "content": said}
			return map[string]any{"threadId": session, "messages": []any{message}}
		},
	},
	{
		name: "Tonari", path: "/invocations", read: readers.Tonari, faces: same, accept: "text/event-stream",
		form: func(session, _, said string) any {
			return map[string]any{
				"prompt": "[2026/11/28(土) 18:25] " + said, "session_id": session, "actor_id": "tonari-owner",
				"reasoning_enabled": false,
			}
		},
	},
}

// request is what the client sends for the last of the lines, in whatever form it has.
func (c client) request(session, conversation string, lines, shown []string) string {
	if c.form == nil {
		return c.body(session, lines, shown)
	}
	text, err := json.Marshal(c.form(session, conversation, lines[len(lines)-1]))
	if err != nil {
		panic(err) // strings can be written
	}
	return string(text)
}

// headers are those of the client for the visitor of a script.
func (c client) headers(s script) []string { return append(s.headers(), "Accept", c.accept) }

// body is what the client sends for the last of the lines, each but that with what was shown for it.
func (c client) body(thread string, lines, shown []string) string {
	var messages []map[string]string
	if c.system != "" {
		messages = append(messages, map[string]string{"role": "system", "content": c.system})
	}
	for i, line := range lines {
		if !c.history && i < len(lines)-1 {
			continue
		}
		messages = append(messages, map[string]string{"role": "user", "content": line})
		if i < len(shown) && c.history {
			messages = append(messages, map[string]string{"role": "assistant", "content": shown[i]})
		}
	}
	text, err := json.Marshal(messages)
	if err != nil {
		panic(err) // strings can be written
	}
	body := `{` + c.model + `"messages":` + string(text)
	if !c.history {
		body += `,"threadId":"` + thread + `"`
	}
	return body + "}"
}

// letters are what a voice says of a text.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// headers are those with which the visitor of a script is known.
func (s script) headers() []string {
	if s.owner {
		return []string{"Authorization", "Bearer " + ownerKey}
	}
	return nil
}

// ask puts a line to our own door, which says what the answer is.
func (f *fixture) ask(t *testing.T, s script, session, line string) api.QueryResponse {
	t.Helper()
	body, err := json.Marshal(api.QueryRequest{Query: line, SessionID: session})
	if err != nil {
		t.Fatal(err)
	}
	w := f.post(t, "/query", string(body), s.headers()...)
	var answer api.QueryResponse
	if err := json.Unmarshal([]byte(text(t, w)), &answer); err != nil || w.StatusCode != http.StatusOK {
		t.Fatalf("POST /query %q = %s, %v", line, w.Status, err)
	}
	return answer
}

// TestReaders lets every front end hear every answer: each sentence is spoken once, in order, with the face that goes with it.
func TestReaders(t *testing.T) {
	for _, test := range []struct {
		name     string
		calendar calendar.Reader
	}{{"", calendarmem.New("events", hardEvents()...)}, {"without a calendar", calendarmem.Broken{}}} {
		for _, c := range slices.Concat(clients, others) {
			t.Run(strings.TrimSpace(c.name+" "+test.name), func(t *testing.T) {
				own, other := newFixture(t, newConcierge(t, test.calendar, hardKnowledge()), settings{}), newFixture(t, newConcierge(t, test.calendar, hardKnowledge()), settings{})
				kinds := map[string]int{}
				for i, s := range scripts {
					c.hear(t, own, other, s, string(rune('a'+i)), kinds)
				}
				for kind, want := range map[string]int{"ja": 15, "en": 15, "happy": 1, "relaxed": 1, "sad": 1, "surprised": 1, "neutral": 1} {
					if kinds[kind] < want && (kind != "happy" || test.name == "") {
						t.Errorf("%d answers were %s, want %d or more", kinds[kind], kind, want)
					}
				}
			})
		}
	}
}

// hear lets the client go through the script, while our own door answers the same elsewhere, and counts answers by language and face.
func (c client) hear(t *testing.T, own, other *fixture, s script, session string, kinds map[string]int) {
	t.Helper()
	var shown []string
	conversation := ""
	for i, line := range s.lines {
		want := own.ask(t, s, session, line)
		w := other.post(t, c.path, c.request(session, conversation, s.lines[:i+1], shown), c.headers(s)...)
		heard, err := c.read(w.Body)
		if err != nil || w.StatusCode != http.StatusOK {
			t.Fatalf("%q: %s, %v", line, w.Status, err)
		}
		shown, conversation = append(shown, heard.Shown), heard.Conversation
		kinds[want.Language]++
		kinds[want.Speech[0].Emotion]++
		c.check(t, line, want, heard)
	}
}

// check holds what was heard against the answer.
func (c client) check(t *testing.T, line string, want api.QueryResponse, heard readers.Heard) {
	t.Helper()
	said, words := "", ""
	for _, s := range want.Speech {
		words += s.Text
	}
	for _, s := range heard.Spoken {
		said += s.Text
		if face := c.faces[want.Speech[0].Emotion]; s.Face != face {
			t.Errorf("%q: %q is spoken with the face %q, want %q", line, s.Text, s.Face, face)
		}
	}
	if got, want := letters(said), letters(sayable[want.Language].Replace(words)); got != want {
		t.Errorf("%q: spoken %q, want all of %q", line, said, words)
	}
	if strings.ContainsAny(said, "[]*{}<>") || strings.Contains(said, "://") {
		t.Errorf("%q: spoken %q, want no markup in it", line, said)
	}
}

// sayable has for each language the words for what the answers above have that is said in another way than it is written.
var sayable = map[string]*strings.Replacer{
	"ja": strings.NewReplacer("3.5", "3点5", "2.5", "2点5", "10.5", "10点5", "1.22", "1点22", "ver.2.0", "verドット2点0", "Node.js", "Nodeドットjs", "cafe.guest", "cafeドットguest", "No.7", "number7"),
	"en": strings.NewReplacer(
		"3.5", "3 and a half", "10.5", "10 and a half", "1.22", "1 point 22", "ver.2.0", "ver dot 2 point 0", "v2.1", "v2 point 1", "Node.js", "Node dot js",
		"cafe.guest", "cafe dot guest", "engineercafe.jp", "engineercafe dot jp", "e.g.", "for example", "No. 7", "number 7",
	),
}

// TestReadersOfFailures lets every front end hear that something went wrong: as a sentence with a sad face, though the turn failed.
func TestReadersOfFailures(t *testing.T) {
	for _, c := range slices.Concat(clients, others) {
		t.Run(c.name, func(t *testing.T) {
			for _, test := range []struct {
				name, line string
				ask        func(context.Context, dialog.Turn, func(dialog.Event, error) bool)
				want       string
			}{
				{"at once", "今日は？", func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
					yield(nil, errBroken)
				}, "ただいま情報を確認できません"},
				{"in English", "What's on?", func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
					yield(nil, io.EOF)
				}, "something went wrong on my side"},
				{"too long", strings.Repeat("長", 2001), nil, "少し長いようです"},
				{"nothing said", " ", nil, "聞き取れませんでした"},
				{"half way", "今日は？", func(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
					if yield(dialog.Started{RunStarted: api.RunStarted{Language: "ja"}}, nil) &&
						yield(dialog.Sentence{SpokenSentence: api.SpokenSentence{Text: "ここまでです。", Emotion: "sad"}}, nil) {
						yield(nil, context.DeadlineExceeded)
					}
				}, "時間がかかりすぎて"},
			} {
				f := newFixture(t, &fake{ask: test.ask}, settings{})
				w := f.post(t, c.path, c.request("a", "", []string{test.line}, nil), c.headers(script{})...)
				heard, err := c.read(w.Body)
				if err != nil || w.StatusCode != http.StatusOK {
					t.Fatalf("%s: %s, %v", test.name, w.Status, err)
				}
				said := ""
				for _, s := range heard.Spoken {
					said += s.Text
					if s.Face != c.faces["sad"] {
						t.Errorf("%s: %q is spoken with the face %q, want %q", test.name, s.Text, s.Face, c.faces["sad"])
					}
				}
				if !strings.Contains(said, test.want) {
					t.Errorf("%s: spoken %q, want %q in it", test.name, said, test.want)
				}
			}
		})
	}
}

// TestReadersHearTooManyQuestions has the one path that always streams say even what the server refuses before the door is asked.
func TestReadersHearTooManyQuestions(t *testing.T) {
	bounds := gate.Options{MaxConcurrent: 1, MaxWaiting: 1, MaxWait: time.Nanosecond}
	let := make(chan struct{})
	began := make(chan struct{})
	f := newFixture(t, &fake{ask: func(_ context.Context, turn dialog.Turn, yield func(dialog.Event, error) bool) {
		close(began)
		<-let
		tell(yield, turn, reply("helpful", "はい。"))
	}}, settings{gate: bounds})
	done := make(chan struct{})
	go func() {
		defer close(done)
		w := f.post(t, "/v1/avatar/completions", `{"messages":[{"role":"user","content":"一"}],"threadId":"1"}`)
		_, _ = io.Copy(io.Discard, w.Body)
	}()
	<-began
	w := f.post(t, "/v1/avatar/completions", `{"messages":[{"role":"user","content":"二"}],"threadId":"2"}`)
	heard, err := readers.AITuberKit(w.Body)
	close(let)
	<-done
	if err != nil || w.StatusCode != http.StatusOK || len(heard.Spoken) == 0 || heard.Spoken[0].Face != "sad" || !strings.Contains(heard.Shown, "混み合って") {
		t.Errorf("a question too many is answered %s %+v, %v, want a sad sentence", w.Status, heard, err)
	}
}

// TestOpenWebUI shows the text as it was written, what is being done, and what the answer rests on.
func TestOpenWebUI(t *testing.T) {
	events := calendarmem.New("events", hardEvents()...)
	own, other := newFixture(t, newConcierge(t, events, hardKnowledge()), settings{}), newFixture(t, newConcierge(t, events, hardKnowledge()), settings{})
	status, sources := 0, 0
	for i, s := range scripts {
		for _, line := range s.lines {
			session := string(rune('a' + i))
			want := own.ask(t, s, session, line)
			body := client{history: true, model: `"model":"annai","stream":true,`}.body("", []string{line}, nil)
			w := other.post(t, "/v1/chat/completions", body, append(s.headers(), "X-OpenWebUI-Chat-Id", session, "X-OpenWebUI-User-Id", "u")...)
			heard, err := readers.OpenWebUI(w.Body)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			_, text, _ := strings.Cut(want.Text, "]")
			if heard.Shown != text {
				t.Errorf("%q: shown %q, want %q", line, heard.Shown, text)
			}
			status += len(heard.Status)
			sources += len(heard.Sources)
		}
	}
	if status == 0 || sources == 0 {
		t.Errorf("%d lines of status and %d sources were shown, want some", status, sources)
	}
}
