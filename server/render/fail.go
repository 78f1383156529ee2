package render

import (
	"github.com/gin-gonic/gin"

	"annai/server/door"
)

// Fail answers with the failure where a protocol has no words for it: what went wrong, its code,
// and what an avatar would say of it.
func Fail(c *gin.Context, f door.Failure) {
	_ = WriteJSON(c, f.Status, map[string]any{ // strings can always be written
		"success": false, "error": f.Message, "code": f.Code, "detail": f.Message,
	})
}
