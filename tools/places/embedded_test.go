package places

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"annai/internal/geo"
	"annai/venue"
)

func at(lat, lng float64) venue.Coordinates {
	return venue.Coordinates{Point: geo.Point{Lat: lat, Lng: lng}, Known: true}
}

var demoVenue = sync.OnceValues(venue.Demo)

func demo(t *testing.T) *Embedded {
	t.Helper()
	v, err := demoVenue()
	if err != nil {
		t.Fatal(err)
	}
	return NewEmbedded(v)
}

// nowhere is a venue of Japan that says nothing of where it is.
func nowhere() *Embedded { return NewEmbedded(&venue.Venue{Timezone: "Asia/Tokyo"}) }

func resolve(t *testing.T, e *Embedded, q Query) Found {
	t.Helper()
	found, err := e.Resolve(t.Context(), q)
	if err != nil {
		t.Fatalf("Resolve(%+v) = %v", q, err)
	}
	return found
}

func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		text, region, id, address string
		precision                 Precision
		rest                      string
	}{
		// The venue's own come first, in all their forms.
		{"天神駅", "", "venue:tenjin-station", "福岡市中央区天神2丁目", Exact, ""},
		{"Tenjin Station", "", "venue:tenjin-station", "福岡市中央区天神2丁目", Exact, ""},
		{"ＴＥＮＪＩＮ　ＳＴＡＴＩＯＮ", "JP", "venue:tenjin-station", "福岡市中央区天神2丁目", Exact, ""},
		{"中洲川端", "", "venue:nakasu-kawabata-station", "福岡市博多区上川端町", Exact, ""},
		{"エンジニアカフェ", "", "venue:here", "福岡市中央区天神1丁目15番30号", Exact, ""},
		{"福岡市中央区天神１丁目１５番３０号", "", "venue:here", "福岡市中央区天神1丁目15番30号", Exact, ""},
		{"中央区", "", "venue:chuo-ku", "福岡市中央区", Area, ""},
		{"福岡県福岡市中央区", "", "venue:chuo-ku", "福岡市中央区", Area, ""},
		{"〒810-0001 福岡県福岡市中央区天神2-3-4", "", "venue:chuo-ku", "福岡市中央区", Partial, "天神2-3-4"},
		{"Chuo-ku, Fukuoka, Japan", "", "venue:chuo-ku", "福岡市中央区", Area, ""},
		// Municipalities of Japan: with and without their kind, in kana, in Latin letters, in addresses.
		{"福岡", "", "geonames:1863967", "福岡県福岡市", Area, ""},
		{"福岡市", "", "geonames:1863967", "福岡県福岡市", Area, ""},
		{"ふくおか", "", "geonames:1863967", "福岡県福岡市", Area, ""},
		{"フクオカ", "", "geonames:1863967", "福岡県福岡市", Area, ""},
		{"とうきょう", "", "geonames:1850147", "東京都", Area, ""},
		{"Kyōto", "", "geonames:1857910", "京都府京都市", Area, ""},
		{"四日市市", "", "geonames:1848373", "三重県四日市市", Area, ""},
		{"羽村市", "", "geonames:11611629", "東京都羽村", Area, ""},
		{"大津町", "", "geonames:1853433", "熊本県大津町", Area, ""}, // the city of Otsu is no town
		{"茅ケ崎市", "", "geonames:1864624", "神奈川県茅ヶ崎市", Area, ""},
		{"横浜", "", "geonames:1848354", "神奈川県横浜市", Area, ""}, // there is a small one in Aomori
		{"広島県府中市", "", "geonames:1864155", "広島県府中市", Area, ""},
		{"東京都府中市", "", "geonames:11611632", "東京都府中", Area, ""},
		{"町田市中町1-2", "", "geonames:1857871", "東京都町田市", Partial, "中町1-2"},
		{"札幌市中央区", "", "geonames:2128295", "北海道札幌市", Partial, "中央区"},
		{"東京都渋谷区神南1-1", "", "geonames:1850147", "東京都", Partial, "渋谷区神南1-1"},
		{"大阪府大阪市北区梅田", "", "geonames:1853909", "大阪府大阪市", Partial, "北区梅田"},
		{"渋谷区", "", "geonames:1850147", "東京都", Partial, "渋谷区"}, // the only ward of that name
		{"福岡市 舞鶴公園", "", "geonames:1863967", "福岡県福岡市", Partial, "舞鶴公園"},
		// Elsewhere.
		{"パリ", "", "geonames:2988507", "フランス パリ", Area, ""},
		{"Paris", "", "geonames:2988507", "フランス パリ", Area, ""},
		{"paris", "US", "", "", "", ""}, // four, and none is far larger
		{"Paris, TX", "", "geonames:4717560", "アメリカ合衆国 テキサス州 Paris", Area, ""},
		{"paris texas", "", "geonames:4717560", "アメリカ合衆国 テキサス州 Paris", Area, ""},
		{"Fukuoka, Japan", "", "geonames:1863967", "福岡県福岡市", Area, ""},
		{
			"123 Main St, San Francisco, CA 94103", "", "geonames:5391959",
			"アメリカ合衆国 カリフォルニア州 サンフランシスコ", Partial, "123 Main St",
		},
		{"München", "", "geonames:2867714", "ドイツ ミュンヘン", Area, ""},
		{"北京", "", "geonames:1816670", "中国 北京市", Area, ""},
		{"London", "CA", "geonames:6058560", "カナダ オンタリオ州 ロンドン", Area, ""},
		{"Vancouver", "CA", "geonames:6173331", "カナダ ブリティッシュコロンビア州 バンクーバー", Area, ""},
		// What the list does not have is not guessed.
		{"京都駅", "", "", "", "", ""},
		{"福岡県", "", "", "", "", ""},
		{"Golden Gate Park", "", "", "", "", ""},
		{"本町", "", "", "", "", ""},
		{"天神駅", "US", "", "", "", ""},
		{"Paris, Japan", "", "", "", "", ""},
		{"大阪府福岡市", "", "", "", "", ""},
	} {
		found := resolve(t, demo(t), Query{Text: tt.text, Region: tt.region, Language: "ja"})
		got := Place{}
		if found.Place != nil {
			got = *found.Place
		}
		if got.ID != tt.id || got.Address != tt.address || got.Precision != tt.precision || found.Rest != tt.rest {
			t.Errorf("Resolve(%s, %s) = %+v, rest %q; want %s %q %s, rest %q",
				tt.text, tt.region, got, found.Rest, tt.id, tt.address, tt.precision, tt.rest)
		}
		if tt.id != "" && got.TimeZone == "" {
			t.Errorf("Resolve(%s) says no time zone", tt.text)
		}
	}
}

