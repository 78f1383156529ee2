package nodes

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"annai/graph"
	"annai/internal/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/prompts"
	"annai/rag"
)

// An infoWish is what the info node is to find.
type infoWish struct {
	// Hours is what is asked about opening hours, which are computed; empty for everything else,
	// which is looked up.
	Hours hoursKind    `json:"hours,omitempty"`
	Range display.Span `json:"range,omitzero"`
	// Text is what to look up. Question is what to remember as the question, if it is something else.
	Text     string `json:"text"`
	Question string `json:"question,omitempty"`
	// Thing is what this is about where two things are asked for at once: that nothing is known of
	// it is said by its name.
	Thing string `json:"thing,omitempty"`
	// Said is what was said, without what the talk adds to it. Only are passages quoted before of
	// which more is asked.
	Said string   `json:"said,omitempty"`
	Only []string `json:"only,omitempty"`
	// Parts are the ids of the parts of the venue that this is about.
	Parts []string `json:"parts,omitempty"`
	// Near says that these were not named: a passage that states what is asked goes before them.
	Near bool `json:"near,omitempty"`
	// Earlier is a question before Question: where nothing answers both, what is asked may be asked
	// of that one.
	Earlier string `json:"earlier,omitempty"`
	// Asked says that the question was read in its talk, and is answered by what it asks.
	Asked bool `json:"asked,omitempty"`
	// Aside says that the talk stays about what it was.
	Aside bool `json:"aside,omitempty"`
	// Doubtful says that it may be no business of the venue: if nothing is found, that is said.
	Doubtful bool `json:"doubtful,omitempty"`
	// Beside is the question before, which may have named what this one leaves out; an answer to
	// both goes before one to this alone.
	Beside string `json:"beside,omitempty"`
	// Naming are words of which the text of a passage has to have one.
	Naming []string `json:"naming,omitempty"`
	// Skip are passages that were quoted before and are not wanted again; Avoid are those that are
	// wanted only if there is nothing else.
	Skip  []string `json:"skip,omitempty"`
	Avoid []string `json:"avoid,omitempty"`
	// Field is the detail asked for: a passage whose title names it goes first.
	Field nlu.Field `json:"field,omitempty"`
}

// infoWishOf is what the utterance asks of the venue.
func (c *Concierge) infoWishOf(u nlu.Understanding, now time.Time) infoWish {
	w := infoWish{Text: text.OneLine(u.Text, maxQuestion), Field: u.Reference.Field}
	w.Said = w.Text
	w.Range, _ = display.SpanOf(u.Times, now)
	w.Hours = c.hoursAsked(u, w.Range, now)
	if w.Hours == "" {
		w.Parts = partsNamed(c.parts.Venue, u.Text)
	}
	return w
}

// infoNode answers from the venue's rules where it is about opening hours, else from its passages.
func (c *Concierge) infoNode(ctx context.Context, s State) (graph.Command[State], error) {
	now := s.Turn.At.In(c.location(s.Turn))
	w := s.Route.Info
	if w.Asked {
		return c.answerFromPassages(ctx, s, w, now)
	}
	d, next, err := c.inform(ctx, s, w, now)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if w.Doubtful && d.Facts.Unknown {
		return notOurs(s), nil
	}
	if w.Aside ||
		d.Facts.Unknown && s.Topic.Node == nodeEvent &&
			s.Understanding.Reference.That { // it was asked of the event, of which more may be
		next = s.Topic
	}
	return graph.Command[State]{Update: graph.Update[State]{draftChannel.Write(d), topicChannel.Write(next)}}, nil
}

// inform finds what was asked of the venue, and says what to remember of it.
func (c *Concierge) inform(ctx context.Context, s State, w infoWish, now time.Time) (d draft, next topic, err error) {
	next = topic{Node: nodeInfo, Hours: w.Hours, Question: w.Question, Range: w.Range}
	if next.Question == "" {
		next.Question = w.Text
	} else if w.Question == s.Topic.Question && w.Hours == "" {
		next.Hours = s.Topic.Hours
	}
	if !w.Range.IsZero() {
		w.Range = w.Range.In(now.Location())
	}
	if w.Hours != "" {
		return opening{venue: c.parts.Venue, wish: w, now: now, lang: s.Language}.tell(), next, nil
	}
	found, err := c.lookUp(ctx, s, w, now)
	if err != nil {
		return d, next, err
	}
	if of, after, ok, err := c.informOfParts(ctx, s, w, found, now); ok || err != nil {
		return of, after, err
	}
	d, next.Passages = c.tellPassages(s, found)
	if d.Facts.Unknown && w.Earlier != "" {
		w.Text, w.Question, w.Earlier = text.OneLine(w.Earlier+" "+w.Said, maxQuestion), w.Earlier, ""
		return c.inform(ctx, s, w, now)
	}
	if d.Facts.Unknown && w.Beside != "" && len(s.Understanding.Keywords) > 0 &&
		hangsOn.MatchString(strings.ToLower(w.Said)) {
		both := w
		both.Text, both.Question, both.Beside = text.OneLine(w.Said+" "+w.Beside, maxQuestion), w.Said, ""
		both.Naming = s.Understanding.Keywords // and nothing that was told before
		told, after, err := c.inform(ctx, s, both, now)
		if err != nil || !told.Facts.Unknown {
			return told, after, err
		}
	}
	if w.Beside != "" {
		next.Earlier = w.Beside
	}
	next.Partly = len(d.Cards) > 0 && len(d.Text) < len(d.Cards[0].Description)
	if w.Beside != "" &&
		(leavesOutSubject(s.Understanding.Keywords) || len(d.Passages) > 0 && slices.Contains(s.Topic.documents(), documentOf(d.Passages[0].ID))) {
		next.Question = w.Beside // which names what this one leaves out, and the next one may
	}
	return d, next, nil
}

