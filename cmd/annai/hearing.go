package main

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"annai/civil"
	"annai/hearing"
	"annai/hearing/remote"
	"annai/internal/config"
	"annai/nlu"
	"annai/nodes/display"
	"annai/server/openai"
)

// openHearing opens what hears visitors; nil where the settings name nothing.
func openHearing(c config.Config, a *assembly) (openai.Hearer, error) {
	if err := c.CheckHearing(); err != nil || c.Hearing.URL == "" {
		return nil, err
	}
	service := remote.OpenAI(remote.Options{URL: c.Hearing.URL, Key: c.Hearing.Key, Model: c.Hearing.Model})
	return hearing.New(service, hearing.Options{
		Words: a.wordsSaid, Mend: a.understander.Mend,
	}), nil
}

const (
	// namesSaid is how many characters of names a recogniser is told: Whisper reads the last 224 tokens, of which a
	// character of Japanese is one or two, and what comes last counts most.
	namesSaid = 100
	// titlesSoon is for how many days titles of events are likely said, titlesAwaited how long is waited for them.
	titlesSoon    = 14
	titlesAwaited = 300 * time.Millisecond
)

// everyday are words that are said at any venue and that recognisers mistake.
var everyday = map[string][]string{
	"ja": {
		"開館時間", "休館日", "駐車場", "最寄り駅", "料金は、いくら", "予約", "会議室", "申し込み", "もくもく会", "3Dプリンター",
		"トイレ", "Wi-Fi",
	},
	"en": {"opening hours", "parking", "meeting room", "3D printer", "booking", "Wi-Fi"},
}

// wordsSaid returns what is likely said in a language: names of the venue, what is on soon and its parts, and words of
// any venue. Whole questions are none of it, for recognisers go on with them where the visitor has ended.
func (a *assembly) wordsSaid(ctx context.Context, language string) string {
	usual, ok := everyday[language]
	if !ok {
		return ""
	}
	names := append([]string{a.venue.Name.In(language)}, a.titlesSoon(ctx, language)...)
	for i := range a.venue.Parts {
		names = append(names, a.venue.Parts[i].Name.In(language))
	}
	between, end := "、", "。"
	if language == "en" {
		between, end = ", ", "."
	}
	return strings.Join(append(atMost(namesSaid, names), usual...), between) + end
}

// atMost are the first texts that have so many characters together; longer ones are passed over.
func atMost(n int, texts []string) (fit []string) {
	for _, text := range texts {
		if length := utf8.RuneCountInString(text); text != "" && length <= n {
			fit = append(fit, text)
			n -= length
		}
	}
	return fit
}

// titlesSoon are the titles of events that are on soon; none while the calendars can't be read.
func (a *assembly) titlesSoon(ctx context.Context, language string) (titles []string) {
	ctx, cancel := context.WithTimeout(ctx, titlesAwaited)
	defer cancel()
	today := civil.DateOf(a.now().In(a.venue.Location))
	listing, err := a.calendar.Events(ctx, civil.Days(today, today.AddDays(titlesSoon), a.venue.Location))
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	for _, e := range listing.Events {
		title := display.SpokenTitle(display.TitleHalf(e.Title, nlu.Language(language)), nlu.Language(language))
		if !seen[title] {
			seen[title] = true
			titles = append(titles, title)
		}
	}
	return titles
}
