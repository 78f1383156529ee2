package ssm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"annai/fault"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
)

// fake is the parameter store as far as we use it, over loopback.
type fake struct {
	mu         sync.Mutex
	parameters map[string]parameter
	denied     []string // operations that the role may not do
	down       bool
	// beforePut is called once, before the next parameter is written.
	beforePut func()
	calls     []string
}

type parameter struct {
	Name, Type, Value string
	Version           int64
}

type request struct {
	Name, Path, Value, Type, NextToken string
	WithDecryption, Overwrite          bool
	Recursive                          bool
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in request
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	status, answer := f.answer(operation, in)
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

func (f *fake) answer(operation string, in request) (int, any) {
	f.mu.Lock()
	if hook := f.beforePut; operation == "PutParameter" && hook != nil {
		f.beforePut = nil
		f.mu.Unlock()
		hook()
		f.mu.Lock()
	}
	defer f.mu.Unlock()
	f.calls = append(f.calls, operation)
	type object = map[string]any
	refuse := func(kind string) (int, any) {
		return http.StatusBadRequest, object{"__type": kind, "message": "said by the fake"}
	}
	p, found := f.parameters[in.Name]
	switch {
	case f.down:
		return http.StatusServiceUnavailable, object{"__type": "ServiceUnavailableException"}
	case slices.Contains(f.denied, operation):
		return refuse("AccessDeniedException")
	case operation == "GetParameter" && found && !in.WithDecryption:
		p.Value = "ciphertext"
		fallthrough
	case operation == "GetParameter" && found:
		return http.StatusOK, object{"Parameter": p}
	case operation == "DeleteParameter" && found:
		delete(f.parameters, in.Name)
		return http.StatusOK, object{}
	case operation == "GetParameter", operation == "DeleteParameter":
		return refuse("ParameterNotFound")
	case operation == "PutParameter" && found && !in.Overwrite:
		return refuse("ParameterAlreadyExists")
	case operation == "PutParameter":
		p = parameter{in.Name, in.Type, in.Value, p.Version + 1}
		f.parameters[in.Name] = p
		return http.StatusOK, object{"Version": p.Version, "Tier": "Standard"}
	case operation == "GetParametersByPath":
		return http.StatusOK, f.page(in)
	}
	return refuse("InvalidAction")
}

// page lists one parameter at a time, to be paged through.
func (f *fake) page(in request) any {
	var names []string
	for name := range f.parameters {
		if strings.HasPrefix(name, in.Path+"/") && in.Recursive && name > in.NextToken {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := map[string]any{"Parameters": []parameter{}}
	if len(names) > 0 {
		p := f.parameters[names[0]]
		p.Value = "ciphertext"
		out["Parameters"] = []parameter{p}
	}
	if len(names) > 1 {
		out["NextToken"] = names[0]
	}
	return out
}

// start serves a fake and returns it with a store of it.
func start(t *testing.T) (*fake, *Store) {
	t.Helper()
	f := &fake{parameters: map[string]parameter{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_SSM": server.URL, "AWS_REGION": "ap-northeast-1", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_CONFIG_FILE": "/nowhere", "AWS_SHARED_CREDENTIALS_FILE": "/nowhere", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	s, err := Open(t.Context(), DefaultPrefix)
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	return f, s
}

func TestStore(t *testing.T) {
	oauthtest.Run(t, func(t *testing.T) (one, other oauth.TokenStore) {
		_, s := start(t)
		return s, s
	}, oauthtest.Options{OnlyRefreshToken: true, OneRace: true})
}

func TestParameters(t *testing.T) {
	f, s := start(t)
	if _, err := s.Client(t.Context()); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Client of nothing = %v, want ErrNotFound", err)
	}
	f.parameters["/tonari/google/client_id"] = parameter{"/tonari/google/client_id", "SecureString", "id\n", 1}
	f.parameters["/tonari/google/client_secret"] = parameter{"/tonari/google/client_secret", "SecureString", "hidden", 1}
	if got, err := s.Client(t.Context()); err != nil || got.ID != "id" || got.Secret != "hidden" {
		t.Errorf("Client = %q, %v, want id and its secret", got.ID, err)
	}
	for account, name := range map[string]string{"default": "/tonari/google/refresh_token", "hall": "/tonari/google/hall/refresh_token"} {
		if _, err := s.Save(t.Context(), account, oauth.Token{RefreshToken: "1//x"}, ""); err != nil {
			t.Errorf("Save(%s) = %v", account, err)
		}
		if want := (parameter{name, "SecureString", "1//x", 1}); f.parameters[name] != want {
			t.Errorf("%s = %+v, want %+v", name, f.parameters[name], want)
		}
	}
	if got, err := s.Accounts(t.Context()); err != nil || fmt.Sprint(got) != "[default hall]" {
		t.Errorf("Accounts = %v, %v, want default and hall", got, err)
	}
}

// TestSaveAfterSomebodyElse writes while another does, between the look and the write.
func TestSaveAfterSomebodyElse(t *testing.T) {
	f, s := start(t)
	first, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//a"}, "")
	if err != nil {
		t.Fatal(err)
	}
	f.beforePut = func() {
		if _, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//theirs"}, first); err != nil {
			t.Errorf("Save of the other = %v, want it to win", err)
		}
	}
	if _, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//ours"}, first); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Save after the other = %v, want ErrConflict", err)
	}
	f.beforePut = func() {
		if err := s.Delete(t.Context(), "default"); err != nil {
			t.Errorf("Delete = %v", err)
		}
	}
	_, now, err := s.Load(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//ours"}, now); !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Save after Delete by another = %v, want ErrConflict", err)
	}
}

func TestFailures(t *testing.T) {
	f, s := start(t)
	if _, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//x"}, ""); err != nil {
		t.Fatal(err)
	}
	f.denied = []string{"GetParametersByPath"}
	if got, err := s.Accounts(t.Context()); err != nil || fmt.Sprint(got) != "[default]" {
		t.Errorf("Accounts without the right to list = %v, %v, want default", got, err)
	}
	f.denied = []string{"GetParameter", "PutParameter"}
	if _, _, err := s.Load(t.Context(), "default"); !errors.Is(err, fault.ErrDenied) || !strings.Contains(err.Error(), "AccessDenied") {
		t.Errorf("Load without the right to = %v, want ErrDenied that says so", err)
	}
	if _, err := s.Save(t.Context(), "other", oauth.Token{RefreshToken: "1//x"}, ""); !errors.Is(err, fault.ErrDenied) || strings.Contains(err.Error(), "1//x") {
		t.Errorf("Save without the right to = %v, want ErrDenied without the token", err)
	}
	f.down = true
	if _, _, err := s.Load(t.Context(), "default"); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Load while down = %v, want ErrUnavailable", err)
	}
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	if _, err := Open(t.Context(), DefaultPrefix); !errors.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "AWS_REGION") {
		t.Errorf("Open without a region = %v, want ErrInvalid that names it", err)
	}
}
