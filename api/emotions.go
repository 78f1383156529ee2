package api

import "maps"

// faces are the emotions, in the order in which they are published: the word in JSON, the tag in text, the face of an avatar.
var faces = []Emotion{
	{Emotion: "excited", Tag: "happy", Expression: "happy"},
	{Emotion: "helpful", Tag: "relaxed", Expression: "relaxed"},
	{Emotion: "apologetic", Tag: "sad", Expression: "sad"},
	{Emotion: "surprised", Tag: "surprised", Expression: "surprised"},
	{Emotion: "neutral", Tag: "neutral", Expression: "neutral"},
}

// aliases maps words of other systems to ours. Angry faces have no place at a venue's desk: they become neutral.
var aliases = map[string]string{
	"happy": "excited", "joy": "excited", "fun": "excited", "glad": "excited", "delighted": "excited", "cheerful": "excited",
	"smile": "excited", "smirk": "excited", "laugh": "excited", "love": "excited", "victory": "excited", "proud": "excited",
	"enthusiastic": "excited", "celebrate": "excited",

	"relaxed": "helpful", "calm": "helpful", "gentle": "helpful", "kind": "helpful", "friendly": "helpful", "polite": "helpful",
	"grateful": "helpful", "supportive": "helpful", "informative": "helpful", "confident": "helpful", "content": "helpful",
	"explaining": "helpful",

	"sad": "apologetic", "sorry": "apologetic", "sorrow": "apologetic", "sadness": "apologetic", "apology": "apologetic",
	"regret": "apologetic", "disappointed": "apologetic", "worried": "apologetic", "concerned": "apologetic",
	"embarrassed": "apologetic", "fear": "apologetic", "shy": "apologetic",

	"surprise": "surprised", "amazed": "surprised", "astonished": "surprised", "shocked": "surprised", "curious": "surprised",
	"confused": "surprised", "puzzled": "surprised", "wondering": "surprised", "announcement": "surprised",

	"normal": "neutral", "default": "neutral", "none": "neutral", "idle": "neutral", "serious": "neutral", "thinking": "neutral",
	"listening": "neutral", "bored": "neutral", "sleep": "neutral", "suspicious": "neutral", "angry": "neutral", "anger": "neutral",
	"disgust": "neutral", "jealous": "neutral",
}

// Emotions returns the emotions and what other systems call them. The caller may change what it gets.
func Emotions() EmotionsResponse {
	return EmotionsResponse{Emotions: append([]Emotion(nil), faces...), Aliases: maps.Clone(aliases)}
}

// Tag returns the tag of an emotion ("happy" for "excited"), "neutral" for one that is unknown.
func Tag(emotion string) string {
	for _, face := range faces {
		if face.Emotion == emotion {
			return face.Tag
		}
	}
	return "neutral"
}