// The demonstration's town: its seven wards and the stations around the venue are places of the venue, and a name
// that other cities have is theirs wherever their name or prefecture stands with it.
func TestTown(t *testing.T) {
	wards := map[string][2]string{
		"chuo-ku": {"中央区", "Chuo"}, "hakata-ku": {"博多区", "Hakata"}, "higashi-ku": {"東区", "Higashi"},
		"minami-ku": {"南区", "Minami"}, "nishi-ku": {"西区", "Nishi"}, "jonan-ku": {"城南区", "Jonan"},
		"sawara-ku": {"早良区", "Sawara"},
	}
	asked := map[string]string{
		"祇園駅": "gion-station", "呉服町": "gofukumachi-station", "櫛田神社前駅": "kushida-shrine-station",
		"渡辺通駅": "watanabe-dori-station", "西鉄薬院駅": "yakuin-station", "Yakuin Station": "yakuin-station",
		"大濠公園": "ohori-park", "大濠公園駅": "ohori-park-station", "Nishijin": "nishijin-station",
		"博多": "hakata-ku", "博多駅": "hakata-station", "福岡空港駅": "fukuoka-airport",
	}
	for id, names := range wards {
		for _, text := range []string{
			names[0], "福岡市" + names[0], "福岡県福岡市" + names[0], names[1] + "-ku", names[1] + " Ward",
			names[1] + "-ku, Fukuoka", names[1] + " Ward, Fukuoka, Japan",
		} {
			asked[text] = id
		}
	}
	for text, id := range asked {
		found := resolve(t, demo(t), Query{Text: text, Language: "ja"})
		if found.Place == nil || found.Place.ID != "venue:"+id {
			t.Errorf("Resolve(%s) = %+v, want venue:%s", text, found.Place, id)
		}
	}
	for _, q := range []Query{
		{Text: "札幌市中央区"},
		{Text: "東京都中央区"},
		{Text: "東京都中央区銀座1-1"},
		{Text: "大阪市中央区本町"},
		{Text: "神戸市中央区"},
		{Text: "新潟市中央区"},
		{Text: "熊本県熊本市中央区"},
		{Text: "相模原市中央区"},
		{Text: "千葉市中央区"},
		{Text: "横浜市南区"},
		{Text: "京都市南区"},
		{Text: "広島市東区"},
		{Text: "名古屋市西区"},
		{Text: "熊本市東区"},
		{Text: "北海道中央区"},
		{Text: "Chuo-ku, Tokyo"},
		{Text: "Chuo-ku, Sapporo, Japan"},
		{Text: "Chuo Ward, Kobe"},
		{Text: "Minami-ku, Kyoto"},
		{Text: "中央区", Region: "US"},
	} {
		q.Language = "ja"
		found := resolve(t, demo(t), q)
		if p := found.Place; p != nil && geo.Distance(p.Location, at(33.59, 130.40).Point) < 40_000 {
			t.Errorf("Resolve(%+v) = %+v, want no place in Fukuoka", q, *p)
		}
	}
}

