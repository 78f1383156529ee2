package config

import "annai/internal/secret"

// Own is what owners may do besides keeping calendars.
type Own struct {
	// InviteDomains are those of mail addresses that may be invited to events. Empty means that
	// nobody may.
	InviteDomains []string
	// SendUpdates is whom Google mails about events that annai writes: "all", "externalOnly" or
	// "none".
	SendUpdates string
	// Plugin and PluginTools are whether create_calendar_event and list_calendar_events are offered,
	// which both must allow.
	Plugin, PluginTools bool
	// Tasks is where tasks are kept: "local", "google", or "off" for nowhere.
	Tasks string
	// TasksURL is another address of Google Tasks than Google's. Empty means Google's.
	TasksURL string
	// CalDAV is the server that calendars of the source caldav are at.
	CalDAV CalDAV
}

// CalDAV is an account at a server. URL is empty where there is none.
type CalDAV struct {
	URL, User string
	Password  secret.Text
}

func davPasswordField(c *Config) *secret.Text { return &c.Own.CalDAV.Password }

func ownTable() []setting {
	return []setting{
		{
			key: "invite-domains", value: "NAMES",
			usage: "domains of mail addresses that may be invited to events, with commas (nobody may)",
			parse: list(func(c *Config) *[]string { return &c.Own.InviteDomains }, checkHost),
		},
		{
			key: "send-updates", value: "WHOM", def: "none",
			usage: "whom the calendar's server mails about what annai writes: all, externalOnly or none",
			parse: oneOf(func(c *Config) *string { return &c.Own.SendUpdates }, "all", "externalOnly", "none"),
		},
		{
			key: "google-calendar-plugin", value: "BOOL", def: "true", also: "PLUGIN_GOOGLECALENDARPLUGIN_ENABLED",
			usage: "whether the tools create_calendar_event and list_calendar_events may be offered",
			parse: parseBool(func(c *Config) *bool { return &c.Own.Plugin }),
		},
		{
			key: "google-calendar-tools", value: "BOOL", def: "true", also: "TOOLS_GOOGLE_CALENDAR_ENABLED",
			usage: "whether they are, if so; they work on any calendar of the owner",
			parse: parseBool(func(c *Config) *bool { return &c.Own.PluginTools }),
		},
		{
			key: "tasks", value: "WHERE", def: "local",
			usage: "where the owner's tasks are kept: local, google, caldav, or off",
			parse: oneOf(func(c *Config) *string { return &c.Own.Tasks }, "local", "google", "caldav", "off"),
		},
		{
			key: "google-tasks-url", value: "URL", usage: "address of Google Tasks (Google's)",
			parse: address(func(c *Config) *string { return &c.Own.TasksURL }),
		},
		{
			key: "caldav-url", value: "URL", usage: "address of the CalDAV server of the owner's calendar (none)",
			parse: address(func(c *Config) *string { return &c.Own.CalDAV.URL }),
		},
		{
			key: "caldav-user", value: "NAME", usage: "user there (none)",
			parse: text(func(c *Config) *string { return &c.Own.CalDAV.User }),
		},
		{
			key: "caldav-password", value: "PASSWORD", secret: true, usage: "that user's password (none)",
			parse: secretText(davPasswordField),
		},
		{
			key: "caldav-password-file", value: "FILE", path: true, usage: "file with that password (none)",
			parse: fromSecretFile("caldav-password", davPasswordField, secretText(davPasswordField)),
		},
	}
}
