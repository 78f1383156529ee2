package grounding_test

import (
	"testing"
	"time"

	"annai/grounding"
)

// pairs say the same in both languages, values above all: each must be borne by the other as
// evidence.
var pairs = [][2]string{
	{"バスは1時間に1本出ています。", "The bus runs once an hour."},
	{"バスは1時間に2本出ています。", "The bus runs twice an hour."},
	{"バスは20分おきに出ています。", "The bus runs every 20 minutes."},
	{"バスは20分ごとに出ています。", "Buses run every twenty minutes."},
	{"ツアーは1日3回あります。", "There are three tours a day."},
	{"ツアーは1日2回あります。", "There is a tour twice a day."},
	{"ツアーは週に2回あります。", "There is a tour twice a week."},
	{"ツアーは90分です。", "The tour takes an hour and a half."},
	{"ツアーは1時間半です。", "The tour takes 90 minutes."},
	{"ツアーは30分です。", "The tour takes half an hour."},
	{"ツアーは45分間です。", "It is a 45-minute tour."},
	{"駅から徒歩8分です。", "It is an eight-minute walk from the station."},
	{"駅から歩いて8分ほどです。", "It is about eight minutes on foot from the station."},
	{"子どもは半額です。", "Children pay half price."},
	{"団体は2割引です。", "Groups get 20% off."},
	{"団体は20%割引になります。", "There is a 20 percent discount for groups."},
	{"12歳未満は無料です。", "Children under 12 are free."},
	{"65歳以上の方は無料です。", "Admission is free for people aged 65 and over."},
	{"ツアーは4歳から参加できます。", "Children from 4 years of age can join the tour."},
	{"部屋は10人まで入れます。", "The room holds up to ten people."},
	{"定員は15名です。", "There are places for 15 people."},
	{"20名以上の団体は予約が必要です。", "Groups of 20 or more need to book."},
	{"20名以上の団体は予約してください。", "Groups of at least 20 people need a booking."},
	{"2週間前までに予約してください。", "Please book two weeks in advance."},
	{"一か月前までに予約してください。", "Please book one month ahead."},
	{"3日前までに予約してください。", "Please book at least three days ahead."},
	{"前日までに予約してください。", "Please book by the day before."},
	{"毎日13時半にツアーがあります。", "There is a tour daily at 13:30."},
	{"水槽の深さは8メートルです。", "The tank is eight meters deep."},
	{"水槽の深さは8メートルです。", "The tank has a depth of 8 m."},
	{"窯の長さは38メートルです。", "The kiln is 38 metres long."},
	{"塔の高さは50メートルです。", "The tower is 50 meters high."},
	{"身長120センチ以上の方が参加できます。", "You must be at least 120 cm tall to take part."},
	{"水の温度は25度です。", "The water temperature is 25 degrees."},
	{"水温は25℃です。", "The water has 25°C."},
	{"建物は1862年に建てられました。", "The building was built in 1862."},
	{"毎月第1日曜の13時から音楽会があります。", "There is a concert at 1 p.m. on the first Sunday of every month."},
	{"毎月第3水曜日は休みです。", "It is closed on the third Wednesday of each month."},
	{"第2土曜日の午後2時にツアーがあります。", "On the second Saturday of the month there is a tour at 2 p.m."},
	{"7月の土曜日の夜は散歩ができます。", "On Saturday evenings in July you can take a walk."},
	{"日曜の午後にツアーがあります。", "There is a tour on Sunday afternoons."},
	{"毎週金曜の夜に音楽会があります。", "There is a concert every Friday night."},
	{"土日祝は朝8時から営業しています。", "On weekends and public holidays it is open from 8 a.m."},
	{"平日は朝10時から夜11時まで営業しています。", "On weekdays it is open from ten in the morning until eleven at night."},
	{"広さは500平方メートルです。", "It has an area of 500 square metres."},
	{"10分から15分ほどかかります。", "It takes between 10 and 15 minutes."},
	{"10〜15分かかります。", "It takes 10 to 15 minutes."},
	{"正午に始まります。", "It starts at noon."},
	{"7時を過ぎるときはご連絡ください。", "Please call us if you arrive later than seven."},
	{"10時前には入れません。", "You cannot come in before ten."},
	{"料金は1人1,000円です。", "The price is 1,000 yen per person."},
	{"料金は一人千円です。", "It costs one thousand yen each."},
	{"2泊できます。", "You can stay for two nights."},
	{"池には約300匹の魚がいます。", "There are around 300 fish in the pond."},
	{"最終入館は閉館の30分前です。", "Last admission is half an hour before closing."},
	{"最終入館は16時半です。", "The last admission is at 4:30 p.m."},
	{"3階に120席あります。", "There are 120 seats on the third floor."},
	{"駐車場は60台分です。", "The car park has 60 spaces."},
	{"最初の1時間は無料です。", "The first hour is free."},
	{"30分ごとに100円かかります。", "It costs 100 yen per half hour."},
	{"会場は3階と4階です。", "The venue is on the third and fourth floors."},
	{"4月から11月まで開いています。", "It is open from April to November."},
	{"12月28日から1月4日まで休みです。", "It is closed from December 28 until January 4."},
	{"10月1日から31日まで展示します。", "It is on display from October 1 to 31."},
	{"約2か月後に届きます。", "It arrives about two months later."},
	{"2026年春に開館しました。", "It opened in the spring of 2026."},
	{"3番出口が便利です。", "Exit 3 is convenient."},
	{"3番乗り場からバスが出ます。", "The bus leaves from stop number 3."},
	{"エレベーターは2基あります。", "There are two elevators."},
	{"イルカが五頭います。", "There are five dolphins."},
	{"3つの部屋があります。", "There are three rooms."},
}

