package places

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools"
)

// A service that answers as told.
type fake struct {
	found Found
	err   error
	asked []Query
}

func (f *fake) Resolve(_ context.Context, q Query) (Found, error) {
	f.asked = append(f.asked, q)
	return f.found, f.err
}

// registry returns one with the tool at the demonstration venue; its clock shows *now.
func registry(t *testing.T, service Resolver, now *time.Time) *tools.Registry {
	t.Helper()
	r := tools.New(func() time.Time { return *now }, tools.Options{Backoff: time.Nanosecond})
	if err := Register(r, demo(t), service); err != nil {
		t.Fatal(err)
	}
	return r
}

func ask(t *testing.T, r *tools.Registry, lang, in string) (string, error) {
	t.Helper()
	caller := tools.Caller{Role: tools.Visitor, Language: lang}
	got, err := r.Call(t.Context(), caller, "places_resolve", json.RawMessage(in))
	return string(got), err
}

func TestTool(t *testing.T) {
	park := Place{
		ID: "ChIJ1", Name: "舞鶴公園", Address: "福岡市中央区城内1",
		Location: geo.Point{Lat: 33.585, Lng: 130.382}, Precision: Exact,
	}
	gone := &fake{err: fault.ErrUnavailable}
	for _, tt := range []struct {
		name, in, lang string
		service        Resolver
		want           string
	}{
		{
			"of the venue", `{"query":"天神駅"}`, "ja", nil,
			`{"placeId":"venue:tenjin-station","formattedAddress":"福岡市中央区天神2丁目",
				"location":{"lat":33.5914,"lng":130.399},"name":"天神駅",
				"timeZone":"Asia/Tokyo","precision":"place","backend":"embedded",
				"message":"「天神駅」は、福岡市中央区天神2丁目です。"}`,
		},
		{
			"of the list", `{"query":"Paris","regionCode":"fr"}`, "en", nil,
			`{"placeId":"geonames:2988507","formattedAddress":"Paris, France",
				"location":{"lat":48.8534,"lng":2.3488},"name":"Paris",
				"timeZone":"Europe/Paris","precision":"area","backend":"embedded",
				"message":"\"Paris\" is Paris, France."}`,
		},
		{
			"a part of it", `{"query":"広島県府中市元町1"}`, "ja", nil,
			`{"placeId":"geonames:1864155","formattedAddress":"広島県府中市",
				"location":{"lat":34.5735,"lng":133.2351},"name":"府中市",
				"timeZone":"Asia/Tokyo","precision":"partial","backend":"embedded",
				"message":"「元町1」は一覧になく、府中市の中ほどの位置です。"}`,
		},
		{"nothing", `{"query":"Golden Gate Park"}`, "en", nil, `null`},
		{
			"nothing, with a word", `{"query":"Golden [Gate] Park","candidates":true}`, "en", nil,
			`{"candidates":[],"backend":"embedded",
				"message":"I could not find out where \"Golden Gate Park\" is."}`,
		},
		{"several", `{"query":"伊達市"}`, "ja", nil, `null`},
		{
			"several, named", `{"query":"伊達市","candidates":true}`, "ja", nil,
			`{"candidates":[{"placeId":"geonames:2112980","formattedAddress":"福島県伊達",
				"location":{"lat":37.8167,"lng":140.5},"name":"伊達","precision":"area"},
				{"placeId":"geonames:2130421","formattedAddress":"北海道伊達市",
				"location":{"lat":42.4681,"lng":140.8681},"name":"伊達市","precision":"area"}],
				"backend":"embedded",
				"message":"「伊達市」は、福島県伊達、北海道伊達市のどれか分かりません。
				都道府県や市の名前を添えてください。"}`,
		},
		{
			"of a service", `{"query":"舞鶴公園"}`, "ja", &fake{found: Found{Place: &park}},
			`{"placeId":"ChIJ1","formattedAddress":"福岡市中央区城内1",
				"location":{"lat":33.585,"lng":130.382},"name":"舞鶴公園","precision":"place",
				"backend":"google","message":"「舞鶴公園」は、福岡市中央区城内1です。"}`,
		},
		{
			"of the venue before a service", `{"query":"中央区"}`, "ja", &fake{found: Found{Place: &park}},
			`{"placeId":"venue:chuo-ku","formattedAddress":"福岡市中央区",
				"location":{"lat":33.5893,"lng":130.3929},"name":"中央区",
				"timeZone":"Asia/Tokyo","precision":"area","backend":"embedded",
				"message":"「中央区」は、福岡市中央区です。"}`,
		},
		{"nothing of a service", `{"query":"福岡"}`, "ja", &fake{}, `null`},
		{
			"of the list without the service", `{"query":"福岡市"}`, "ja", gone,
			`{"placeId":"geonames:1863967","formattedAddress":"福岡県福岡市",
				"location":{"lat":33.6,"lng":130.4167},"name":"福岡市",
				"timeZone":"Asia/Tokyo","precision":"area","backend":"embedded",
				"message":"「福岡市」は、福岡県福岡市です。"}`,
		},
		{"nothing without the service", `{"query":"舞鶴公園"}`, "ja", gone, `null`},
	} {
		now := time.Now()
		want := strings.NewReplacer("\n", "", "\t", "").Replace(tt.want)
		got, err := ask(t, registry(t, tt.service, &now), tt.lang, tt.in)
		if err != nil || got != want {
			t.Errorf("%s: Call(%s) = %s, %v, want %s", tt.name, tt.in, got, err, want)
		}
	}
	if len(gone.asked) != 4 {
		t.Errorf("the service was asked %d times by two calls, want twice by each", len(gone.asked))
	}
}

// An answer is kept for a day, but not one that the list gave in place of the service.
func TestCache(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	service := &fake{found: Found{Place: &Place{ID: "a", Address: "b", Precision: Exact}}}
	r := registry(t, service, &now)
	call := func() {
		t.Helper()
		if _, err := ask(t, r, "ja", `{"query":"x"}`); err != nil {
			t.Fatal(err)
		}
	}
	call()
	now = now.Add(24*time.Hour - time.Second)
	call()
	if len(service.asked) != 1 {
		t.Errorf("the service was asked %d times within a day, want once", len(service.asked))
	}
	now = now.Add(time.Second)
	service.err = fault.ErrUnavailable
	call()
	call()
	if len(service.asked) != 5 {
		t.Errorf("the service was asked %d times, want twice more by each call", len(service.asked))
	}
}

func TestInputThatIsWrong(t *testing.T) {
	const noCountry = "「regionCode」は JP や US のような国のコードで指定してください。"
	now := time.Now()
	for in, want := range map[string]string{
		`{}`:                "「query」が必要です。",
		`{"query":"  、。 "}`: "「query」には、場所の名前か住所を入れてください。",
		`{"query":"` + strings.Repeat("市", 301) + `"}`: "「query」は 300 文字までです。",
		`{"query":"福岡","regionCode":"JPN"}`:            noCountry,
		`{"query":"福岡","regionCode":"QQ"}`:             noCountry,
	} {
		_, err := ask(t, registry(t, nil, &now), "ja", in)
		if !errors.Is(err, fault.ErrInvalid) || tools.Message(err, "ja") != want {
			t.Errorf("Call(%.40s) = %v: %s, want %s", in, err, tools.Message(err, "ja"), want)
		}
	}
}
