package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/server/door"
	"annai/server/gate"
)

// How questions begin that a server asks the others: for a page of an answer that one of them gave, and for what is
// on a page.
const (
	wantsPage    = "handover/"
	wantsContent = "phone/"
)

// A pageWish asks for the page of an answer.
type pageWish struct {
	Session string `json:"session"`
	Caller  string `json:"caller"`
	Run     string `json:"run"`
	Poster  string `json:"poster,omitempty"`
}

// A pageGiven is a page that was made.
type pageGiven struct {
	Page  string    `json:"page"`
	Until time.Time `json:"until"`
}

// pageContent is what is on a page.
type pageContent struct {
	Language string         `json:"language"`
	Speech   []api.Sentence `json:"speech"`
	Cards    []api.Card     `json:"cards"`
	Poster   string         `json:"poster,omitempty"`
}

// resident is what the other servers may ask of this one.
func (s *Server) resident() gate.Resident {
	return gate.Resident{
		Answer: s.answerOthers,
		Taken:  func(taken map[string]int) { s.http.TakenElsewhere(taken) },
		Ended:  func(session dialog.Session) { s.handovers.forget(session.ID, session.Caller) },
	}
}

func (s *Server) answerOthers(question string) (answer string, ok bool) {
	if s.handovers == nil {
		return "", false
	}
	if wish, ok := strings.CutPrefix(question, wantsPage); ok {
		return s.givePage(wish)
	}
	if page, ok := strings.CutPrefix(question, wantsContent); ok {
		shown, poster, err := s.handovers.open(page)
		if err != nil {
			return "", false
		}
		return packPage(pageContent{shown.Language, shown.Speech, shown.Cards, poster})
	}
	return "", false
}

func (s *Server) givePage(words string) (answer string, ok bool) {
	var wish pageWish
	if json.Unmarshal([]byte(words), &wish) != nil {
		return "", false
	}
	if !s.isPoster(wish.Poster) {
		wish.Poster = "" // it is at another server, and so is its address
	}
	page, until, err := s.handovers.give(wish.Session, wish.Caller, wish.Run, wish.Poster)
	if err != nil {
		return "", false
	}
	given, err := json.Marshal(pageGiven{page, until})
	return string(given), err == nil
}

// pageElsewhere has another server make the page of an answer that it gave.
func (s *Server) pageElsewhere(ctx context.Context, wish pageWish) (page string, until time.Time, err error) {
	words, err := json.Marshal(wish)
	if err != nil {
		return "", time.Time{}, err
	}
	answer, ok, err := s.parts.Gate.Find(ctx, wantsPage+string(words))
	if err != nil {
		return "", time.Time{}, err
	}
	var given pageGiven
	if !ok || json.Unmarshal([]byte(answer), &given) != nil {
		return "", time.Time{}, fmt.Errorf("answer to take along: %w", fault.ErrNotFound)
	}
	return given.Page, given.Until, nil
}

// maxSought is how many pages are asked of the others at once: anybody may make names up.
const maxSought = 16

// contentElsewhere is what another server has on a page. One that none has is [door.ErrExpired].
func (s *Server) contentElsewhere(ctx context.Context, page string) (pageContent, error) {
	select {
	case s.handovers.sought <- struct{}{}:
		defer func() { <-s.handovers.sought }()
	default:
		return pageContent{}, fmt.Errorf("page for a telephone: %w", door.ErrOverloaded)
	}
	answer, ok, err := s.parts.Gate.Find(ctx, wantsContent+page)
	if err != nil {
		return pageContent{}, err
	}
	if !ok {
		return pageContent{}, fmt.Errorf("page for a telephone: %w", door.ErrExpired)
	}
	return unpackPage(answer)
}

// packPage makes a page short enough to be told: without descriptions, and with fewer cards, where it has to.
func packPage(content pageContent) (packed string, ok bool) {
	content.Cards = append([]api.Card(nil), content.Cards[:min(len(content.Cards), maxOnPage)]...)
	for try := 0; ; try++ {
		packed, err := squeeze(content)
		if err != nil {
			return "", false
		}
		if len(packed) <= gate.MaxFinding {
			return packed, true
		}
		if try > 0 {
			if len(content.Cards) == 0 {
				return "", false
			}
			content.Cards = content.Cards[:len(content.Cards)/2]
		}
		for i := range content.Cards {
			content.Cards[i].Description = ""
		}
	}
}

func squeeze(content pageContent) (string, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.RawStdEncoding.EncodeToString(b.Bytes()), nil
}

// maxPage is how large what is on a page may be.
const maxPage = 1 << 20

func unpackPage(packed string) (content pageContent, err error) {
	data, err := base64.RawStdEncoding.DecodeString(packed)
	if err != nil {
		return content, fmt.Errorf("page of another server: %w: %w", fault.ErrUnavailable, err)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return content, fmt.Errorf("page of another server: %w: %w", fault.ErrUnavailable, err)
	}
	if err := json.NewDecoder(io.LimitReader(r, maxPage)).Decode(&content); err != nil {
		return content, fmt.Errorf("page of another server: %w: %w", fault.ErrUnavailable, err)
	}
	return content, nil
}
