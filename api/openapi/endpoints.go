package openapi

import (
	"net/http"
	"slices"
)

const typeJSON = "application/json"

// An Endpoint is one method of one path, as outsiders see it.
type Endpoint struct {
	Method string
	// Path has its parameters in braces: "/sessions/{id}".
	Path string
	// ID names the operation, for generated clients.
	ID          string
	Summary     string
	Description string
	// Role says who may ask, as the server's table of routes does: "visitor". Empty: anyone.
	Role   string
	Params []Param
	// Request is the name of the api type of the body; empty: no body.
	Request string
	Answers []Answer
	// Errors are the statuses of the failures to expect besides those that a role brings with it, all of them an ErrorResponse.
	Errors []int
}

// A Param is a parameter; one in the path is required, others are not.
type Param struct {
	Name, In, Description string
	Format                string
	Enum                  []string
}

// An Answer is what an endpoint answers when nothing failed.
type Answer struct {
	Status      int
	Description string
	// Schema is the name of the api type of a JSON body; empty: there is none.
	Schema string
	// Texts are media types of bodies that are no JSON.
	Texts []string
	// Location says that there is a Location header.
	Location bool
}

// The roles that endpoints need.
const (
	visitor  = "visitor"
	owner    = "owner"
	operator = "operator"
)

// Endpoints returns all endpoints, those of one path beside each other.
func Endpoints() []Endpoint {
	all := slices.Concat(as(visitor, conversation(), facts(), duties(), toolbox()), as(owner, own()), operation())
	for i, e := range all {
		if e.Role != "" {
			all[i].Errors = slices.Concat([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}, e.Errors)
		}
		slices.Sort(all[i].Errors)
		all[i].Errors = slices.Compact(all[i].Errors)
	}
	return all
}

func as(role string, groups ...[]Endpoint) []Endpoint {
	all := slices.Concat(groups...)
	for i := range all {
		all[i].Role = role
	}
	return all
}

func conversation() []Endpoint {
	return []Endpoint{
		{
			Method: http.MethodPost, Path: "/query", ID: "query", Request: "QueryRequest",
			Summary: "Ask the concierge",
			Description: "Answers as one JSON object, or, with \"stream\": true or Accept: text/event-stream, as server-sent events: run.started " +
				"(RunStarted), node.started and node.finished (NodeProgress), sentence (SpokenSentence), cards (Cards), suggestions (Suggestions) and " +
				"confirm (Interrupt) as they come, and last exactly one of final (QueryResponse) and error (ErrorResponse). " +
				"Each has an id that counts from 1. A client that goes away cancels its run. A session has one run at a time; another question meanwhile " +
				"is a 409. resume needs a sessionId.",
			Answers: []Answer{{Status: http.StatusOK, Description: "The answer", Schema: "QueryResponse", Texts: []string{"text/event-stream"}}},
			Errors: []int{
				http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout, http.StatusConflict,
				http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusInternalServerError,
				http.StatusServiceUnavailable, http.StatusGatewayTimeout,
			},
		},
		{
			Method: http.MethodDelete, Path: "/sessions/{id}", ID: "endSession",
			Summary:     "Forget a conversation",
			Description: "A run that is active on it is cancelled first. A session that does not exist is no failure.",
			Params:      []Param{{Name: "id", In: "path", Description: "The sessionId of the conversation"}},
			Answers:     []Answer{{Status: http.StatusNoContent, Description: "Nothing of it is left"}},
			Errors:      []int{http.StatusBadRequest},
		},
		{
			Method: http.MethodPost, Path: "/runs/{id}/cancel", ID: "cancelRun",
			Summary:     "Stop a run",
			Description: "The POST /query that started it fails with 409 and the code cancelled, or ends its stream with that error.",
			Params:      []Param{{Name: "id", In: "path", Description: "The runId of run.started"}},
			Answers:     []Answer{{Status: http.StatusAccepted, Description: "It will stop"}},
			Errors:      []int{http.StatusNotFound},
		},
		{
			Method: http.MethodGet, Path: "/speech/{name}", ID: "speech",
			Summary: "A sentence that was said, as sound",
			Description: "At the address that the sentence had in the stream, which is made of its " +
				"content: the sound never changes. It is made when it is first asked for. With .json in " +
				"place of .wav: how the mouth moves (SpeechResponse). What was not said for ten minutes is " +
				"forgotten. Range asks for parts of the sound.",
			Params: []Param{{Name: "name", In: "path", Description: "The address, with .wav or .json"}},
			Answers: []Answer{
				{
					Status: http.StatusOK, Description: "The sound", Schema: "SpeechResponse",
					Texts: []string{"audio/wav"},
				},
				{Status: http.StatusPartialContent, Description: "A part of it", Texts: []string{"audio/wav"}},
			},
			Errors: []int{
				http.StatusBadRequest, http.StatusNotFound, http.StatusRequestedRangeNotSatisfiable,
				http.StatusServiceUnavailable,
			},
		},
	}
}

