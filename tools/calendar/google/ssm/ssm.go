// Package ssm keeps tokens of Google in the parameter store of AWS Systems Manager, as parameters of type SecureString.
//
// The idea to hold: a parameter has a number of its version, but can't be written under the condition that it has not changed. So [Store.Save]
// looks before it writes and looks at the number that it got: whoever was not next is told so ([fault.ErrConflict]) and reads what is there
// now, which everybody else reads too. A parameter that is not there yet is made by exactly one.
//
// The package knows no Google. Region, credentials and another address come from what the SDK of AWS reads: the environment, shared files, the
// role of the machine.
package ssm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/aws-sdk-go-v2/service/ssm/types"
	"github.com/aws/smithy-go"

	"annai/fault"
	"annai/internal/secret"
	"annai/tools/calendar/google/oauth"
)

// DefaultPrefix is where the names of the parameters begin.
const DefaultPrefix = "/tonari/google"

// A Store is an [oauth.TokenStore] in the parameter store. Under its prefix are client_id, client_secret and refresh_token, which is that of
// [oauth.DefaultAccount]; another account's is ACCOUNT/refresh_token. Of a token only the refresh token is kept.
//
// [Store.Save] of several at once: where there was a token, the last to write stays although it is told that it lost, and all hold what
// stayed once they loaded it.
type Store struct {
	api    *ssm.Client
	prefix string
}

// attempts is how often a call is tried. The next refresh is the better time to try again.
const attempts = 2

// Open returns the store under a prefix, such as [DefaultPrefix]. It asks nothing yet. Settings of AWS that can't be read are [fault.ErrInvalid].
func Open(ctx context.Context, prefix string) (*Store, error) {
	c, err := config.LoadDefaultConfig(ctx, config.WithRetryMaxAttempts(attempts))
	if err != nil {
		return nil, fmt.Errorf("settings of AWS: %w: %w", err, fault.ErrInvalid)
	}
	if c.Region == "" {
		return nil, fmt.Errorf("settings of AWS: no region is set; set AWS_REGION: %w", fault.ErrInvalid)
	}
	return &Store{api: ssm.NewFromConfig(c), prefix: prefix}, nil
}

const refreshToken = "refresh_token"

func (s *Store) name(account string) string {
	if account == oauth.DefaultAccount {
		return s.prefix + "/" + refreshToken
	}
	return s.prefix + "/" + account + "/" + refreshToken
}

// Client returns the client that the parameters client_id and client_secret name. Where there is none: [fault.ErrNotFound].
func (s *Store) Client(ctx context.Context) (oauth.Client, error) {
	id, err := s.get(ctx, s.prefix+"/client_id")
	if err != nil {
		return oauth.Client{}, err
	}
	clientSecret, err := s.get(ctx, s.prefix+"/client_secret")
	if err != nil {
		return oauth.Client{}, err
	}
	return oauth.Client{ID: value(id), Secret: secret.Text(value(clientSecret))}, nil
}

// Load implements [oauth.TokenStore].
func (s *Store) Load(ctx context.Context, account string) (oauth.Token, oauth.Version, error) {
	if err := oauth.CheckAccount(account); err != nil {
		return oauth.Token{}, "", err
	}
	p, err := s.get(ctx, s.name(account))
	if err != nil {
		return oauth.Token{}, "", err
	}
	return oauth.Token{RefreshToken: secret.Text(value(p))}, version(p.Version, value(p)), nil
}

func (s *Store) get(ctx context.Context, name string) (*types.Parameter, error) {
	out, err := s.api.GetParameter(ctx, &ssm.GetParameterInput{Name: &name, WithDecryption: new(true)})
	if err != nil {
		return nil, failed("read", name, err)
	}
	if out.Parameter == nil || value(out.Parameter) == "" {
		return nil, fmt.Errorf("read parameter %s: it is empty: %w", name, fault.ErrNotFound)
	}
	return out.Parameter, nil
}

func value(p *types.Parameter) string {
	if p.Value == nil {
		return ""
	}
	return strings.TrimSpace(*p.Value)
}

// version names a state of a parameter. The number begins anew after the parameter was deleted, and so it is not all of it.
func version(number int64, text string) oauth.Version {
	sum := sha256.Sum256([]byte(text))
	return oauth.Version(fmt.Sprintf("%d-%s", number, hex.EncodeToString(sum[:8])))
}

