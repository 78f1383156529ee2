package documents

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"annai/fault"
)

const (
	// pdfMemory is what a child may take, in bytes; pdfAnswer what it may answer.
	pdfMemory = 512 << 20
	pdfAnswer = 64 << 20
)

// pages is what a child answers.
type pages struct {
	Pages []string `json:"pages"`
	Error string   `json:"error,omitempty"`
}

// IsolatedPDF returns an [Options.PDF] that has a child process read each file, which must call
// [ServePDF]. A file that would have the library go on without end, or take all memory, costs no
// more than the child: it is [fault.ErrInvalid], as any that can't be read. A child that can't be
// started is [fault.ErrUnavailable].
func IsolatedPDF(child func(context.Context) (*exec.Cmd, error)) func(context.Context, []byte) ([]string, error) {
	return func(ctx context.Context, data []byte) ([]string, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		cmd, err := child(ctx)
		if err != nil {
			return nil, err
		}
		answer := &limited{left: pdfAnswer, full: cancel}
		cmd.Stdin, cmd.Stdout, cmd.WaitDelay = bytes.NewReader(data), answer, time.Second
		if err := cmd.Start(); err != nil {
			return nil, fmt.Errorf("start a process to read it: %w: %w", err, fault.ErrUnavailable)
		}
		err = cmd.Wait()
		if ctx.Err() != nil && answer.left >= 0 {
			return nil, ctx.Err()
		}
		return answer.pages(err)
	}
}

// limited keeps what a child answers, and ends it if that is too much.
type limited struct {
	said bytes.Buffer // not embedded: its ReadFrom knows no limit
	left int
	full context.CancelFunc
}

func (w *limited) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		w.full()
		return 0, io.ErrShortWrite
	}
	return w.said.Write(p)
}

// pages returns what the child said before it ended in that way.
func (w *limited) pages(died error) ([]string, error) {
	var answer pages
	if err := json.Unmarshal(w.said.Bytes(), &answer); err != nil || died != nil {
		return nil, fmt.Errorf("reading it takes too much memory, or it is damaged: %w", fault.ErrInvalid)
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("%s: %w", answer.Error, fault.ErrInvalid)
	}
	return answer.Pages, nil
}

// ServePDF is what a child of [IsolatedPDF] does: it reads a PDF from in and answers on out. It
// ends the process where that takes too much memory.
func ServePDF(ctx context.Context, in io.Reader, out io.Writer) error {
	debug.SetMemoryLimit(pdfMemory / 2)
	stop := guardMemory()
	defer stop()
	data, err := io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err != nil {
		return fmt.Errorf("read a PDF: %w: %w", err, fault.ErrUnavailable)
	}
	var answer pages
	if answer.Pages, err = pdfText(ctx, data); err != nil {
		if !errors.Is(err, fault.ErrInvalid) {
			return err
		}
		answer = pages{Error: strings.TrimSuffix(err.Error(), ": "+fault.ErrInvalid.Error())}
	}
	return json.NewEncoder(out).Encode(answer)
}

// guardMemory ends the process when it has more than pdfMemory in use, until stop is called.
func guardMemory() (stop func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		ticker := time.NewTicker(10 * time.Millisecond)
		defer ticker.Stop()
		sample := []metrics.Sample{
			{Name: "/memory/classes/heap/objects:bytes"},
			{Name: "/memory/classes/heap/stacks:bytes"},
		}
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			metrics.Read(sample)
			if sample[0].Value.Uint64()+sample[1].Value.Uint64() > pdfMemory {
				os.Exit(1)
			}
		}
	}()
	return func() { close(done); <-gone }
}
