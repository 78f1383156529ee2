package web_test

import (
	"fmt"
	"strings"

	"annai/api"
)

func fakeVenue() api.VenueResponse {
	return api.VenueResponse{
		Name:     api.LocalText{JA: "エンジニアカフェ", EN: "Engineer Cafe"},
		Timezone: "Asia/Tokyo",
		Website:  "https://venue.example/",
		Demo:     true,
		Now:      fakeNow,
		Suggestions: []api.LocalText{
			{JA: "今週のイベントは？", EN: "What's on this week?"},
			{JA: "何時まで開いていますか？", EN: "How late are you open?"},
			{JA: "Wi-Fiは使えますか？", EN: "Is there Wi-Fi?"},
			{JA: "駐車場はありますか？", EN: "Is there parking?"},
		},
		IdleSeconds: 180,
		Hearing:     true,
		Voice:       &api.VenueVoice{Credit: "Voice: Mei, MMDAgent Project Team, CC BY 3.0"},
		Kiosk: api.VenueKiosk{
			Volume: 80, Hours: []api.VolumeHours{{From: "18:00", Until: "09:00", Volume: 0}},
			StaffCall: true, StaffPhone: "092-000-0000", Phone: true, Corner: true,
			StaffWhere: api.LocalText{JA: "1階受付のスタッフ", EN: "the staff at the 1F desk"},
		},
	}
}

func fakeToday() api.EventsResponse {
	return api.EventsResponse{
		Events: []api.Event{
			{
				ID: "e1", Title: "TypeScript勉強会", Start: "2025-01-15T19:00:00+09:00", End: "2025-01-15T21:00:00+09:00",
				Location: "1F メインホール", CalendarID: "events", Status: "confirmed",
			},
			{ID: "e2", Title: "AI ウィーク", Start: "2025-01-14", End: "2025-01-16", AllDay: true, CalendarID: "events", Status: "confirmed"},
		},
		Window:   api.Window{Start: "2025-01-15T00:00:00+09:00", End: "2025-01-16T00:00:00+09:00", Timezone: "Asia/Tokyo"},
		Complete: true,
		AsOf:     "2025-01-15T10:20:00+09:00",
	}
}

func fakeError(code, language string) api.ErrorResponse {
	text := "[sad]すみません、ただいま混み合っています。少し待ってから、もう一度お試しください。"
	if language == "en" {
		text = "[sad]I'm sorry, I'm very busy right now. Please wait a moment and try again."
	}
	return api.ErrorResponse{
		Error:     api.ErrorBody{Code: code, Message: "the test asked for it"},
		RequestID: "r-1", Text: text, Emotion: "apologetic", Language: language,
	}
}

// fakeAnswer returns the question and its scripted answer. English questions carry the keyword; so may Japanese ones.
func fakeAnswer(request api.QueryRequest, run string) (string, api.QueryResponse) {
	ja := request.Language != "en"
	answer := api.QueryResponse{
		AgentName: "EventAgent", Language: pick(ja, "ja", "en"), SessionID: request.SessionID, RunID: run,
		Metadata: api.Metadata{Confidence: 0.8, Category: "events", Sources: []string{"calendar"}, AgentName: "EventAgent", Demo: true},
	}
	answer.Metadata.ProcessingInfo.Route = "event"
	switch query := request.Query; {
	case strings.Contains(query, "none"):
		fill(&answer, "apologetic", "sad", noneWords(ja), nil)
		answer.Suggestions = []string{pick(ja, "来週は？", "How about next week?")}
	case strings.Contains(query, "ten"):
		fill(&answer, "excited", "happy", tenWords(ja), oddCards())
		answer.Suggestions = suggestions(ja)
	case strings.Contains(query, "long"):
		fill(&answer, "helpful", "relaxed", longWords(ja), nil)
	case strings.Contains(query, "clarify"):
		fill(&answer, "surprised", "surprised", clarifyWords(ja), nil)
		answer.Interrupt = &api.Interrupt{ID: "i-1", Kind: "clarify", Question: clarifyWords(ja)[0], Options: clarifyOptions(ja)}
		answer.Suggestions = clarifyOptions(ja)
	case strings.Contains(query, "confirm"):
		fill(&answer, "surprised", "surprised", confirmWords(ja), threeCards(ja)[:1])
		options := yesAndNo(ja)
		answer.Interrupt = &api.Interrupt{
			ID: "i-2", Kind: "confirm", Question: "- [markdown]", Options: options, Confirmation: fakeConfirmation(ja),
		}
		answer.Suggestions = options
	case strings.Contains(query, "fire"):
		fill(&answer, "neutral", "neutral", fireWords(ja), nil)
		answer.VRM.Gesture = "alert"
	case strings.Contains(query, "pictures"):
		cards := threeCards(ja)
		cards[0].Picture, cards[1].Picture = "/pictures/one.jpg", "/pictures/gone.jpg"
		fill(&answer, "excited", "happy", threeWords(ja), cards)
		answer.Suggestions = suggestions(ja)
	case strings.Contains(query, "somebody"):
		words := pick(ja, "1階の受付のスタッフにお声がけください。", "Please speak to the staff at the desk.")
		fill(&answer, "helpful", "relaxed", []string{words}, nil)
		answer.Offer = api.OfferStaff
	case strings.Contains(query, "one"), strings.Contains(query, "saino"):
		fill(&answer, "excited", "happy", oneWords(ja), threeCards(ja)[:1])
		answer.Suggestions = suggestions(ja)[:2]
	default:
		fill(&answer, "excited", "happy", threeWords(ja), threeCards(ja))
		answer.Suggestions = suggestions(ja)
	}
	return request.Query, answer
}

