package nlu

// tag is what a word of the lexicon says about an utterance. A word may have several.
type tag uint64

const (
	tEvent    tag = 1 << iota // names events as such: cut from topics
	tKind                     // names a kind of event: kept in topics
	tBroad                    // beside another: the word has other meanings, too
	tHappen                   // asks what is on, without naming events
	tAny                      // anything, 何か: asks what is on when a time stands beside it
	tPlan                     // a schedule: events, or the owner's calendar
	tCalendar                 // belongs to the owner's calendar alone
	tMeeting                  // an appointment, when nothing says that it is a room
	tOwner                    // words of ownership
	tSelf                     // asks about the speaker: do I have
	tFree                     // asks whether a time is free
	tWrite                    // creates, changes or deletes
	tRemind
	tNotify    // beside tRemind: wants to hear of something, perhaps by itself and not at a time
	tDate      // asks for a date as such
	tDateWeak  // asks for a date unless the venue or an event is meant
	tInfo      // a matter of the venue
	tOpen      // opening and closing
	tHost      // wants to hold an event
	tHowTo     // asks how to go about something
	tOut       // no business of a venue
	tGreet     //
	tThanks    //
	tBye       //
	tIdentity  //
	tSmall     //
	tStaff     //
	tStaffWord // a person of the venue, when one is wanted
	tCall      // wants someone called
	tMore
	tThat
	tOther
	tFieldPlace
	tFieldTime
	tFieldPrice
	tFieldSignUp
	tFieldDescription
	tPast
	tAbout   // how about, what about, じゃあ
	tAsk     // makes a question of any noun
	tVenue   // the venue itself
	tCut     // says nothing to search for
	tFiller  // a sound, not a word
	tAside   // says something of what is asked for, and is in no title: cut from topics, but no word that says nothing
	tTrouble // a complaint, or a wish for help
	tRoom    // a room or a seat that may be taken
	tThatDay // the day that was spoken of
	tStillOn // asks whether something takes place as announced
)

// tagNames are what the tags are called when an understanding is explained, in their order.
var tagNames = [...]string{
	"event", "kind of event", "has other meanings", "what is on", "anything", "schedule", "calendar", "meeting", "owner", "speaker", "free time", "write", "remind", "notify",
	"date", "perhaps date", "venue matter", "opening", "host", "how to", "no venue matter", "greeting", "thanks", "farewell", "identity", "small talk", "staff", "staff word", "call",
	"more", "that", "other", "place?", "time?", "price?", "sign up?", "description?", "past", "about",
	"question", "venue", "cut from topics", "filler", "beside the topic", "trouble", "room", "that day", "still on?",
}

const (
	tField = tFieldPlace | tFieldTime | tFieldPrice | tFieldSignUp | tFieldDescription
)

