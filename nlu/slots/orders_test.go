package slots_test

import (
	"time"

	"annai/nlu/slots"
)

// ordered are further commands as people give them, at the same time as [spoken].
var ordered = map[string]map[string]said{
	"details in clauses of their own": {
		"明日15時に会議。場所は本館、メモは議事録を持参": {
			Operation: slots.Create, Title: "会議", Times: "01-16T15:00", Place: "本館", Note: "議事録を持参",
		},
		"土曜19時に送別会、会場は博多、説明は会費4000円": {
			Operation: slots.Create, Title: "送別会", Times: "01-18T19:00", Place: "博多", Note: "会費4000円",
		},
		"明日15時に会議を入れて、場所はオンラインでお願いします": {
			Operation: slots.Create, Title: "会議", Times: "01-16T15:00", Place: "オンライン",
		},
		"add a lunch on Friday at noon, location: the pier, note: pay cash": {
			Operation: slots.Create, Title: "lunch", Times: "01-17T12:00", Place: "the pier",
			Note: "pay cash",
		},
		"block Friday from 3 to 5pm and call it Writing": {
			Operation: slots.Create, Title: "Writing", Times: "01-17T15:00..01-17T17:00",
		},
		"schedule coffee with Ann on Friday at 9am at Blue Door Cafe, remind me an hour before": {
			Operation: slots.Create, Title: "coffee with Ann", Times: "01-17T09:00",
			Place: "Blue Door Cafe", People: "Ann", Remind: true, Lead: time.Hour,
		},
		"明日19時に食事会を入れて @博多": {
			Operation: slots.Create, Title: "食事会", Times: "01-16T19:00", Place: "博多",
		},
		"lunch with Ann on Friday at noon @ Blue Door": {
			Operation: slots.Create, Title: "lunch with Ann", Times: "01-17T12:00",
			Place: "Blue Door", People: "Ann",
		},
		"write to ann@example.com on Friday at noon": {
			Operation: slots.Create, Title: "ann@example.com", Times: "01-17T12:00",
		},
		"明日10時に面談、15分前に知らせて": {
			Operation: slots.Create, Title: "面談", Times: "01-16T10:00", Remind: true, Lead: 15 * time.Minute,
		},
		"面談が18時から、15分前に知らせて": {
			Operation: slots.Create, Title: "面談", Times: "01-15T18:00..01-16T00:00", Remind: true,
			Lead: 15 * time.Minute,
		},
		"明日の会議、場所は会議室Bに変更して": {
			Operation: slots.Update, Title: "会議", Times: "01-16", NewPlace: "会議室B",
		},
		"add a note to the dentist: bring the card": {
			Operation: slots.Update, Title: "dentist", People: "dentist", Note: "bring the card",
		},
		"please put a note on Friday's lunch saying I pay": {
			Operation: slots.Update, Title: "lunch", Times: "01-17", Note: "I pay",
		},
		"歯医者のメモに保険証って書いといて": {
			Operation: slots.Update, Title: "歯医者", Note: "保険証",
		},
		"定例に「資料を3部」とメモして": {
			Operation: slots.Update, Title: "定例", Note: "資料を3部",
		},
		"歯医者のメモ教えて": {
			Operation: slots.Query, Title: "歯医者", NoteAsked: true,
		},
		"面談のメモを見せてください": {
			Operation: slots.Query, Title: "面談", NoteAsked: true,
		},
	},
	"what counts from the entry": {
		"食事会の前日にリマインドして": {
			Operation: slots.Create, Title: "食事会", Remind: true, Lead: 24 * time.Hour,
		},
		"面談の前に知らせて": {
			Operation: slots.Create, Title: "面談", Remind: true,
		},
		"今日の16時の面談、17時からにして": {
			Operation: slots.Update, Title: "面談", Times: "01-15T16:00", NewTimes: "01-15T17:00",
		},
		"面談に備考「履歴書は確認済み」を追加して": {
			Operation: slots.Update, Title: "面談", Note: "履歴書は確認済み",
		},
		"面談に「履歴書は確認済み」とメモを追加して": {
			Operation: slots.Update, Title: "面談", Note: "履歴書は確認済み",
		},
		"今日の面談、メモ何て書いてたっけ": {
			Operation: slots.Query, Title: "面談", Times: "01-15", NoteAsked: true,
		},
		"明日12時から13時はランチでブロックしといて": {
			Operation: slots.Create, Title: "ランチ", Times: "01-16T12:00..01-16T13:00",
		},
		"打ち合わせを2時間前にずらして": {
			Operation: slots.Update, Title: "打ち合わせ", Shift: -2 * time.Hour,
		},
		"面談を前日に移して": {
			Operation: slots.Update, Title: "面談", Shift: -24 * time.Hour,
		},
		"面談を30分後ろ倒しにして": {
			Operation: slots.Update, Title: "面談", Shift: 30 * time.Minute,
		},
		"move the call an hour earlier": {
			Operation: slots.Update, Title: "call", Shift: -time.Hour,
		},
		"push the call two hours later": {
			Operation: slots.Update, Title: "call", Shift: 2 * time.Hour,
		},
		"bump the call back 15 minutes": {
			Operation: slots.Update, Title: "call", Shift: 15 * time.Minute,
		},
		"move my 3pm to Friday": {
			Operation: slots.Update, Times: "01-15T15:00", NewTimes: "01-17",
		},
		"面談は明日に変更して": {
			Operation: slots.Update, Title: "面談", NewTimes: "01-16",
		},
		"trim the review to 45 minutes": {
			Operation: slots.Update, Title: "review", BecomesDuration: 45 * time.Minute,
		},
		"make the review two hours": {
			Operation: slots.Update, Title: "review", BecomesDuration: 2 * time.Hour,
		},
		"make a reservation for two hours": {
			Operation: slots.Create, Title: "reservation", Duration: 2 * time.Hour,
		},
		"lengthen the review by an hour": {
			Operation: slots.Update, Title: "review", Extend: time.Hour,
		},
	},
	"as people talk": {
		"change the call with Jon to the next day at the same time": {
			Operation: slots.Update, Title: "call with Jon", People: "Jon", Shift: 24 * time.Hour,
		},
		"I have a site visit I need to make on Thursday at 4 pm": {
			Operation: slots.Create, Title: "site visit", Times: "01-16T16:00",
		},
		"cancel lunch and add a haircut at 1": {
			Operation: slots.Delete, Title: "lunch", More: true,
		},
		"book the dentist for Monday at 2 and schedule rehearsal on Friday from 7 to 9pm": {
			Operation: slots.Create, Title: "dentist", Times: "01-20T14:00", People: "dentist", More: true,
		},
		"add lunch with Ken and Mia on Friday at noon": {
			Operation: slots.Create, Title: "lunch with Ken and Mia", Times: "01-17T12:00", People: "Ken|Mia",
		},
		"add a call on Friday at noon and make it an hour": {
			Operation: slots.Create, Title: "call", Times: "01-17T12:00", Duration: time.Hour,
		},
		"add a call on Friday at noon and set a reminder 10 minutes before": {
			Operation: slots.Create, Title: "call", Times: "01-17T12:00", Remind: true, Lead: 10 * time.Minute,
		},
		"tell me when my next meeting with Ken is": {
			Operation: slots.Query, Title: "meeting with Ken", People: "Ken",
		},
		"meeting on Friday at 2pm and please invite Sam": {
			Operation: slots.Create, Title: "meeting", Times: "01-17T14:00", People: "Sam",
		},
		"create an event called morning work from 8 to 11 am": {
			Operation: slots.Create, Title: "morning work", Times: "01-15T08:00..01-15T11:00",
		},
		"add a meeting titled Q3 plan on Friday at 2 in Room 5": {
			Operation: slots.Create, Title: "Q3 plan", Times: "01-17T14:00", Place: "Room 5",
		},
		"14日から18日のどこかの午後に面談を1時間": {
			Operation: slots.Create, Title: "面談", Times: "02-14..02-19|01-15T12:00..01-15T18:00", Duration: time.Hour,
			Suggest: true,
		},
		"suggest times for a one hour review early next week": {
			Operation: slots.Query, Title: "review", Times: "01-20..01-23", Duration: time.Hour,
			Suggest: true,
		},
		"are there any free slots on Thursday for a two hour workshop?": {
			Operation: slots.Query, Title: "workshop", Times: "01-16", Duration: 2 * time.Hour,
			Free: true, Suggest: true,
		},
		"stick the dentist in Friday at 3pm": {
			Operation: slots.Create, Title: "dentist", Times: "01-17T15:00", People: "dentist",
		},
		"throw a call with Ken on Monday at 4pm": {
			Operation: slots.Create, Title: "call with Ken", Times: "01-20T16:00", People: "Ken",
		},
		"call off the review": {
			Operation: slots.Delete, Title: "review",
		},
		"I don't need the standup anymore": {
			Operation: slots.Delete, Title: "standup",
		},
		"clear my Friday afternoon": {
			Operation: slots.Delete, Times: "01-17T12:00..01-17T18:00", All: true,
		},
		"free up Tuesday morning": {
			Operation: slots.Delete, Times: "01-21T05:00..01-21T12:00", All: true,
		},
		"20分後に電話するのを教えて": {
			Operation: slots.Create, Title: "電話する", Times: "01-15T10:20", Remind: true,
		},
		"17時になったら薬を飲むのを知らせて": {
			Operation: slots.Create, Title: "薬を飲む", Times: "01-15T17:00", Remind: true,
		},
		"じゃあ金曜のやつで、企画会議": {
			Operation: slots.Create, Title: "企画会議", Times: "01-17",
		},
	},
}
