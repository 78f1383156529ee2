package nodes

import "annai/api"

// mood is the emotion of an answer, by its word in JSON.
type mood string

const (
	excited    mood = "excited"
	helpful    mood = "helpful"
	apologetic mood = "apologetic"
	surprised  mood = "surprised"
	neutral    mood = "neutral"
)

// moods is the one table of emotions: the word in JSON, the tag in text, which is also the face,
// and what an avatar does with it.
var moods = []struct {
	mood      mood
	face      string
	intensity float64
	gesture   string
}{
	{excited, "happy", 1, "present"},
	{helpful, "relaxed", 0.8, "explain"},
	{apologetic, "sad", 0.8, "bow"},
	{surprised, "surprised", 0.8, "tilt"},
	{neutral, "neutral", 0.5, "idle"},
}

// aliases maps words of other systems to ours.
var aliases = map[mood][]string{
	excited: {
		"happy", "happiness", "joy", "joyful", "glad", "cheerful", "delighted", "fun", "smile", "laugh", "laughing", "love", "proud",
		"amused", "嬉しい", "楽しい", "喜び",
	},
	helpful: {
		"relaxed", "calm", "gentle", "kind", "friendly", "warm", "content", "confident", "supportive", "explain", "informative",
		"relax", "穏やか",
	},
	apologetic: {
		"sad", "sadness", "sorry", "sorrow", "apology", "disappointed", "regret", "worried", "troubled", "crying", "depressed",
		"fear", "悲しい", "申し訳ない",
	},
	surprised: {"surprise", "shocked", "astonished", "amazed", "curious", "confused", "thinking", "questioning", "驚き"},
	neutral:   {"normal", "default", "none", "serious", "idle", "angry", "anger", "disgust", "普通"},
}

// face returns the tag and face of a mood.
func (m mood) face() string {
	for _, row := range moods {
		if row.mood == m {
			return row.face
		}
	}
	return "neutral"
}

// vrm says what an avatar does in a mood; gesture overrides that of the table.
func (m mood) vrm(gesture string) api.VRM {
	for _, row := range moods {
		if row.mood != m {
			continue
		}
		if gesture == "" {
			gesture = row.gesture
		}
		return api.VRM{Expression: row.face, Intensity: row.intensity, Gesture: gesture}
	}
	return api.VRM{Expression: "neutral", Gesture: "idle"}
}

// moodOf decides the face from the evidence alone.
func moodOf(f facts) mood {
	switch {
	case f.Grave:
		return neutral
	case f.Asking, f.Changed:
		return surprised
	case f.Unknown, f.Sorry:
		return apologetic
	case f.Events > 0:
		return excited
	case f.Nothing:
		return apologetic
	}
	return helpful
}

// Emotions returns the emotions that answers have, and the words of other systems that mean them.
func Emotions() api.EmotionsResponse {
	out := api.EmotionsResponse{Aliases: map[string]string{}}
	for _, row := range moods {
		out.Emotions = append(out.Emotions, api.Emotion{Emotion: string(row.mood), Tag: "[" + row.face + "]", Expression: row.face})
		for _, alias := range aliases[row.mood] {
			out.Aliases[alias] = string(row.mood)
		}
	}
	return out
}
