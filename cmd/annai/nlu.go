package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"annai/internal/config"
	"annai/internal/setup"
	"annai/nlu"
	"annai/rag"
	"annai/venue"
)

func nluCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "nlu", Short: "Show what is understood: JSON lines in, JSON lines out",
		Long: `Reads JSON objects, one a line, and writes one for each, with the id it answers. A line that can't be read is answered with
{"id", "error"}, and the rest goes on. With words behind the command it reads these instead.

` + exitCodeHelp,
		Example: `  annai nlu slots --explain "来週月曜14時に山田さんと打ち合わせを入れて"` + "\n" +
			`  echo '{"id": 1, "text": "what is on this weekend"}' | annai nlu route`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%w: there is no annai nlu %s; see annai nlu --help", errUsage, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		nluPart("route", `Which agent is asked: "text" gives "agent" and "confidence"`, (*reader).route),
		nluPart("datetime", `Dates and times: "text", "reference_time" and "timezone" give "results"`, (*reader).datetime),
		nluPart("slots", `What is asked of a calendar: "text" gives "op" and "slots"`, (*reader).slots),
		nluPart("holiday", `Public holidays of Japan: "date" gives "holiday"`, (*reader).holiday),
		retrieveCommand(),
	)
	return cmd
}

// nluPart is the command that answers with one method.
func nluPart(name, short string, answer func(*reader, context.Context, request) (any, error)) *cobra.Command {
	r := &reader{answer: answer}
	cmd := &cobra.Command{
		Use: name + " [WORDS]", Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.open(cmd); err != nil {
				return err
			}
			return r.run(cmd, args)
		},
	}
	r.bind(cmd)
	return cmd
}

func retrieveCommand() *cobra.Command {
	r := &reader{answer: (*reader).retrieve}
	file := ""
	cmd := &cobra.Command{
		Use: "retrieve --passages FILE [WORDS]", Short: `Passages that answer: "text" gives "ranked"`, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if file == "" {
				return fmt.Errorf("%w: from where? annai nlu retrieve --passages FILE, with lines {\"pid\", \"title\", \"text\"}", errUsage)
			}
			if err := r.open(cmd); err != nil {
				return err
			}
			if err := r.load(cmd.Context(), file); err != nil {
				return err
			}
			return r.run(cmd, args)
		},
	}
	r.bind(cmd)
	cmd.Flags().StringVar(&file, "passages", "", "file of JSON lines with the passages")
	return cmd
}

// A reader answers lines.
type reader struct {
	answer func(*reader, context.Context, request) (any, error)
	// explains says that reasons are wanted; they are written to why.
	explains bool
	why      bytes.Buffer

	understander *nlu.Reader
	venue        *venue.Venue
	now          func() time.Time
	passages     *rag.Hybrid
}

func (r *reader) bind(cmd *cobra.Command) {
	config.Bind(cmd.Flags())
	cmd.Flags().BoolVar(&r.explains, "explain", false, "say why, on standard error")
}

func (r *reader) open(cmd *cobra.Command) error {
	c, err := load(cmd)
	if err != nil {
		return err
	}
	if r.venue, err = openVenue(c.Venue); err != nil {
		return err
	}
	opts := understanding(r.venue)
	opts.Anywhere = c.Venue == "" // what is read here was said to nobody in particular, unless a venue is named
	r.now, r.understander = setup.Clock(c.Now), nlu.New(opts)
	return nil
}

// A request is a line. Each part reads its own fields.
type request struct {
	ID            json.RawMessage `json:"id"`
	Lang          string          `json:"lang"`
	Text          *string         `json:"text"`
	ReferenceTime string          `json:"reference_time"`
	Timezone      string          `json:"timezone"`
	Date          string          `json:"date"`
}

