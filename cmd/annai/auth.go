package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"annai/fault"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/server"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/pgtokens"
	"annai/tools/calendar/google/ssm"
)

func authCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "auth", Short: "Connect an owner's calendar at Google, look after it, disconnect it",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(authGoogleCommand(), authStatusCommand(), authRevokeCommand())
	for _, c := range cmd.Commands() {
		c.Args = noArguments
		config.Bind(c.Flags())
		do := c.RunE
		c.RunE = func(cmd *cobra.Command, args []string) error { return inBoth(do(cmd, args)) }
	}
	return cmd
}

// inBoth says a problem with Google in both languages.
func inBoth(err error) error {
	var p *oauth.Problem
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("%w / %s", err, p.Words("ja"))
}

// googleTokens is where tokens of Google are kept, and the client that they are for.
type googleTokens struct {
	oauth.TokenStore

	// where says it in words.
	where  string
	client oauth.Client
}

// openGoogleTokens opens the store that the settings name. Where the settings name no client and the store has one, it is that.
func openGoogleTokens(ctx context.Context, c config.Config) (googleTokens, error) {
	g := c.Google
	client := oauth.Client{ID: g.ClientID, Secret: g.ClientSecret, AuthURL: g.AuthURL, TokenURL: g.TokenURL}
	switch g.TokenStore {
	case "env":
		return googleTokens{oauth.EnvStore{RefreshToken: g.RefreshToken, ClientID: g.ClientID}, "in the settings", client}, nil
	case "ssm":
		return openSSM(ctx, g, client)
	case "postgres":
		return openPostgresTokens(ctx, c, client)
	}
	if c.Data == "" {
		why := "a token needs a folder to be kept in: add --data DIR (ANNAI_DATA), the same as for annai serve"
		if c.Postgres != "" {
			why += ", or --google-token-store postgres"
		}
		return googleTokens{}, fmt.Errorf("%s: %w", why, fault.ErrInvalid)
	}
	opts := oauth.FileOptions{}
	if c.EncryptionKey != "" {
		opts.Key = []byte(c.EncryptionKey)
	}
	store, err := oauth.NewFileStore(c.Data, opts)
	return googleTokens{store, "in " + c.Data + ", encrypted", client}, err
}

func openPostgresTokens(ctx context.Context, c config.Config, client oauth.Client) (googleTokens, error) {
	if c.Postgres == "" {
		return googleTokens{}, fmt.Errorf("google-token-store postgres needs --postgres or --postgres-file: %w",
			fault.ErrInvalid)
	}
	store, err := pgtokens.Open(ctx, string(c.Postgres), []byte(c.EncryptionKey), setup.Deadline)
	if err != nil {
		return googleTokens{}, setup.OneLine(err)
	}
	return googleTokens{store, "in PostgreSQL, encrypted", client}, nil
}

func openSSM(ctx context.Context, g config.Google, client oauth.Client) (googleTokens, error) {
	store, err := ssm.Open(ctx, g.SSMPrefix)
	if err != nil {
		return googleTokens{}, err
	}
	if client.ID == "" {
		stored, err := store.Client(ctx)
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return googleTokens{}, err
		}
		client.ID, client.Secret = stored.ID, stored.Secret
	}
	return googleTokens{store, "in AWS SSM below " + g.SSMPrefix, client}, nil
}

// loadTokens reads the settings of a command and opens the store of tokens that they name.
func loadTokens(cmd *cobra.Command) (config.Config, googleTokens, error) {
	c, err := load(cmd)
	if err != nil {
		return config.Config{}, googleTokens{}, err
	}
	tokens, err := openGoogleTokens(cmd.Context(), c)
	return c, tokens, err
}

// consentTime is how long an owner may take to agree.
const consentTime = 10 * time.Minute

// pasteRedirect is where a browser is sent when the address is pasted: to nobody. Google lets a desktop client have any port.
const pasteRedirect = "http://127.0.0.1:47811/"

type connecting struct {
	account                string
	readOnly, paste, print bool
}