func fill(answer *api.QueryResponse, emotion, face string, words []string, cards []api.Card) {
	answer.Emotion = emotion
	answer.Text = "[" + face + "]" + strings.Join(words, "")
	answer.VRM = api.VRM{Expression: face, Intensity: 1, Gesture: "present"}
	answer.Cards = cards
	for _, text := range words {
		answer.Speech = append(answer.Speech, api.Sentence{Text: text, Emotion: face})
	}
}

func pick(ja bool, inJapanese, inEnglish string) string {
	if ja {
		return inJapanese
	}
	return inEnglish
}

func suggestions(ja bool) []string {
	if ja {
		return []string{"来週のイベントは？", "場所はどこですか？", "予約は必要ですか？"}
	}
	return []string{"What's on next week?", "Where is it held?", "Do I need to book?"}
}

func noneWords(ja bool) []string {
	if ja {
		return []string{"今日のエンジニアカフェでの予定されたイベントが見つかりませんでした。", "最新のイベント情報については、公式ウェブサイトをご確認いただくか、スタッフにお問い合わせください。"}
	}
	return []string{"I couldn't find any scheduled events for today at Engineer Cafe.", "Please check the official website or contact the staff for the most up-to-date event information."}
}

func oneWords(ja bool) []string {
	if ja {
		return []string{"今週はイベントが1件あります。", "15日、水曜日の19時から、TypeScript勉強会です。"}
	}
	return []string{"There is one event this week.", "It is the TypeScript study group, on Wednesday the 15th at 7 p.m."}
}

func threeWords(ja bool) []string {
	if ja {
		return []string{"今週はイベントが3件あります。", "最初は、水曜日の19時からのTypeScript勉強会です。", "金曜日から日曜日までは、ハッカソンもあります。"}
	}
	return []string{"There are three events this week.", "The first is the TypeScript study group on Wednesday at 7 p.m.", "From Friday to Sunday there is also a hackathon."}
}

func tenWords(ja bool) []string {
	return []string{pick(ja, "今月はイベントが10件あります。", "There are ten events this month."), pick(ja, "画面でご覧ください。", "Please have a look at the screen.")}
}

func clarifyWords(ja bool) []string {
	return []string{pick(ja, "エンジニアカフェの開館時間と、カフェ「saino」の営業時間の、どちらをお知りになりたいですか？", "Would you like the hours of Engineer Cafe itself, or those of the café “saino” inside it?")}
}

func clarifyOptions(ja bool) []string {
	if ja {
		return []string{"エンジニアカフェ", "カフェ saino"}
	}
	return []string{"Engineer Cafe", "The café saino"}
}

func confirmWords(ja bool) []string {
	if ja {
		return []string{"1月15日、水曜日の19時から21時、「定例」ですね。", "登録してよろしいですか？"}
	}
	return []string{"“Review”, Wednesday, January 15, 7 PM to 9 PM.", "Shall I add it?"}
}

func yesAndNo(ja bool) []string {
	if ja {
		return []string{"はい、登録してください", "やめておきます"}
	}
	return []string{"Yes, please add it", "No, leave it"}
}