// hangsOn finds words that put a question beside the one before: じゃあレーザーの方は, "what about the laser?"
var hangsOn = regexp.MustCompile(`^(?:じゃあ|じゃ|では|それでは|それなら)|の(?:方|ほう)は|^(?:and|what about|how about)\b`)

// notOurs leads to the words for what is no business of the venue.
func notOurs(s State) graph.Command[State] {
	r := s.Route
	r.Node, r.Info, r.Say = nodeRespond, infoWish{}, nlu.OutOfScope
	return graph.Command[State]{Update: graph.Update[State]{routeChannel.Write(r), topicChannel.Write(s.Topic)}}
}

// lookUp searches the passages. What answers the question before as well goes before what answers
// this one alone: 予約がいりますか after 3Dプリンターはありますか is about machines. What this one does not find is
// not found.
func (c *Concierge) lookUp(ctx context.Context, s State, w infoWish, now time.Time) (knowledgeEvidence, error) {
	q := c.infoQuery(s, w, now)
	if w.Beside != "" || len(w.Naming) > 0 {
		q.Limit = maxBeside
	}
	found, err := c.readKnowledge(ctx, q)
	found.Hits = slices.DeleteFunc(found.Hits, func(h rag.Hit) bool {
		return len(w.Naming) > 0 && !hasAny(strings.ToLower(h.Passage.Text), w.Naming...)
	})
	if err == nil && len(w.Avoid) > 0 && saidWith[w.Field] != nil {
		subject := c.parts.Understander.Understand(w.Question, now).Keywords
		found.Hits = slices.DeleteFunc(
			found.Hits,
			func(h rag.Hit) bool { return !says(h, saidWith[w.Field]) || !says(h, subject) },
		)
		if len(found.Hits) == 0 && found.Status == statusOK {
			found.Status = statusEmpty
		}
	}
	if err != nil || w.Beside == "" || len(found.Hits) < 2 {
		return found, err
	}
	q.Text = text.OneLine(w.Beside+" "+q.Text, maxQuestion)
	both, err := c.readKnowledge(ctx, q)
	if err != nil {
		return knowledgeEvidence{}, err
	}
	scores := map[string]float64{}
	for _, h := range both.Hits {
		scores[h.Passage.ID] = h.Score
	}
	slices.SortStableFunc(found.Hits, func(a, b rag.Hit) int {
		return cmp.Compare(b.Score+scores[b.Passage.ID], a.Score+scores[a.Passage.ID])
	})
	return found, nil
}

// maxBeside is how many passages are compared by the question before.
const maxBeside = 24

// documents are those of the passages that were quoted last.
func (t topic) documents() []string {
	var out []string
	for _, id := range t.Passages {
		out = append(out, documentOf(id))
	}
	return out
}

// documentOf is the document that a passage is from: its id without the number of the section.
func documentOf(id string) string {
	document, _, _ := strings.Cut(id, "#")
	return document
}

// wholeVenue are words that ask what the venue is.
var wholeVenue = []string{
	"what can i do", "what can we do", "何ができ", "なにができ", "どんな施設", "どんな場所", "どんなところ", "どんな所", "どういう施設", "どういう場所", "どういうところ",
	"what is this place", "what's this place", "what kind of place", "what sort of place", "what is here", "tell me about this place",
}

// whatIsHere asks so too: ここって何するところ, but not ここは何階.
var whatIsHere = regexp.MustCompile(
	`(?:ここ|こちら)(?:は|って)、?(?:何|なに)(?:を?(?:する|やる|して|やって)|です|なの|の(?:場所|施設|建物)|屋|か?[?？。]*$)`,
)

