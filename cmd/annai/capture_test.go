package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// The doctor says what reads pictures: a model where there is a key, a program where there is one.
func TestDoctorOfCapture(t *testing.T) {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/models/gone" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = fmt.Fprint(w, `{"name": "models/of-the-test"}`)
	}))
	defer model.Close()
	google := []string{"--gemini-key-file", fileWith(t, "gemini-secret"), "--gemini-url", model.URL}
	none, program := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo 'tesseract 9.9' && exit\nprintf 'List (2):\\neng\\njpn\\n'\n"
	if err := os.WriteFile(filepath.Join(program, "tesseract"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, path string
		args       []string
		says       string
	}{
		{"nothing", none, nil, "note  capture    pictures of flyers can't be read, links and texts can: "},
		{"a program", program, nil, "ok    capture    pictures of flyers are read by tesseract 9.9 (jpn, eng)\n"},
		{
			"a model", none, google,
			"ok    capture    pictures of flyers are read by gemini-2.5-flash, and by nothing (install tesseract ",
		},
		{
			"both", program, google,
			"ok    capture    pictures of flyers are read by gemini-2.5-flash, and by tesseract 9.9 (jpn, eng) " +
				"if that fails\n",
		},
		{
			"no model of the name", program, append(google, "--gemini-read-model", "gone"),
			"FAIL  capture    pictures of flyers by gone: google answered 404 : not found; they are read by " +
				"tesseract 9.9",
		},
		{
			"a model that does not read", program, append(google, "--gemini-read-model", "none"),
			"ok    capture    pictures of flyers are read by tesseract 9.9 (jpn, eng)\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", tt.path)
			_, out, _ := command(t, "", append([]string{"doctor", "--venue", smallVenue(t)}, tt.args...)...)
			contains(t, "annai doctor", out, tt.says)
		})
	}
}
