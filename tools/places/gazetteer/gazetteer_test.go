package gazetteer

import (
	"slices"
	"strings"
	"testing"

	"annai/internal/geo"
)

func TestKey(t *testing.T) {
	for name, want := range map[string]string{
		"福岡市": "福岡市", "フクオカ": "ふくおか", "ﾌｸｵｶ": "ふくおか", "Chōfu": "chofu", "San José": "sanjose",
		"茅ヶ崎": "茅け崎", "茅ケ崎": "茅け崎", "ニュー・ヨーク": "にゅーよーく", "ＮＥＷ　ＹＯＲＫ": "newyork",
		"Saint-Denis": "saintdenis", " 、。": "", "ガ": "が",
	} {
		if got := Key(name); got != want {
			t.Errorf("Key(%q) = %q, want %q", name, got, want)
		}
	}
}

// Every line of the list is whole: it has a place, in a country with names, whose keys are in their own form.
func TestList(t *testing.T) {
	all, err := places()
	if err != nil {
		t.Fatal(err)
	}
	countries := map[string]bool{}
	for _, r := range regions() {
		countries[r.Country] = true
	}
	n := 0
	for line := range strings.Lines(all) {
		p, err := parse(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if !p.Location.Valid() || p.Latin == "" || p.TimeZone == "" || !countries[p.Country] {
			t.Errorf("place %+v lacks something", p)
		}
		for key := range strings.SplitSeq(strings.Trim(p.keys, ";"), ";") {
			if Key(key) != key {
				t.Errorf("place %s has the key %q, which is %q", p.ID, key, Key(key))
			}
		}
		n++
	}
	if n < 50_000 {
		t.Errorf("the list has %d places, want 50,000 or more", n)
	}
}

func TestFind(t *testing.T) {
	found, err := Find("ふくおか")
	if err != nil || len(found) != 1 {
		t.Fatalf("Find(ふくおか) = %+v, %v", found, err)
	}
	p := found[0]
	got := []string{p.ID, p.Name("ja"), p.Name("en"), p.Country, p.TimeZone}
	if want := []string{"1863967", "福岡市", "Fukuoka", "JP", "Asia/Tokyo"}; !slices.Equal(got, want) || !p.Has("福岡") {
		t.Errorf("Find(ふくおか) = %+v, want %v", p, want)
	}
	for _, key := range []string{"", "nowhere at all", "asiatokyo", "1863967", ";", "\n"} {
		if found, err := Find(key); err != nil || len(found) != 0 {
			t.Errorf("Find(%q) = %+v, %v, want none", key, found, err)
		}
	}
}

func TestAround(t *testing.T) {
	near := Around(geo.Point{Lat: 33.5925, Lng: 130.4039}, 10_000)
	if len(near) == 0 {
		t.Fatal("Around(Fukuoka) = none")
	}
	for _, p := range near {
		if p.Region != "07" {
			t.Errorf("Around(Fukuoka) has %s in %s", p.Latin, p.Region)
		}
	}
	if far := Around(geo.Point{Lat: -40, Lng: -120}, 100_000); len(far) != 0 {
		t.Errorf("Around(the south of the Pacific) = %+v", far)
	}
}

func TestCountryOf(t *testing.T) {
	for zone, want := range map[string]string{
		"Asia/Tokyo": "JP", "America/Chicago": "US", "Europe/Paris": "FR", "UTC": "", "": "",
	} {
		if got := CountryOf(zone); got != want {
			t.Errorf("CountryOf(%q) = %q, want %q", zone, got, want)
		}
	}
}

// The capital of each prefecture is in it by the codes of the list, so that the table has the right ones.
func TestPrefectures(t *testing.T) {
	capitals := map[string]string{ // those that are not called as their prefecture
		"北海道": "札幌市", "岩手県": "盛岡市", "宮城県": "仙台市", "茨城県": "水戸市", "栃木県": "宇都宮市",
		"群馬県": "前橋市", "埼玉県": "さいたま", "東京都": "東京", "神奈川県": "横浜市", "石川県": "金沢市",
		"山梨県": "甲府市", "愛知県": "名古屋市", "三重県": "津市", "滋賀県": "大津市", "兵庫県": "神戸市",
		"島根県": "松江市", "香川県": "高松市", "愛媛県": "松山市", "沖縄県": "那覇市",
	}
	n := 0
	for _, r := range regions() {
		if r.Country != "JP" || r.Code == "" {
			continue
		}
		n++
		capital := capitals[r.Japanese]
		if capital == "" {
			capital = strings.TrimRight(r.Japanese, "府県") + "市"
		}
		found, err := Find(Key(capital))
		in := 0
		for _, p := range found {
			if r.Holds(p) {
				in++
			}
		}
		if err != nil || in == 0 {
			t.Errorf("%s is not in %s (%s): %+v, %v", capital, r.Japanese, r.Code, found, err)
		}
	}
	if n != 47 {
		t.Errorf("there are %d prefectures, want 47", n)
	}
}

// There are 171 wards in 20 cities, and 23 in Tokyo; their cities are in the list.
func TestWards(t *testing.T) {
	cities := map[string]bool{}
	for _, w := range wards() {
		cities[w.City] = true
		p, ok, err := ByID(w.CityID)
		if err != nil || !ok || !strings.HasPrefix(w.City, strings.TrimSuffix(p.Japanese, "市")) {
			t.Errorf("ward %s: the city %s is %+v, %t, %v", w.Name, w.City, p, ok, err)
		}
	}
	if len(wards()) != 171+23 || len(cities) != 21 || len(Wards("中央区")) != 11 || len(Wards("博多区")) != 1 {
		t.Errorf("%d wards in %d cities, %d of them 中央区", len(wards()), len(cities), len(Wards("中央区")))
	}
}

func TestRegions(t *testing.T) {
	for name, want := range map[string]string{
		"Japan": "JP", "日本": "JP", "jp": "JP", "USA": "US", "アメリカ": "US", "CA": "CA US/CA", "Georgia": "GE US/GA",
		"福岡県": "JP/07", "Fukuoka": "JP/07", "Ontario": "CA/08", "nowhere": "", "": "",
	} {
		var got []string
		for _, r := range Regions(name) {
			got = append(got, strings.TrimSuffix(r.Country+"/"+r.Code, "/"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("Regions(%s) = %v, want %s", name, got, want)
		}
	}
}