// venueFile is a file of the venue's own kiosk.
func venueFile(id, summary, mediaType string) Endpoint {
	return Endpoint{
		Method: http.MethodGet, Path: "/venue/" + id + "/{name}", ID: id, Summary: summary,
		Description: "At the address that GET /venue has in appearance, which changes with the file.",
		Params:      []Param{{Name: "name", In: "path", Description: "The file"}},
		Answers: []Answer{
			{Status: http.StatusOK, Description: "The file", Texts: []string{mediaType}},
			{Status: http.StatusPartialContent, Description: "A part of it", Texts: []string{mediaType}},
		},
		Errors: []int{http.StatusNotFound, http.StatusRequestedRangeNotSatisfiable, http.StatusServiceUnavailable},
	}
}

func facts() []Endpoint {
	return []Endpoint{
		{
			Method: http.MethodGet, Path: "/events", ID: "events",
			Summary: "List public events",
			Description: "At most 366 days, within 100 years of today. Events that are cancelled are there and say so in status; notice says that one is full, reserved or postponed. All-day events have dates, the " +
				"last day included. complete is false when a calendar could not be read: an event that is not there is then unknown, not absent. " +
				"Where nothing could be read the answer is 503.",
			Params: []Param{
				{Name: "from", In: "query", Format: "date", Description: "The first day. Absent: today"},
				{Name: "to", In: "query", Format: "date", Description: "The last day, included. Absent: the sixth day after from"},
				{Name: "timezone", In: "query", Description: "The zone of days and times, an IANA name. Absent: the venue's"},
			},
			Answers: []Answer{{Status: http.StatusOK, Description: "The events of these days", Schema: "EventsResponse"}},
			Errors:  []int{http.StatusBadRequest, http.StatusServiceUnavailable, http.StatusGatewayTimeout},
		},
		{
			Method: http.MethodGet, Path: "/emotions", ID: "emotions", Summary: "List the emotions of answers, and their names elsewhere",
			Answers: []Answer{{Status: http.StatusOK, Description: "The vocabulary", Schema: "EmotionsResponse"}},
		},
		{
			Method: http.MethodGet, Path: "/graph", ID: "graph", Summary: "Draw the graph of the concierge",
			Params: []Param{{
				Name: "format", In: "query", Enum: []string{"json", "mermaid", "dot"},
				Description: "mermaid and dot answer with text. Absent: json, which has both",
			}},
			Answers: []Answer{{
				Status: http.StatusOK, Description: "The drawing", Schema: "GraphResponse", Texts: []string{"text/plain"},
			}},
			Errors: []int{http.StatusBadRequest},
		},
		{
			Method: http.MethodGet, Path: "/venue", ID: "venue", Summary: "What a front end needs before the first question",
			Answers: []Answer{{Status: http.StatusOK, Description: "The venue", Schema: "VenueResponse"}},
		},
		venueFile("avatar", "The VRM model that stands in the lantern's place", "model/gltf-binary"),
		{
			Method: http.MethodGet, Path: "/preview", ID: "preview", Summary: "The film of what is on today",
			Description: "For a screen that nobody uses. It is made when it is first asked for, " +
				"and again when the calendar has changed.",
			Params: []Param{
				{
					Name: "language", In: "query", Enum: []string{"ja", "en"},
					Description: "Of dates and headlines. Absent: ja",
				},
				{
					Name: "shape", In: "query", Enum: []string{"portrait", "landscape"},
					Description: "How the screen stands. Absent: portrait",
				},
			},
			Answers: []Answer{{
				Status: http.StatusOK, Description: "The film, or how far it is", Schema: "PreviewResponse",
			}},
			Errors: []int{http.StatusBadRequest, http.StatusServiceUnavailable, http.StatusGatewayTimeout},
		},
	}
}

