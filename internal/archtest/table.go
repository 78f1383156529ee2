package archtest

// annai returns the rules of this repository. Read the folders from the bottom up: what stands lower is known to
// more.
func annai() Rules {
	return Rules{Module: "annai", Folders: folders(), Libraries: libraries()}
}

func folders() []Folder {
	web := []string{"net/http", "database/sql"}
	return []Folder{
		// Plumbing. Anything may be built on these; they know nothing of the product.
		{Dir: "fault", Not: web},
		{Dir: "internal/message", May: []string{"fault"}, Not: web},
		{Dir: "internal/secret", Not: web},
		{Dir: "internal/traceparent", Not: []string{"database/sql"}},
		{Dir: "internal/privatefile", Not: web},
		{Dir: "internal/mask", Not: web},
		{Dir: "internal/text", Not: web},
		{Dir: "internal/charset", Not: web},
		{Dir: "civil", May: []string{"fault"}, Not: web},
		{Dir: "internal/geo", May: []string{"fault"}, Not: web},
		{Dir: "internal/holiday", May: []string{"civil"}, Not: web},
		{Dir: "internal/restjson", May: []string{"fault", "internal/traceparent"}, Not: []string{"database/sql"}},
		{Dir: "internal/strictyaml", May: []string{"fault"}, Not: web},
		{Dir: "internal/config", May: []string{"fault", "internal/secret", "internal/strictyaml"}, Not: web},
		{Dir: "internal/outbound", May: []string{"fault"}, Not: []string{"database/sql"}},
		{Dir: "internal/sqlitefile", May: []string{"fault"}, Not: []string{"net/http"}},
		{Dir: "internal/auditlog", May: []string{"fault", "internal/privatefile"}, Not: web},
		{Dir: "internal/datafolder", May: []string{
			"fault", "internal/privatefile", "internal/sqlitefile",
		}, Not: web},
		{Dir: "internal/pgdb", May: []string{"fault"}, Not: []string{"net/http"}},
		{Dir: "internal/matrix", Not: web},
		{Dir: "internal/tensorfile", May: []string{"fault"}, Not: web},
		{Dir: "internal/encoder", May: []string{
			"internal/matrix", "internal/tensorfile", "internal/unigram", "fault",
		}, Not: web},
		{Dir: "internal/unigram", May: []string{"internal/tensorfile", "fault"}, Not: web},
		{Dir: "internal/kana", Not: web},
		{Dir: "internal/kana/generate", May: []string{"internal/kana"}, Not: web}, // writes its data/readings.txt
		{Dir: "internal/archtest", May: []string{"internal/text"}},

		// Contracts: what we need, not who does it. They import each other downwards and never a back end.
		{Dir: "graph", May: []string{"fault"}, Not: web},
		{Dir: "nlu/datetime", May: []string{
			"internal/text", "fault", "civil", "internal/holiday",
		}, Not: web},
		{Dir: "nlu", May: []string{
			"nlu/datetime", "nlu/danger", "nlu/words", "internal/text", "internal/kana", "fault", "civil",
			"internal/holiday",
		}, Not: web},
		{Dir: "nlu/todo", May: []string{"nlu/datetime", "nlu/words"}, Not: web},
		{Dir: "nlu/flyer", May: []string{"nlu/datetime", "civil", "internal/text"}, Not: web},
		{Dir: "nlu/danger", May: []string{
			"nlu/linear", "nlu/words", "internal/encoder", "internal/matrix", "internal/tensorfile", "internal/unigram",
			"fault",
		}, Not: web},
		{Dir: "nlu/network", May: []string{
			"internal/encoder", "internal/matrix", "internal/tensorfile", "internal/unigram", "fault",
		}, Not: web},
		{Dir: "rag", May: []string{
			"internal/matrix", "internal/text", "fault", "civil",
		}, Not: web},
		{Dir: "llm", May: []string{"fault"}, Not: web},
		{Dir: "grounding", May: []string{
			"nlu", "nlu/datetime", "internal/text", "fault", "civil", "internal/holiday",
		}, Not: web},
		{Dir: "tools", May: []string{"fault", "civil"}, Not: web},
		{Dir: "tools/calendar", May: []string{"fault", "civil", "internal/text"}, Not: web},
		{Dir: "tools/calendar/recur", May: []string{"tools/calendar", "fault", "civil"}, Not: web},
		{Dir: "tools/calendar/agenda", May: []string{
			"tools/calendar", "tools/calendar/recur", "internal/text", "fault", "civil",
		}, Not: web},
		{Dir: "tools/calendar/agenda/family", May: []string{
			"tools", "tools/calendar", "tools/calendar/agenda", "internal/text", "fault", "civil",
		}, Not: web},
		// writes docs/tools.md
		{Dir: "tools/generate", May: []string{
			"tools", "tools/date", "tools/calendar", "tools/calendar/agenda", "tools/calendar/agenda/family",
			"tools/tasks", "tools/directions", "tools/places", "tools/timezone", "tools/webpage",
			"tools/media", "tools/media/clean", "tools/media/poster", "tools/media/video", "venue",
		}},
		{Dir: "tools/tasks", May: []string{
			"tools", "tools/calendar", "tools/calendar/agenda", "fault", "civil",
		}, Not: web},
		{Dir: "tools/date", May: []string{
			"tools", "nlu/datetime", "internal/text", "fault", "civil", "internal/holiday",
		}, Not: web},
		{Dir: "tools/places", May: []string{
			"tools", "tools/places/gazetteer", "venue", "internal/geo", "internal/kana", "internal/text",
			"fault",
		}, Not: web},
		// and its command, which writes its data
		{Dir: "tools/places/gazetteer", May: []string{"internal/geo", "internal/text"}, Not: web},
		{Dir: "tools/places/google", BackEnd: true, May: []string{
			"tools/places", "internal/geo", "internal/restjson", "fault", "internal/secret",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/timezone", May: []string{
			"tools", "tools/places/gazetteer", "internal/geo", "fault",
		}, Not: web},
		{Dir: "tools/timezone/generate"}, // writes its data
		{Dir: "tools/timezone/google", BackEnd: true, May: []string{
			"tools/timezone", "internal/geo", "internal/restjson", "fault", "internal/secret",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/directions", May: []string{"tools", "internal/geo", "fault"}, Not: web},
		{Dir: "tools/directions/google", BackEnd: true, May: []string{
			"tools/directions", "internal/geo", "internal/restjson", "fault", "internal/secret",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/directions/osrm", BackEnd: true, May: []string{
			"tools/directions", "internal/geo", "internal/restjson", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/webpage", May: []string{
			"tools", "internal/outbound", "internal/charset", "internal/text", "fault", "civil",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/webpage/generate"}, // writes its data/providers.tsv
		{Dir: "tools/media", May: []string{"fault", "internal/privatefile"}, Not: web},
		{Dir: "voice", May: []string{"api", "voice/hts", "fault"}, Not: web},
		{Dir: "voice/hts", May: []string{"fault"}, Not: web},
		{Dir: "hearing", May: []string{"fault"}, Not: web},
		{Dir: "tools/media/canvas", May: []string{"internal/text"}, Not: web},
		{Dir: "tools/media/clean", May: []string{
			"tools", "tools/media", "tools/media/canvas", "fault",
		}, Not: web},
		{Dir: "tools/media/pictures", May: []string{
			"tools/media/clean", "internal/outbound", "fault",
		}, Not: []string{"database/sql"}}, // it fetches them
		{Dir: "tools/media/ocr", May: []string{"internal/text", "fault"}, Not: web},
		{Dir: "tools/media/poster", May: []string{
			"tools", "tools/media", "tools/media/canvas", "internal/text", "fault",
		}, Not: web},
		{Dir: "tools/media/h264", May: []string{"fault"}, Not: web},
		{Dir: "tools/media/mp4", May: []string{"fault"}, Not: web},
		{Dir: "tools/media/video", May: []string{
			"tools", "tools/calendar", "tools/media", "tools/media/canvas", "tools/media/h264", "tools/media/mp4",
			"internal/text", "fault", "civil",
		}, Not: web},
		{Dir: "tools/media/gemini", BackEnd: true, May: []string{
			"tools/media/clean", "tools/media/ocr", "tools/media/poster", "tools/media/video", "tools/media/mp4",
			"prompts", "fault", "internal/secret", "internal/traceparent",
		}, Not: []string{"database/sql"}},
		{Dir: "venue", May: []string{
			"tools/calendar", "fault", "civil", "internal/geo", "internal/holiday",
			"internal/strictyaml",
		}, Not: web},
		{Dir: "api", May: []string{"fault", "civil"}, Not: []string{"database/sql"}},
		// turns, their events and sessions: what the concierge and its doors have in common
		{Dir: "dialog", May: []string{"api", "graph"}, Not: web},
		{Dir: "runs", May: []string{
			"graph", "fault", "internal/message", "internal/outbound", "internal/traceparent",
		}, Not: []string{"database/sql"}},
		// labels of Japanese text, and the commands that pack its dictionary and ask Open JTalk for labels
		{Dir: "voice/jtalk", May: []string{"fault", "internal/kana"}, Not: web},
		{Dir: "voice/jtalk/generate", Not: web},
		{Dir: "voice/jtalk/generate/golden", Not: web},
		{Dir: "voice/hibari", May: []string{
			"internal/encoder", "internal/matrix", "internal/tensorfile", "internal/unigram", "fault",
		}, Not: web},
		{Dir: "voice/hibari/generate", May: []string{"voice/hibari"}}, // writes sounds for scripts/voice-check
		// parts of graphs for programs of others
		{Dir: "agent", May: []string{"graph", "llm", "tools", "fault", "internal/message"}, Not: web},

		// Back ends: children that import their parent.
		{Dir: "voice/remote", BackEnd: true, May: []string{
			"voice", "internal/restjson", "internal/secret", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "hearing/remote", BackEnd: true, May: []string{
			"hearing", "internal/restjson", "internal/secret", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "rag/embedded", BackEnd: true, May: []string{
			"rag", "internal/encoder", "internal/matrix", "internal/tensorfile", "internal/unigram", "fault",
		}, Not: web},
		{Dir: "rag/chromem", BackEnd: true, May: []string{"rag", "fault"}, Not: web},
		{Dir: "rag/documents", May: []string{
			"rag", "rag/markdown", "internal/charset", "internal/text", "fault", "civil",
			"internal/strictyaml",
		}, Not: web},
		{Dir: "rag/corpus", BackEnd: true, May: []string{
			"rag", "rag/documents", "rag/markdown", "internal/text", "fault", "civil",
			"internal/sqlitefile", "internal/pgdb",
		}, Not: []string{"net/http"}},
		{Dir: "llm/langchain", BackEnd: true, May: []string{
			"llm", "rag", "fault", "internal/secret", "internal/traceparent",
		}, Not: []string{"database/sql"}},
		{Dir: "rag/markdown", May: []string{
			"rag", "internal/text", "fault", "civil", "internal/strictyaml",
		}, Not: web},
		{Dir: "tools/calendar/mem", BackEnd: true, May: []string{
			"tools/calendar", "tools/calendar/recur", "fault", "civil",
		}, Not: web},
		{Dir: "tools/calendar/polled", May: []string{
			"tools/calendar", "internal/outbound", "fault", "civil", "internal/privatefile",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/calendar/polled/pgcopies", BackEnd: true, May: []string{
			"tools/calendar/polled", "storage/row", "fault", "internal/pgdb",
		}, Not: []string{"net/http"}},
		// a back end of files and feeds, and the format in which caldav keeps its objects
		{Dir: "tools/calendar/ics", May: []string{
			"tools/calendar", "tools/calendar/polled", "tools/calendar/recur", "tools/tasks", "fault",
			"civil",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/calendar/feed", BackEnd: true, May: []string{
			"tools/calendar", "tools/calendar/polled", "tools/calendar/recur", "internal/charset", "internal/text",
			"fault", "civil",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/calendar/caldav", BackEnd: true, May: []string{
			"tools", "tools/calendar", "tools/calendar/ics", "tools/calendar/recur", "tools/tasks", "fault",
			"civil", "internal/secret", "internal/traceparent",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/calendar/local", BackEnd: true, May: []string{
			"tools/calendar", "tools/calendar/recur", "storage/row", "fault", "civil",
			"internal/sqlitefile", "internal/pgdb",
		}, Not: []string{"net/http"}},
		{Dir: "tools/calendar/mirror", May: []string{
			"tools/calendar", "tools/calendar/recur", "fault", "civil", "internal/privatefile",
			"internal/pgdb",
		}, Not: []string{"net/http"}},
		{Dir: "tools/calendar/google", BackEnd: true, May: []string{
			"tools/calendar", "tools/calendar/mirror", "tools/calendar/recur", "fault", "civil",
			"internal/traceparent",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/calendar/google/oauth", May: []string{
			"tools/calendar", "fault", "internal/privatefile", "internal/secret",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/calendar/google/ssm", BackEnd: true, May: []string{
			"tools/calendar/google/oauth", "fault", "internal/secret",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/calendar/google/pgtokens", BackEnd: true, May: []string{
			"tools/calendar/google/oauth", "storage/row", "fault", "internal/secret", "internal/pgdb",
		}, Not: []string{"net/http"}},
		{Dir: "tools/calendar/google/emulator", BackEnd: true, May: []string{
			"tools/calendar", "tools/calendar/recur", "fault", "civil",
		}, Not: []string{"database/sql"}},
		{Dir: "tools/tasks/local", BackEnd: true, May: []string{
			"tools/tasks", "storage/row", "fault", "civil", "internal/sqlitefile", "internal/pgdb",
		}, Not: []string{"net/http"}},
		{Dir: "tools/tasks/google", BackEnd: true, May: []string{
			"tools/tasks", "fault", "civil", "internal/traceparent",
		}, Not: []string{"database/sql"}},
		{Dir: "runs/mem", BackEnd: true, May: []string{"runs", "fault"}, Not: web},
		// what the stores of runs share
		{Dir: "runs/tables", May: []string{"runs", "storage/row", "fault"}, Not: web},
		{Dir: "runs/sqlite", May: []string{
			"runs", "runs/tables", "storage/row", "fault", "internal/sqlitefile",
		}, Not: []string{"net/http"}},
		{Dir: "runs/postgres", May: []string{
			"runs", "runs/tables", "storage/row", "fault", "internal/pgdb",
		}, Not: web},
		// a job and its run are one transaction, so the queue is made on a store
		{Dir: "runs/river", BackEnd: true, May: []string{
			"runs", "runs/tables", "runs/sqlite", "runs/postgres", "fault", "internal/sqlitefile",
		}, Not: []string{"net/http"}},
		{Dir: "storage/mem", BackEnd: true, May: []string{"graph", "storage/row", "fault"}, Not: web},
		{Dir: "storage/row", May: []string{"graph", "fault"}, Not: web}, // what the stores share
		{Dir: "storage/sqlite", BackEnd: true, May: []string{
			"graph", "storage/row", "fault", "internal/sqlitefile",
		}, Not: []string{"net/http"}},
		{Dir: "storage/postgres", BackEnd: true, May: []string{
			"graph", "storage/row", "fault", "internal/pgdb",
		}, Not: web},

		// Suites and fakes of the contracts, for tests.
		{Dir: "internal/budget", Suite: true, Not: web},
		{Dir: "internal/outbound/outboundtest", Suite: true, May: []string{
			"internal/outbound", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "internal/peer", Suite: true, Not: web},
		{Dir: "storage/crash", Suite: true, Not: []string{"net/http"}},
		{Dir: "graph/graphtest", Suite: true, May: []string{"graph", "fault"}, Not: web},
		{Dir: "runs/runstest", Suite: true, May: []string{"runs", "fault"}, Not: web},
		{Dir: "server/door/doortest", Suite: true, May: []string{"server/door"}, Not: []string{"database/sql"}},
		{Dir: "server/keys/keystest", Suite: true, May: []string{
			"server/keys", "server/door", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/stream/streamtest", Suite: true, May: []string{
			"server/door", "graph", "runs", "runs/probe",
		}, Not: []string{"database/sql"}},

		{Dir: "runs/crash", Suite: true, Not: []string{"net/http"}},
		{Dir: "storage/postgres/pgtest", Suite: true, Not: web},
		{Dir: "llm/llmtest", Suite: true, May: []string{"llm", "fault"}, Not: []string{"database/sql"}},
		{Dir: "nlu/nlutest", Suite: true, Not: web},
		{Dir: "rag/ragtest", Suite: true, May: []string{"rag", "fault", "civil"}, Not: web},
		{Dir: "tools/calendar/calendartest", Suite: true, May: []string{
			"tools/calendar", "fault", "civil",
		}, Not: web},
		{Dir: "tools/tasks/taskstest", Suite: true, May: []string{
			"tools/tasks", "fault", "civil",
		}, Not: web},

		{Dir: "tools/calendar/google/discovery", Suite: true, Not: []string{"database/sql"}},
		{Dir: "tools/calendar/google/oauth/oauthtest", Suite: true, May: []string{
			"tools/calendar/google/oauth", "fault", "internal/secret",
		}, Not: []string{"database/sql"}},

		// The assistant: contracts, no back end.
		{Dir: "prompts", May: []string{"civil", "fault", "internal/text"}, Not: web},
		{Dir: "nodes/talk", May: []string{
			"internal/text", "nlu", "nlu/datetime", "nlu/network", "nlu/words",
		}, Not: web},
		{Dir: "nodes/display", May: []string{
			"api", "civil", "internal/text", "nlu", "nlu/datetime", "prompts", "tools/calendar", "tools/date",
		}, Not: web},
		{Dir: "nodes/owner", May: []string{
			"api", "civil", "internal/text", "nlu", "nlu/datetime", "nlu/slots", "nlu/words",
			"nodes/display", "prompts", "nlu/todo", "nlu/flyer",
			"tools/calendar", "tools/calendar/agenda", "tools/date", "tools/tasks", "fault",
		}, Not: web},
		{Dir: "nodes/capture", May: []string{
			"civil", "fault", "internal/geo", "nlu/flyer", "nodes/owner", "prompts",
			"tools", "tools/directions", "tools/media/clean", "tools/media/ocr", "tools/places", "tools/timezone",
			"tools/webpage",
		}, Not: web},
		{Dir: "nodes/wording", May: []string{
			"grounding", "llm", "nlu", "nlu/datetime", "nodes/talk", "prompts",
		}, Not: web},
		{Dir: "nodes", May: []string{
			"agent", "dialog", "graph", "grounding", "llm", "nlu", "nlu/datetime", "nlu/slots", "nlu/words", "rag",
			"tools", "tools/calendar", "tools/calendar/agenda", "tools/calendar/recur", "tools/date", "tools/tasks",
			"venue",
			"prompts", "api", "internal/text", "internal/kana", "fault", "civil",
			"internal/geo", "internal/holiday", "tools/directions",
			"nodes/capture", "nodes/display", "nodes/owner", "nodes/talk", "nodes/wording",
		}, Not: web},

		// The doors and the pages.
		{Dir: "api/openapi", May: []string{"api"}, Not: []string{"database/sql"}},
		{Dir: "web", Not: []string{"database/sql"}},
		{Dir: "server/door", May: []string{"api", "fault"}, Not: []string{"database/sql"}},
		{Dir: "server/gate", May: []string{
			"server/door", "api", "dialog", "prompts",
		}, Not: []string{"database/sql"}},
		// what the doors to the concierge share that front ends of others speak to
		{Dir: "server/render", May: []string{
			"server/door", "server/gate", "api", "dialog", "prompts", "internal/text", "fault",
		}, Not: []string{"database/sql"}},
		// what those front ends make of it: for tests, and for the page that shows it
		{Dir: "server/render/readers", Not: []string{"net/http", "database/sql"}},
		{Dir: "server/openai", May: []string{
			"server/door", "server/gate", "server/render", "api", "dialog", "voice", "hearing", "prompts",
			"internal/text", "fault", "civil",
		}, Not: []string{"database/sql"}},
		{Dir: "server/dify", May: []string{
			"server/door", "server/gate", "server/render", "api", "dialog", "voice", "internal/text", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/linkage", May: []string{
			"server/door", "server/gate", "server/render", "dialog", "internal/text", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/agentcore", May: []string{
			"server/door", "server/gate", "server/render", "dialog", "internal/text", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/navigator", May: []string{
			"server/door", "server/gate", "server/render", "api", "dialog", "prompts", "internal/text", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/recipes", May: []string{
			"server/door", "server/render", "server/render/readers", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/mcp", May: []string{
			"server/door", "api", "dialog", "prompts", "tools", "venue", "internal/text", "fault", "civil",
		}, Not: []string{"database/sql"}},
		{Dir: "server/invoke", May: []string{"runs", "fault", "internal/message"}, Not: web},
		{Dir: "server/mcp/graphs", May: []string{
			"server/door", "server/invoke", "runs", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/openai/graphs", May: []string{
			"server/door", "server/invoke", "server/stream", "runs", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/langgraph", May: []string{
			"server/door", "server/stream", "runs", "graph", "fault", "internal/message",
		}, Not: []string{"database/sql"}},
		{Dir: "server/httpd", May: []string{
			"server/door", "server/keys", "api", "internal/auditlog", "internal/traceparent", "fault",
		}, Not: []string{"database/sql"}},
		{Dir: "server/keys", May: []string{
			"server/door", "internal/privatefile", "fault",
		}, Not: []string{"database/sql"}},
		// what the doors over runs share
		{Dir: "server/stream", May: []string{"server/door", "runs", "fault"}, Not: []string{"database/sql"}},
		{Dir: "server/a2a", May: []string{
			"server/door", "server/stream", "runs", "fault", "internal/message",
		}, Not: []string{"database/sql"}},
		{Dir: "server/agui", May: []string{
			"server/door", "server/stream", "runs", "fault", "internal/message",
		}, Not: []string{"database/sql"}},
		{Dir: "server/keys/postgres", BackEnd: true, May: []string{"server/keys", "internal/pgdb"}, Not: web},
		{Dir: "server", May: []string{
			"server/door", "server/gate", "server/httpd", "server/keys", "server/render",
			"api/...", "dialog", "prompts",
			"graph", "tools",
			"tools/media", "tools/media/clean", "tools/media/video", "venue", "voice", "web",
			"internal/auditlog", "internal/privatefile", "internal/text", "fault", "civil",
		}, Not: []string{"database/sql"}},

		// What puts it together and what measures it.
		{Dir: "internal/setup", Wires: true, May: []string{
			"graph", "runs", "runs/mem", "runs/postgres", "runs/river", "runs/sqlite",
			"server/keys", "server/keys/postgres",
			"storage/mem", "storage/postgres", "storage/row", "storage/sqlite",
			"server/door", "server/httpd", "agent",
			"internal/auditlog", "internal/config", "internal/datafolder", "internal/mask", "internal/telemetry",
			"fault",
		}},
		{Dir: "internal/telemetry", May: []string{
			"fault", "graph", "internal/traceparent", "llm",
		}, Not: []string{"database/sql"}},
		{Dir: "internal/telemetry/telemetrytest", Suite: true, Not: []string{"database/sql"}},
		{Dir: "internal/keyscommand", May: []string{
			"internal/config", "internal/datafolder", "internal/setup", "server/door", "server/keys", "fault",
		}},
		{Dir: "serve", Wires: true, May: []string{
			"graph", "runs", "api", "fault", "server/door", "server/httpd",
			"server/a2a", "server/agui", "server/langgraph", "server/stream",
			"server/mcp/graphs", "server/openai/graphs", "storage/mem",
			"internal/config", "internal/keyscommand", "internal/setup",
		}},
		{Dir: "examples", May: []string{"agent", "graph", "llm", "serve"}},
		{Dir: "internal/contract", May: []string{"agent", "graph", "llm", "serve"}},
		{Dir: "evals/talks", May: []string{
			"api", "dialog", "nodes", "nodes/talk", "nlu", "tools/calendar", "internal/text", "fault",
		}, Not: []string{"net/http", "database/sql"}},
		{Dir: "evals", May: []string{
			"api", "dialog", "nodes", "graph", "nlu", "venue", "tools/calendar", "fault", "civil",
			"internal/strictyaml",
		}, Not: []string{"database/sql"}},
		{Dir: "cmd", May: []string{"..."}},
	}
}

func libraries() []Library {
	return []Library{
		{Path: "github.com/gin-gonic/gin", Homes: []string{"server", "serve"}}, // serve has a page
		// of requests, and of runs
		{Path: "github.com/prometheus/client_golang", Homes: []string{"server", "internal/telemetry"}},
		{Path: "go.opentelemetry.io", Homes: []string{"internal/telemetry"}},
		// schemas of types: of the wire, of tools, of states; and arguments that a person edited, held against a schema
		{Path: "github.com/google/jsonschema-go", Homes: []string{"agent", "api/openapi", "tools", "internal/setup"}},
		{Path: "github.com/emersion/go-ical", Homes: []string{"tools/calendar/ics"}},
		{Path: "github.com/teambition/rrule-go", Homes: []string{"tools/calendar/recur"}},
		{Path: "google.golang.org/api", Homes: []string{
			"tools/calendar/google", "tools/places/google", "tools/tasks/google",
		}},
		{Path: "github.com/ringsaturn", Homes: []string{"tools/timezone"}},
		// the form of its data, and of what collectors take
		{Path: "google.golang.org/protobuf", Homes: []string{"tools/timezone", "internal/telemetry"}},
		{Path: "golang.org/x/image", Homes: []string{"tools/media"}},
		{Path: "rsc.io/qr", Homes: []string{"tools/media"}},
		{Path: "golang.org/x/oauth2", Homes: []string{"tools/calendar/google"}},
		{Path: "golang.org/x/time", Homes: []string{"tools/calendar/google"}},
		{Path: "github.com/aws/aws-sdk-go-v2", Homes: []string{"tools/calendar/google/ssm"}},
		{Path: "github.com/aws/smithy-go", Homes: []string{"tools/calendar/google/ssm"}}, // the errors of the SDK
		{Path: "golang.org/x/sys/cpu", Homes: []string{"internal/matrix", "rag"}},        // each chooses a kernel
		// bounds the memory of a child process
		{Path: "golang.org/x/sys/unix", Homes: []string{"tools/media/ocr"}},
		{Path: "code.dny.dev/ssrf", Homes: []string{"internal/outbound"}},
		{Path: "modernc.org/sqlite", Homes: []string{"internal/sqlitefile"}},
		{Path: "github.com/modelcontextprotocol/go-sdk", Homes: []string{"server/mcp"}},
		{Path: "github.com/tmc/langchaingo", Homes: []string{"llm/langchain"}},
		// pages: the words of documents, what a link is about; and how they declare their encoding
		{Path: "golang.org/x/net/html", Homes: []string{"rag/documents", "tools/webpage", "internal/charset"}},
		{Path: "github.com/philippgille/chromem-go", Homes: []string{"rag/chromem"}},
		{Path: "github.com/ledongthuc/pdf", Homes: []string{"rag/documents"}},
		// connections; threads; runs; jobs, in the transactions of runs; keys
		{Path: "github.com/jackc/pgx", Homes: []string{
			"internal/pgdb", "storage/postgres", "runs/postgres", "runs/river", "server/keys/postgres",
		}},
		{Path: "github.com/robfig/cron", Homes: []string{"runs"}},
		{Path: "github.com/coder/websocket", Homes: []string{"server/langgraph", "server/linkage"}, Tests: true},
		{Path: "github.com/riverqueue/river", Homes: []string{"runs/river"}},
		// rows; the map of time zones; the dictionary of Japanese
		{Path: "github.com/klauspost/compress", Homes: []string{
			"storage/row", "internal/tensorfile", "tools/timezone", "voice/jtalk",
		}},
		{Path: "go.yaml.in/yaml", Homes: []string{"internal/strictyaml"}},
		{Path: "github.com/dlclark/regexp2", Homes: []string{"evals/talks"}}, // the judge's patterns look ahead
		// commands; the one for keys is shared
		{Path: "github.com/spf13/cobra", Homes: []string{"cmd", "serve", "internal/keyscommand"}},
		// config makes the flags, cmd gives them to cobra, serve parses them
		{Path: "github.com/spf13/pflag", Homes: []string{
			"cmd", "internal/config", "internal/keyscommand", "serve",
		}},
		{Path: "golang.org/x/term", Homes: []string{"cmd"}},
		// folding: NFKC; documents have encodings
		{Path: "golang.org/x/text", Homes: []string{
			"internal/text", "internal/kana", "internal/charset", "nlu", "rag", "tools/places/gazetteer/generate",
			"voice/hibari",
		}},

		{Path: "github.com/google/go-cmp", Tests: true},
		{Path: "github.com/getkin/kin-openapi", Tests: true},
	}
}