// TestPairs has each of them as evidence of the other.
func TestPairs(t *testing.T) {
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.FixedZone("", 9*3600))
	check := func(evidence, sentence string) {
		c := grounding.New(grounding.Evidence{Now: now, Items: []grounding.Item{{ID: "x", Kind: grounding.Passage, Text: evidence}}})
		if v := c.Check(sentence); !v.OK {
			t.Errorf("Check(%q) with %q: %s", sentence, evidence, v.Reason)
		}
	}
	for _, p := range pairs {
		check(p[0], p[1])
		check(p[1], p[0])
	}
}

// TestLimits has the least said as the most, and the reverse.
func TestLimits(t *testing.T) {
	for _, p := range [][2]string{
		{"イベントのときは10人ほどまで入れます。", "10人から使えます。"},
		{"2人以上でご利用ください。", "2人まで使えます。"},
		{"定員は15名です。", "There must be at least 15 people."},
		{"Groups of 20 or more need to book.", "20名以下の団体は予約が必要です。"},
		{"The room holds up to ten people.", "The room is for ten people or more."},
		{"1回2時間まで使えます。", "You can use it for at least two hours."},
		{"料金は最大で500円です。", "It costs at least 500 yen."},
	} {
		c := grounding.New(grounding.Evidence{Items: []grounding.Item{{ID: "x", Kind: grounding.Passage, Text: p[0]}}})
		if v := c.Check(p[1]); v.OK {
			t.Errorf("Check(%q) with %q passed", p[1], p[0])
		}
	}
}

// TestFollows has what follows from an evidence without standing in it, and what does not.
func TestFollows(t *testing.T) {
	for _, p := range []struct {
		evidence, sentence string
		ok                 bool
	}{
		{"福岡市赤煉瓦文化館を設計したのは、辰野金吾と片岡安です。", "辰野金吾と片岡安は赤煉瓦文化館を設計しました。", true},
		{"12月から3月は道路が凍結します。", "冬の12月から3月は道路が凍結します。", true},
		{"ロッカーは100円です。", "The lockers take a 100-yen coin.", true},
		{"ロッカーは100円です。", "The lockers take a 200-yen coin.", false},
	} {
		c := grounding.New(grounding.Evidence{Items: []grounding.Item{{ID: "x", Kind: grounding.Passage, Text: p.evidence}}})
		if v := c.Check(p.sentence); v.OK != p.ok {
			t.Errorf("Check(%q) with %q = %t, %s", p.sentence, p.evidence, v.OK, v.Reason)
		}
	}
}