func authGoogleCommand() *cobra.Command {
	var how connecting
	cmd := &cobra.Command{
		Use: "google", Short: "Connect a calendar at Google",
		Long: `Connect a calendar at Google: prints an address to open in a browser, waits until the owner agreed there, and stores the token.

Without a browser on this machine, use --paste. With --google-redirect, the address is pasted too. docs/calendar.md has all steps.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := load(cmd)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), consentTime)
			defer cancel()
			return connectGoogle(ctx, c, how, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&how.account, "account", oauth.DefaultAccount, "name of the account, where there are several")
	cmd.Flags().BoolVar(&how.readOnly, "read-only", false, "ask only for the right to read")
	cmd.Flags().BoolVar(&how.paste, "paste", false, "paste the address that the browser ends at, on a machine without a browser")
	cmd.Flags().BoolVar(&how.print, "print", false, "print the refresh token instead of storing it, for GOOGLE_CALENDAR_REFRESH_TOKEN")
	return cmd
}

// ownerScopes are those that an owner is asked for.
func ownerScopes(c config.Config) []string {
	if c.Own.Tasks == "google" {
		return append(oauth.OwnerScopes(), oauth.ScopeTasks)
	}
	return oauth.OwnerScopes()
}

func connectGoogle(ctx context.Context, c config.Config, how connecting, in io.Reader, out io.Writer) error {
	tokens, err := openConnecting(ctx, c, how)
	if err != nil {
		return err
	}
	flow := oauth.NewFlow(tokens.client, oauth.Options{Now: setup.Clock(c.Now)})
	scopes := ownerScopes(c)
	if how.readOnly {
		scopes = oauth.ReadScopes()
	}
	var grant oauth.Grant
	if how.paste || c.Google.Redirect != "" {
		grant, err = pasted(ctx, flow, c.Google.Redirect, scopes, in, out)
	} else {
		grant, err = loopback(ctx, flow, scopes, out)
	}
	if err != nil {
		return err
	}
	if how.print {
		return printToken(out, grant)
	}
	if err := storeToken(ctx, tokens, how.account, grant.Token); err != nil {
		return err
	}
	return sayConnected(out, tokens, how.account, grant)
}

// openConnecting opens the store before anybody is asked, so that nobody agrees in vain.
func openConnecting(ctx context.Context, c config.Config, how connecting) (googleTokens, error) {
	if err := oauth.CheckAccount(how.account); err != nil {
		return googleTokens{}, err
	}
	if how.print {
		c.Google.TokenStore = "env"
		return openGoogleTokens(ctx, c)
	}
	if c.Google.TokenStore == "env" {
		return googleTokens{}, fmt.Errorf("the token store env is only read: add --google-token-store file, or --print and set the token yourself: %w", fault.ErrInvalid)
	}
	tokens, err := openGoogleTokens(ctx, c)
	if err != nil {
		return googleTokens{}, err
	}
	_, _, err = tokens.Load(ctx, how.account)
	var p *oauth.Problem
	if err != nil && !errors.Is(err, fault.ErrNotFound) && !errors.As(err, &p) {
		return googleTokens{}, err
	}
	return tokens, nil
}

func loopback(ctx context.Context, flow *oauth.Flow, scopes []string, out io.Writer) (oauth.Grant, error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return oauth.Grant{}, fmt.Errorf("listen for the browser: %w; try --paste", err)
	}
	return flow.Loopback(ctx, listener, scopes, func(page string) error {
		_, err := fmt.Fprintf(out, "Open this address in a browser on this machine, and allow access (elsewhere: annai auth google --paste):\n\n%s\n\n", page)
		return err
	})
}

// pasted lets a person carry the address over.
func pasted(ctx context.Context, flow *oauth.Flow, redirect string, scopes []string, in io.Reader, out io.Writer) (oauth.Grant, error) {
	expect := "Then paste the whole address that the browser ends at"
	if redirect == "" {
		redirect, expect = pasteRedirect, "The browser then says that it can't open a page; that is expected. Paste the whole address that it shows"
	}
	page, _, err := flow.Begin(redirect, scopes)
	if err != nil {
		return oauth.Grant{}, err
	}
	if _, err := fmt.Fprintf(out, "Open this address in any browser, and allow access:\n\n%s\n\n%s:\n", page, expect); err != nil {
		return oauth.Grant{}, err
	}
	lines := make(chan string)
	go func() { // reading can't be broken off; it ends with the process
		defer close(lines)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return oauth.Grant{}, ctx.Err()
		case line, more := <-lines:
			if !more {
				return oauth.Grant{}, &oauth.Problem{Code: oauth.NotAnAddress}
			}
			if strings.TrimSpace(line) == "" {
				continue
			}
			grant, err := flow.Finish(ctx, line)
			if !oauth.AskAgain(err) {
				return grant, err
			}
			if _, err := fmt.Fprintln(out, inBoth(err)); err != nil {
				return oauth.Grant{}, err
			}
		}
	}
}

// storeToken replaces what is stored. What can't be read is replaced too: whoever connects anew wants that.
func storeToken(ctx context.Context, tokens googleTokens, account string, t oauth.Token) error {
	const tries = 3 // somebody else may store one meanwhile
	var err error
	for range tries {
		var version oauth.Version
		_, version, err = tokens.Load(ctx, account)
		var p *oauth.Problem
		if errors.As(err, &p) {
			err = tokens.Delete(ctx, account)
		}
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return err
		}
		if _, err = tokens.Save(ctx, account, t, version); !errors.Is(err, fault.ErrConflict) {
			return err
		}
	}
	return err
}

func printToken(out io.Writer, grant oauth.Grant) error {
	_, err := fmt.Fprintf(out, "Keep this secret:\n\nGOOGLE_CALENDAR_REFRESH_TOKEN=%s\n", string(grant.Token.RefreshToken))
	return err
}

func sayConnected(out io.Writer, tokens googleTokens, account string, grant oauth.Grant) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Connected: account %s, kept %s.\n", account, tokens.where)
	fmt.Fprintf(&b, "It can: %s.\n", abilities(grant.Granted()))
	for _, scope := range grant.Missing {
		fmt.Fprintf(&b, "Not granted, so that what needs it is switched off: %s\n", scope)
	}
	b.WriteString("While the consent screen is in Testing, this ends after 7 days: publish it in the Cloud console.\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// abilities says what can be done with what was granted.
func abilities(g oauth.Granted) string {
	if !g.Known() {
		return "not known yet"
	}
	var can []string
	for _, a := range []struct {
		ok   bool
		word string
	}{{g.CanRead(), "read events"}, {g.CanWrite(), "write events"}, {g.CanFreeBusy(), "see free and busy"}, {g.CanList(), "list calendars"}, {g.Known() && g.CanKeepTasks(), "keep tasks"}} {
		if a.ok {
			can = append(can, a.word)
		}
	}
	if len(can) == 0 {
		return "nothing"
	}
	return strings.Join(can, ", ")
}

func authStatusCommand() *cobra.Command {
	var account string
	cmd := &cobra.Command{
		Use: "status", Short: "Try each connected account at Google, and say what works",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, tokens, err := loadTokens(cmd)
			if err != nil {
				return err
			}
			accounts, err := tokens.Accounts(cmd.Context())
			if err != nil {
				return err
			}
			if account != "" {
				if !slices.Contains(accounts, account) {
					return fmt.Errorf("account %s has no token %s: %w", account, tokens.where, fault.ErrNotFound)
				}
				accounts = []string{account}
			}
			if len(accounts) == 0 {
				return &oauth.Problem{Code: oauth.NotConnected, Detail: "no token " + tokens.where}
			}
			d := doctor{out: cmd.OutOrStdout()}
			for _, a := range accounts {
				d.googleAccount(cmd.Context(), tokens, a, setup.Clock(c.Now))
			}
			if d.err == nil && d.ill {
				return errSilent
			}
			return d.err
		},
	}
	cmd.Flags().StringVar(&account, "account", "", "only this account (all)")
	return cmd
}

// googleAccount says how an account is, by getting an access token for it.
func (d *doctor) googleAccount(ctx context.Context, tokens googleTokens, account string, now func() time.Time) {
	source := oauth.NewSource(tokens, account, tokens.client, oauth.SourceOptions{Now: now})
	defer func() { d.err = errors.Join(d.err, source.Close()) }()
	access, err := source.Access(ctx)
	if err != nil {
		d.say(false, account, "kept %s: %v", tokens.where, inBoth(err))
		return
	}
	granted, err := source.Granted(ctx)
	if err != nil {
		d.say(false, account, "kept %s: %v", tokens.where, inBoth(err))
		return
	}
	d.say(true, account, "kept %s; can %s; access token until %s", tokens.where, abilities(granted), access.Expiry.Format(time.RFC3339))
	for _, scope := range granted.Scopes {
		d.say(true, account, "scope %s", scope)
	}
}

func authRevokeCommand() *cobra.Command {
	var account string
	var force bool
	cmd := &cobra.Command{
		Use: "revoke", Short: "Revoke a token at Google, then delete it here",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, tokens, err := loadTokens(cmd)
			if err != nil {
				return err
			}
			return revokeGoogle(cmd.Context(), tokens, account, force, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&account, "account", oauth.DefaultAccount, "name of the account")
	cmd.Flags().BoolVar(&force, "force", false, "delete the token here even if Google can't be reached, or if it can't be read")
	return cmd
}

func revokeGoogle(ctx context.Context, tokens googleTokens, account string, force bool, out io.Writer) error {
	t, _, err := tokens.Load(ctx, account)
	if errors.Is(err, fault.ErrNotFound) || errors.Is(err, fault.ErrInvalid) {
		return err
	}
	if err == nil {
		err = oauth.Revoke(ctx, tokens.client, t, nil)
	}
	if err != nil && !force {
		return fmt.Errorf("the token of account %s was kept, because it could not be revoked (--force deletes it all the same): %w", account, err)
	}
	said, revoked := fmt.Sprintf("Revoked at Google and deleted: account %s.", account), "revoked at Google, but kept"
	if err != nil {
		revoked = "not revoked at Google, and kept"
		said = fmt.Sprintf("Deleted here, but not revoked at Google: account %s. Remove it there too, under third-party apps of the Google account (%v).", account, err)
	}
	if err := tokens.Delete(ctx, account); err != nil {
		return fmt.Errorf("the token was %s: %w", revoked, err)
	}
	_, err = fmt.Fprintln(out, said)
	return err
}

// callbackPath is where the server waits for an owner whom Google sends back.
const callbackPath = "/auth/google/callback"

// googleSignIn is the way to connect Google in a browser at the server's own address, for an owner with a key. Nil: the settings name no
// such address.
func googleSignIn(ctx context.Context, c config.Config, owned bool, now func() time.Time, log *slog.Logger) (server.SignIn, error) {
	if c.Google.Redirect == "" || !owned {
		return nil, nil //nolint:nilnil // there is none, which is no error
	}
	if u, err := url.Parse(c.Google.Redirect); err != nil || u.Path != callbackPath {
		return nil, fmt.Errorf("google-redirect: %s does not end in %s, where the server waits for Google's answer: %w", c.Google.Redirect, callbackPath, fault.ErrInvalid)
	}
	tokens, err := openGoogleTokens(ctx, c)
	if err != nil {
		return nil, err
	}
	return oauth.Web{
		Flow: oauth.NewFlow(tokens.client, oauth.Options{Now: now}), Redirect: c.Google.Redirect, Scopes: ownerScopes(c), Log: log,
		Save: func(ctx context.Context, g oauth.Grant) error {
			return storeToken(ctx, tokens, oauth.DefaultAccount, g.Token)
		},
	}, nil
}
