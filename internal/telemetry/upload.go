package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// uploader sends spans by OTLP over HTTP. It is a client of OpenTelemetry's exporter; the library's own would bring
// gRPC into programs that do not have it.
type uploader struct {
	url    string
	header http.Header
	client *http.Client
	log    *slog.Logger
	// failing says that the last spans could not be sent.
	failing atomic.Bool
	// pause is the wait before spans are sent again.
	pause time.Duration
}

const (
	uploadTime = 10 * time.Second
	// uploads is how often spans are sent at most; maxPause the longest wait between two times.
	uploads  = 3
	maxPause = 5 * time.Second
	// maxAnswer is how much of a collector's answer is read.
	maxAnswer = 4 << 10
)

func newUploader(url string, header http.Header, log *slog.Logger) *uploader {
	return &uploader{url: url, header: header, log: log, pause: time.Second, client: &http.Client{
		Timeout:       uploadTime,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Start and Stop are for otlptrace.Client.
func (u *uploader) Start(context.Context) error { return nil }

func (u *uploader) Stop(context.Context) error { u.client.CloseIdleConnections(); return nil }

// UploadTraces sends spans, or says once in the log that it can't. It never fails, since there is nobody to tell but
// the log.
func (u *uploader) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := encode(spans)
	for try := 1; err == nil; try++ {
		var again time.Duration
		if again, err = u.send(ctx, body); err == nil || again == 0 || try == uploads {
			break
		}
		select {
		case <-time.After(max(min(again, maxPause), u.pause)):
			err = nil
		case <-ctx.Done():
		}
	}
	if failed := err != nil; u.failing.Swap(failed) != failed {
		if failed {
			u.log.WarnContext(ctx, "traces not sent", "url", u.url, "err", err)
		} else {
			u.log.InfoContext(ctx, "traces are sent again", "url", u.url)
		}
	}
	return nil
}

// encode writes a request to export spans, which looks like a file of spans.
func encode(spans []*tracepb.ResourceSpans) ([]byte, error) {
	plain, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return nil, fmt.Errorf("encode spans: %w", err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(plain)
	err = errors.Join(err, w.Close())
	return packed.Bytes(), err
}

// send sends spans once. Again is after how long it may be tried again, if it may.
func (u *uploader) send(ctx context.Context, body []byte) (again time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	for name, values := range u.header {
		r.Header[name] = values
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("Content-Encoding", "gzip")
	response, err := u.client.Do(r)
	if err != nil {
		return u.pause, err
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, maxAnswer)
	switch response.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent:
		return 0, nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		again = max(u.pause, time.Duration(seconds)*time.Second)
	}
	const says = "the collector answers %s; it must take OTLP over HTTP, most often at port 4318"
	return again, fmt.Errorf(says, response.Status)
}