// Save implements [oauth.TokenStore], as far as the parameter store can; see [Store].
func (s *Store) Save(ctx context.Context, account string, t oauth.Token, ifVersion oauth.Version) (oauth.Version, error) {
	if err := oauth.CheckAccount(account); err != nil {
		return "", err
	}
	if t.RefreshToken == "" {
		return "", fmt.Errorf("save account %s: no refresh token: %w", account, fault.ErrInvalid)
	}
	name, text, before := s.name(account), string(t.RefreshToken), int64(0)
	if ifVersion != "" {
		p, err := s.get(ctx, name)
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return "", err
		}
		if err != nil || version(p.Version, value(p)) != ifVersion {
			return "", changed(name)
		}
		before = p.Version
	}
	out, err := s.api.PutParameter(ctx, &ssm.PutParameterInput{
		Name: &name, Value: &text, Type: types.ParameterTypeSecureString, Overwrite: new(ifVersion != ""),
	})
	if err != nil {
		return "", failed("write", name, err)
	}
	if ifVersion != "" && out.Version != before+1 {
		return "", changed(name)
	}
	return version(out.Version, text), nil
}

func changed(name string) error {
	return fmt.Errorf("write parameter %s: it was changed meanwhile: %w", name, fault.ErrConflict)
}

// Delete implements [oauth.TokenStore].
func (s *Store) Delete(ctx context.Context, account string) error {
	if err := oauth.CheckAccount(account); err != nil {
		return err
	}
	name := s.name(account)
	if _, err := s.api.DeleteParameter(ctx, &ssm.DeleteParameterInput{Name: &name}); err != nil {
		return failed("delete", name, err)
	}
	return nil
}

// Accounts implements [oauth.TokenStore]. Who may not list parameters learns only of [oauth.DefaultAccount].
func (s *Store) Accounts(ctx context.Context) ([]string, error) {
	var names []string
	pages := ssm.NewGetParametersByPathPaginator(s.api, &ssm.GetParametersByPathInput{Path: &s.prefix, Recursive: new(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err = s.listed(err); errors.Is(err, fault.ErrDenied) {
			return s.onlyDefault(ctx)
		} else if err != nil {
			return nil, err
		}
		for _, p := range page.Parameters {
			if account, ok := s.account(p); ok {
				names = append(names, account)
			}
		}
	}
	slices.Sort(names)
	return names, nil
}

func (s *Store) listed(err error) error {
	if err == nil {
		return nil
	}
	return failed("list", s.prefix, err)
}

func (s *Store) onlyDefault(ctx context.Context) ([]string, error) {
	_, _, err := s.Load(ctx, oauth.DefaultAccount)
	switch {
	case errors.Is(err, fault.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []string{oauth.DefaultAccount}, nil
}

// account returns whose refresh token a parameter is.
func (s *Store) account(p types.Parameter) (string, bool) {
	if p.Name == nil {
		return "", false
	}
	rest, below := strings.CutPrefix(*p.Name, s.prefix+"/")
	if rest == refreshToken {
		return oauth.DefaultAccount, below
	}
	account, token := strings.CutSuffix(rest, "/"+refreshToken)
	return account, below && token && oauth.CheckAccount(account) == nil
}

// failed is an error of AWS, with its kind and without its type.
func failed(doing, name string, err error) error {
	kind := fault.ErrUnavailable
	said := err.Error()
	var api smithy.APIError
	if errors.As(err, &api) {
		said = strings.TrimSpace(api.ErrorCode() + ": " + api.ErrorMessage())
		switch api.ErrorCode() {
		case "ParameterNotFound":
			kind = fault.ErrNotFound
		case "ParameterAlreadyExists":
			kind = fault.ErrConflict
		case "AccessDeniedException", "AccessDenied", "UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException",
			"InvalidKeyId", "KMSAccessDeniedException", "ParameterMaxVersionLimitExceeded", "ParameterLimitExceeded":
			kind = fault.ErrDenied
		}
	}
	if ctx := contextError(err); ctx != nil {
		return fmt.Errorf("%s parameter %s: %w: %w", doing, name, ctx, kind)
	}
	return fmt.Errorf("%s parameter %s: %s: %w", doing, name, said, kind)
}

func contextError(err error) error {
	for _, e := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, e) {
			return e
		}
	}
	return nil
}
