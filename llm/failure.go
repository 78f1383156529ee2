package llm

import (
	"errors"
	"fmt"
	"time"

	"annai/fault"
)

// A Kind is what went wrong with a model.
type Kind string

// The kinds of failure, each with the kind of fault that it is.
const (
	// Auth is a key that is missing, wrong or not allowed this model. [fault.ErrDenied].
	Auth Kind = "auth"
	// NoModel is a model that the server does not have. [fault.ErrNotFound].
	NoModel Kind = "no_model"
	// RateLimited is too many requests, or no credit left. [fault.ErrUnavailable].
	RateLimited Kind = "rate_limited"
	// TooLong is a request that does not fit into what the model can hold. [fault.ErrInvalid].
	TooLong Kind = "too_long"
	// Unfit is any other request that the server does not take, such as a schema that it does not know. [fault.ErrInvalid].
	Unfit Kind = "unfit"
	// Unavailable is a server that was not reached, is overloaded, is still loading, or broke. [fault.ErrUnavailable].
	Unavailable Kind = "unavailable"
	// Late is an answer that did not come in time, or that nobody waits for any more. [fault.ErrUnavailable].
	Late Kind = "late"
	// Refused is an answer that the provider's rules held back. [fault.ErrDenied].
	Refused Kind = "refused"
	// Malformed is an answer that is no answer. [fault.ErrUnavailable].
	Malformed Kind = "malformed"
	// CutOff is an answer whose connection broke before its end. [fault.ErrUnavailable].
	CutOff Kind = "cut_off"
)

// A Failure is why a model did not answer. It wraps the fault of its kind, and Err.
type Failure struct {
	Kind Kind
	// Model is the [Model.Name] of the one that failed.
	Model string
	// RetryAfter is how long the server asked to be left alone; 0 if it did not.
	RetryAfter time.Duration
	// Err says more, for a log. It never holds a key, and may be nil.
	Err error
}

// Error implements error.
func (f *Failure) Error() string {
	if f.Err == nil {
		return fmt.Sprintf("model %s: %s", f.Model, f.Kind)
	}
	return fmt.Sprintf("model %s: %s: %v", f.Model, f.Kind, f.Err)
}

// Unwrap returns the fault and the cause.
func (f *Failure) Unwrap() []error {
	if f.Err == nil {
		return []error{f.fault()}
	}
	return []error{f.fault(), f.Err}
}

func (f *Failure) fault() error {
	switch f.Kind {
	case Auth, Refused:
		return fault.ErrDenied
	case NoModel:
		return fault.ErrNotFound
	case TooLong, Unfit:
		return fault.ErrInvalid
	case RateLimited, Unavailable, Late, Malformed, CutOff:
		return fault.ErrUnavailable
	}
	return fault.ErrUnavailable
}

// Advice says in plain words what an operator can do about it, in "ja" or else in English. The server's own words are in the error.
func (f *Failure) Advice(lang string) string {
	words := advice[f.Kind]
	if lang == "ja" {
		return words.ja
	}
	return words.en
}

var errEmpty = errors.New("the answer is empty")

var advice = map[Kind]struct{ ja, en string }{
	Auth: {
		"キーが受け付けられませんでした。キーが正しいか、期限が切れていないか、このモデルを使えるキーかをご確認ください。",
		"The key was not accepted. Please check that it is the right one, that it has not expired, and that it may use this model.",
	},
	NoModel: {
		"その名前のモデルはサーバーにありません。名前をご確認ください。Ollama の場合は、先に ollama pull で取り込んでください。",
		"The server has no model of that name. Please check the name; with Ollama, fetch it first with ollama pull.",
	},
	RateLimited: {
		"リクエストが多すぎるか、利用枠を使い切っています。しばらく待つか、プロバイダーの利用枠をご確認ください。",
		"There were too many requests, or the account has no credit left. Please wait a little, or check the limits of your account.",
	},
	TooLong: {
		"質問と根拠がモデルの扱える長さを超えています。より長い文脈を扱えるモデルを選ぶか、サーバーの文脈長を増やしてください。",
		"The question and its evidence are longer than the model can hold. Please choose a model with a longer context, or raise the server's.",
	},
	Unfit: {
		"サーバーがリクエストの形式を受け付けませんでした。モデルがツールや JSON スキーマに対応しているかをご確認ください。",
		"The server did not take the request. Please check that the model supports tools and JSON schemas.",
	},
	Unavailable: {
		"モデルのサーバーに接続できないか、サーバーが応答できない状態です。アドレスと、サーバーが起動しているかをご確認ください。読み込み中の場合は少しお待ちください。",
		"The model's server could not be reached or cannot answer. Please check its address and that it runs; if it is still loading, give it a moment.",
	},
	Late: {
		"時間内に返答がありませんでした。より速いモデルを選ぶか、待ち時間を長くしてください。",
		"No answer came in time. Please choose a faster model, or allow more time.",
	},
	Refused: {
		"プロバイダーの方針により返答が差し止められました。指示文と根拠の内容をご確認ください。",
		"The provider's rules held the answer back. Please look at what the prompt and the evidence say.",
	},
	Malformed: {
		"返答を読み取れませんでした。アドレスがモデルの API を指しているか、モデルがこの用途に合っているかをご確認ください。",
		"The answer could not be read. Please check that the address is that of a model's API, and that the model suits this use.",
	},
	CutOff: {
		"返答の途中で接続が切れました。ネットワークとサーバーの状態をご確認ください。",
		"The connection broke in the middle of an answer. Please check the network and the server.",
	},
}

// KindOf returns the kind of a model's failure; "" for nil and for errors that are none, such as those of [Request.Check].
func KindOf(err error) Kind {
	var f *Failure
	if errors.As(err, &f) {
		return f.Kind
	}
	return ""
}
