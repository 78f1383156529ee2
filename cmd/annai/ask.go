package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"annai/api"
	"annai/dialog"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/rag"
)

func askCommand() *cobra.Command {
	v := view{}
	explains := false
	cmd := &cobra.Command{
		Use: "ask QUESTION", Short: "Answer one question",
		Example: `  annai ask "今日のイベントは？"` + "\n" + `  annai ask --json "What's on this week?"` + "\n" + `  annai ask --explain "犬を連れて行けますか"`,
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return fmt.Errorf("%w: ask what? annai ask \"今日のイベントは？\"", errUsage)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			question := strings.Join(args, " ")
			if explains {
				return v.explain(cmd, question)
			}
			a, err := v.open(cmd, nil)
			if err != nil {
				return err
			}
			return errors.Join(v.turn(cmd.Context(), a, question, ""), a.close())
		},
	}
	v.bind(cmd)
	cmd.Flags().BoolVar(&explains, "explain", false, "say what was found in the knowledge, and why the rest was not")
	return cmd
}

func chatCommand() *cobra.Command {
	v := view{streams: true}
	cmd := &cobra.Command{
		Use: "chat", Short: "Talk in the terminal, with memory, until exit, quit, 終了 or the end of the input",
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := v.open(cmd, nil)
			if err != nil {
				return err
			}
			return errors.Join(v.talk(cmd.Context(), a, cmd.InOrStdin()), a.close())
		},
	}
	v.bind(cmd)
	return cmd
}

// view is how answers are shown in a terminal.
type view struct {
	out      io.Writer
	json     bool
	colours  bool
	prompt   bool
	streams  bool
	owner    bool
	language string
}

func (v *view) bind(cmd *cobra.Command) {
	config.Bind(cmd.Flags())
	cmd.Flags().BoolVar(&v.json, "json", false, "print the answer as JSON, a line each")
	cmd.Flags().BoolVar(&v.owner, "owner", false, "speak as the owner of the calendars, who may read and write their own")
	cmd.Flags().StringVar(&v.language, "language", "", "language of the answers: ja or en (default: that of the question)")
}

// open reads the settings and assembles the concierge, with something between it and its knowledge. Only warnings are logged, since the terminal is
// for the talk.
func (v *view) open(cmd *cobra.Command, around func(rag.Retriever) rag.Retriever) (*assembly, error) {
	if v.language != "" && v.language != "ja" && v.language != "en" {
		return nil, fmt.Errorf("%w: --language: %q is neither ja nor en", errUsage, v.language)
	}
	c, err := load(cmd)
	if err != nil {
		return nil, err
	}
	v.out = cmd.OutOrStdout()
	v.colours = isTerminal(v.out) && !v.json && !config.NoColour()
	v.prompt = isTerminal(cmd.InOrStdin()) && isTerminal(v.out) && !v.json
	c.LogLevel = max(c.LogLevel, slog.LevelWarn)
	log := setup.Logger(c, cmd.ErrOrStderr())
	if !v.owner {
		return wants{around: around}.traced(cmd.Context(), c, log)
	}
	audit, err := setup.Audit(c, cmd.ErrOrStderr(), log)
	if err != nil {
		return nil, err
	}
	a, err := wants{
		owner: true, around: around,
		observe: auditTools(audit, setup.Username()), wrote: auditTalk(audit, setup.Username()),
	}.traced(cmd.Context(), c, log)
	if err != nil {
		return nil, errors.Join(err, audit.Close())
	}
	a.closers = append([]func() error{audit.Close}, a.closers...) // the last to be closed
	return a, nil
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// endings are the lines that end a talk, as the end of the input does.
var endings = []string{"exit", "quit", "終了"}

// howToEnd is the first line of a talk, by language.
var howToEnd = map[string]string{
	"":   "exit, quit, 終了, Ctrl-D: end / 終わる",
	"ja": "終わるときは、終了、exit、quit または Ctrl-D",
	"en": "exit, quit, 終了 or Ctrl-D ends the talk",
}

// talk asks line by line in one session, until the input or who talks ends it.
func (v *view) talk(ctx context.Context, a *assembly, in io.Reader) error {
	const session = "terminal"
	if !v.json {
		if _, err := fmt.Fprintln(v.out, howToEnd[v.language]); err != nil {
			return err
		}
	}
	lines := make(chan string)
	failed := make(chan error, 1)
	go func() { // reading can't be broken off; it ends with the process
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			lines <- scanner.Text()
		}
		failed <- scanner.Err()
		close(lines)
	}()
	for {
		if v.prompt {
			_, _ = fmt.Fprint(v.out, "> ")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, more := <-lines:
			if !more {
				if v.prompt {
					_, _ = fmt.Fprintln(v.out)
				}
				return <-failed
			}
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if slices.Contains(endings, strings.ToLower(strings.TrimRight(line, "。.!！"))) {
				return nil
			}
			if err := v.turn(ctx, a, line, session); err != nil {
				return err
			}
		}
	}
}

// maxQuestion is how many characters a question may have, as over HTTP.
const maxQuestion = 2000

// turn asks one thing and shows the answer as it comes.
func (v *view) turn(ctx context.Context, a *assembly, question, session string) error {
	if n := len([]rune(question)); n > maxQuestion {
		return fmt.Errorf("the question has %d characters, more than %d", n, maxQuestion)
	}
	turn := dialog.Turn{Query: question, SessionID: session, Language: v.language, Owner: v.owner}
	if v.json {
		answer, err := a.concierge.Answer(ctx, turn)
		if err != nil {
			return err
		}
		return json.NewEncoder(v.out).Encode(answer)
	}
	for event, err := range a.concierge.Ask(ctx, turn) {
		if err != nil {
			return err
		}
		if err := v.show(event); err != nil {
			return err
		}
	}
	return nil
}

// show prints what belongs in a terminal: the whole text where one question is answered, sentence by sentence in a talk.
func (v *view) show(event dialog.Event) error {
	switch e := event.(type) {
	case dialog.Sentence:
		if v.streams {
			return v.say(e.Emotion, e.Text)
		}
	case dialog.Cards:
		if v.streams {
			return v.list(e.Cards.Cards)
		}
	case dialog.Final:
		if !v.streams {
			_, text, _ := strings.Cut(e.Text, "]")
			return v.say(e.VRM.Expression, text)
		}
	case dialog.Started, dialog.Progress, dialog.Suggestions, dialog.Confirm:
	}
	return nil
}

// say prints words in the colour of their emotion.
func (v *view) say(emotion, words string) error {
	colour, reset := "", ""
	if v.colours && colours[emotion] != "" {
		colour, reset = colours[emotion], "\x1b[0m"
	}
	_, err := fmt.Fprintf(v.out, "%s%s%s\n", colour, words, reset)
	return err
}

func (v *view) list(cards []api.Card) error {
	for _, c := range cards {
		line := "  - " + c.Title
		for _, detail := range []string{c.When, c.Location} {
			if detail != "" {
				line += " | " + detail
			}
		}
		if _, err := fmt.Fprintln(v.out, line); err != nil {
			return err
		}
	}
	return nil
}

// colours are those of the emotions in a terminal.
var colours = map[string]string{"happy": "\x1b[33m", "relaxed": "\x1b[36m", "sad": "\x1b[34m", "surprised": "\x1b[35m"}
