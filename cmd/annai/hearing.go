package main

import (
	"context"
	"time"

	"annai/civil"
	"annai/hearing"
	"annai/hearing/remote"
	"annai/internal/config"
	"annai/nlu"
	"annai/nodes/display"
	"annai/server/openai"
	"annai/venue"
)

// openHearing opens what hears visitors; nil where the settings name nothing.
func openHearing(c config.Config, a *assembly) (openai.Hearer, error) {
	if err := c.CheckHearing(); err != nil || c.Hearing.URL == "" {
		return nil, err
	}
	service := remote.OpenAI(remote.Options{URL: c.Hearing.URL, Key: c.Hearing.Key, Model: c.Hearing.Model})
	return hearing.New(service, hearing.Options{Words: a.wordsSaid, Mend: nlu.New(understanding(a.venue)).Mend}), nil
}

const (
	// maxWordsSaid is how many characters of words a recogniser is told: Whisper reads the last 224 tokens, of which
	// a character of Japanese is one or two.
	maxWordsSaid = 130
	// titlesSoon is for how many days titles of events are likely said, titlesAwaited how long is waited for them.
	titlesSoon    = 14
	titlesAwaited = 300 * time.Millisecond
)

// everyday are words that are said at any venue and that recognisers mistake.
var everyday = venue.Text{
	JA: "開館時間、休館日、駐車場、駐輪場、最寄り駅、予約、料金、申し込み、もくもく会、3Dプリンター",
	EN: "opening hours, parking, Wi-Fi, meeting room, 3D printer, booking, sign up",
}

// wordsSaid returns words that are likely said in a language: those of any venue, then the names of this one, its
// parts and what is on soon, the last of which count most.
func (a *assembly) wordsSaid(ctx context.Context, language string) string {
	if language != "ja" && language != "en" {
		return ""
	}
	words := []string{a.venue.Name.In(language)}
	words = append(words, a.titlesSoon(ctx, language)...)
	for i := range a.venue.Parts {
		words = append(words, a.venue.Parts[i].Name.In(language))
	}
	between, end := "、", "。"
	if language == "en" {
		between, end = ", ", "."
	}
	all, n := everyday.In(language), 0
	for _, word := range words {
		if n += len([]rune(word)); n > maxWordsSaid || word == "" {
			continue
		}
		all += between + word
	}
	return all + end
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