func fakeConfirmation(ja bool) *api.Confirmation {
	return &api.Confirmation{
		Do: "add", Intro: pick(ja, "次の内容で登録します。", "Here is what I would add:"),
		Ask: pick(ja, "登録してよろしいですか？", "Shall I add it?"),
		Fields: []api.Field{
			{Label: pick(ja, "予定", "What"), Value: pick(ja, "定例", "Review")},
			{Label: pick(ja, "日時", "When"), Value: pick(ja,
				"2025年1月15日(水) 19:00〜21:00 → 2025年1月16日(木) 19:00〜21:00",
				"Wed, Jan 15, 2025, 19:00–21:00 → Thu, Jan 16, 2025, 19:00–21:00",
			)},
			{Label: pick(ja, "カレンダー", "Calendar"), Value: pick(ja, "自分のカレンダー", "My calendar")},
		},
		Warnings: []string{pick(ja,
			"同じ時間に「山田さんと打ち合わせ」（1月16日(木) 19:00〜20:00）の予定があります。",
			"It overlaps with “Yamada” (Thu, Jan 16, 19:00–20:00).",
		)},
		Notes: []string{pick(ja, "招待メールは、だれにも送りません。", "Nobody will be mailed an invitation.")},
	}
}

func fireWords(ja bool) []string {
	if ja {
		return []string{"すぐに火元から離れて、建物の外へ避難してください。", "119番に通報してください。"}
	}
	return []string{"Get away from the fire and leave the building at once.", "Call 119."}
}

func longWords(ja bool) []string {
	var words []string
	for i := range 12 {
		words = append(words, fmt.Sprintf(pick(ja,
			"%d番目のご案内です。地下のMAKER'sスペースでは、3Dプリンターやレーザーカッターをお使いいただけます。",
			"This is note %d. In the MAKER's Space in the basement you can use the 3D printers and the laser cutter."), i+1))
	}
	return append(words, "https://venue.example/a/very/long/address/that/has/no/place/to/break/Donaudampfschifffahrtsgesellschaftskapitaen")
}

func threeCards(ja bool) []api.Card {
	return []api.Card{
		{
			Type: "event", Title: pick(ja, "TypeScript勉強会", "TypeScript study group"), Start: "2025-01-15T19:00:00+09:00", End: "2025-01-15T21:00:00+09:00",
			Location: pick(ja, "1F メインホール", "1F Main Hall"), Description: pick(ja, "参加者30名募集中です。", "Thirty seats."), When: pick(ja, "2025年1月15日(水) 19:00〜21:00", "Wed, Jan 15, 2025, 19:00–21:00"),
		},
		{
			Type: "event", Title: pick(ja, "冬のものづくりハッカソン", "Winter makers' hackathon"), Start: "2025-01-17", End: "2025-01-19", AllDay: true,
			Location: pick(ja, "B1F MAKER'sスペース", "B1F MAKER's Space"),
		},
		{
			Type: "event", Title: pick(ja, "Reactハンズオン", "React hands-on"), Start: "2025-01-18T14:00:00+09:00", End: "2025-01-18T17:00:00+09:00",
			Location: pick(ja, "2F 会議室1", "2F Meeting Room 1"), Status: "cancelled",
		},
	}
}

// oddCards are ten cards with what makes layouts break.
func oddCards() []api.Card {
	titles := []string{
		"🎉 新年もくもく会 〔初心者歓迎〕 ☕️",
		"とても長い題名のイベント：はじめてのオープンソース開発から、国際会議での発表までを、半年かけて一緒に学ぶ連続講座（第1回・説明会）",
		"Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenverleihungsfeier",
		"[Online] LT night <b>bold</b> & \"quotes\"",
	}
	cards := make([]api.Card, 0, 10)
	for i := range 10 {
		card := api.Card{
			Type: "event", Title: titles[i%len(titles)], Location: "1F メインホール",
			Start: fmt.Sprintf("2025-01-%02dT19:00:00+09:00", 16+i), End: fmt.Sprintf("2025-01-%02dT21:00:00+09:00", 16+i),
		}
		switch i {
		case 1:
			card.Start, card.End = "2025-01-17T22:00:00+09:00", "2025-01-18T05:00:00+09:00"
			card.Location = "福岡市中央区天神1丁目15番30号 福岡市赤煉瓦文化館 1F メインホールおよび談話室"
		case 2:
			card.Start, card.End, card.AllDay, card.Location = "2025-01-18", "2025-01-18", true, ""
		case 3:
			card.Status = "tentative"
		}
		cards = append(cards, card)
	}
	return cards
}
