package openai

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/internal/text"
	"annai/server/render"
)

// chore answers what chat pages ask a model on the side, such as a title for the talk, without asking the concierge. It reports
// whether the talk is such a chore: all are that are put to the model for them, and those that are marked as tasks.
func (s *service) chore(model string, t talk) (string, bool) {
	if model != modelUtility && !strings.HasPrefix(t.prompt, "### Task:") {
		return "", false
	}
	task, history := parted(t.prompt)
	asked := choreKey.FindStringSubmatch(task + "\n" + t.instructions)
	if asked == nil {
		return titleOf(history), true
	}
	answer := map[string]any{asked[1]: ""}
	switch asked[1] {
	case "title":
		answer["title"] = titleOf(history)
	case "tags":
		answer["tags"] = []string{"General"} // what the task itself names for want of a better
	case "follow_ups":
		answer["follow_ups"] = s.followUps(history)
	case "queries", "tool_calls":
		answer[asked[1]] = []string{}
	}
	text, err := json.Marshal(answer)
	return string(text), err == nil
}

var (
	// choreKey is the field that a task wants to have filled in.
	choreKey = regexp.MustCompile(`"(title|tags|follow_ups|queries|tool_calls|text|prompt)"\s*:`)
	// spokenBy begins a line of a talk that is quoted in a task.
	spokenBy = regexp.MustCompile(`(?i)^\W*(user|human|assistant|ai|response)\W*[:：]\s*(.*)$`)
)

// parted parts what is to be done from the talk that it is to be done with. What was said in the talk can't change what is to be done.
func parted(prompt string) (task, history string) {
	for _, mark := range []string{"<chat_history>", "### Chat History", "||>User", "\nUser:", "\nUSER:", "\nHuman:"} {
		if i := strings.Index(prompt, mark); i >= 0 {
			return prompt[:i], prompt[i:]
		}
	}
	return prompt, prompt
}

// userLines returns what the visitor said in a talk that is quoted.
func userLines(history string) []string {
	var out []string
	user := false
	for line := range strings.Lines(history) {
		line = strings.TrimSpace(line)
		if m := spokenBy.FindStringSubmatch(line); m != nil {
			user = strings.EqualFold(m[1], "user") || strings.EqualFold(m[1], "human")
			line = m[2]
		}
		line = strings.Trim(line, `"“”「」 `)
		if user && line != "" && !strings.HasPrefix(line, "<") && !strings.HasPrefix(line, "||>") {
			out = append(out, render.Utterance(line))
		}
	}
	return out
}

// maxTitle is how many characters a title has.
const maxTitle = 30

// titleOf returns a title for a talk: the first thing that was said, cut at a word.
func titleOf(history string) string {
	said := userLines(history)
	if len(said) == 0 {
		return modelConcierge
	}
	title := strings.TrimRight(strings.Join(strings.Fields(said[0]), " "), "。.!?！？ ")
	if cut := render.Shorten(title, maxTitle); cut != title {
		if i := strings.LastIndexByte(cut, ' '); i > maxTitle/3 {
			cut = cut[:i]
		}
		title = cut + "…"
	}
	return title
}

// followUps are the venue's questions that were not asked yet.
func (s *service) followUps(history string) []string {
	said := userLines(history)
	language := text.Language(strings.Join(said, ""))
	if language == "" {
		language = "ja"
	}
	out := []string{}
	for _, q := range s.opts.Suggestions(language) {
		if !slices.Contains(said, q) {
			out = append(out, q)
		}
	}
	return out
}

// completeChore answers a chore, as a stream if that was asked for.
func (s *service) completeChore(c *gin.Context, body chatRequest, model string, t talk, answer string) error {
	if !body.Stream {
		return render.WriteJSON(c, http.StatusOK, s.completion(model, answer, t, nil))
	}
	out := s.newChatStream(c, model, render.Style{Profile: render.Chat, Tags: render.TagNone})
	out.webUI, out.include = false, body.StreamOptions.IncludeUsage
	defer out.Close()
	if err := out.Piece(render.Piece{Text: answer}); err != nil {
		return err
	}
	return out.finish(answer, &t, nil)
}
