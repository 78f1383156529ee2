package navigator

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/dialog"
	"annai/internal/text"
	"annai/prompts"
	"annai/server/door"
	"annai/server/render"
)

// A qaRequest is the body of POST /api/qa.
type qaRequest struct {
	Action    string `json:"action"`
	Question  string `json:"question"`
	SessionID string `json:"sessionId"`
	Language  string `json:"language"`
}

// A qaAnswer is what is answered to a question. There is no sound in it: that is asked for by
// itself.
type qaAnswer struct {
	Success bool   `json:"success"`
	Answer  string `json:"answer"`
	// Emotion is ours, PrimaryEmotion one of the front end's six faces.
	Emotion        string       `json:"emotion"`
	PrimaryEmotion string       `json:"primaryEmotion"`
	Category       string       `json:"category"`
	RequestType    string       `json:"requestType"`
	Confidence     float64      `json:"confidence"`
	ProcessingTime int64        `json:"processingTime"`
	AgentName      string       `json:"agentName"`
	Sources        []string     `json:"sources"`
	AudioResponse  *string      `json:"audioResponse"`
	HasAudio       bool         `json:"hasAudio"`
	SessionID      string       `json:"sessionId"`
	Metadata       api.Metadata `json:"metadata"`
}

// qa is POST /api/qa.
func (s *service) qa(c *gin.Context) error {
	var body qaRequest
	if err := render.ReadJSON(c, &body); err != nil {
		return err
	}
	language, err := languageOf(body.Language, body.Question)
	if err != nil {
		return err
	}
	switch body.Action {
	case "ask_question":
		return s.askQuestion(c, body)
	case "get_fallback_response":
		return render.WriteJSON(c, http.StatusOK, map[string]any{
			"success": true, "response": prompts.Failure{Name: "internal"}.In(language),
		})
	case "escalate_to_staff":
		if s.opts.CallStaff == nil {
			return door.Invalid("action", "escalate_to_staff is nothing that can be done here")
		}
		caller, device := door.CallerOf(c), door.DeviceOf(c.Request)
		words, told := s.opts.CallStaff(c.Request.Context(), caller, device, language)
		return render.WriteJSON(c, http.StatusOK, map[string]any{"success": told, "response": words})
	case "translate_question":
		return door.Invalid("action", body.Action+" is nothing that can be done here")
	}
	return door.Invalid("action", "must be ask_question, get_fallback_response or escalate_to_staff")
}

func (s *service) askQuestion(c *gin.Context, body qaRequest) error {
	began := s.parts.Now()
	turn, err := s.turn(c, "question", body.Question, body.SessionID, body.Language)
	if err != nil {
		return err
	}
	a, err := s.answer(c.Request.Context(), turn)
	if err != nil {
		return err
	}
	m := a.Metadata
	if m.Sources == nil {
		m.Sources = []string{}
	}
	return render.WriteJSON(c, http.StatusOK, qaAnswer{
		Success: true, Answer: a.Written, Emotion: a.Emotion, PrimaryEmotion: faceOf(a.Emotion), Category: m.Category,
		RequestType: m.ProcessingInfo.Route, Confidence: m.Confidence, AgentName: a.AgentName, Sources: m.Sources,
		ProcessingTime: s.parts.Now().Sub(began).Milliseconds(), SessionID: a.SessionID, Metadata: m,
	})
}

// written is how an answer is written for who reads the face beside it.
var written = render.Style{Profile: render.Raw, Tags: render.TagNone}

func (s *service) answer(ctx context.Context, turn dialog.Turn) (render.Answer, error) {
	return s.answerer.Answer(ctx, turn, written, render.Silent{})
}

// turn is what was said, in a field of that name, in the session that the client names, or else a
// new one.
func (s *service) turn(c *gin.Context, field, said, session, language string) (dialog.Turn, error) {
	words := render.Utterance(said)
	if err := render.CheckWords(field, words); err != nil {
		return dialog.Turn{}, door.Tell(err, text.Language(words), "")
	}
	if _, err := languageOf(language, words); err != nil {
		return dialog.Turn{}, err
	}
	if session = render.Named(session); session == "" {
		session = s.parts.NewID()
	}
	turn := render.TurnOf(c, words, session, s.parts.NewID())
	turn.Language = language
	return turn, nil
}

// languageOf is the language that is asked for, or else that of the words.
func languageOf(asked, words string) (string, error) {
	switch asked {
	case "":
		return text.Language(words), nil
	case "ja", "en":
		return asked, nil
	}
	return "", door.Invalid("language", "must be ja or en")
}

// faceOf is the front end's face for an emotion. It has none for surprise.
func faceOf(emotion string) string {
	if face := render.FaceOf(emotion); face != "surprised" {
		return face
	}
	return "curious"
}

// facts is GET /api/qa.
func (s *service) facts(c *gin.Context) error {
	switch c.Query("action") {
	case "sample_questions":
		language := c.Query("language")
		if language == "" {
			language = "ja"
		}
		questions := s.opts.Suggestions(language)
		if questions == nil {
			questions = []string{}
		}
		return render.WriteJSON(c, http.StatusOK, map[string]any{"success": true, "questions": questions})
	case "health":
		return render.WriteJSON(c, http.StatusOK, map[string]any{
			"success": true, "status": "healthy", "ragEnabled": true,
		})
	}
	return door.Invalid("action", "must be sample_questions or health")
}
