package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/internal/text"
	"annai/server/door"
	"annai/server/httpd"
)

const (
	// phonePath is below which the pages for telephones are.
	phonePath = "/phone/"
	// maxHandovers is how many answers are held to be taken along; the oldest of whoever has the most makes room.
	maxHandovers = 512
	// maxOnPage is how many cards such a page has.
	maxOnPage = 20
)

// pageName matches the names of pages: nobody is asked for others.
var pageName = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// handovers are the last answers to visitors, and the pages that were made of some. None outlives its session. It is
// safe for concurrent use.
type handovers struct {
	life time.Duration
	now  func() time.Time
	// sought has a place for each page that others are asked for.
	sought chan struct{}

	mu    sync.Mutex
	all   []*handover // the oldest first
	pages map[string]*handover
}

// handover is an answer that can be taken along.
type handover struct {
	session, caller, run string
	answer               api.QueryResponse
	until                time.Time
	// page is the name of its page; empty: nobody wanted one. poster is the address of one.
	page, poster string
}

// remember holds an answer. What an owner is told is not for telephones.
func (h *handovers) remember(turn dialog.Turn, answer api.QueryResponse) {
	if h == nil || turn.Owner || len(answer.Speech) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(func(one *handover) bool { return !h.now().Before(one.until) })
	for len(h.all) >= maxHandovers {
		oldest := h.oldest()
		h.drop(func(one *handover) bool { return one == oldest })
	}
	h.all = append(h.all, &handover{
		session: answer.SessionID, caller: turn.Caller, run: answer.RunID, answer: answer, until: h.now().Add(h.life),
	})
}

// oldest is the oldest answer of the caller who has the most, so that nobody takes the room of others.
func (h *handovers) oldest() (found *handover) {
	counts, most := map[string]int{}, 0
	for _, one := range slices.Backward(h.all) {
		counts[one.caller]++
		if n := counts[one.caller]; n > most {
			most, found = n, one
		}
	}
	return found
}

// forget drops what there is of a session of a caller; of everybody where the session is empty.
func (h *handovers) forget(session, caller string) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(func(one *handover) bool { return session == "" || one.session == session && one.caller == caller })
}

func (h *handovers) drop(gone func(*handover) bool) {
	kept := make([]*handover, 0, len(h.all))
	for _, one := range h.all {
		if !gone(one) {
			kept = append(kept, one)
			continue
		}
		delete(h.pages, one.page)
	}
	h.all = kept
}

// give makes a page of an answer, or finds the one that was made.
func (h *handovers) give(session, caller, run, poster string) (page string, until time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range h.all {
		if one.session != session || one.caller != caller || one.run != run || !h.now().Before(one.until) {
			continue
		}
		if one.page == "" {
			one.page = rand.Text()
			h.pages[one.page] = one
		}
		if poster != "" {
			one.poster = poster
		}
		return one.page, one.until, nil
	}
	return "", time.Time{}, fmt.Errorf("answer to take along: %w", fault.ErrNotFound)
}

// open returns what is on a page. One that is over, and one that never was, are both [door.ErrExpired]: nobody learns
// which.
func (h *handovers) open(page string) (answer api.QueryResponse, poster string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one, ok := h.pages[page]
	if !ok || !h.now().Before(one.until) {
		return api.QueryResponse{}, "", fmt.Errorf("page for a telephone: %w", door.ErrExpired)
	}
	return one.answer, one.poster, nil
}

// handOver is POST /handovers.
func (s *Server) handOver(c *gin.Context) error {
	if s.handovers == nil {
		return fmt.Errorf("no public-url is set: %w", fault.ErrNotFound)
	}
	request, err := readJSON[api.HandoverRequest](c)
	switch {
	case err != nil:
		return err
	case request.SessionID == "" || request.RunID == "":
		return door.Invalid("runId", "must be there, and sessionId")
	case request.Poster != "" && !s.isPoster(request.Poster) && s.parts.Gate.Alone():
		return door.Invalid("poster", "must be the address of a poster that was made here")
	}
	page, until, err := s.pageOf(c.Request.Context(), pageWish{
		request.SessionID, door.CallerOf(c).Speaker(), request.RunID, request.Poster,
	})
	if err != nil {
		return err
	}
	return httpd.WriteJSON(c, http.StatusOK, api.HandoverResponse{
		URL: s.parts.PublicURL + phonePath + page, ExpiresAt: until.In(s.parts.Venue.Location).Format(time.RFC3339),
	})
}

