package mcp

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"annai/civil"
	"annai/fault"
)

const (
	knowledgeURI = "annai://knowledge/"
	mimeText     = "text/plain"
	// page is how many resources are listed at a time.
	page = 500
)

// A Passage is a piece of what the venue wrote about itself.
type Passage struct {
	// ID is unique, and the passage's while it is known.
	ID string
	// Title and Text may be quoted; Lang is their language, "ja" or "en".
	Title, Text, Lang string
	// Category says what it is about, Source is a URL or a name that a visitor can check.
	Category, Source string
	// UpdatedAt is when it was last checked; it holds from ValidFrom to ValidUntil, both included. Zero: not said.
	UpdatedAt, ValidFrom, ValidUntil civil.Date
}

// addKnowledge offers the passages. Knowledge may be exchanged while clients are connected, and be large: so they are listed when somebody asks.
func (s *Server) addKnowledge(server *sdk.Server) {
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "knowledge", Title: "案内の知識 / Knowledge of the venue", MIMEType: mimeText, URITemplate: knowledgeURI + "{id}",
		Description: "a passage of what the venue wrote about itself: hours, prices, access, rooms, rules",
	}, s.readKnowledge)
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if list, ok := req.(*sdk.ListResourcesRequest); ok {
				cursor := ""
				if list.Params != nil {
					cursor = list.Params.Cursor
				}
				return s.listKnowledge(cursor)
			}
			return next(ctx, method, req)
		}
	})
}

// listKnowledge lists passages that hold today, in the order of their ids, so that a list that is read page by page stays one while it changes.
func (s *Server) listKnowledge(cursor string) (*sdk.ListResourcesResult, error) {
	after, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return nil, fmt.Errorf("cursor %s: %w", strconv.Quote(cursor), fault.ErrInvalid)
	}
	today := civil.DateOf(s.parts.Now().In(s.parts.Venue.Location))
	passages := slices.DeleteFunc(slices.Clone(s.parts.Passages()), func(p Passage) bool { return p.ID <= string(after) || !holds(p, today) })
	slices.SortFunc(passages, func(a, b Passage) int { return strings.Compare(a.ID, b.ID) })
	result := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}}
	for i, p := range passages {
		if i == page {
			result.NextCursor = base64.RawURLEncoding.EncodeToString([]byte(passages[page-1].ID))
			break
		}
		result.Resources = append(result.Resources, &sdk.Resource{
			URI: uriOf(p), Name: p.ID, Title: p.Title, Description: p.Category + ", " + p.Lang, MIMEType: mimeText, Size: int64(len(p.Text)), Meta: about(p),
		})
	}
	return result, nil
}

// holds says whether a passage is true on the day.
func holds(p Passage, day civil.Date) bool {
	return (p.ValidFrom.IsZero() || !day.Before(p.ValidFrom)) && (p.ValidUntil.IsZero() || !p.ValidUntil.Before(day))
}

func uriOf(p Passage) string { return knowledgeURI + url.PathEscape(p.ID) }

// about is what a client must know to quote a passage.
func about(p Passage) sdk.Meta {
	m := sdk.Meta{"language": p.Lang, "category": p.Category, "source": p.Source}
	for name, day := range map[string]civil.Date{"updatedAt": p.UpdatedAt, "validFrom": p.ValidFrom, "validUntil": p.ValidUntil} {
		if !day.IsZero() {
			m[name] = day.String()
		}
	}
	return m
}

// readKnowledge returns a passage.
func (s *Server) readKnowledge(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	id, err := url.PathUnescape(strings.TrimPrefix(uri, knowledgeURI))
	if err == nil {
		for _, p := range s.parts.Passages() {
			if p.ID == id {
				return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
					URI: uri, MIMEType: mimeText, Text: p.Title + "\n\n" + p.Text, Meta: about(p),
				}}}, nil
			}
		}
	}
	return nil, sdk.ResourceNotFoundError(uri)
}
