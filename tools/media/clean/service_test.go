package clean

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"image/color"
	"testing"
	"time"

	"annai/fault"
	"annai/tools"
)

// service is one that answers as a test says, and notes what it was asked.
type service struct {
	picture []byte
	err     error
	asked   []string
	left    time.Duration
}

func (*service) Name() string { return "gemini" }

func (s *service) Clean(ctx context.Context, _ []byte, mediaType string, operations []Operation) ([]byte, error) {
	s.asked = append(s.asked, mediaType)
	for _, o := range operations {
		s.asked = append(s.asked, string(o))
	}
	deadline, _ := ctx.Deadline()
	s.left = time.Until(deadline)
	return s.picture, s.err
}

func TestService(t *testing.T) {
	squares := [4]color.Color{color.Black, color.White, color.White, color.Black}
	sent := base64.StdEncoding.EncodeToString(encoded(t, corners(60, 40, squares)))
	theirs := encoded(t, corners(30, 20, squares))
	huge := bomb(60000, 60000, 8)
	for name, tt := range map[string]struct {
		service *service
		image   string
		backend string
		width   int
		asked   int
	}{
		"it cleans":          {&service{picture: theirs}, sent, "gemini", 30, 3},
		"it fails":           {&service{err: fault.ErrUnavailable}, sent, "embedded", 60, 3},
		"it answers rubbish": {&service{picture: []byte("<html>")}, sent, "embedded", 60, 3},
		"it answers a bomb":  {&service{picture: huge}, sent, "embedded", 60, 3},
		"no picture is sent": {&service{picture: theirs}, "aGVsbG8=", "embedded", 0, 0},
	} {
		r := tools.New(time.Now, tools.Options{})
		if err := Register(r, Options{Service: tt.service}); err != nil {
			t.Fatal(err)
		}
		caller := tools.Caller{Role: tools.Visitor, Language: "ja"}
		raw, err := r.Call(t.Context(), caller, "flash_image_edit", json.RawMessage(`{"imageBytes":"`+tt.image+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		var out output
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
		if out.Backend != tt.backend || out.Width != tt.width || len(tt.service.asked) != tt.asked {
			t.Errorf("%s: by %s, %d wide, asked %v; want %s, %d",
				name, out.Backend, out.Width, tt.service.asked, tt.backend, tt.width)
		}
		if tt.service.left > 10*time.Second {
			t.Errorf("%s: it has %v, which leaves no time to clean here", name, tt.service.left)
		}
	}
}