func toolbox() []Endpoint {
	failures := []int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusGone,
		http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
	}
	answer := []Answer{{Status: http.StatusOK, Description: "What the tool answers", Schema: "AnyValue"}}
	return []Endpoint{
		{
			Method: http.MethodGet, Path: "/tools", ID: "tools", Summary: "List the tools that the caller may call",
			Description: "With JSON schemas of input and output. Descriptions are in the language of Accept-Language.",
			Answers:     []Answer{{Status: http.StatusOK, Description: "The tools", Schema: "ToolsResponse"}},
			Errors:      []int{http.StatusUnauthorized},
		},
		{
			Method: http.MethodPost, Path: "/tools/{name}", ID: "callTool", Request: "AnyValue", Summary: "Call a tool",
			Description: "The body is the input, and the answer the output. A failure is a ToolFailure, in the language of Accept-Language. " +
				"A write with the X-Request-Id and the body of an earlier one is done once.",
			Params:  []Param{{Name: "name", In: "path", Description: "The tool's name"}},
			Answers: answer, Errors: failures,
		},
		{
			Method: http.MethodPost, Path: "/tools/calendar", ID: "callCalendarTool", Request: "AnyObject", Summary: "Call the calendar tool that the fields mean",
			Description: "event_id and fields to change: update_event. event_id with \"confirm\": true: delete_event. title and start: create_event. " +
				"duration_minutes: suggest_schedule. time_from, time_to or freeDayPolicy: check_availability. Else list_events. " +
				"An event_id alone is refused.",
			Answers: answer, Errors: failures,
		},
		{
			Method: http.MethodPost, Path: "/tools/date", ID: "callDateTool", Request: "AnyObject", Summary: "Call the date tool that the fields mean",
			Description: "start_date, end_date and weekday: list_dates_in_range. base_date or an offset: calculate_date. Else get_current_datetime.",
			Answers:     answer, Errors: failures,
		},
	}
}

