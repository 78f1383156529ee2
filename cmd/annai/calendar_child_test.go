package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"annai/api"
)

// isChild, set in the environment of this test program, makes it annai itself, with the arguments that it has.
const isChild = "ANNAI_TEST_CALENDAR_CHILD"

// beChild is what a child does instead of tests, and returns its status.
func beChild() int {
	return run(context.Background(), os.Args[1:], terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr})
}

// A child is a process of annai that talks: a line is said, a line is answered.
type child struct {
	process *exec.Cmd
	in      io.WriteCloser
	// answers is closed when there will be none any more.
	answers chan string
	// complaint is what it wrote to standard error. It may be read once the process has ended.
	complaint strings.Builder
}

// startChild starts annai with the arguments and with more in its environment.
func startChild(t *testing.T, env []string, args ...string) *child {
	t.Helper()
	c := &child{process: exec.CommandContext(t.Context(), os.Args[0], args...), answers: make(chan string)}
	c.process.Env = append(append(os.Environ(), isChild+"=1", "GORACE=atexit_sleep_ms=0"), env...)
	c.process.Stderr = &c.complaint
	var err error
	if c.in, err = c.process.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.process.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.answers)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			c.answers <- lines.Text()
		}
	}()
	return c
}

// say says something, has meanwhile happen what may, and returns the answer; ok is false if the process ended without one.
func (c *child) say(t *testing.T, words string, meanwhile func()) (answer api.QueryResponse, ok bool) {
	t.Helper()
	_, err := fmt.Fprintln(c.in, words)
	meanwhile()
	line, ok := <-c.answers
	if !ok {
		return answer, false
	}
	if err != nil {
		t.Fatalf("annai answers %q to %q, which it was not told: %v", line, words, err)
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatalf("annai answers %q to %q: %v", line, words, err)
	}
	return answer, true
}

// kill ends the process as a power switch would.
func (c *child) kill() { _ = c.process.Process.Kill() } // it may have ended by itself

// ended waits for the end of the process and returns what it complained of.
func (c *child) ended() string {
	for range c.answers { // nobody hears it
	}
	_ = c.process.Wait() // how it ended is in what it wrote
	return c.complaint.String()
}

// end lets the process end by itself and returns what it complained of.
func (c *child) end() string {
	_ = c.in.Close()
	return c.ended()
}
