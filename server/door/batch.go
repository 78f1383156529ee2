package door

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/gin-gonic/gin"
)

// ChargeBatch charges a request of JSON-RPC for each of its messages, which may be several in a batch: the call of a
// tool as so many requests as worth says, nil for one each. The body can be read afterwards as if it had not been.
func ChargeBatch(c *gin.Context, worth func(tool string) int) error {
	body, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return err
	}
	c.Request.Body = io.NopCloser(bytes.NewReader(body))
	type message struct {
		Params struct{ Name string }
	}
	messages := make([]message, 1)
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		_ = json.Unmarshal(body, &messages) // what is no message is refused, and counts all the same
	} else {
		_ = json.Unmarshal(body, &messages[0])
	}
	n := len(messages)
	if worth != nil {
		n = 0
		for _, m := range messages {
			n += worth(m.Params.Name)
		}
	}
	return Charge(c, n-1)
}
