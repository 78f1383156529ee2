package openai

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/render"
)

// The models that exist: the concierge, and one that does a chat page's chores without it.
const (
	modelConcierge = "annai"
	modelUtility   = "annai-utility"
)

// listed are the names that clients see. A name may carry any profile behind a colon.
var listed = []string{
	modelConcierge, modelConcierge + ":" + string(render.Chat), modelConcierge + ":" + string(render.OLV), modelUtility,
}

type modelList struct {
	Object string      `json:"object"`
	Data   []modelInfo `json:"data"`
}

type modelInfo struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// born is when the models came to be, in seconds since 1970: clients want a number, and sort by it.
const born = 1767225600

func infoOf(id string) modelInfo {
	return modelInfo{ID: id, Object: "model", Created: born, OwnedBy: "annai"}
}

// models is GET /v1/models.
func (s *service) models(c *gin.Context) error {
	list := modelList{Object: "list"}
	for _, id := range listed {
		list.Data = append(list.Data, infoOf(id))
	}
	return render.WriteJSON(c, http.StatusOK, list)
}

// model is GET /v1/models/{id}.
func (s *service) model(c *gin.Context) error {
	id := c.Param("id")
	if _, err := profileOfModel(id); err != nil {
		return err
	}
	return render.WriteJSON(c, http.StatusOK, infoOf(id))
}

// profileOfModel returns the profile that a model's name carries, or "". A model that does not exist is
// [fault.ErrNotFound].
func profileOfModel(model string) (render.Profile, error) {
	base, suffix, named := strings.Cut(model, ":")
	switch p := render.Profile(suffix); {
	case model == modelUtility, base == modelConcierge && !named:
		return "", nil
	case base == modelConcierge && p.Known():
		return p, nil
	}
	return "", &refusal{
		error: fmt.Errorf("model: %w", fault.ErrNotFound), code: "model_not_found", param: "model",
		message: "The model '" + render.Shorten(model, 64) + "' does not exist here: GET /v1/models lists those that do",
	}
}