func (c *Concierge) infoQuery(s State, w infoWish, now time.Time) rag.Query {
	q := rag.Query{
		Text:  w.Text,
		Lang:  string(s.Language),
		On:    civil.DateOf(now),
		Limit: maxHits + len(w.Skip) + len(w.Avoid),
	}
	text := strings.ToLower(w.Text)
	switch {
	case phoneCall.MatchString(text) && !asksToBook(s.Understanding.Text) && !asksToBook(w.Beside): // 電話でできますか after a booking is about that
		q.Text = phoneCall.ReplaceAllString(text, display.InLang(s.Understanding.Language, "通話", "calls"))
		if !slices.ContainsFunc(s.Understanding.Keywords, func(word string) bool {
			return !hasAny(word, "電話", "phone", "call", "video", "zoom", "場所", "place")
		}) {
			q.Text += display.InLang(
				s.Understanding.Language,
				" 通話やオンライン会議ができる場所",
				" places for calls and online meetings",
			)
		}
	case hasAny(text, "get there", "get here", "find you", "行き方", "行くには", "どうやって行", "どう行け", "道順") && !hasAny(text, "から", "from "):
		q.Text += display.InLang(s.Understanding.Language, " アクセス 最寄り駅からの行き方", " access from the nearest station")
	case !w.Range.IsZero() && hasAny(text, "空いて", "空き", "available", "vacant", "free"): // nobody here knows, but how to find out
		q.Text += display.InLang(s.Understanding.Language, " 予約方法", " how to book")
	case w.Field == nlu.FieldPlace && w.Question == "" && len(s.Understanding.Keywords) == 0: // where the venue is
		q.Text = display.InLang(s.Language, "住所と場所", "address and location")
	}
	if strings.TrimSpace(q.Text) == "" || hasAny(text, wholeVenue...) || whatIsHere.MatchString(text) {
		q.Text = c.parts.Venue.Name.In(string(s.Language)) + display.InLang(s.Language, "とは", ", what is it?")
	}
	return q
}

// phoneCall finds words for talking on the phone, which are none for the phone of the venue.
var phoneCall = regexp.MustCompile(
	`電話(?:を|は|も|で)?(?:し(?:て|た|ま|な)|でき|出来|かけ|掛け|に?出(?:て|た|る|ら|れ)|話)|電話(?:して)?(?:もいい|も良い)|\b(?:take|make|have|answer|do|place)(?: \w+)? ?(?:phone |video |zoom |online )?calls?\b|\bphone calls?\b|\b(?:talk|speak) on the (?:tele)?phone\b`,
)

// tellPassages quotes the best passage, or says that nothing is known, or that it could not be
// looked up.
func (c *Concierge) tellPassages(s State, found knowledgeEvidence) (draft, []string) {
	lang := string(s.Language)
	staff := c.parts.Venue.Staff.Where.In(lang)
	d := draft{Suggestions: c.starters(s.Language), Facts: facts{Knowledge: found.Status}}
	if found.Status == statusError {
		d.Facts.Nothing = true
		d.Text = prompts.InfoFailed{Staff: staff}.In(lang)
		return d, nil
	}
	skip := s.Route.Info.Skip
	hits := s.Route.Info.meant(
		slices.DeleteFunc(
			slices.Clone(found.Hits),
			func(h rag.Hit) bool { return slices.Contains(skip, h.Passage.ID) },
		),
	)
	switch {
	case len(hits) > 0:
		chosen := choose(hits, s.Route.Info, lang)
		quotePassages(&d, chosen, s.Language)
		d.Evidence = c.passageEvidence(s, chosen)
		for _, h := range chosen {
			skip = append(slices.Clip(skip), h.Passage.ID)
		}
		return d, skip
	case len(skip) > 0:
		d.Facts.Knowledge = statusEmpty
		d.Text = prompts.InfoNoMore{Staff: staff}.In(lang)
		return d, skip
	}
	d.Facts.Unknown, d.Facts.Knowledge = true, statusEmpty
	d.Text = prompts.InfoUnknown{Staff: staff, About: s.Route.Info.Thing}.In(lang)
	return d, nil
}

// maxHits is how many passages are asked for, maxTogether how many are quoted together.
const (
	maxHits     = 12
	maxTogether = 3
)

// closeEnough is how near a passage must come to the best one to be taken instead, for its language
// or its title.
const closeEnough = 0.8

// fieldWords are words in titles of passages that say the detail.
var fieldWords = map[nlu.Field][]string{
	nlu.FieldPrice:  {"料金", "価格", "値段", "費用", "参加費", "利用料", "price", "cost", "fee", "how much"},
	nlu.FieldPlace:  {"場所", "住所", "アクセス", "行き方", "where", "place", "address"},
	nlu.FieldTime:   {"時間", "日程", "いつ", "hours", "when", "dates"},
	nlu.FieldSignUp: {"申し込", "予約", "登録", "sign up", "book", "regist"},
}

