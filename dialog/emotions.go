package dialog

import "annai/api"

// An Emotion is that of an answer, by its word in JSON.
type Emotion string

// The values of [Emotion].
const (
	Excited    Emotion = "excited"
	Helpful    Emotion = "helpful"
	Apologetic Emotion = "apologetic"
	Surprised  Emotion = "surprised"
	Neutral    Emotion = "neutral"
)

// emotions is the one table of emotions: the word in JSON, the tag in text, which is also the face,
// and what an avatar does with it.
var emotions = []struct {
	emotion   Emotion
	face      string
	intensity float64
	gesture   string
}{
	{Excited, "happy", 1, "present"},
	{Helpful, "relaxed", 0.8, "explain"},
	{Apologetic, "sad", 0.8, "bow"},
	{Surprised, "surprised", 0.8, "tilt"},
	{Neutral, "neutral", 0.5, "idle"},
}

// aliases maps words of other systems to ours.
var aliases = map[Emotion][]string{
	Excited: {
		"happy", "happiness", "joy", "joyful", "glad", "cheerful", "delighted", "fun",
		"smile", "laugh", "laughing", "love", "proud",
		"amused", "嬉しい", "楽しい", "喜び",
	},
	Helpful: {
		"relaxed", "calm", "gentle", "kind", "friendly", "warm", "content", "confident",
		"supportive", "explain", "informative",
		"relax", "穏やか",
	},
	Apologetic: {
		"sad", "sadness", "sorry", "sorrow", "apology", "disappointed", "regret", "worried", "troubled",
		"crying", "depressed",
		"fear", "悲しい", "申し訳ない",
	},
	Surprised: {"surprise", "shocked", "astonished", "amazed", "curious", "confused", "thinking", "questioning", "驚き"},
	Neutral:   {"normal", "default", "none", "serious", "idle", "angry", "anger", "disgust", "普通"},
}

// Face returns the tag and face of an emotion.
func (e Emotion) Face() string {
	for _, row := range emotions {
		if row.emotion == e {
			return row.face
		}
	}
	return "neutral"
}

// VRM says what an avatar does with an emotion; gesture overrides that of the table.
func (e Emotion) VRM(gesture string) api.VRM {
	for _, row := range emotions {
		if row.emotion != e {
			continue
		}
		if gesture == "" {
			gesture = row.gesture
		}
		return api.VRM{Expression: row.face, Intensity: row.intensity, Gesture: gesture}
	}
	return api.VRM{Expression: "neutral", Gesture: "idle"}
}

// Emotions returns the emotions that answers have, and the words of other systems that mean them.
func Emotions() api.EmotionsResponse {
	out := api.EmotionsResponse{Aliases: map[string]string{}}
	for _, row := range emotions {
		out.Emotions = append(out.Emotions, api.Emotion{
			Emotion: string(row.emotion), Tag: "[" + row.face + "]", Expression: row.face,
		})
		for _, alias := range aliases[row.emotion] {
			out.Aliases[alias] = string(row.emotion)
		}
	}
	return out
}
