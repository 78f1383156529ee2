package openai

import (
	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/door"
	"annai/server/render"
)

// A chunk is a frame of a streamed completion.
type chunk struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []chunkChoice `json:"choices"`
	Usage   *usage        `json:"usage,omitempty"`
	Extras  *extras       `json:"x_annai,omitempty"`
}

type chunkChoice struct {
	Index        int     `json:"index"`
	Delta        delta   `json:"delta"`
	FinishReason *string `json:"finish_reason"`
}

type delta struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

// maxExtras is how many bytes the extras of a spoken answer may have, so that the last frame fits into one packet of a network.
const maxExtras = 1000

// A chatStream streams one completion. Every frame has choices[0].delta, but for those that only some clients ask for or can read.
type chatStream struct {
	*render.Stream
	render.Style

	id, model string
	created   int64
	// include says that the client wants to know the usage.
	include bool
	// webUI says that the client is known to be Open WebUI, which shows what is being done and the sources.
	webUI bool
}

func (s *service) newChatStream(c *gin.Context, model string, r render.Style) *chatStream {
	out := &chatStream{
		Style: r, id: "chatcmpl-" + s.parts.NewID(), model: model, created: s.parts.Now().Unix(), webUI: isOpenWebUI(c.Request.Header),
	}
	out.Stream = render.NewStream(c.Writer, s.opts.Heartbeat, func() (string, any) { return "", out.chunk("", nil) })
	return out
}

// chunk returns a frame with the content; with a reason to finish it is the last and has none.
func (o *chatStream) chunk(content string, finish *string) chunk {
	d := delta{Role: "assistant", Content: &content}
	if finish != nil {
		d = delta{}
	}
	return chunk{
		ID: o.id, Object: "chat.completion.chunk", Created: o.created, Model: o.model, Choices: []chunkChoice{{Delta: d, FinishReason: finish}},
	}
}

// Begin implements [render.Listener].
func (o *chatStream) Begin() error { return nil }

// Piece implements [render.Listener].
func (o *chatStream) Piece(p render.Piece) error { return o.Send("", o.chunk(p.String(), nil)) }

// Progress implements [render.Listener].
func (o *chatStream) Progress(s render.Step) error {
	if !o.webUI || s.Label == "" {
		return nil
	}
	return o.Send("", statusFrame(s.Label, false))
}

// finish ends the stream.
func (o *chatStream) finish(text string, t *talk, more *extras) error {
	if o.webUI {
		if err := o.Send("", statusFrame("", true)); err != nil {
			return err
		}
	}
	if more != nil && o.Profile.Speaks() {
		more.fit(maxExtras)
	}
	stop := "stop"
	last := o.chunk("", &stop)
	last.Extras = more
	if err := o.Send("", last); err != nil {
		return err
	}
	if o.include && t != nil {
		count := usageOf(*t, text)
		last.Choices, last.Usage, last.Extras = []chunkChoice{}, &count, nil
		if err := o.Send("", last); err != nil {
			return err
		}
	}
	return o.SendText("", []byte("[DONE]"))
}

// apologize says the failure to the visitor and ends the stream.
func (o *chatStream) apologize(f door.Failure, t *talk) error {
	written, err := render.Apologize(f, o.Style, o)
	if err != nil {
		return err
	}
	return o.finish(written, t, &extras{Emotion: f.Emotion, Language: f.Language, Error: f.Code})
}

// An eventFrame is one that Open WebUI shows beside the answer. It has no choices and would break other readers.
type eventFrame struct {
	Event struct {
		Type string `json:"type"`
		Data any    `json:"data"`
	} `json:"event"`
}

type status struct {
	Description string `json:"description"`
	Done        bool   `json:"done"`
	Hidden      bool   `json:"hidden,omitempty"`
}

func statusFrame(label string, done bool) eventFrame {
	var f eventFrame
	f.Event.Type, f.Event.Data = "status", status{Description: label, Done: done, Hidden: done}
	return f
}

// A source is a passage that an answer rests on.
type source struct {
	Source   sourceName   `json:"source"`
	Document []string     `json:"document"`
	Metadata []sourceName `json:"metadata"`
}

type sourceName struct {
	Name   string `json:"name"`
	Source string `json:"source,omitempty"`
}

// sources shows the passages.
func (o *chatStream) sources(passages []api.Passage) error {
	for _, p := range passages {
		var f eventFrame
		f.Event.Type = "source"
		f.Event.Data = source{
			Source: sourceName{Name: p.Title}, Document: []string{p.Title}, Metadata: []sourceName{{Name: p.Title, Source: p.Source}},
		}
		if err := o.Send("", f); err != nil {
			return err
		}
	}
	return nil
}
