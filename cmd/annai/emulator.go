package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"annai/internal/config"
	"annai/tools/calendar/google/emulator"
)

func emulatorCommand() *cobra.Command {
	var listen string
	var demo bool
	cmd := &cobra.Command{
		Use: "calendar-emulator", Short: "Run a stand-in for Google Calendar, to try things out without an account",
		Long: `Run a stand-in for Google Calendar and its sign-in until the process is told to stop, and print the settings with which
annai uses it. It keeps nothing, sends no mail, and whoever reaches it may do everything: so it listens on this machine only.

` + exitCodeHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serveEmulator(cmd.Context(), listen, demo, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "address of this machine to serve on; port 0 picks a free one")
	cmd.Flags().BoolVar(&demo, "demo", false, "put calendars with events of this week into the account")
	return cmd
}

func serveEmulator(ctx context.Context, address string, demo bool, out io.Writer) error {
	listener, err := listenHere(ctx, address)
	if err != nil {
		return err
	}
	e := emulator.New(emulator.Options{Now: time.Now})
	if demo {
		err = e.Demo()
	}
	if err == nil {
		err = greetEmulator(out, e, config.LocalURL(listener.Addr().String()))
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &http.Server{Handler: e, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() }) // whoever is being answered can ask again
	defer stopped()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// listenHere listens on an address that other machines cannot reach.
func listenHere(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%w: --listen: %q is not of the form 127.0.0.1:8090", errUsage, address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%w: --listen: %q can be reached from other machines; use 127.0.0.1", errUsage, address)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return listener, nil
}

// greetEmulator says how annai gets to use the emulator.
func greetEmulator(out io.Writer, e *emulator.Emulator, url string) error {
	id, secret := e.Client()
	_, err := fmt.Fprintf(out, `# The calendar emulator is ready. annai uses it with these settings:

export ANNAI_GOOGLE_API_URL=%[1]s/calendar/v3/
export ANNAI_GOOGLE_AUTH_URL=%[1]s%[2]s
export ANNAI_GOOGLE_TOKEN_URL=%[1]s%[3]s
export ANNAI_GOOGLE_CLIENT_ID=%[4]s
export ANNAI_GOOGLE_CLIENT_SECRET=%[5]s

# Then either sign in with: annai auth google --data DIR
# or be signed in already:
export ANNAI_GOOGLE_CALENDAR_REFRESH_TOKEN=%[6]s
`, url, emulator.AuthPath, emulator.TokenPath, id, secret, e.RefreshToken())
	return err
}