// lexicon is every word that the rules know, by what it says. Alternatives are separated by bars.
// The longest word at a place wins, so that a longer word hides what a shorter one would say: "火事場"
// is no fire. A word without a tag only hides.
var lexicon = []struct {
	tags  tag
	words string
}{
	// Events.
	{tEvent | tCut, "イベント|いべんと|イヴェント|催し|催し物|もよおし|催事|行事|event|events|happenings|event list|イベント一覧|イベント情報|イベントカレンダー|event calendar|events calendar"},
	{tEvent | tCut, "connpassでイベント|connpassのイベント|開催される|開催している|開催中|開催予定|開かれる|upcoming events|upcoming event|今後のイベント"},
	{tKind, "勉強会|ワークショップ|ハッカソン|アイデアソン|lt会|ライトニングトーク|もくもく会|セミナー|ミートアップ|講習会|講演会|交流会|懇親会|読書会|輪読会|説明会|体験会|展示会|上映会|ハンズオン|カンファレンス|シンポジウム|見学会|トークイベント|トークショー|オフ会|相談会|撮影会"},
	{tKind, "workshop|workshops|hackathon|hackathons|meetup|meetups|meet-up|meet-ups|seminar|seminars|study group|study groups|study session|study sessions|lightning talk|lightning talks|tech talk|tech talks|hands-on|webinar|webinars|bootcamp|boot camp|fireside chat|show and tell|coding session"},
	{tKind | tBroad, "講座|講演|展示|コンサート|ライブ|発表会|コンテスト|フォーラム|パーティー|パーティ|お祭り|祭り|まつり|フェス|フェスティバル|マーケット|ツアー|トーク|会合|集まり|教室|大会|キャンプ|飲み会|食事会|お茶会|座談会|報告会|練習会|研究会|演奏会|音楽会|鑑賞会|作業会|会"},
	{tKind | tBroad, "lecture|lectures|conference|conferences|talks|a talk|the talk|talk on|talk about|concert|concerts|exhibition|exhibitions|festival|festivals|party|parties|contest|competition|class|classes|networking|gathering|screening|session|sessions"},
	{tHappen | tCut, "おすすめは|おすすめは何|何がおすすめ|おすすめを教えて|what do you recommend|any recommendations|recommendations|何かある|何かあります|何かありますか|なんかある|なんかあります|なんかありますか|なんかあるの|なんかやって|なんかやる|なんか面白い|なんか楽しい|なんかおすすめ|なんかない|何かない|なにかない|何かやる|なにかやる|何かおすすめ|なんかいいの|何かいいの|何か楽しい|なにかある|なにかあります|何がある|何があります|何がありますか|なにがある|何があるの|何やってる|何をやってる|何やってます|何をやってます|なにやってる|何かやって|なにかやって|何か面白い|面白いこと|何が開催|何が行われ|何をやっている|what's on|whats on|what is on|what's happening|whats happening|what is happening|what's going on|whats going on|what is going on|happening|going on|anything going on|anything happening|something happening|anything on|anything interesting|anything fun|something fun|something interesting|something to do|fun things|anything cool|anything to do|things to do|what can i join|何か参加|参加できる"},
	{tPlan | tCut, "予定|予定の|スケジュール|日程|日程表|プログラム|ラインナップ|schedule|schedules|scheduled|agenda|lineup|line-up|program|programme|予定表|タイムテーブル|timetable"},
	{tEvent | tCut | tHost, "イベントを開催したい|イベントを開きたい|イベントを主催|イベントの主催|イベントを企画|イベントを開催する|イベントを開催でき|イベント開催したい|イベントをやりたい|host an event|hosting an event|hold an event|organize an event|organise an event|run an event|hold a meetup|host a meetup|host a workshop|event space for|勉強会を開きたい|勉強会を開催したい|勉強会を主催"},
	{tHost, "主催したい|主催でき|開催したい|開催するには|開催できますか|開きたい|企画したい|主催するには|登壇したい|host my|host our|organize my|organize our"},
	{tInfo, "イベントスペース|event space|event spaces|イベントホール|event hall"},

	// The owner's calendar.
	{tCalendar | tCut, "カレンダー|calendar|calendars|アポ|アポイント|appointment|appointments|マイカレンダー|calender"},
	{tCalendar | tWrite | tCut, "休みを入れ|休みを入れて|お休みを入れて|休みを追加|休みを登録|休みにして|お休みにして|休みを取りたい|休みを取る|有休を入れて|有休を取る|休暇を入れて|休暇を追加|休暇を取る|なしにして|無しにして"},
	{tMeeting, "打ち合わせ|打合せ|会議|ミーティング|面談|商談|定例|面接|定例会議|朝会|夕会|歯医者|歯医者さん|歯科の予約|meeting|meetings|standup|stand-up|one-on-one|1on1|1:1|kickoff|kick-off|interview|dentist|doctor's appointment"},
	{tOwner | tPlan | tCut, "my plans|our plans"},
	{tOwner | tCut, "私の|僕の|ぼくの|俺の|わたしの|自分の|うちの|マイ|my|mine|our"},
	{tSelf, "私は|僕は|俺は|do i have|have i got|am i|did i|will i|i've got"},
	{tFree | tCut, "空いてる|空いている|空いてます|空いていますか|空いてますか|あいてる時間|空き時間|空いてる時間|空いている時間|暇|ひま|free time|am i free|i'm free|find a time|find time|find a slot|i free|am i available|am i busy|i busy|free slot|free slots|i'm busy|do i have time"},
	{tWrite | tCut, "入れて|いれて|入れといて|入れておいて|入れたい|追加して|追加|登録して|登録しておいて|予定を作|作成して|設定して|セットして|書き込んで|書いておいて|変更して|変更したい|変えて|ずらして|後ろにずらして|延長して|短くして|短縮して|早めて|遅らせて|移して|前倒しして|延ばして|動かして|移動して|リスケ|リスケして|延期して|消して|消去して|削除して|削除|取り消して|キャンセルして|キャンセルする|外して|予約して|予約しておいて|予約を入れて|スケジュールして|組んで|調整して"},
	{tWrite | tCut, "add|create|put|insert|set up|set a|set an|set my|set the|schedule a|schedule an|schedule my|schedule the|book a|book an|book me|make an|plan a|delete|remove|erase|clear|cancel my|cancel the|cancel all|cancel that|cancel this|cancel a|move|reschedule|postpone|change my|change the|push the|push my|extend the|extend my|shorten the|shorten my|rename the|rename my|bring forward|shift|push back|update my|update the|invite|mark|block off|block out|arrange a|arrange an|save the date|save this|save a|plan an|enter|put in|note down|pencil in|get rid of|take off|drop"},
	{tRemind | tWrite | tCut, "リマインド|リマインダー|リマインドして|思い出させて|remind me|remind|reminder|reminders|send me a reminder"},
	{tRemind | tNotify | tWrite | tCut, "忘れないように|知らせて|教えてくれるように|通知して|notify me|alert me|don't let me forget|let me know when"},

	// Dates as such.
	{tDate | tCut, "what day is it|what day is it today|何曜日|何曜|なんようび|曜日は|今日は何日|何月何日|何日ですか今日|今日の日付|日付は|日付を|日付|何年何月|今何時|いま何時|今なんじ|いまなんじ|現在時刻|現在の時刻|今の時間|今の時刻|今の日時|時刻を教えて|時間を教えて|時刻は|西暦|令和何年|平成何年|和暦|元号|うるう年|閏年|祝日はいつ|次の祝日|次の祝日は|今度の祝日|祝日を教えて|祝日一覧|今日は祝日|は祝日|祝日ですか|祝日か|三連休|連休はいつ|次の連休|連休|あと何日|あと何週|あと何か月|あと何ヶ月|残り何日|何日あと|何日後|何日前|何週間後|何日間あ|まで何日|平日は何日|平日が何日|営業日は何日|何週目|第何週|カウントダウン|時差|何日まで"},
	{tDate | tCut, "what day is|what day of the week|which day of the week|what weekday|what day was|what day will|what date|what's the date|whats the date|what is the date|what's today's date|today's date|the date today|date today|current date|current date and time|current time and date|date and time now|tell me the date|what day's|what is today|what's today|what time is it|what's the time|what's the date and time|what is the date and time|what's the date and the time|what's the time and date|whats the time|what is the time|current time|the time now|time now|tell me the time|do you have the time|time is it|next holiday|next public holiday|a holiday|public holiday|public holidays|national holiday|national holidays|holidays in|is it a holiday|bank holiday|how many days|how many weeks|how many months|days until|days till|days to|weeks until|weeks till|days left|days from|what year|which year|what month|which month|leap year|what week|week number|how long until|how far away is|what time it is|time zone|timezone|time difference|time in|day of the month|days of the month|western calendar|western year|western years|gregorian calendar|gregorian year|gregorian|japanese calendar|japanese era|japanese eras|japanese year|imperial year|era name|leap years|leap day"},
	{tDateWeak | tCut, "何日|なんにち|何月|祝日|what day|which day|which days|which date|which dates|what dates|holiday|holidays|the date|the time"},

	// Matters of the venue.
	{tInfo | tOpen, "営業時間|開館時間|閉館時間|開館|閉館|開店|閉店|営業日|休館|休館日|休業|休業日|定休日|opening hours|opening hour|opening times|opening time|closing time|closing times|closing hours|business hours"},
	{tInfo | tOpen | tBroad, "営業|休みの日|お休み|休み|何時まで|何時から開|何時に開|何時に閉|開いて|開いてます|あいてますか|あいてる|開きます|閉まり|閉まる|閉まって|空いている日|hours|open|opens|opened|close|closes|closed|closing|opening|24 hours"},
	{tInfo, "お金|支払い|支払|決済|クレジット|クレジットカード|現金|キャッシュレス|電子マネー|領収書|割引|for free|free to use|pay|payment|paying|credit card|cash|receipt|discount|expensive|cheap|admission|entry fee|entrance fee|rates|rate"},
	{tInfo | tFieldPrice, "料金|利用料|使用料|値段|価格|費用|入場料|無料|有料|タダ|ただで|price|prices|pricing|cost|costs|fee|fees|charge|charges|free of charge|free"},
	{tInfo, "アクセス|どうやって行|どうやって来|どう行け|行き方|道順|最寄り|最寄駅|駅|バス|地下鉄|電車|空港|住所|所在地|地図|マップ|フロアマップ|館内図|出口|駐車場|駐輪場|駐車|自転車|タクシー|access|directions|direction|address|get there|get here|getting there|located|location|map|floor map|floor plan|station|subway|bus|train|airport|parking|park my|car park|bicycle|bike|bikes|taxi|exit|how far"},
	{tInfo, "トイレ|お手洗い|手洗い|化粧室|授乳室|おむつ|ロッカー|コインロッカー|傘|エレベーター|階段|スロープ|車椅子|車いす|バリアフリー|多目的トイレ|ゴミ|ゴミ箱|自販機|自動販売機|ウォーターサーバー|水|給水|空調|冷房|暖房|エアコン|toilet|toilets|restroom|restrooms|bathroom|bathrooms|washroom|nursing room|diaper|locker|lockers|umbrella|elevator|lift|stairs|wheelchair|accessible|accessibility|trash|garbage|vending machine|vending machines|water|air conditioning|heating"},
	{tInfo, "wi-fi|wifi|ワイファイ|わいふぁい|無線lan|インターネット|ネット環境|ネット|パスワード|ssid|電源|コンセント|充電|充電器|internet|password|power outlet|power outlets|outlet|outlets|socket|sockets|charger|charging|plug|connect to the|usb|hdmi|adapter"},
	{tInfo, "会議室|ミーティングルーム|ミーティングスペース|mtgスペース|mtg|個室|防音室|集中スペース|アンダースペース|メイカーズスペース|makersスペース|maker'sスペース|スペース|部屋|ホール|メインホール|ラウンジ|談話室|テラス|席|座席|自習|コワーキング|ブース|受付|フロア|1階|2階|3階|地下|地下1階|一階|二階|三階|b1|b1f|1f|2f|3f|建物|施設|館内|赤煉瓦|赤レンガ|文化館|歴史|設備|meeting room|meeting rooms|conference room|conference rooms|room|rooms|space|spaces|hall|lounge|terrace|seat|seats|seating|desk|desks|booth|booths|reception|front desk|floor|floors|basement|building|facility|facilities|coworking|co-working|workspace|quiet|soundproof|history|architecture|equipment|upstairs|downstairs"},
	{tInfo, "プリンター|プリンタ|3dプリンター|3dプリンタ|コピー機|コピー|印刷|スキャナー|スキャン|レーザー|レーザー加工機|レーザーカッター|工作|工具|機材|機械|はんだ|半田|プロジェクター|モニター|マイク|ホワイトボード|vr|ドローン|ラズパイ|貸し出し|貸出|レンタル|借り|printer|printers|3d printer|3d printers|print|printing|copier|copy machine|scanner|scan|laser|laser cutter|soldering|solder|tools|projector|monitor|screen|microphone|whiteboard|borrow|rent|rental|lend|drone|raspberry pi|filament"},
	{tInfo, "カフェ|喫茶|コーヒー|珈琲|ランチ|昼食|夕食|朝食|ご飯|ごはん|食事|食べ物|飲み物|飲食|食べ|飲め|飲ん|お弁当|弁当|持ち込み|持ち込|持込|メニュー|レストラン|お酒|アルコール|ビール|お菓子|コンビニ|たばこ|タバコ|煙草|たばこの煙|タバコの煙|喫煙|喫煙所|禁煙|cafe|café|coffee|lunch|dinner|breakfast|food|foods|drink|drinks|eat|eating|drinking|menu|restaurant|restaurants|alcohol|beer|snack|snacks|bring my own|convenience store|smoke-free|smoking|smoking area|can i smoke|may i smoke|can we smoke|could i smoke|to smoke|i smoke|we smoke|people smoke|saino|サイノ|バー|bar"},
	{tInfo, "予約|予約方法|会員|会員登録|登録|利用登録|受付方法|利用方法|使い方|利用|使え|使い|使って|使う|入館|入場|入れますか|ルール|規則|注意事項|禁止|年齢|年齢制限|子供|子ども|こども|学生|小学生|中学生|高校生|大学生|大学院生|専門学生|留学生|大人|外国人|英語|英会話|ペット|犬|盲導犬|写真|撮影|動画|忘れ物|落とし物|落し物|遺失物|荷物|郵便|宅配|電話番号|電話|連絡先|問い合わせ|お問い合わせ|メールアドレス|ホームページ|ウェブサイト|公式サイト|サイト|sns|インスタ|ツイッター|twitter|line|混んで|混雑|混み|空席|満席|reservation|reservations|reserve|membership|member|members|register|registration|rules|rule|allowed|permitted|age limit|kids|children|child|student|students|foreigners|english|pets|pet|dog|dogs|photo|photos|photography|pictures|video|lost and found|left my|lost my|luggage|mail|package delivery|phone number|contact|email|website|homepage|crowded|busy now|available seats|sign up for membership|non-japanese"},
	{tInfo, "相談|キャリア|キャリア相談|転職|就職|起業|コミュニティ|コミュニティマネージャー|エンジニアカフェラボ|engineer cafe lab|ラボ|非常口|避難|避難口|観光|観光地|観光名所|観光スポット|おすすめスポット|スポット|見どころ|お土産|career|advice|consultation|consult|community|community manager|community managers|emergency exit|emergency exits|evacuation|sightseeing|tourist|recommend|souvenir|lab|what is this place|what can i do here|what can we do here|what is there to do here|ここで何ができ|ここでは何ができ|ここでなにができ|ここではなにができ|この施設で何ができ|何ができる場所|何ができるところ|誰でも参加|誰でも利用|誰でも入|だれでも参加|だれでも利用|だれでも入|誰が使え|can anyone join|can anyone come|can anyone use|who can join|who can use|この建物|この施設|この場所|ここは何|ここは何ですか|ここって何|what is this"},
	{tRoom, "会議室|ミーティングルーム|ミーティングスペース|mtgスペース|mtg|個室|防音室|集中スペース|アンダースペース|メイカーズスペース|makersスペース|maker'sスペース|イベントスペース|スペース|部屋|ホール|メインホール|ラウンジ|テラス|席|座席|ブース|event space|event spaces|meeting room|meeting rooms|conference room|conference rooms|room|rooms|space|spaces|hall|lounge|terrace|seat|seats|desk|desks|booth|booths|table|tables|3dプリンター|3dプリンタ|レーザー加工機|レーザーカッター|3d printer|laser cutter"},
	{tInfo | tCut, "use the|can i use|may i use|how do i use|can we use|get to"},
	{tInfo | tOpen | tCut, "what time do you"},
	{tHowTo | tFieldSignUp | tCut, "申し込み方法|申込方法|申込み方法|参加方法|応募方法|申し込むには|申し込みの仕方|参加するには|どうやって申し込|どうやって参加|how do i sign up|how to sign up|how can i sign up|how do i register|how to register|how can i register|how do i join|how can i join|how to join|how do i apply|how to apply|how do i attend|how can i attend"},
	{tInfo, "財布|さいふ|wallet|lost item|lost items|lost property"},
	{tInfo | tAside, "落とした|落としました|落としたん|落としてしま|おとした|おとしました|なくした|なくしました|無くした|無くしました|失くした|失くしました|置き忘れ|忘れてきた|忘れてきました|忘れてしまい|忘れました|left something|left something behind|left behind|left it behind|left it here|leave something behind|i left|forgot my|forgot something|lost something|dropped my"},
	{tInfo | tAside, "who can i ask|who should i ask|who do i ask|whom can i ask|whom should i ask|who can help me with|who can we ask|who to ask|誰に聞けば|誰に聞いたら|だれに聞けば|だれに聞いたら|誰に相談|だれに相談|誰に質問|だれに質問|誰に尋ね"},
	{tInfo | tOpen | tBroad | tCut, "もやってる|もやってます|もやっている|もやっていますか|もやってますか|はやってる|はやってます|はやっている|はやっていますか|はやってますか"},
	{tInfo | tAside, "持ち物|持物|服装|定員|対象年齢|対象者|講師|主催者|what to bring|dress code|organizer|organiser|who is the speaker|who's the speaker|who is speaking|who's speaking"},
	{tInfo, "何階に何|各階|look around|looking around|look round|which floor has|each floor|which floor is what|what is on which floor|what's on which floor"},
	{tInfo, "お腹すいた|お腹空いた|お腹がすいた|お腹が空いた|お腹が減った|お腹減った|おなかすいた|おなかがすいた|おなかが減った|おなかへった|はらへった|腹減った|腹が減った|喉が渇いた|喉乾いた|喉が乾いた|のどがかわいた|のどかわいた|hungry|thirsty|starving|parched"},
	{tInfo, "身分証|身分証明書|免許証|運転免許証|学生証|パスポート|passport|passports|id card|photo id|student card|student id|driving licence|driver's license|driver's licence"},
	{tInfo, "何歳から|何歳まで|何歳以上|何歳以下|何歳でも|何歳なら"},
	{tHowTo, "お金がかか|料金がかか|費用がかか|お金は必要|お金は要り|have to pay|need to pay|do i have to pay|do we have to pay|do you have to pay"},

	// No business of a venue.
	{tOut, "天気|天気予報|気温|降水確率|雨が降|雨は降|雨降|雪が降|台風|ニュース|株価|株式|為替|ドル円|ビットコイン|仮想通貨の価格|ジョーク|冗談|なぞなぞ|しりとり|クイズを出|歌って|歌を|音楽をかけ|音楽を流|曲をかけ|曲を|再生して|ラジオ|ポッドキャスト|翻訳して|翻訳|英訳|和訳|英語で何|計算して|足す|引く|掛ける|割る|何倍|レシピ|作り方を教えて|料理|占い|運勢|星座|サッカーの結果|野球の結果|試合結果|試合|スポーツニュース|選挙|政治|首相|大統領|総理|恋愛|彼氏|彼女|宝くじ|アラーム|目覚まし|タイマー|電気をつけ|電気を消|照明|掃除機|音量|ボリューム|メールを送|ツイート|買い物リスト|買い物|注文して|やることリスト|todoリスト|to do リスト|買うもの|映画|おすすめの映画|テレビ|人生|死にたい"},
	{tOut, "weather|forecast|temperature|rain|raining|rainy|sunny|snow|snowing|umbrella today|typhoon|news|headlines|stock|stocks|stock price|share price|bitcoin|exchange rate|joke|jokes|riddle|sing|play music|play some|play a song|song|songs|music|playlist|radio|podcast|audiobook|translate|translation|how do you say|in spanish|in french|calculate|plus|minus|times|divided by|square root|recipe|recipes|cook|cooking|horoscope|fortune|who won|score of|football|soccer|baseball|election|president|prime minister|politics|boyfriend|girlfriend|lottery|alarm|alarms|wake me|timer|turn on|turn off|lights|vacuum|volume|send an email|send email|tweet|shopping list|grocery|order a|order me|pizza|movie|movies|tv|capital of|population|how tall|write a poem|poem|meaning of life|days off|vacation|pto|payday|to do list|todo list|to-do list|todo|to-do|to do|in the world|current events|definition of|define|what is the meaning|bank|balance|transfer money|credit score|flight|flights|hotel|visa|traffic|insurance|oil change|gas|calories|spell"},

	// Talk.
	{tGreet | tCut, "こんにちは|こんにちわ|こんばんは|こんばんわ|おはよう|おはようございます|やあ|どうも|はじめまして|初めまして|ハロー|もしもし|すみません|すいません|あのう|ごめんください|hello|hi|hey|hi there|hello there|hey there|good morning|good afternoon|good evening|howdy|greetings|excuse me|nice to meet you|what's up|how do you do"},
	{tThanks | tCut, "ありがとう|ありがとうございます|ありがとうございました|ありがと|有難う|サンキュー|助かりました|助かった|感謝|どうもありがとう|どうもありがとうございます|どうもありがとうございました|お世話になりました|thank you|thanks|thank you very much|thank you so much|thanks a lot|many thanks|thx|cheers|appreciate it|much appreciated|that helps|great help"},
	{tBye | tCut, "さようなら|さよなら|バイバイ|ばいばい|じゃあね|じゃね|じゃあまた|それじゃまた|ではまた|もう帰ります|もう帰るね|またね|また来ます|また来るね|また今度|また明日|また来週|失礼します|失礼しました|お疲れ様|お疲れさま|おやすみ|おやすみなさい|goodbye|good bye|bye|bye bye|bye-bye|see you|see you later|see you soon|see you tomorrow|see you next time|see ya|farewell|going home now|heading home|have to leave now|have to go now|i must go|i'm off|good night|have a nice day|have a good day|take care|later alligator"},
	{tIdentity | tCut, "あなたは誰|あなたはだれ|誰に作られ|誰が作った|誰が作りまし|何を手伝|何が手伝|人なの|機械なの|って機械|ってロボット|って人間|誰が開発|何が聞ける|名前なんて|名前は何て|あなたの名前|君は誰|君の名前|きみの名前|お名前は|名前は何|名前を教えて|お名前を教えて|誰ですか|だれですか|何者|自己紹介|何ができ|なにができ|何が出来|できること|出来ること|何を聞け|何を質問|どんなことができ|使い方を教えてあなた|aiですか|ロボットですか|人間ですか|who are you|what are you|what's your name|whats your name|what is your name|your name|introduce yourself|what can you do|about yourself|who built you|which company made you|who programmed you|do you have a name|is this robot|what do you do|what can i ask|how can you help|what can you help|are you a robot|are you a bot|are you human|are you a human|are you a person|are you a real person|are you an ai|are you real|who made you|who created you"},
	{tSmall | tCut, "元気ですか|元気|調子はどう|調子はいかが|ご機嫌いかが|最近どう|話し相手|眠い|眠たい|退屈|暇だ|彼女はい|彼氏はい|かわいい|可愛い|かっこいい|すごい|好きです|大好き|疲れた|楽しい|つまらない|寂しい|何歳ですか|何歳|趣味は|好きな食べ物|面白い|興味があります|興味がある|興味あります|気になります|気になるな|楽しみです|楽しみにして|i am interested|i'm interested|sounds good|sounds interesting|looks interesting|sounds fun|how are you|how's it going|how are things|how are you today|how have you been|how old are you|i'm sleepy|so sleepy|i'm so tired|i'm so bored|have a boyfriend|have a girlfriend|are you single|your favorite color|your favourite colour|i'm lonely|i am lonely|i'm exhausted|you are adorable|you're adorable|lovely morning|are you married|you look pretty|you look nice|you look good|you're a funny one|you are cute|you're cute|i love you|i like you|you are funny|you're funny|i'm bored|i'm tired|good job|well done|awesome|cool|amazing|前に話したこと|覚えている|覚えてる|do you remember|are you happy|do you like"},
	{tStaff, "スタッフを呼|スタッフ呼|スタッフと話|スタッフに代|スタッフにつな|スタッフをお願い|スタッフに聞|スタッフに相談|スタッフさん|係の人|係員|受付の人を|受付の方を|店長を呼|店長をお願い|職員の方|職員さん|職員を呼|責任者の方|責任者をお願い|責任者は|責任者い|店の人|話せる人|人がいないんで|人がいないんだ|人がいません|店員さん|店員|人を呼んで|人と話し|人間と話|人に代わ|担当者|オペレーター|誰か呼|だれか呼|誰か来て|責任者を呼|責任者と話|staff please|call staff|call the staff|call a staff|call someone|talk to staff|talk to a staff|talk to someone|talk to a person|talk to a human|talk to a real|speak to staff|speak to someone|speak to a person|speak to a human|speak to a real|speak with someone|speak with a person|speak with a human|speak with staff|human please|live agent|operator|representative|person in charge|someone in charge|whoever is in charge|anybody at the reception|anyone at the reception|anybody at the desk|anyone at the desk|get the manager|see the manager|speak to the manager|need a human|want a human|receptionist|who is in charge|who's in charge|someone i can talk|somebody i can talk|someone to help me|somebody to help me|can someone help|could someone help|can anyone help|could anyone help|can somebody help|talk to the manager|need a person|need staff|ask staff|ask the staff|help from staff|manager please|talk with someone|talk with staff|talk with a person"},
	{tStaffWord, "スタッフ|staff|staff member|係"},
	{tTrouble | tAside, "苦情|クレーム|文句を言|文句があ|迷惑して|迷惑です|迷惑なんです|耳が遠い|耳が遠く|耳が悪い|耳が悪く|耳が聞こえ|耳が不自由|目が見えな|目が不自由|大きな声で|大きい声で|大きめの声で|もっと大きく|もう少し大きく|声が小さ|声を大きく|音を大きく|音量を上げ|音量上げ|ボリュームを上げ|ボリューム上げ|筆談|困って|困った|困りました|こまって|こまった|トラブル|助けが必要|手を貸して|手伝ってほしい|手伝ってください|手伝ってもら|手伝って"},
	{tTrouble | tAside, "complaint|complaints|complain|complaining|file a complaint|make a complaint|unacceptable|hard of hearing|hearing impaired|i'm deaf|i am deaf|hearing aid|speak up|speak louder|speak more loudly|talk louder|louder|too quiet to hear|turn up the volume|turn the volume up|turn up the sound|i'm in trouble|i am in trouble|need some help|need your help|need assistance|need a hand|give me a hand|i have a problem|have a problem|there's a problem|there is a problem|i've got a problem"},
	{tCall | tCut, "呼んで|呼び出して|よんで|話したい|つないで|来てほしい|来てください|call|speak|talk to"},

	// Words that are others than they look: what they contain says nothing.
	{0, "ライブラリ|ライブラリー|first class|second class|business class|to talk|not talk|don't talk|教会|都会|社会|機会|司会|会う|会え|会い|会計|会費|会話|再会|会社|会津|会津若松|火事場|firebase|fireside|firefox|firewall|firefly|fire tv|fireworks|firefighter|花火|煙突|煙草|救急法|応急処置講座|fire drill|防災|防災訓練|頭痛の種|call for papers|talk to you|hi-fi|熱があつい|血がさわぐ|血が騒"},

	// How it hangs on what was said.
	{tMore | tCut, "もっと見|もっと|他には|ほかには|他に|ほかに|他の|ほかの|そのほか|その他|続き|つづき|残り|残りの|全部見|全部|すべて見|全て|more|what else|anything else|something else|any others|others|the rest|show all|show me all|see all|next page|any more|anything more|show more|see more"},
	{tThat | tCut, "それ|その|そちら|そっち|そこ|これ|そのやつ|さっきの|今の|it|that|that one|this one|there"},
	{tThatDay | tCut, "その日|そのひ|この日|当日|その当日|同じ日|同日|あの日|that day|that same day|the same day|same day|that date|the same date|the day in question|on then"},
	{tThat | tCut, "その日曜|その日曜日|この日曜|この日曜日|その中で|その中から|その中に|その中の|この中で|この中から"},
	{tThat, "その日本"},
	{tThat | tPlan | tCut, "その日程"},
	{tThat | tEvent | tCut, "そのイベント|この行事|that event|this event|the event"},
	{tThat | tKind | tCut, "その勉強会|その講座|そのワークショップ|that workshop|this workshop|the workshop"},
	{tThat | tCut | tFieldPrice, "how much is it|how much is that|how much does it cost"},
	{tOther | tCut, "もう一つの|もうひとつの|もう1つの|もう一方|もう片方|もう一個の|別の方|もう一つの方|もうひとつの方|別のやつ|別のもの|the other one|the other|other one|another one"},
	{tFieldPlace | tCut, "場所は|場所|どこ|どこで|どこですか|どこにあ|どこにありますか|どこでやる|どちらで|どちらです|会場|会場は|何階|where|where's|wheres|venue|which room|which floor|what floor|what room"},
	{tFieldTime | tCut, "何時から|何時まで|何時に|何時|いつ|いつから|いつまで|いつですか|時間は|時間帯|開始時間|終了時間|開始時刻|when|when's|what time|start time|how long|what hours|begin|start|starts|end time"},
	{tFieldPrice | tCut, "いくら|おいくら|参加費|参加料|参加無料|how much|ticket price|tickets"},
	{tFieldSignUp | tCut, "申し込み|申込|申込み|申し込む|申し込みたい|申し込め|申し込ん|参加したい|参加登録|参加申し込み|応募|エントリー|サインアップ|sign up|sign-up|signup|apply|application|rsvp|attend|join|register for|ticket|attending|how to attend"},
	{tFieldSignUp | tThatDay | tCut, "当日参加|当日受付|当日申し込み|当日の申し込み|当日の参加"},
	{tFieldDescription | tCut, "詳しく|くわしく|詳細|内容|どんな内容|詳しい|について詳しく|説明して|details|detail|more about|tell me more|more information|more info|describe|what is it about|what's it about|description|explain"},
	{tPast, "過去の|終わった|終了した|開催された|開かれた|やってた|ありましたか|あった？|あったの|あったイベント|のがした|見逃し|happened|took place|were there|was there"},
	{tPast | tHappen | tCut, "past events|past event|何があった|何がありました|何がありましたか|何をやった|何をやっていた|何やってた|did i miss|i missed|have i missed|what was on|previous events|what happened|終わったイベント|過去のイベント"},
	{tAbout | tCut, "じゃあ|じゃ|では|それじゃあ|それじゃ|それでは|なら|だったら|いや|いやいや|やっぱり|やっぱ|and|how about|what about|then|so|ok then|actually|no wait|make it|i mean|or|also"},
	{tAny | tCut, "anything|something|何か|なにか"},
	{tAsk | tCut, "ですか|ますか|でしょうか|ありますか|あります|ある|あるの|いますか|いる|できますか|できる|でき|できません|可能|可能ですか|いいですか|大丈夫|大丈夫ですか|ください|下さい|教えて|教えてください|おしえて|おしえてください|教えてほしい|教えてもらえ|知りたい|知りたいです|見せて|みせて|みたい|見たい|聞きたい|ほしい|欲しい|したい|したいの|したいのですが|のですが|んですが|について|とは|って|何|なに|どう|どうやって|どんな|どの|どれ|どちら|誰|だれ|なぜ|方法"},
	{tAsk | tCut, "what|what's|whats|which|who|who's|why|how|can|could|would|will|do|does|did|is|are|was|were|has|have|had|may|should|please|tell|show|give|list|find|search|check|know|need|want|like|looking|look|help|see|let|let's|get|going|to go|go to|go there|can i go|should i go|do i go|could i go|take|use|using|about"},
	{tCut, "the|a|an|any|some|all|me|i|we|you|he|she|they|us|your|their|of|in|on|at|for|to|from|with|by|as|this|these|those|be|been|being|am|not|no|yes|if|but|into|than|too|very|just|now|up|out|there's|there is|there are|are there|is there|it's|its|i'd|i'll|we're|you're|i would like|i'd like|would like|one|ones|thing|things|everything|upcoming|new|next|last|held|hold|taking place|happen|happens|planned|available|coming|come|every|each|other|only|kind|type|types|sort|kindly|got|make|made|say|around|during|between|until|till|before|after|through|within|us know|interested|related|regarding|concerning|near|nearby"},
	{tCut, "おすすめ|おすすめの|お勧め|お勧めの|オススメ|オススメの|次|次の|今後|今後の|今度|今度の|向け|向けの|言って|number|option|こと|もの|やつ|方|ほう|ため|よう|とき|時|日|月|年|週|感じ|情報|一覧|リスト|最新|最近|今|みんな|皆|人|確認|検索|表示|開催|開催日|参加|出席|実施|お願い|お願いします|おねがい|おねがいします|よろしく|よろしくお願いします|頂け|いただけ|もらえ|くれ|くれる|くれませんか|ませんか|ました|ましょう|ます|です|でした|だ|だろう|した|する|して|しています|してる|している|される|れる|られる|なる|なります|なって|行われ|行われる|行く|行き|行けば|行って|やる|やって|やってる|やっている|やります|あるか|あるかな|あれば|ない|ないの|なか|とか|など|から|まで|より|だけ|しか|ばかり|くらい|ぐらい|ごろ|ころ|かな|かしら|けど|けれど|けれども|ので|のに|のは|のが|のを|には|では|とは|へは|にも|でも|ても|たち|さん|様|是非|ぜひ|ちょっと|少し|とても|すぐ|ねえ|ねぇ|なあ|は|が|を|に|で|と|も|の|へ|や|か|よ|ね|な|さ|ご|お|し|た|て|れ|る|い|う|ん|予定されている|予定している"},
	{tCut | tVenue, "ここ|こちら|当館|この施設で|この場所で|こちらの施設|here|your place|this place|this venue"},
	{0, "how many hours|hours difference|hours of difference|水泳|水族館|商会|議会|国会|協会|委員会|ものづくり|もくもく|はじめての|づくり|おもちゃ|まちづくり|かな入力|さくら|おでん|たこ焼き|itエンジニア|it企業|it業界|at&t"},
	{tFiller | tCut, "えーと|えーっと|えっと|ええと|えと|えー|あのー|あのぉ|うーん|うーんと|んーと|んー|そのー|まあ|まぁ|なんか|um|umm|uh|uhh|uhm|er|erm|hmm"},
	{tCut, "well|you know|over|throughout|left|もう一回|もう一度|もういちど|もういっかい|もっかい|もう1回|もう1度|再度|今一度|one more time|once more|once again|同じ|おなじ|1日中|一日中"},

	// What is said of the thing asked for, and stands in no title.
	{tAside, "終了|開始|開場|閉会|開会|終わり|始まり|一人で|ひとりで|一人でも|ひとりでも|二人で|一人|二人|三人|ひとり|ふたり|1人|2人|3人|一緒に|いっしょに|初めて|はじめて|途中で|途中から|急に|もう|まだ|また|本当に|ほんとに|本当|ほんと|絶対|必ず|たぶん|多分|やはり|さっき|先ほど|さきほど|この前|この間|こないだ|みたいな|みたい|らしい|っぽい|という|っていう|とかいう|向き|向きの|以外|以外の|必要|必要です|必要ですか|可能|場合|前に|以前|以前に|次回|前回|今回|一番|いちばん|最も|会って|会った|会っ|会わ|会お|通り|どおり"},
	{tAsk | tCut, "何時間|何分|何人|何名|何個|何回"},
	{tAside, "finish|finishes|finished|finishing|end|ends|ended|ending|run|runs|last|lasts|begins|beginning|began|starting|started|repeat|repeated|still|already|ever|also|again|even|really|actually|maybe|perhaps|probably|soon|usually|often|always|together|alone|myself|ourselves|must|might|shall|needed|supposed to|allowed to|able to|must i|must we"},
	{tAsk | tCut, "have to|has to|need to|needs to|want to|wants to|going to|do we have to|do you have to|do we need to|should i|should we"},
	{tSelf | tAsk | tCut, "do i have to|do i need|do i need to"},
	{tAside, "don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|wouldn't|can't|cannot|couldn't|shouldn't|haven't|hasn't|hadn't|i'm|i've|we've|you've|they're|that's|who's|how's|where's|when's|what're|what'll|there're|let me|got to|gotta|gonna|wanna"},
	{tAside, "bring|give a|giving|went|come to|comes|came|put on|sit in|take part|taking part|participate|participating|registering|speak at|attended|joined|heard|hear|hearing|saw|seen|read about|noticed|told|said|says|mean|means|meant|think|thought|guess|wonder|wondering|wondered|ask|asks|asking|asked|talk to|talking about|spoke|remember|forget|forgot|learn about|learn|enjoy|meet|late|early|exactly|instead|sure|okay|ok|sorry|someone|somebody|anyone|anybody|everyone|everybody|people|person|us|him|her|them|mine|yours|his|its|whom|whose|another|both|either|few|many|much|lot|lots|several|such|same|own|else|because|since|while|though|although|unless|whether|without|per|via|across|against|behind|along"},
	{tStillOn | tAside, "中止|中止に|中止になった|中止になって|中止になりました|中止になります|中止になる|中止になり|中止され|中止された|中止されました|中止でしょうか|中止ですか|延期|延期に|延期になった|延期になりました|延期され|延期された|キャンセルになった|キャンセルになりました|キャンセルになって|キャンセルになり|キャンセルになる|キャンセルされた|キャンセルされ|取りやめ|取り止め|とりやめ|取りやめになった|無くなった|なくなった|なくなりました|流れた|予定通り|予定どおり|予定通りに|予定どおりに|通常通り|通常どおり|雨天決行|雨天中止|雨天でも|決行|雨でも|雨の場合|雨なら"},
	{tStillOn | tAside, "cancelled|canceled|cancellation|cancellations|called off|been cancelled|been canceled|got cancelled|postponed|put off|rescheduled|still on|still happening|still taking place|still going on|still going ahead|still scheduled|still planned|still be held|going ahead|goes ahead|go ahead as planned|as planned|as scheduled|as announced|rain or shine|if it rains|even if it rains|in the rain|in case of rain"},
	{tWrite | tCut, "中止して|中止にして"},
}

