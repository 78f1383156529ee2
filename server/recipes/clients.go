package recipes

import "annai/server/render/readers"

// A client is a front end: what to fill in there, and how it asks.
type client struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Settings are names of the front end's own, with what to fill in. HOST, WSHOST and KEY stand
	// for themselves.
	Settings []setting `json:"settings"`
	// Note is what there is to know besides.
	Note *note `json:"note,omitempty"`
	// Path is where it asks, Accept what it says that it reads, and Body what it sends, in which
	// SAID stands for the words, and NEW for a name that it makes up. A path that begins with ws:
	// is a socket.
	Path   string `json:"path"`
	Accept string `json:"accept,omitempty"`
	Body   any    `json:"body"`

	read readers.Reader
}

type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type note struct {
	JA string `json:"ja"`
	EN string `json:"en"`
}

type object = map[string]any

func user(said string) object { return object{"role": "user", "content": said} }

// browser is what holds for front ends that ask from the visitor's browser.
var browser = &note{
	"訪問者のブラウザーから接続します。そのページのオリジンを allowed-origins に書いてください。",
	"It asks from the visitor's browser: its page's origin must be in allowed-origins.",
}

// bearer is the header of a key, in JSON as AITuberKit wants it.
const bearer = `{"Authorization":"Bearer KEY"}`

// clients are the front ends that the page knows.
var clients = []client{
	{
		ID: "aituberkit", Name: "AITuberKit: カスタムAPI / Custom API", Path: "/v1/chat/completions",
		read: readers.AITuberKit,
		Settings: []setting{
			{"AIサービス / AI service", "カスタムAPI / Custom API"},
			{"カスタムAPIエンドポイント", "HOST/v1/chat/completions"},
			{"カスタムヘッダー", bearer},
			{"カスタムボディ", `{"model":"annai","stream":true}`},
		},
		Body: object{"model": "annai", "stream": true, "threadId": "NEW", "messages": []any{user("SAID")}},
	},
	{
		ID: "aituberkit-dify", Name: "AITuberKit: Dify", Path: "/v1/chat-messages", read: readers.AITuberKitDify,
		Settings: []setting{{"AIサービス / AI service", "Dify"}, {"Dify API キー", "KEY"}, {"URL", "HOST/v1"}},
		Body: object{
			"inputs": object{}, "query": "SAID", "response_mode": "streaming", "conversation_id": "",
			"user": "aituber-kit", "files": []any{},
		},
	},
	{
		ID: "aituberkit-link", Name: "AITuberKit: 外部連携モード / external linkage", Path: "ws:/ws", read: readers.Linkage,
		Settings: []setting{{"外部連携モード", "ON"}, {"外部連携WebSocket URL", "WSHOST/ws?key=KEY"}}, Note: browser,
		Body: object{
			"version": "2", "id": "NEW", "type": "chat.message", "sessionId": "NEW",
			"timestamp": "2026-01-01T00:00:00.000Z", "payload": object{"text": "SAID"},
		},
	},
	{
		ID: "chatvrm", Name: "ChatVRM", Path: "/v1/avatar/completions", read: readers.ChatVRM, Note: browser,
		Settings: []setting{
			{"https://api.openai.com/v1/chat/completions →", "HOST/v1/avatar/completions"}, {"OpenAI API key", "KEY"},
		},
		Body: object{"model": "gpt-3.5-turbo", "stream": true, "max_tokens": 200, "messages": []any{
			object{"role": "system", "content": "[neutral] [happy] [angry] [sad] [relaxed]"},
			user("SAID"),
		}},
	},
	{
		ID: "amica", Name: "Amica", Path: "/v1/chat/completions", read: readers.Amica, Note: browser,
		Settings: []setting{
			{"ChatBot", "OpenAI"}, {"OpenAI URL", "HOST"}, {"OpenAI key", "KEY"}, {"OpenAI model", "annai"},
		},
		Body: object{"model": "annai", "stream": true, "max_tokens": 200, "messages": []any{user("SAID")}},
	},
	{
		ID: "open-llm-vtuber", Name: "Open-LLM-VTuber", Path: "/v1/chat/completions",
		read: readers.OpenLLMVTuber("neutral", "anger", "disgust", "fear", "joy", "smirk", "sadness", "surprise"),
		Settings: []setting{
			{"llm_provider", "openai_compatible_llm"},
			{"base_url", "HOST/v1"},
			{"llm_api_key", "KEY"},
			{"model", "annai:olv"},
		},
		Body: object{"model": "annai:olv", "stream": true, "messages": []any{user("SAID")}},
	},
	{
		ID: "tonari", Name: "Tonari (AgentCore)", Path: "/invocations", Accept: "text/event-stream",
		read:     readers.Tonari,
		Settings: []setting{{"POST", "HOST/invocations"}, {"GET", "HOST/ping"}, {"Authorization", "Bearer KEY"}},
		Body:     object{"prompt": "[2026/01/14(水) 12:00] SAID", "session_id": "NEW", "actor_id": "tonari-owner"},
	},
	{
		ID: "navigator", Name: "Engineer Cafe Navigator: /api/qa", Path: "/api/qa", read: readers.Navigator,
		Settings: []setting{{"/api/qa, /api/chat →", "HOST"}, {"X-Api-Key", "KEY"}},
		Body:     object{"action": "ask_question", "question": "SAID", "sessionId": "NEW"},
	},
	{
		ID: "ai-sdk", Name: "AI SDK (useChat)", Path: "/api/chat", read: readers.AISDK,
		Settings: []setting{{"DefaultChatTransport api", "HOST/api/chat"}, {"headers", bearer}}, Note: browser,
		Body: object{"id": "NEW", "trigger": "submit-message", "messages": []any{
			object{"id": "1", "role": "user", "parts": []any{object{"type": "text", "text": "SAID"}}},
		}},
	},
	{
		ID: "open-webui", Name: "Open WebUI, LibreChat", Path: "/v1/chat/completions", read: readers.OpenWebUI,
		Settings: []setting{
			{"URL", "HOST/v1"}, {"API key", "KEY"}, {"Model", "annai:chat"}, {"Task model", "annai-utility"},
		},
		Body: object{"model": "annai:chat", "stream": true, "messages": []any{user("SAID")}},
	},
}
