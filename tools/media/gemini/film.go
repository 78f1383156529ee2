package gemini

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"annai/fault"
)

type predictRequest struct {
	Instances  []instance     `json:"instances"`
	Parameters filmParameters `json:"parameters"`
}

type instance struct {
	Prompt string `json:"prompt"`
}

type filmParameters struct {
	AspectRatio    Aspect `json:"aspectRatio"`
	NegativePrompt string `json:"negativePrompt"`
}

// operation is work that Google does for minutes (google.longrunning.Operation).
type operation struct {
	Name     string  `json:"name"`
	Done     bool    `json:"done"`
	Error    *status `json:"error"`
	Response struct {
		GenerateVideoResponse struct {
			GeneratedSamples []struct {
				Video struct {
					URI          string `json:"uri"`
					EncodedVideo []byte `json:"encodedVideo"`
				} `json:"video"`
			} `json:"generatedSamples"`
			RaiMediaFilteredCount int `json:"raiMediaFilteredCount"`
		} `json:"generateVideoResponse"`
	} `json:"response"`
}

// operationName is how Google names an operation: a path of its own, which we are about to ask.
var operationName = regexp.MustCompile(`^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+){1,7}$`)

// Film makes a film of a prompt, 8 seconds of MP4, and waits until it is done or ctx is: that takes
// a minute or several. What is not to be seen is named in without. Its errors are those of
// [Client.Edit].
func (c *Client) Film(ctx context.Context, prompt, without string, aspect Aspect) ([]byte, error) {
	request := predictRequest{
		Instances:  []instance{{prompt}},
		Parameters: filmParameters{AspectRatio: aspect, NegativePrompt: without},
	}
	var work operation
	if err := c.post(ctx, c.opts.VideoModel, "predictLongRunning", request, &work); err != nil {
		return nil, err
	}
	name := work.Name
	if !operationName.MatchString(name) {
		return nil, fmt.Errorf("answer of Google has no operation: %w", fault.ErrUnavailable)
	}
	for !work.Done {
		timer := time.NewTimer(c.opts.Poll)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("wait for a film of Google: %w: %w", fault.ErrUnavailable, ctx.Err())
		}
		work = operation{}
		if err := c.call(ctx, http.MethodGet, c.opts.URL+"/"+name, nil, &work); err != nil {
			return nil, err
		}
	}
	return c.result(ctx, work)
}

// result fetches the film of an operation that is done.
func (c *Client) result(ctx context.Context, work operation) ([]byte, error) {
	if work.Error != nil {
		return nil, ended(*work.Error)
	}
	made := work.Response.GenerateVideoResponse
	if len(made.GeneratedSamples) == 0 {
		if made.RaiMediaFilteredCount > 0 {
			return nil, blocked("FILTERED")
		}
		return nil, fmt.Errorf("answer of Google has no film: %w", fault.ErrUnavailable)
	}
	video := made.GeneratedSamples[0].Video
	data := video.EncodedVideo
	if len(data) == 0 {
		u, err := url.Parse(video.URI)
		if err != nil || u.Scheme != c.base.Scheme || u.Host != c.base.Host || u.User != nil {
			return nil, fmt.Errorf("film of Google is elsewhere: %w", fault.ErrUnavailable)
		}
		if data, err = c.read(ctx, http.MethodGet, u.String(), nil); err != nil {
			return nil, err
		}
	}
	if len(data) < 12 || string(data[4:8]) != "ftyp" {
		return nil, fmt.Errorf("film of Google is no MP4: %w", fault.ErrUnavailable)
	}
	return data, nil
}
