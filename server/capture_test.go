package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/nodes/capture"
	"annai/server/keys"
)

// TestCapture: an owner gives a picture, a link or a text, in JSON or as a form; it becomes a turn of theirs.
func TestCapture(t *testing.T) {
	f := setup{keys: keys.Settings{Ask: askKey, Owner: ownerKey}}.fixture(t)
	owner := []string{"Authorization", "Bearer " + ownerKey}
	picture := []byte("\x89PNG and so on")
	image := base64.StdEncoding.EncodeToString(picture)
	for name, body := range map[string]string{
		"image":    `{"image":"` + image + `","sessionId":"s","language":"en"}`,
		"data URL": `{"imageBytes":"data:image/png;base64,` + image + `","session_id":"s","language":"en"}`,
	} {
		if w := f.do(t, "POST", "/capture", body, owner...); w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		turn := f.concierge.turns[len(f.concierge.turns)-1]
		if !turn.Owner || turn.SessionID != "s" || turn.Language != "en" || !slices.Equal(turn.Given.Picture, picture) {
			t.Errorf("%s: turn %+v, want the picture in the owner's session s", name, turn)
		}
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, _ := w.CreateFormFile("image", "flyer.png")
	_, _ = part.Write(picture)
	_ = w.WriteField("sessionId", "form")
	_ = w.Close()
	kind := append([]string{"Content-Type", w.FormDataContentType(), "Accept-Language", "en"}, owner...)
	if w := f.do(t, "POST", "/capture", form.String(), kind...); w.Code != http.StatusOK {
		t.Fatalf("form: %d %s", w.Code, w.Body)
	}
	turn := f.concierge.turns[len(f.concierge.turns)-1]
	given := slices.Equal(turn.Given.Picture, picture)
	if turn.SessionID != "form" || !given || turn.Query != "Add this to my calendar" {
		t.Errorf("form: turn %+v, want the picture, in English", turn)
	}
	text := `{"text":" Fair\nJanuary 18 "}`
	f.do(t, "POST", "/capture", text, owner...)
	turn = f.concierge.turns[len(f.concierge.turns)-1]
	if turn.Given.Text != "Fair\nJanuary 18" || turn.Language != "ja" {
		t.Errorf("text: turn %+v, want it trimmed, and an answer in Japanese", turn)
	}
	asked := len(f.concierge.turns)
	for body, status := range map[string]int{
		`{}`:                             http.StatusBadRequest,
		`{"url":"https://a","text":"b"}`: http.StatusBadRequest,
		`{"image":"?"}`:                  http.StatusBadRequest,
		`{"text":1}`:                     http.StatusBadRequest,
		`{"text":"a","timezone":"Mars"}`: http.StatusBadRequest,
		`{"text":"` + strings.Repeat("a", 10_001) + `"}`:      http.StatusBadRequest,
		`{"url":"https://` + strings.Repeat("a", 2000) + `"}`: http.StatusBadRequest,
		`{"image":"` + strings.Repeat("A", 15<<20) + `"}`:     http.StatusRequestEntityTooLarge,
	} {
		if w := f.do(t, "POST", "/capture", body, owner...); w.Code != status {
			t.Errorf("POST /capture %.40s = %d %.200s, want %d", body, w.Code, w.Body, status)
		}
	}
	checkEnvelope(t, f.do(t, "POST", "/capture", text), http.StatusUnauthorized, api.CodeUnauthorized)
	visitor := f.do(t, "POST", "/capture", text, "Authorization", "Bearer "+askKey)
	checkEnvelope(t, visitor, http.StatusForbidden, api.CodeDenied)
	broken := f.do(t, "POST", "/capture", "--", append(kind, owner...)...)
	checkEnvelope(t, broken, http.StatusBadRequest, api.CodeInvalid)
	if len(f.concierge.turns) != asked {
		t.Errorf("%d turns after what was refused, want %d", len(f.concierge.turns), asked)
	}
}

// TestCaptureFails: what could not be read is said, and an operator is told what to install.
func TestCaptureFails(t *testing.T) {
	f := setup{keys: keys.Settings{Owner: ownerKey}}.fixture(t)
	f.concierge.ask = func(_ context.Context, _ dialog.Turn, yield func(dialog.Event, error) bool) {
		yield(nil, &capture.Failure{Kind: capture.NoReader, Err: fault.ErrUnavailable})
	}
	w := f.do(t, "POST", "/capture", `{"text":"a"}`, "Authorization", "Bearer "+ownerKey, "Accept-Language", "en")
	checkEnvelope(t, w, http.StatusServiceUnavailable, api.CodeUnavailable)
	got := decode[api.ErrorResponse](t, w)
	said := strings.Contains(got.Text, "can't read the letters in pictures")
	if !said || !strings.Contains(got.Error.Message, "tesseract-ocr-jpn") {
		t.Errorf("answer %+v, want it said, and what to install", got)
	}
}