// Where several places fit, none is chosen and all are named.
func TestAmbiguous(t *testing.T) {
	sapporo := NewEmbedded(&venue.Venue{Timezone: "Asia/Tokyo", At: at(43.06, 141.35)})
	tokyo := NewEmbedded(&venue.Venue{Timezone: "Asia/Tokyo", At: at(35.68, 139.77)})
	onomichi := NewEmbedded(&venue.Venue{Timezone: "Asia/Tokyo", At: at(34.41, 133.2)})
	boston := NewEmbedded(&venue.Venue{Timezone: "America/New_York", At: at(42.36, -71.06)})
	for _, tt := range []struct {
		name, text string
		at         *Embedded
		id         string
		candidates []string // some of them, by address
		number     int
	}{
		{"eleven wards", "中央区", nowhere(), "", []string{"東京都中央区", "福岡県福岡市中央区"}, 11},
		{"the ward of the venue's city", "中央区", sapporo, "geonames:2128295", nil, 0},
		{"two cities with one nearby", "中央区", tokyo, "", []string{"東京都中央区", "埼玉県さいたま市中央区"}, 11},
		{"two cities of a name", "府中市", nowhere(), "", []string{"東京都府中", "広島県府中市"}, 2},
		{"one of them nearby", "府中市", onomichi, "geonames:1864155", nil, 0},
		{"two cities of a name and size", "伊達市", nowhere(), "", []string{"福島県伊達", "北海道伊達市"}, 2},
		{"many", "Springfield", nowhere(), "", []string{"アメリカ合衆国 ミズーリ州 スプリングフィールド"}, 12},
		{"one nearby of many", "Cambridge", boston, "geonames:4931972", nil, 0},
		{"none far larger", "Cambridge", nowhere(), "", []string{"イギリス イングランド ケンブリッジ"}, 7},
		{"a head of an address", "北区赤羽1-1", nowhere(), "", []string{"東京都北区"}, 11},
	} {
		found := resolve(t, tt.at, Query{Text: tt.text, Language: "ja"})
		id := ""
		if found.Place != nil {
			id = found.Place.ID
		}
		var addresses []string
		for _, c := range found.Candidates {
			addresses = append(addresses, c.Address)
		}
		if id != tt.id || len(addresses) != tt.number {
			t.Errorf("%s: Resolve(%s) = %q and %d candidates %v, want %q and %d",
				tt.name, tt.text, id, len(addresses), addresses, tt.id, tt.number)
		}
		for _, want := range tt.candidates {
			if !slices.Contains(addresses, want) {
				t.Errorf("%s: candidates %v lack %s", tt.name, addresses, want)
			}
		}
	}
}

func TestEnglishAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"福岡":            "Fukuoka, Japan",
		"京都":            "Kyoto, Japan",
		"札幌市":           "Sapporo, Hokkaido, Japan",
		"San Francisco": "San Francisco, California, United States",
		"ミュンヘン":         "Munich, Germany",
		"天神駅":           "2-chome Tenjin, Chuo-ku, Fukuoka",
	} {
		found := resolve(t, demo(t), Query{Text: text, Language: "en"})
		if found.Place == nil || found.Place.Address != want {
			t.Errorf("Resolve(%s, en) = %+v, want %s", text, found.Place, want)
		}
	}
}

// No query, however long or odd, is slow or a failure.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{
		"福岡市中央区天神", "a,b,c,d", "〒", "区", "市市市市", strings.Repeat("市", 300), "\xff", "日本", ",,,",
	} {
		f.Add(s)
	}
	e := nowhere()
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Query{Text: text}.check()
		if err != nil {
			return
		}
		found, err := e.Resolve(t.Context(), q)
		if err != nil || found.Place != nil && (!found.Place.Location.Valid() || found.Place.Address == "") {
			t.Errorf("Resolve(%q) = %+v, %v", text, found.Place, err)
		}
	})
}