// answers are whole utterances that only answer a question, or say that one cannot.
var answers = []struct {
	intent Intent
	words  string
}{
	{Affirm, "はい|うん|ええ|そう|そうです|そうですね|はいお願いします|お願いします|おねがいします|それでお願いします|いいよ|いいです|いいですよ|いいね|大丈夫|大丈夫です|もちろん|了解|了解です|わかりました|分かりました|オッケー|オーケー|おっけー|よろしく|よろしくお願いします|ぜひ|頼みます|頼む|合ってます|合っています|正しいです|その通り|その通りです|yes|yeah|yep|yup|yes please|sure|ok|okay|of course|go ahead|please do|correct|right|that's right|thats right|exactly|sounds good|confirm|confirmed|do it|fine|absolutely|alright|all right|y"},
	{Unclear, "分からない|分かりません|わからない|わかりません|よく分からない|よくわからない|よく分かりません|知らない|知りません|さあ|どうだろう|どちらでも|どっちでも|どちらでもいい|どっちでもいい|どちらでもいいです|i don't know|i do not know|don't know|dunno|not sure|i'm not sure|no idea|i have no idea|whatever|either|either one|either is fine|i don't care|maybe"},
	{Deny, "いいえ|いえ|いや|いやいや|ううん|違う|違います|ちがう|ちがいます|そうじゃない|そうではない|だめ|ダメ|駄目|やめて|やめる|やめます|やめておきます|やめとく|やっぱりやめて|やっぱりやめます|やっぱりいい|やっぱりいいです|やっぱり結構です|いらない|いりません|結構です|けっこうです|キャンセル|キャンセルで|取り消し|中止|ストップ|いいえ結構です|不要|不要です|no|nope|nah|no thanks|no thank you|not really|cancel|cancel it|stop|stop it|never mind|nevermind|oh never mind|ok never mind|no never mind|never mind then|forget it|forget about it|nothing|nothing thanks|nothing thank you|no nothing|oh nothing|it's nothing|it was nothing|no it's nothing|don't worry|don't worry about it|なんでもない|なんでもないです|なんでもありません|何でもない|何でもないです|何でもありません|やっぱりなんでもない|やっぱりなんでもないです|やっぱ何でもない|やっぱなんでもない|やっぱり何でもない|やっぱり何でもないです|いえなんでもない|いえなんでもないです|いえ何でもないです|いえ何でもありません|いやなんでもない|いやなんでもないです|いや何でもない|ごめんなんでもない|すみませんなんでもないです|すみません何でもないです|気にしないで|気にしないでください|気にしないで下さい|忘れて|忘れてください|特にない|特にないです|特にありません|とくにない|とくにないです|別にない|別に|もういい|もういいです|don't|do not|wrong|incorrect|that's wrong|not that|quit|abort|n"},
}