// failure is the answer to a line that can't be answered.
type failure struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// run answers the words of the command line, or else all lines of the input.
func (r *reader) run(cmd *cobra.Command, args []string) error {
	ctx, out := cmd.Context(), bufio.NewWriter(cmd.OutOrStdout())
	if len(args) > 0 {
		words := strings.Join(args, " ")
		answer, err := r.answer(r, ctx, request{Text: &words, Date: words})
		if err != nil {
			return err
		}
		return r.write(cmd, out, answer, true)
	}
	lines := readLines(cmd.InOrStdin())
	atOnce := r.explains || isTerminal(cmd.InOrStdin()) || isTerminal(cmd.OutOrStdout())
	for {
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), out.Flush())
		case l := <-lines:
			switch {
			case errors.Is(l.err, io.EOF):
				return out.Flush()
			case l.err != nil && !errors.Is(l.err, errLong):
				return errors.Join(fmt.Errorf("read lines: %w", l.err), out.Flush())
			case l.err != nil || len(l.text) > 0:
				if err := r.write(cmd, out, r.line(ctx, l.text, l.err), atOnce || !l.more); err != nil {
					return err
				}
			case !l.more: // a blank line has no answer, but those before it may have waited for it
				if err := out.Flush(); err != nil {
					return fmt.Errorf("write an answer: %w", err)
				}
			}
		}
	}
}

// An inputLine is one of the input, without the space around it, or why it could not be read.
type inputLine struct {
	text []byte
	err  error
	// more says that the next line is there already, so that the answer to this one may wait for the next.
	more bool
}

// readLines reads lines in the background, up to one that ends them: with [io.EOF] or another error that is not [errLong]. Reading
// can't be broken off; it ends with the process.
func readLines(from io.Reader) <-chan inputLine {
	lines := make(chan inputLine, 64)
	go func() {
		in := bufio.NewReader(from)
		for {
			text, err := readLine(in)
			ahead, _ := in.Peek(in.Buffered())
			lines <- inputLine{bytes.TrimSpace(text), err, bytes.IndexByte(ahead, '\n') >= 0}
			if err != nil && !errors.Is(err, errLong) {
				return
			}
		}
	}()
	return lines
}

// line answers one line, with a [failure] if need be.
func (r *reader) line(ctx context.Context, text []byte, err error) any {
	var q request
	if err == nil {
		q, err = parseRequest(text)
	}
	var answer any
	if err == nil {
		answer, err = r.answer(r, ctx, q)
	}
	if err != nil {
		r.why.Reset()
		return failure{q.ID, err.Error()}
	}
	return answer
}

// write writes an answer as a line, and the reasons for it if they are wanted. Unless it is to be seen at once it may wait.
func (r *reader) write(cmd *cobra.Command, out *bufio.Writer, answer any, atOnce bool) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return fmt.Errorf("write an answer: %w", err)
	}
	if atOnce {
		if err := out.Flush(); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
	if _, err := r.why.WriteTo(cmd.ErrOrStderr()); err != nil {
		return fmt.Errorf("write reasons: %w", err)
	}
	return nil
}

// because notes a reason, if reasons are wanted.
func (r *reader) because(format string, args ...any) {
	if r.explains {
		_, _ = fmt.Fprintf(&r.why, format+"\n", args...)
	}
}

// longestLine is how many bytes of a line are kept; no request is longer.
const longestLine = 16 << 20

// errLong is a line that is longer.
var errLong = fmt.Errorf("the line has more than %d bytes", longestLine)

// readLine reads a line of any length, with [errLong] where it is too long to be kept, and [io.EOF] when there is none.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > longestLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !tooLong):
			return nil, err
		case tooLong:
			return nil, errLong
		}
		return line, nil
	}
}

// byteOrderMark is what some editors begin a file with.
var byteOrderMark = []byte("\uFEFF")

// parseRequest reads a line, and of one that is no request at least the id.
func parseRequest(text []byte) (request, error) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	var q request
	err := json.Unmarshal(text, &q)
	if err == nil {
		return q, nil
	}
	var only struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(text, &only) == nil {
		q.ID = only.ID
	}
	var wrongType *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrongType):
		return q, errors.New("the line is not a JSON object")
	case wrongType.Field == "":
		return q, fmt.Errorf("the line is a JSON %s, not an object", wrongType.Value)
	}
	return q, fmt.Errorf("%q is a %s, not a string", wrongType.Field, wrongType.Value)
}
