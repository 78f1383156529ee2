package ssm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"annai/internal/fault"
)

// A client calls the operations of the parameter store that [Store] needs: JSON by POST, signed. The SDK's own client
// has some 150 of them and would add 4 MB to the program. Region, credentials and the connection are still what the
// SDK finds.
type client struct {
	endpoint    string
	region      string
	credentials aws.CredentialsProvider
	http        aws.HTTPClient
	signer      *v4.Signer
}

// newClient returns the client for settings of the SDK.
func newClient(ctx context.Context, c aws.Config) (*client, error) {
	if c.Region == "" {
		return nil, fmt.Errorf("settings of AWS: no region is set; set AWS_REGION: %w", fault.ErrInvalid)
	}
	at, err := endpoint(ctx, c)
	if err != nil {
		return nil, err
	}
	return &client{at, c.Region, c.Credentials, c.HTTPClient, v4.NewSigner()}, nil
}

// endpoint is the address that the settings name, for this service or for all, else that of the region.
func endpoint(ctx context.Context, c aws.Config) (string, error) {
	for _, source := range c.ConfigSources {
		of, ok := source.(interface {
			GetServiceBaseEndpoint(ctx context.Context, service string) (string, bool, error)
		})
		if !ok {
			continue
		}
		if at, found, err := of.GetServiceBaseEndpoint(ctx, "SSM"); err != nil || found {
			return at, err
		}
	}
	if c.BaseEndpoint != nil {
		return *c.BaseEndpoint, nil
	}
	if special(ctx, c) {
		return "", fmt.Errorf("settings of AWS: an endpoint of FIPS or dual stack is named in AWS_ENDPOINT_URL_SSM: %w",
			fault.ErrInvalid)
	}
	domain := "amazonaws.com"
	switch {
	case strings.HasPrefix(c.Region, "cn-"):
		domain = "amazonaws.com.cn"
	case strings.HasPrefix(c.Region, "eusc-"):
		domain = "amazonaws.eu"
	}
	return "https://ssm." + c.Region + "." + domain, nil
}

// special reports whether the settings want an endpoint of a kind that not every region has.
func special(ctx context.Context, c aws.Config) bool {
	for _, source := range c.ConfigSources {
		if of, ok := source.(interface {
			GetUseFIPSEndpoint(ctx context.Context) (aws.FIPSEndpointState, bool, error)
		}); ok {
			if state, found, _ := of.GetUseFIPSEndpoint(ctx); found && state == aws.FIPSEndpointStateEnabled {
				return true
			}
		}
		if of, ok := source.(interface {
			GetUseDualStackEndpoint(ctx context.Context) (aws.DualStackEndpointState, bool, error)
		}); ok {
			if state, found, _ := of.GetUseDualStackEndpoint(ctx); found && state == aws.DualStackEndpointStateEnabled {
				return true
			}
		}
	}
	return false
}

// An apiError is what AWS answers to what it does not do.
type apiError struct {
	Status  int    `json:"-"`
	Type    string `json:"__type"`
	Message string `json:"message"`
}

// Code is the name of the error without its namespace.
func (e *apiError) Code() string {
	code := e.Type[strings.LastIndex(e.Type, "#")+1:]
	code, _, _ = strings.Cut(code, ":")
	return cmp.Or(code, fmt.Sprintf("status %d", e.Status))
}

// Error is for logs.
func (e *apiError) Error() string { return e.Code() + ": " + e.Message }

// again reports whether it may be different the next time.
func (e *apiError) again() bool {
	return e.Status >= 500 || e.Status == http.StatusTooManyRequests || e.Code() == "ThrottlingException"
}

const (
	// attempts is how often a call is tried. The next refresh is the better time to try again.
	attempts = 2
	// maxAnswer is how many bytes of an answer are read: ten parameters of 8 KB are the most there are on a page.
	maxAnswer = 1 << 20
	pause     = 100 * time.Millisecond
)

// call does an operation. An answer that is no success is an [*apiError].
func (c *client) call(ctx context.Context, operation string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		err := c.once(ctx, operation, body, out)
		var refused *apiError
		if err == nil || n == attempts || ctx.Err() != nil || errors.As(err, &refused) && !refused.again() {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *client) once(ctx context.Context, operation string, body []byte, out any) (err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.1")
	request.Header.Set("X-Amz-Target", "AmazonSSM."+operation)
	credentials, err := c.credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	hash, now := hex.EncodeToString(sum[:]), time.Now() //nolint:forbidigo // AWS takes no other time
	if err := c.signer.SignHTTP(ctx, credentials, request, hash, "ssm", c.region, now); err != nil {
		return err
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		refused := &apiError{Status: answer.StatusCode}
		_ = json.Unmarshal(text, refused) // what is no JSON has its status
		refused.Type = cmp.Or(refused.Type, answer.Header.Get("X-Amzn-Errortype"))
		return refused
	}
	return json.Unmarshal(text, out)
}