// pageOf makes a page of an answer, here or where it was given.
func (s *Server) pageOf(ctx context.Context, wish pageWish) (page string, until time.Time, err error) {
	poster := wish.Poster
	if !s.isPoster(poster) {
		poster = ""
	}
	page, until, err = s.handovers.give(wish.Session, wish.Caller, wish.Run, poster)
	if err == nil || s.parts.Gate.Alone() {
		return page, until, err
	}
	return s.pageElsewhere(ctx, wish)
}

// isPoster reports whether an address is one that a tool answered with, of a file that is there.
func (s *Server) isPoster(address string) bool {
	u, err := url.Parse(address)
	if err != nil || s.parts.Files == nil || u.Host != "" || !strings.HasPrefix(u.Path, "/media/") {
		return false
	}
	q := u.Query()
	file, err := s.parts.Files.Open(strings.TrimPrefix(u.Path, "/media/"), q.Get("expires"), q.Get("signature"))
	return err == nil && file.Close() == nil
}

//go:embed handover.html
var handoverText string

//go:embed handover.css
var handoverStyle string

var handoverPage = template.Must(template.New("handover").Parse(handoverText))

// handoverRules let a page look as it does and show a poster, and no more.
var handoverRules = func() string {
	sum := sha256.Sum256([]byte(handoverStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// phoneView is what the page is filled with.
type phoneView struct {
	Style                   template.CSS
	JA, Gone                bool
	Language, Venue         string
	Website, Staff, Address string
	Lines                   []string
	Cards                   []api.Card
	// File is a calendar with the events; empty: there are none.
	File   template.URL
	Poster string
}

// phone is GET /phone/{id}.
func (s *Server) phone(c *gin.Context) error {
	if s.handovers == nil {
		return fmt.Errorf("page for a telephone: %w", fault.ErrNotFound)
	}
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", handoverRules)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	v, status := s.parts.Venue, http.StatusOK
	content, err := s.contentOf(c.Request.Context(), c.Param("id"))
	view := phoneView{Poster: content.Poster, Language: content.Language}
	view.Style = template.CSS(handoverStyle) //nolint:gosec // ours
	if err != nil && !errors.Is(err, door.ErrExpired) {
		return err // nobody can say whether it is there
	} else if err != nil {
		view.Gone, view.Language, status = true, door.Preferred(c.GetHeader("Accept-Language")), http.StatusGone
	}
	view.JA = view.Language != "en"
	view.Venue, view.Website = v.Name.In(view.Language), v.Website
	view.Staff, view.Address = v.Staff.Where.In(view.Language), v.Address.In(view.Language)
	for _, sentence := range content.Speech {
		view.Lines = append(view.Lines, sentence.Text)
	}
	cards := slices.Clone(content.Cards[:min(len(content.Cards), maxOnPage)])
	for i := range cards {
		view.Cards = append(view.Cards, forTelephone(cards[i], view.Language))
		if cards[i].Picture != "" {
			cards[i].Picture = s.parts.PublicURL + cards[i].Picture
		}
	}
	if s.parts.CalendarFile != nil {
		if file := s.parts.CalendarFile(cards, view.Language, s.parts.Now()); len(file) > 0 {
			text := base64.StdEncoding.EncodeToString(file)
			view.File = template.URL("data:text/calendar;charset=utf-8;base64," + text) //nolint:gosec // base64
		}
	}
	c.Status(status)
	return handoverPage.Execute(c.Writer, view)
}

// contentOf is what is on a page, here or at another server.
func (s *Server) contentOf(ctx context.Context, page string) (pageContent, error) {
	answer, poster, err := s.handovers.open(page)
	if err == nil || s.parts.Gate.Alone() || !pageName.MatchString(page) {
		return pageContent{answer.Language, answer.Speech, answer.Cards, poster}, err
	}
	return s.contentElsewhere(ctx, page)
}

// forTelephone is a card as it is read in a language: a title in both has one half, and a passage no path of headings.
func forTelephone(card api.Card, language string) api.Card {
	switch card.Type {
	case "event":
		card.Title = text.TitleIn(card.Title, language)
	case "passage":
		card.Title, _, _ = strings.Cut(card.Title, " / ")
	}
	return card
}