func operation() []Endpoint {
	return []Endpoint{
		{
			Method: http.MethodGet, Path: "/healthz", ID: "healthz", Summary: "Whether the process lives",
			Answers: []Answer{{Status: http.StatusOK, Description: "It does", Schema: "ReadyResponse"}},
		},
		{
			Method: http.MethodGet, Path: "/readyz", ID: "readyz", Summary: "Whether it takes work",
			Description: "parts says ok, degraded or error for the calendar, the page, and where sessions and " +
				"runs are kept, and error for an audit log that can't be written, which stops nobody. A calendar " +
				"that can't be read is reported but no reason to send visitors elsewhere: the concierge says so and " +
				"answers the rest.",
			Answers: []Answer{
				{Status: http.StatusOK, Description: "It does", Schema: "ReadyResponse"},
				{
					Status: http.StatusServiceUnavailable, Schema: "ReadyResponse",
					Description: "It is stopping, or what it keeps things in can't be written or read",
				},
			},
		},
		{
			Method: http.MethodGet, Path: "/metrics", ID: "metrics", Role: operator, Summary: "Figures in the Prometheus text format",
			Description: "Requests by door, route and status (annai_http_requests_total, annai_http_request_duration_seconds), turns by the node that answered and the outcome " +
				"(annai_turns_total, annai_active_runs), sources that failed (annai_source_failures_total), calls of tools by the kind of failure " +
				"(annai_tool_calls_total), of runs that wait, connections, sweeps and copies of calendars, and those of " +
				"the Go process: docs/operations.md has them all.",
			Answers: []Answer{{Status: http.StatusOK, Description: "The figures", Texts: []string{"text/plain"}}},
		},
		{
			Method: http.MethodGet, Path: "/admin/visitors/export", ID: "exportVisitor", Role: operator,
			Summary: "All that is kept of one visitor",
			Description: "Threads and sessions with all that was said in them, as a file: by a session, by the key " +
				"of a device, or by an address; one of them must be there. An answer that broke off is no JSON.",
			Params:  visitorParams(),
			Answers: []Answer{{Status: http.StatusOK, Description: "What is kept", Schema: "AnyObject"}},
			Errors:  []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodDelete, Path: "/admin/visitors", ID: "forgetVisitor", Role: operator,
			Summary:     "Forget one visitor",
			Description: "All that the export has. Runs that are under way are ended.",
			Params:      visitorParams(),
			Answers:     []Answer{{Status: http.StatusOK, Description: "How much it was", Schema: "ForgottenResponse"}},
			Errors:      []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodGet, Path: "/admin/kiosks", ID: "kiosks", Role: operator,
			Summary: "The kiosks that this server has heard of",
			Answers: []Answer{{Status: http.StatusOK, Description: "The latest first", Schema: "KiosksResponse"}},
		},
		{
			Method: http.MethodGet, Path: "/phone/{id}", ID: "phone", Summary: "The page of an answer, for a telephone",
			Description: "At the address that POST /handovers answered.",
			Params:      []Param{{Name: "id", In: "path", Description: "The name of the page"}},
			Answers: []Answer{
				{Status: http.StatusOK, Description: "The page", Texts: []string{"text/html"}},
				{Status: http.StatusGone, Description: "It is gone, or never was", Texts: []string{"text/html"}},
			},
			Errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodGet, Path: "/openapi.json", ID: "openapi", Summary: "This document",
			Answers: []Answer{{Status: http.StatusOK, Description: "OpenAPI 3.1", Schema: "AnyObject"}},
		},
		{
			Method: http.MethodGet, Path: "/", ID: "root", Summary: "Leads to the kiosk",
			Answers: []Answer{{Status: http.StatusFound, Description: "To /kiosk", Location: true}},
		},
		venueFile("crest", "The picture on the curtain of the kiosk", "image/*"),
		{
			Method: http.MethodGet, Path: "/pictures/{name}", ID: "picture", Summary: "The picture of an event",
			Description: "At the path that cards and events have. " +
				"It is fetched from the hosts that the venue names, and made small.",
			Params:  []Param{{Name: "name", In: "path", Description: "Its name"}},
			Answers: []Answer{{Status: http.StatusOK, Description: "The picture", Texts: []string{"image/jpeg"}}},
			Errors:  []int{http.StatusNotFound, http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodGet, Path: "/media/{name}", ID: "media", Summary: "A picture or video that a tool made",
			Description: "At the address that the tool answered, and only there: it is signed, and expires. " +
				"Parts can be asked for with Range.",
			Params: []Param{
				{Name: "name", In: "path", Description: "The file"},
				{Name: "expires", In: "query", Description: "The second since 1970 at which the address expires"},
				{Name: "signature", In: "query", Description: "Of both"},
			},
			Answers: []Answer{
				{Status: http.StatusOK, Description: "The file", Texts: []string{"*/*"}},
				{Status: http.StatusPartialContent, Description: "A part of it", Texts: []string{"*/*"}},
			},
			Errors: []int{http.StatusNotFound, http.StatusGone, http.StatusRequestedRangeNotSatisfiable},
		},
		{
			Method: http.MethodGet, Path: "/auth/google", ID: "connectGoogle", Summary: "The page on which an owner begins to connect Google Calendar", Description: "It is there where google-redirect is set.",
			Answers: []Answer{{Status: http.StatusOK, Description: "The page, which asks for the owner's key", Texts: []string{"text/html"}}},
			Errors:  []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: "/auth/google/start", ID: "beginConnectGoogle", Summary: "The form of that page: the owner's key",
			Answers: []Answer{
				{Status: http.StatusSeeOther, Description: "To Google's page", Location: true},
				{Status: http.StatusUnauthorized, Description: "The page again: the key is not known", Texts: []string{"text/html"}},
			},
			Errors: []int{http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests},
		},
		{
			Method: http.MethodGet, Path: "/auth/google/callback", ID: "connectedGoogle", Summary: "Where Google sends the owner back to", Description: "It takes only what was begun in the same browser.",
			Answers: []Answer{
				{Status: http.StatusOK, Description: "It is connected", Texts: []string{"text/html"}},
				{Status: http.StatusBadRequest, Description: "It is not, and why", Texts: []string{"text/html"}},
			},
			Errors: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodGet, Path: "/kiosk", ID: "kiosk", Summary: "The page for visitors", Description: "It has a strict Content-Security-Policy.",
			Answers: []Answer{{Status: http.StatusOK, Description: "The page", Texts: []string{"text/html"}}},
		},
		{
			Method: http.MethodGet, Path: "/kiosk/{path}", ID: "kioskFile", Summary: "A file of the page for visitors", Description: "Those whose names hold a hash may be kept for ever; the others have an ETag.",
			Params: []Param{{Name: "path", In: "path", Description: "The file; may contain slashes. Empty: the page"}},
			Answers: []Answer{
				{Status: http.StatusOK, Description: "The file", Texts: []string{"*/*"}},
				{Status: http.StatusNotModified, Description: "It has not changed"},
			},
			Errors: []int{http.StatusNotFound},
		},
	}
}

// visitorParams say which visitor is meant.
func visitorParams() []Param {
	return []Param{
		{Name: "session", In: "query", Description: "The sessionId of a conversation, or the id of a thread"},
		{Name: "key", In: "query", Description: "The name of a key: all that was said and made with it"},
		{Name: "address", In: "query", Description: "An address, for those who had no key; it counts with its network"},
	}
}

func own() []Endpoint {
	return []Endpoint{{
		Method: http.MethodPost, Path: "/capture", ID: "capture", Request: "CaptureRequest",
		Summary: "Give a picture, a link or a text to be added to the owner's calendar",
		Description: "What it says becomes a plan in the owner's talk, which is answered as POST /query answers: " +
			"with an interrupt, which waits for a yes. capture has what was read, with where it came from. " +
			"What was not found is asked for. Nothing is written before the yes. " +
			"A form (multipart/form-data) with the picture as the file image is taken too.",
		Answers: []Answer{{
			Status: http.StatusOK, Description: "The question about the plan", Schema: "QueryResponse",
		}},
		Errors: []int{
			http.StatusBadRequest, http.StatusRequestTimeout, http.StatusConflict,
			http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusInternalServerError,
			http.StatusServiceUnavailable, http.StatusGatewayTimeout,
		},
	}}
}
