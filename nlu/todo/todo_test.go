package todo_test

import (
	"testing"
	"time"

	"annai/nlu/datetime"
	"annai/nlu/todo"
)

func read(text string) (todo.Order, bool) {
	return todo.Read(text, datetime.Parse(text, time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)))
}

func TestRead(t *testing.T) {
	for text, want := range map[string]todo.Order{
		"金曜までにお茶を買うタスクを追加して":                        {Do: todo.Add, Title: "お茶を買う"},
		"お茶を買うタスクを追加してください":                         {Do: todo.Add, Title: "お茶を買う"},
		"お茶を買うをタスクに入れて":                             {Do: todo.Add, Title: "お茶を買う"},
		"タスクに「資料の印刷」を追加":                            {Do: todo.Add, Title: "資料の印刷"},
		"明日までに見積もりを送る、とタスクに入れといて":                   {Do: todo.Add, Title: "見積もりを送る"},
		"やることに牛乳を追加して":                              {Do: todo.Add, Title: "牛乳"},
		"TODOに歯医者の予約を入れておいて":                        {Do: todo.Add, Title: "歯医者の予約"},
		"タスク: お茶を買う":                                {Do: todo.Add, Title: "お茶を買う"},
		"タスクを追加して":                                  {Do: todo.Add},
		"タスクを1つ追加したい":                               {Do: todo.Add},
		"タスクを見せて":                                   {Do: todo.List},
		"今週のタスクは？":                                  {Do: todo.List},
		"やることは何がある？":                                {Do: todo.List},
		"残っているタスクは？":                                {Do: todo.List},
		"やることリストを教えてください":                           {Do: todo.List},
		"お茶は買った、済みにして":                              {Do: todo.Tick, Title: "お茶"},
		"お茶のタスクを完了にして":                              {Do: todo.Tick, Title: "お茶"},
		"お茶を買うは終わったよ":                               {Do: todo.Tick, Title: "お茶を買う", Loose: true},
		"1番目を済みにして":                                 {Do: todo.Tick, Title: "1番目"},
		"お茶のタスクを消して":                                {Do: todo.Remove, Title: "お茶"},
		"タスクを全部消して":                                 {Do: todo.Remove, All: true},
		"お茶を消して":                                    {Do: todo.Remove, Title: "お茶", Loose: true},
		"add a to-do: buy tea by Friday":            {Do: todo.Add, Title: "buy tea"},
		"add buy tea to my to-do list":              {Do: todo.Add, Title: "buy tea"},
		`Please add "Call Mom" to my tasks`:         {Do: todo.Add, Title: "Call Mom"},
		"add a task to send the report by tomorrow": {Do: todo.Add, Title: "send the report"},
		"put milk on my list":                       {Do: todo.Add, Title: "milk"},
		"add a task":                                {Do: todo.Add},
		"what is on my list":                        {Do: todo.List},
		"What's on my to-do list?":                  {Do: todo.List},
		"show my tasks":                             {Do: todo.List},
		"show me all my open tasks":                 {Do: todo.List},
		"what do I have to do this week?":           {Do: todo.List},
		"done with the tea":                         {Do: todo.Tick, Title: "the tea"},
		"I'm done with the report":                  {Do: todo.Tick, Title: "the report"},
		"I bought the tea, tick it off":             {Do: todo.Tick, Title: "the tea"},
		"mark the report as done":                   {Do: todo.Tick, Title: "report"},
		"check off buy tea":                         {Do: todo.Tick, Title: "buy tea"},
		"tick buy tea off my list":                  {Do: todo.Tick, Title: "buy tea"},
		"I already sent the report":                 {Do: todo.Tick, Title: "the report", Loose: true},
		"delete the tea task":                       {Do: todo.Remove, Title: "tea"},
		"remove buy tea from my list":               {Do: todo.Remove, Title: "buy tea"},
		"delete all tasks":                          {Do: todo.Remove, All: true},
		"delete the second one":                     {Do: todo.Remove, Title: "the second one", Loose: true},
	} {
		if got, ok := read(text); !ok || got != want {
			t.Errorf("Read(%s) = %+v, %v, want %+v", text, got, ok, want)
		}
	}
}

// What is said to a calendar, or to nobody, is no order to the list.
func TestReadNothing(t *testing.T) {
	for _, text := range []string{
		"", "。", "明日14時に会議を入れて", "今日の予定は？", "今週のイベントは？", "何時までですか", "お茶を買いたい",
		"add a meeting tomorrow at 3", "what is on today", "schedule a call with Ann on Friday", "where is the toilet?",
		"the toddler is lost", "who made this list?", "add the address of the station",
	} {
		if got, ok := read(text); ok {
			t.Errorf("Read(%s) = %+v, want nothing", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("お茶を買うタスクを追加してしてしてしてしてください")
	f.Add("add a to-do: buy tea on my list from my list")
	f.Fuzz(func(t *testing.T, text string) {
		if o, ok := read(text); ok && len(o.Title) > len(text) {
			t.Errorf("Read(%q) = %+v, whose title is no part of it", text, o)
		}
	})
}
