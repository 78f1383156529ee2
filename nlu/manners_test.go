package nlu_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"annai/nlu"
)

// unseen are utterances to a concierge that are among no examples of ours, by what they want.
var unseen = map[nlu.Intent]struct{ ja, en []string }{
	nlu.Info: {
		ja: []string{
			"ここは何時まで使えますか", "駅からここまで歩いて何分くらいですか", "飲み物の持ち込みは大丈夫ですか", "コピー機はありますか", "ロッカーを使いたいんですが", "予約しなくても入れますか",
			"授乳室はどちらでしょうか", "一人でも利用できますか",
			"館内で撮影してもかまいませんか", "Wi-Fiがつながりません", "会員になるにはどうすればいいですか", "車で来ても停められますか", "小型犬と一緒に入れますか",
			"3Dプリンターは誰でも使えますか", "トイレ借りられますか", "子連れでも大丈夫ですか",
			"2階には何があるの", "ゴミはどこに捨てればいい", "電話番号を教えて", "食事できる場所ある？", "日曜もやってる？", "プリンターの使い方がわからない", "何階建てですか",
			"休憩できる場所はどこ", "学生は無料ですか", "スリッパに履き替えますか",
		},
		en: []string{
			"until what time can I use this space", "how many minutes is it from the station on foot",
			"can I bring my own drinks",
			"is there a photocopier here", "do you have lockers", "can I come in without a reservation",
			"where is the nursing room", "may I come alone",
			"am I allowed to take pictures", "the wifi does not work", "what do I need to become a member",
			"is there parking nearby", "are dogs allowed",
			"who may use the 3D printer", "do I have to pay", "is there wheelchair access", "what's the phone number",
			"where can I throw away trash",
			"can kids come in", "how do I use the laser cutter", "do you have a vending machine somewhere",
			"what floor is this", "are there power outlets",
			"can I print something", "is photography permitted", "what's the closest subway stop",
		},
	},
	nlu.SmallTalk: {
		ja: []string{
			"調子はいかがですか", "君かわいいね", "好きな音楽は何ですか", "彼女はいますか", "今日は眠いなあ", "あなたのこと大好き", "面白い子だね", "いま退屈しています", "寂しいなあ",
			"歌は好きですか", "何歳ですか", "君って賢いんだね",
			"ちょっと話し相手になってよ", "最近どう？", "好きな季節はいつ", "暑くて溶けそう", "友達いるの", "今日はいいことがあったよ", "声がいいね", "君は何が好きなの", "今日は気分がいい",
			"失恋しました", "クイズ出してよ、暇だし",
		},
		en: []string{
			"how are you today", "you look pretty", "what music do you like", "do you have a boyfriend",
			"I'm so sleepy today",
			"I like you a lot", "you're a funny one", "I'm bored", "how old are you", "do you like singing",
			"are you happy", "what's your favorite color",
			"I had a rough day", "you are adorable", "do you have friends", "what a lovely morning", "I'm exhausted",
			"talk to me, I'm lonely",
			"you're awesome", "you made my day", "do you sleep", "I feel great", "you're so sweet",
		},
	},
	nlu.Safety: {
		ja: []string{
			"台所から煙が出ています", "火が付いた", "人が床に倒れています", "血が止まりません", "おじいさんが息をしていません", "救急車を呼んでください", "うちの子が迷子になりました",
			"娘が見つかりません", "誰かが財布を盗んだ", "男が刃物を持っています",
			"すごく揺れています", "大きな地震だ", "隣の部屋で火が燃え広がっています", "なんか煙たいです、火事かも", "祖母が転んで頭を打った", "友人が過呼吸になっています", "急に胸が苦しくなった",
			"子どもとはぐれてしまって", "3歳の娘を見失いました",
			"置き引きに遭いました", "変な人に絡まれています", "建物がぐらぐらしています", "カーテンに火が燃え移った", "おばあさんが道で倒れてる", "出血がひどいです", "友達が意識をなくしました",
			"4歳の息子がどこにもいません", "かばんを持っていかれました",
			"刃物を振り回している人がいる",
		},
		en: []string{
			"there is smoke in the kitchen", "the bin is on fire", "a man is lying on the floor and won't move",
			"he is bleeding heavily",
			"she can't breathe", "we need an ambulance", "my little boy is lost", "I can't find my daughter",
			"someone stole my wallet",
			"there is a man with a knife", "is this an earthquake", "help, somebody is hurt",
			"flames are coming out of the trash",
			"my friend can't move her leg, she fell", "my husband has chest pains", "he is turning blue",
			"my son wandered off", "I was just robbed",
			"a drunk man is shouting at people", "the whole building is trembling", "my dad collapsed",
			"she is unconscious on the floor",
			"the socket is smoking", "my daughter is nowhere to be found", "somebody grabbed my purse and ran",
			"he has a weapon",
			"the ceiling lamp is swinging, earthquake?",
		},
	},
	nlu.Farewell: {
		ja: []string{
			"では失礼します", "バイバイ", "またお邪魔します", "さようなら、またね", "それじゃまた明日", "もう帰りますね", "じゃあまた", "今日はもう帰ります", "お世話になりました、さようなら",
			"そろそろ失礼しますね", "また会おうね",
			"今日はありがとう、またね", "じゃ、さよなら", "では帰ります",
		},
		en: []string{
			"bye bye", "see you later", "goodbye then", "I have to leave now", "good night, see you tomorrow",
			"take care, bye", "have a nice day, goodbye",
			"I'm going home now", "thanks, bye", "I'm done, goodbye", "see you around", "gotta run",
			"see you next week", "bye, have a good evening",
		},
	},
	nlu.Identity: {
		ja: []string{
			"お名前は何ですか", "あなたは何者ですか", "あなたはロボットですか", "誰に作られたの", "何を手伝ってくれますか", "あなたは人なの、それとも機械なの", "自己紹介をお願いします",
			"何ができるんですか", "君は誰なの", "きみって機械？", "名前なんていうの",
			"誰が開発したの", "何が聞けるの", "あなたは何ができますか", "中の人はいますか", "君の正体は",
		},
		en: []string{
			"what is your name", "who are you exactly", "are you a robot or a person", "who made you",
			"what can you help me with", "what are you",
			"tell me about yourself", "what can you do", "do you have a name", "are you some kind of AI",
			"who programmed you", "what can I ask you about",
			"what is this robot for", "who's talking", "what's your purpose", "are you a computer",
		},
	},
	nlu.CallStaff: {
		ja: []string{
			"スタッフさんを呼んでください", "係員と話をさせてください", "受付の方はどちらですか", "人と話したいのですが", "店長を呼んで", "誰か人を呼んでもらえますか", "職員の方はいらっしゃいますか",
			"担当者をお願いします", "人間のスタッフに代わってもらえますか",
			"店の人いますか", "責任者はいますか", "受付に人がいないんだけど", "直接話せる人はいますか", "スタッフの人に聞きたい", "人間を出して", "係の方をお願いします",
		},
		en: []string{
			"please call the staff", "I want to speak to someone who works here", "can I talk to a real person",
			"get the manager please",
			"is anybody at the reception", "could someone from the staff help me", "let me talk to a human",
			"I'd like to speak with the person in charge",
			"is there someone I can talk to", "I need a human", "where is the receptionist", "who is in charge here",
			"can you get someone to help me",
			"I'd like some human help", "call someone from the front desk", "can a staff member come here",
		},
	},
}

