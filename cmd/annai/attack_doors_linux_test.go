package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// newerDoors are the attacks on what came after LangGraph's door: other protocols, sounds, pictures and sockets.
func (a *attacker) newerDoors() []attack {
	const chinese = "鬱" // takes long to say
	large := a.picture(5000, 5000)
	bomb := bytes.Clone(large)
	binary.BigEndian.PutUint32(bomb[16:], 60_000) // as wide as its head says
	return []attack{
		{name: "large talks at /v1/responses", requests: 20, computes: true, do: func(int) {
			a.ask("POST", "/v1/responses", `{"input":[`+strings.Repeat(`{"role":"user","content":"a"},`, 200_000)+
				`{"role":"user","content":"今日は？"}]}`)
		}},
		{name: "long chores", requests: 20, computes: true, do: func(int) {
			a.ask("POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"### Task:\n<chat_history>\n`+
				strings.Repeat(`User: a\n`, 800_000)+`"}]}`)
		}},
		{name: "large inputs of AG-UI", requests: 200, do: func(n int) {
			a.ask("POST", "/agui", fmt.Sprintf(`{"threadId":"t%d","runId":"r","tools":[%s{}],"messages":[%s]}`, n,
				strings.Repeat(`{},`, 50_000), `{"id":"m","role":"user","content":"今日は？"}`))
		}},
		{name: "messages of A2A", requests: 200, do: func(n int) {
			a.message(n, strings.Repeat(`{"text":""},`, 4000)+`{"text":"今日は？"}`)
		}},
		{name: "files of A2A", requests: 20, do: func(n int) {
			if said := a.message(n, `{"file":{"uri":"http://169.254.169.254/"}}`); !strings.Contains(said, "-32005") {
				a.Errorf("a file that is elsewhere is answered with %s", said)
			}
		}},
		{name: "batches at MCP", requests: 4, counts: 100, do: a.batch},
		{name: "long texts to be spoken", requests: 4, counts: 10, computes: true, do: func(int) {
			a.ask("POST", "/v1/audio/speech", `{"input":"`+strings.Repeat(chinese, 1000)+`"}`)
		}},
		{name: "sounds to be heard", requests: 20, counts: 20, do: a.sound},
		{name: "large pictures", requests: 4, computes: true, do: func(int) { a.clean(large) }},
		{name: "bombs", requests: 50, do: func(int) { a.clean(bomb) }},
		{name: "large posters", requests: 4, counts: 2, computes: true, do: func(n int) {
			a.ask("POST", "/tools/imagen_generate_poster", fmt.Sprintf(`{"eventTitle":"夏%d","eventDescription":"%s",`+
				`"style":"classic","dimensions":{"width":2197,"height":4096},"includeBytes":true}`, n,
				strings.Repeat("花火", 5000)))
		}},
		{name: "films", requests: 1, counts: 4, computes: true, do: func(n int) {
			event := fmt.Sprintf(`{"title":"x%d","start":"2026-01-16T10:00:00+09:00","description":"%s"}`, n,
				strings.Repeat("あ", 500))
			a.ask("POST", "/tools/veo_create_day_preview", `{"date":"2026-01-16","events":[`+
				strings.Repeat(event+",", 19)+event+`]}`)
		}},
		{name: "large messages on sockets", requests: 40, do: func(n int) {
			path := []string{"/ws", fmt.Sprintf("/threads/00000000-0000-4000-8000-%012d/stream/events", n)}[n%2]
			a.say(path, 1, strings.Repeat("x", 3<<20))
		}},
		{name: "answers that nobody reads", requests: 4, counts: 200_000, do: func(int) {
			a.say("/ws", 200_000, `{"content":"今日のイベントは？","type":"chat"}`)
		}},
		{name: "names that are made up", requests: 1000, do: func(n int) {
			for _, path := range []string{
				"/phone/" + strings.Repeat("A", 26), "/pictures/..%2f..%2fannai.db", "/media/..%2fsigning.key",
				"/venue/crest/..%2f..%2fetc%2fpasswd", fmt.Sprintf("/speech/%040d.wav", n),
			} {
				if status, _ := a.ask("GET", path, ""); status != http.StatusNotFound && status != http.StatusGone {
					a.Errorf("GET %s = %d, want 404", path, status)
				}
			}
		}},
		{name: "what is the owner's to capture", requests: 20, do: func(int) {
			body := `{"image":"` + base64.StdEncoding.EncodeToString(large) + `"}`
			if status, _ := a.ask("POST", "/capture", body); status != 0 && status != http.StatusForbidden {
				a.Errorf("POST /capture = %d, want 403", status)
			}
		}},
	}
}

// picture is a PNG with nothing on it.
func (a *attacker) picture(width, height int) []byte {
	a.Helper()
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, image.NewNRGBA(image.Rect(0, 0, width, height))); err != nil {
		a.Fatal(err)
	}
	return b.Bytes()
}

func (a *attacker) clean(picture []byte) {
	a.Helper()
	a.ask("POST", "/tools/flash_image_edit", `{"imageBytes":"`+base64.StdEncoding.EncodeToString(picture)+
		`","operations":["denoise","remove_background","enhance_text"]}`)
}

// message sends a message of Agent2Agent, and returns the beginning of the answer.
func (a *attacker) message(n int, parts string) string {
	a.Helper()
	const call = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":` +
		`{"messageId":"m%d","role":"ROLE_USER","parts":[%s]},` +
		`"configuration":{"taskPushNotificationConfig":{"url":"http://127.0.0.1:1/"}}}}`
	_, answer := a.ask("POST", "/a2a", fmt.Sprintf(call, n, parts))
	return answer
}

// sound has some sixty seconds of noise heard that is said to be of a format which is not read here.
func (a *attacker) sound(int) {
	a.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	file, err := form.CreateFormFile("file", "../a.webm\r\nX-Owner: yes")
	if err != nil {
		a.Fatal(err)
	}
	_, _ = file.Write(bytes.Repeat([]byte("noise"), 1_200_000))
	_ = form.Close()
	a.send("POST", "/v1/audio/transcriptions", b.String(), "Content-Type", form.FormDataContentType())
}

// batch asks a hundred things at once, in the version of the protocol that has batches.
func (a *attacker) batch(int) {
	a.Helper()
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	session := a.send("POST", "/mcp", hello).header.Get("Mcp-Session-Id")
	one := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"ask","arguments":{"query":"今日は？"}}}`
	all := make([]string, 100)
	for n := range all {
		all[n] = fmt.Sprintf(one, n+2)
	}
	got := a.send("POST", "/mcp", "["+strings.Join(all, ",")+"]", "Mcp-Session-Id", session)
	if got.status != http.StatusOK {
		a.Errorf("a batch of a hundred questions = %d %s", got.status, got.said)
	}
}

// say says something so often on a socket, reads nothing, and leaves after three seconds.
func (a *attacker) say(path string, times int, words string) {
	a.Helper()
	options := websocket.DialOptions{HTTPHeader: http.Header{"X-Api-Key": {attackKey}}}
	conn, _, err := websocket.Dial(a.Context(), a.url+path, &options) //nolint:bodyclose // a socket has none
	if err != nil {
		return // there are too many
	}
	over := time.AfterFunc(3*time.Second, func() { _ = conn.CloseNow() })
	defer over.Stop()
	for range times {
		if conn.Write(a.Context(), websocket.MessageText, []byte(words)) != nil {
			break
		}
	}
	_ = conn.CloseNow()
}
