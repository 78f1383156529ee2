package openapi

import "net/http"

// duties are what kiosks do besides asking.
func duties() []Endpoint {
	body := []int{
		http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
	}
	with := func(more ...int) []int { return append(more, body...) }
	none := []Answer{{Status: http.StatusNoContent, Description: "It is noted"}}
	return []Endpoint{
		{
			Method: http.MethodPost, Path: "/staff-calls", ID: "callStaff", Request: "StaffCallRequest",
			Summary: "Call the venue's staff",
			Description: "It is there where staff-webhook is set, and answers once the webhook took the message, " +
				"or could not be reached in three tries (503). Calls from one kiosk within a minute are one; five " +
				"in ten minutes are enough (429).",
			Answers: []Answer{{Status: http.StatusOK, Description: "Staff were told", Schema: "StaffCallResponse"}},
			Errors:  with(http.StatusNotFound, http.StatusServiceUnavailable),
		},
		{
			Method: http.MethodPost, Path: "/feedback", ID: "feedback", Request: "FeedbackRequest",
			Summary:     "Say whether an answer helped",
			Description: "It is counted, by the node that answered and the kiosk, and nothing else is kept.",
			Answers:     none, Errors: with(),
		},
		{
			Method: http.MethodPost, Path: "/handovers", ID: "handOver", Request: "HandoverRequest",
			Summary: "Make a page of an answer, for a telephone",
			Description: "It is there where public-url is set. The address can't be guessed, and the page lives as " +
				"long as its session: session-idle at most. An owner's answers have none.",
			Answers: []Answer{{Status: http.StatusOK, Description: "Where the page is", Schema: "HandoverResponse"}},
			Errors:  with(http.StatusNotFound, http.StatusServiceUnavailable),
		},
		{
			Method: http.MethodGet, Path: "/kept", ID: "kept",
			Summary:     "What a kiosk keeps for when the server can't be reached",
			Description: "The answers to the venue's suggestions, made anew every half hour.",
			Params: []Param{{
				Name: "language", In: "query", Enum: []string{"ja", "en"}, Description: "Of the answers. Absent: ja",
			}},
			Answers: []Answer{{Status: http.StatusOK, Description: "Answers and an apology", Schema: "KeptResponse"}},
			Errors:  []int{http.StatusBadRequest, http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: "/heartbeat", ID: "heartbeat", Request: "Heartbeat",
			Summary: "Say that a kiosk lives",
			Description: "The kiosk is named by the header X-Device, as in all its requests. Figures tell when it " +
				"was heard of.",
			Answers: none, Errors: with(),
		},
		{
			Method: http.MethodPost, Path: "/corner", ID: "corner", Request: "CornerRequest",
			Summary:     "Open the operator's corner of a kiosk",
			Description: "It is there where kiosk-code is set. Five tries in a quarter of an hour are enough (429).",
			Answers:     []Answer{{Status: http.StatusNoContent, Description: "The code is right"}},
			Errors:      with(http.StatusNotFound),
		},
	}
}
