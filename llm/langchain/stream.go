package langchain

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"annai/llm"
)

// A reader reads the events of an answer in one provider's form.
type reader interface {
	// read takes the data of one event and returns the text in it. The error is a failure that was told in the stream, or what could not be read.
	read(data []byte) (text string, f *llm.Failure)
	// answer is what was read so far besides the text.
	answer() *answer
	// write returns the text as an event that langchaingo reads right.
	write(text string) []byte
	// first and last are what langchaingo needs before and behind the text, so as not to stumble.
	first() []byte
	last() []byte
}

// A stream is a body for langchaingo: what the provider sends, read by us, and written anew so that it holds nothing but the text.
type stream struct {
	call    *call
	body    io.Closer
	events  *events
	expired func() error // what ended the request's context, if it has ended

	out   []byte // what is to be read next
	err   error  // once out is read
	begun bool
}

// Read implements [io.Reader].
func (s *stream) Read(p []byte) (int, error) {
	for len(s.out) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.out, s.err = s.next()
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// Close implements [io.Closer].
func (s *stream) Close() error { return s.body.Close() }

func (s *stream) next() ([]byte, error) {
	reader := s.call.reader
	if !s.begun {
		s.begun = true
		return reader.first(), nil
	}
	data, err := s.events.next()
	s.call.mu.Lock()
	a := reader.answer()
	var text string
	var f *llm.Failure
	if err == nil {
		text, f = reader.read(data)
		a.text += len(text)
	} else if a.stopped {
		a.done = true // only the formal end is missing
	}
	done, words := a.done, a.wrap(text, reader.write)
	tooLong := a.text+a.size() > s.call.model.opts.MaxAnswer
	s.call.mu.Unlock()
	switch {
	case f != nil:
		return nil, s.call.fail(f)
	case tooLong:
		return nil, s.call.fail(&llm.Failure{Kind: llm.Malformed, Err: fmt.Errorf("the answer is longer than %d bytes", s.call.model.opts.MaxAnswer)})
	case done:
		return append(words, reader.last()...), io.EOF
	case err != nil:
		return nil, s.call.fail(s.broken(err))
	default:
		return words, nil
	}
}

// broken is the failure of a stream that stopped before its end.
func (s *stream) broken(err error) *llm.Failure {
	switch {
	case s.expired() != nil:
		return &llm.Failure{Kind: llm.Late, Err: s.expired()}
	case errors.Is(err, errTooMuch):
		return &llm.Failure{Kind: llm.Malformed, Err: err}
	case errors.Is(err, io.EOF) && !s.events.seen:
		return &llm.Failure{Kind: llm.Malformed, Err: errors.New("what came is no stream of events")}
	default:
		return &llm.Failure{Kind: llm.CutOff, Err: errors.New(plain(err.Error()))}
	}
}

const (
	maxLine   = 512 << 10 // bytes of one event
	maxStream = 16 << 20  // bytes of an answer on the wire, where a word is wrapped in some 250 bytes
)

// errTooMuch is a server that sends more than anybody reads.
var errTooMuch = errors.New("more came than is read")

// events reads server-sent events, of which only the data matters.
type events struct {
	lines *bufio.Reader
	left  int
	seen  bool // an event was read
}

func newEvents(r io.Reader) *events {
	return &events{lines: bufio.NewReader(r), left: maxStream}
}

// next returns the data of the next event that has any. At the end of the stream it is an error, [io.EOF] for a clean one; an event that is
// not closed by an empty line counts if the stream ends cleanly behind it.
func (e *events) next() ([]byte, error) {
	var data []byte
	has := false
	for {
		line, err := e.line()
		if err != nil {
			if has && errors.Is(err, io.EOF) {
				e.seen = true
				return data, nil
			}
			return nil, err
		}
		switch value, ok := bytes.CutPrefix(line, []byte("data:")); {
		case ok:
			if has {
				data = append(data, '\n')
			}
			data, has = append(data, bytes.TrimPrefix(value, []byte(" "))...), true
			if len(data) > maxLine {
				return nil, fmt.Errorf("an event of more than %d bytes: %w", maxLine, errTooMuch)
			}
		case len(line) == 0 && has:
			e.seen = true
			return data, nil
		}
	}
}

// line returns the next line without its end. It is valid until the next one. A last line without an end is a line.
func (e *events) line() ([]byte, error) {
	var long []byte
	for {
		part, err := e.lines.ReadSlice('\n')
		e.left -= len(part)
		if e.left < 0 || len(long)+len(part) > maxLine {
			return nil, fmt.Errorf("a line of more than %d bytes, or a stream of more than %d: %w", maxLine, maxStream, errTooMuch)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(long)+len(part) == 0):
			return nil, fmt.Errorf("read the answer: %w", err)
		case long != nil:
			part = append(long, part...)
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r")), nil
	}
}

// event returns a value of ours as an event.
func event(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		return nil // strings and maps of them always can be written
	}
	return append(append([]byte("data: "), data...), "\n\n"...)
}

// maxPlain is how much of a text of a server is told, in letters.
const maxPlain = 300

// plain returns a text from outside as one short line.
func plain(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 }), " ")
	if runes := []rune(text); len(runes) > maxPlain {
		return string(runes[:maxPlain]) + "…"
	}
	return text
}
