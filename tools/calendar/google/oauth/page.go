package oauth

import (
	_ "embed"
	"errors"
	"html/template"
	"net/http"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// answerPage writes the page that an owner sees after Google: what happened, in both languages. The address that led to it has the code, so
// that it is neither kept nor passed on.
func answerPage(w http.ResponseWriter, err error) {
	var said struct{ Done, JA, EN string }
	status := http.StatusOK
	if err == nil {
		said.Done = "true"
		said.JA = "Googleカレンダーに接続しました。このページを閉じてください。"
		said.EN = "Google Calendar is connected. You can close this page."
	} else {
		status = http.StatusBadRequest
		said.JA = "接続できませんでした。サーバーの記録を確認してください。"
		said.EN = "It could not be connected. Look at the server's log."
		var p *Problem
		if errors.As(err, &p) {
			said.JA, said.EN = p.Words("ja"), p.Words("en")
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = pageTemplate.Execute(w, said) // a browser that went away
}