// saidWith are words of which a passage that says a detail has one. To a question for a detail of
// what was spoken of no other passage is an answer.
var saidWith = map[nlu.Field][]string{
	nlu.FieldPrice:  {"円", "料", "yen", "free", "price", "cost", "charge"},
	nlu.FieldSignUp: {"申", "予約", "登録", "sign", "book", "regist", "reserv"},
}

// says reports whether a passage has one of the words, in lower case, or there are none.
func says(h rag.Hit, words []string) bool {
	in := strings.ToLower(h.Passage.Title + " " + h.Passage.Text)
	return len(words) == 0 || hasAny(in, words...)
}

// choose picks what to quote: the best hit, or one nearly as good that names the detail asked for
// or is in the language of the answer; and with it those that say the same of its siblings (the
// prices of room 1, 2 and 3).
func choose(hits []rag.Hit, w infoWish, lang string) []rag.Hit {
	rest := slices.DeleteFunc(
		slices.Clone(hits),
		func(h rag.Hit) bool { return slices.Contains(w.Avoid, h.Passage.ID) },
	)
	if len(rest) == 0 {
		rest = hits
	}
	best := rest[0]
	points := func(h rag.Hit) (n int) {
		if h.Passage.Lang == lang {
			n += 2
		}
		if hasAny(strings.ToLower(h.Passage.Title), fieldWords[w.Field]...) {
			n++
		}
		return n
	}
	for _, h := range rest[1:] {
		if h.Score >= closeEnough*rest[0].Score && points(h) > points(best) {
			best = h
		}
	}
	if numbered(best.Passage.Title, w.Text) {
		return []rag.Hit{best}
	}
	return siblings(best, rest)
}

// numbered reports whether the question names the number of the title's thing: 会議室1, meeting room 1.
func numbered(title, question string) bool {
	title, question = strings.ToLower(title), strings.ToLower(question)
	runes := []rune(title)
	for i, r := range runes {
		if i >= 2 && unicode.IsDigit(r) && strings.Contains(question, string(runes[i-2:i+1])) {
			return true
		}
	}
	return false
}

// siblings are the hits whose titles are that of h but for a number, in the order of their titles.
func siblings(h rag.Hit, hits []rag.Hit) []rag.Hit {
	title := withoutDigits(h.Passage.Title)
	var out []rag.Hit
	for _, other := range hits {
		if other.Passage.ID == h.Passage.ID ||
			title != h.Passage.Title && other.Passage.Document == h.Passage.Document &&
				other.Passage.Lang == h.Passage.Lang && withoutDigits(other.Passage.Title) == title {
			out = append(out, other)
		}
	}
	slices.SortFunc(out, func(a, b rag.Hit) int { return strings.Compare(a.Passage.Title, b.Passage.Title) })
	if len(out) > maxTogether {
		return []rag.Hit{h}
	}
	return out
}

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// quotePassages says passages, and in which language they are if that is another one.
func quotePassages(d *draft, hits []rag.Hit, lang nlu.Language) {
	in := nlu.Language(hits[0].Passage.Lang)
	var paragraphs []string
	written := 0
	for _, h := range hits {
		text := display.Sentences(h.Passage.Text)
		written += len(text)
		paragraphs = append(paragraphs, display.JoinSentences(text, in))
		d.Spoken = append(d.Spoken, text[:min(len(text), max(1, maxSpoken/len(hits)))]...)
		d.Passages = append(d.Passages, passage(h))
		d.Cards = append(d.Cards, passageCard(h))
	}
	d.Text = strings.Join(paragraphs, "\n\n")
	if len(d.Spoken) < written {
		d.Spoken = append(d.Spoken, prompts.InfoOnScreen{}.In(string(lang)))
	}
	if in != lang && in != "" {
		note := prompts.InfoOtherLanguage{}.In(string(lang))
		d.Text = display.JoinParts(note, d.Text)
		d.Spoken = append([]string{note}, d.Spoken...)
	}
	d.Facts.Knowledge = statusOK
}

// meant are the hits that the talk points at, or all. What does not say how many there is room for
// is no answer to who asks that of what was spoken of.
func (w infoWish) meant(hits []rag.Hit) []rag.Hit {
	var only []rag.Hit
	if w.Only != nil && surelyAsked(strings.ToLower(w.Said), nlu.AskNone) == nlu.AskHowMany {
		hits = slices.DeleteFunc(slices.Clone(hits), func(h rag.Hit) bool {
			_, ok := states(h.Passage.Text, nlu.AskHowMany)
			return !ok
		})
	}
	for _, h := range hits {
		if slices.Contains(w.Only, h.Passage.ID) {
			only = append(only, h)
		}
	}
	if len(only) > 0 {
		return only
	}
	return hits
}

// without leaves out the question that was just asked.
func without(list []string, asked string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == asked })
}