// harmless are utterances that sound like a report of danger and are none.
var harmless = []string{
	"席を取りました", "誰もいません", "ドアが開きません", "水がこぼれました", "電気が消えました", "エレベーターが止まっています", "雨に濡れました", "荷物を置いてきました", "お金が足りません",
	"いま退屈しています", "予約しました", "道に迷いました", "失恋しました", "プリンターが動きません", "I spilled water", "the light went out",
	"the printer is jammed", "my phone died",
	"the door is stuck", "my laptop is broken", "I'm killing time",
}

// TestHarmless says that staff are not alarmed for nothing.
func TestHarmless(t *testing.T) {
	r := demo()
	for _, text := range harmless {
		if u := r.Understand(text, now(t)); u.Intent == nlu.Safety {
			t.Errorf("Understand(%q) = %s (%s), because %s, %.2f, want no danger", text, u.Intent, u.Safety, u.Reason,
				u.Confidence)
		}
	}
}

// TestManners says how many of the utterances that are for no agent are told apart as the concierge does it.
func TestManners(t *testing.T) {
	r, learnt := demo(), examples(t)
	least := map[nlu.Intent]float64{
		nlu.Info: 0.95, nlu.SmallTalk: 0.65, nlu.Safety: 0.85, nlu.Farewell: 0.9,
		nlu.Identity: 0.8, nlu.CallStaff: 0.85,
	}
	for want, said := range unseen {
		for lang, texts := range map[nlu.Language][]string{nlu.Japanese: said.ja, nlu.English: said.en} {
			right := 0
			for _, text := range texts {
				u := r.Understand(text, now(t))
				switch {
				case slices.Contains(learnt, nlu.Normalize(text)):
					t.Errorf("%q is an example that the weights were learnt from", text)
				case u.Language != lang:
					t.Errorf("Understand(%q).Language = %s, want %s", text, u.Language, lang)
				case u.Intent == want:
					right++
				default:
					t.Logf("Understand(%q) = %s, because %s, %.2f; it is %s", text, u.Intent, u.Reason, u.Confidence,
						want)
				}
			}
			if share := float64(right) / float64(len(texts)); share < least[want] {
				t.Errorf("%s in %s: %d of %d right, want a share of %.2f", want, lang, right, len(texts), least[want])
			}
		}
	}
}

// examples are those of ours, in the form of [nlu.Normalize].
func examples(t *testing.T) []string {
	t.Helper()
	f, err := os.Open("data/examples.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var texts []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e struct{ JA, EN string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, nlu.Normalize(e.JA), nlu.Normalize(e.EN))
	}
	return texts
}
