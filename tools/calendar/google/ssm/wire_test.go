package ssm

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/config"
	sdk "github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/aws-sdk-go-v2/service/ssm/types"
	"github.com/google/go-cmp/cmp"

	"annai/internal/fault"
	"annai/tools/calendar/google/oauth"
)

// sent is what counts of a request.
type sent struct {
	Method, Path, Target, Type, Scope string
	Body                              map[string]any
}

// day is the day in a scope.
var day = regexp.MustCompile(`/\d{8}/`)

// recorder keeps the requests that it is asked.
func recorder(t *testing.T, answer string) *[]sent {
	t.Helper()
	var all []sent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one := sent{Method: r.Method, Path: r.URL.Path}
		one.Target, one.Type = r.Header.Get("X-Amz-Target"), r.Header.Get("Content-Type")
		_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
		scope, _, _ = strings.Cut(scope, ",")
		one.Scope = day.ReplaceAllString(scope, "/")
		if err := json.NewDecoder(r.Body).Decode(&one.Body); err != nil {
			t.Error(err)
		}
		all = append(all, one)
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	environment(t, map[string]string{"AWS_ENDPOINT_URL_SSM": server.URL})
	return &all
}

// TestAsTheSDK makes every operation of ours and of AWS' own client, and wants the same requests.
func TestAsTheSDK(t *testing.T) {
	all := recorder(t, `{"Parameter":{"Name":"n","Value":"v","Version":1},"Version":2,"Parameters":[]}`)
	ours, err := Open(t.Context(), DefaultPrefix)
	if err != nil {
		t.Fatal(err)
	}
	_, first, loaded := ours.Load(t.Context(), "default")
	_, saved := ours.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//x"}, first)
	_, listed := ours.Accounts(t.Context())
	if err := errors.Join(loaded, saved, listed, ours.Delete(t.Context(), "default")); err != nil {
		t.Fatal(err)
	}
	got := *all
	*all = nil
	theirs(t)
	if diff := cmp.Diff(*all, got); diff != "" {
		t.Errorf("requests differ from the SDK's (-theirs +ours):\n%s", diff)
	}
}

// theirs does with AWS' client what TestAsTheSDK does with ours.
func theirs(t *testing.T) {
	t.Helper()
	c, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	api, name, prefix, value := sdk.NewFromConfig(c), DefaultPrefix+"/refresh_token", DefaultPrefix, "1//x"
	for range 2 {
		in := sdk.GetParameterInput{Name: &name, WithDecryption: new(true)}
		if _, err := api.GetParameter(t.Context(), &in); err != nil {
			t.Fatal(err)
		}
	}
	_, put := api.PutParameter(t.Context(), &sdk.PutParameterInput{
		Name: &name, Value: &value, Type: types.ParameterTypeSecureString, Overwrite: new(true),
	})
	_, list := api.GetParametersByPath(t.Context(), &sdk.GetParametersByPathInput{Path: &prefix, Recursive: new(true)})
	_, remove := api.DeleteParameter(t.Context(), &sdk.DeleteParameterInput{Name: &name})
	if err := errors.Join(put, list, remove); err != nil {
		t.Fatal(err)
	}
}

// environment sets that of AWS and nothing of the machine's.
func environment(t *testing.T, more map[string]string) {
	t.Helper()
	values := map[string]string{
		"AWS_REGION": "ap-northeast-1", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_CONFIG_FILE": "/nowhere", "AWS_SHARED_CREDENTIALS_FILE": "/nowhere",
		"AWS_EC2_METADATA_DISABLED": "true",
		"AWS_ENDPOINT_URL":          "", "AWS_ENDPOINT_URL_SSM": "",
		"AWS_USE_FIPS_ENDPOINT": "", "AWS_USE_DUALSTACK_ENDPOINT": "",
	}
	for _, from := range []map[string]string{values, more} {
		for name, value := range from {
			t.Setenv(name, value)
		}
	}
}

func endpointNow(ctx context.Context) (string, error) {
	c, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return "", err
	}
	return endpoint(ctx, c)
}

// TestEndpoints wants the addresses that AWS' own rules give.
func TestEndpoints(t *testing.T) {
	for _, region := range []string{
		"ap-northeast-1", "ap-northeast-3", "us-east-1", "cn-north-1", "us-gov-west-1", "eusc-de-east-1",
	} {
		environment(t, map[string]string{"AWS_REGION": region})
		want, err := sdk.NewDefaultEndpointResolverV2().ResolveEndpoint(t.Context(), sdk.EndpointParameters{
			Region: &region, UseFIPS: new(false), UseDualStack: new(false),
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := endpointNow(t.Context()); err != nil || got != want.URI.String() {
			t.Errorf("endpoint of %s = %q, %v, want %s", region, got, err, want.URI.String())
		}
	}
	for _, kind := range []string{"AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT"} {
		environment(t, map[string]string{kind: "true"})
		got, err := endpointNow(t.Context())
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "AWS_ENDPOINT_URL_SSM") {
			t.Errorf("endpoint with %s = %q, %v, want ErrInvalid that says what to name", kind, got, err)
		}
		t.Setenv("AWS_ENDPOINT_URL_SSM", "https://ssm-fips.example")
		if got, err := endpointNow(t.Context()); err != nil || got != "https://ssm-fips.example" {
			t.Errorf("endpoint with %s and a name = %q, %v, want the name", kind, got, err)
		}
	}
	environment(t, map[string]string{"AWS_ENDPOINT_URL": "https://all.example"})
	if got, err := endpointNow(t.Context()); err != nil || got != "https://all.example" {
		t.Errorf("endpoint = %q, %v, want that of all services", got, err)
	}
}

// TestAttempts counts how often a call is made.
func TestAttempts(t *testing.T) {
	f, s := start(t)
	f.down = true
	_, _, _ = s.Load(t.Context(), "default")
	f.down, f.denied = false, []string{"PutParameter"}
	_, _ = s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//x"}, "")
	if diff := cmp.Diff([]string{"GetParameter", "GetParameter", "PutParameter"}, f.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}