// ordinals are words for the item of a list. A number written before つ目, 番目 or behind "number" is
// read by itself.
var ordinals = []struct {
	n     int
	words string
}{
	{1, "最初の|一番目|いちばん目|一番最初|ひとつ目|ひとつめ|一つ目|1つめ|一件目|一個目|初めの|はじめの|一番上|いちばん上|上の|first one|the first|first event|first result|first item|first option|1st one|the 1st|top one"},
	{2, "二番目|ふたつ目|ふたつめ|二つ目|二つめ|2つ目|2つめ|二件目|二個目|真ん中の|second one|the second|second event|second result|second item|second option|2nd one|the 2nd|middle one"},
	{3, "三番目|みっつ目|みっつめ|三つ目|3つめ|三件目|三個目|third one|the third|third event|third result|third item|third option|3rd one|the 3rd"},
	{4, "四番目|よっつ目|よっつめ|四つ目|4つめ|四件目|四個目|fourth one|the fourth|fourth event|4th one|the 4th"},
	{5, "五番目|いつつ目|五つ目|5つめ|五件目|五個目|fifth one|the fifth|fifth event|5th one|the 5th"},
	{6, "六番目|六つ目|六件目|sixth one|the sixth"},
	{7, "七番目|七つ目|七件目|seventh one|the seventh"},
	{8, "八番目|八つ目|八件目|eighth one|the eighth"},
	{9, "九番目|九つ目|九件目|ninth one|the ninth"},
	{10, "十番目|十件目|tenth one|the tenth"},
	{-1, "最後の|一番最後|一番下|いちばん下|下の|last one|the last one|last event|the last event|last item|the last item|bottom one|final one"},
}
