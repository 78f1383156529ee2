package nodes_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/dialog"
	"annai/fault"
	"annai/nodes"
	"annai/nodes/capture"
	"annai/tools"
	"annai/tools/tasks"
	"annai/tools/webpage"
)

// openDesk is a study whose owner may give texts and links; pages are what links lead to.
func openDesk(t *testing.T, pages map[string]webpage.Expansion) (*study, *todoList) {
	t.Helper()
	var todos *todoList
	s := openStudy(t, ownEntries, func(p *nodes.Parts, o *nodes.Options) {
		todos = newTodos(t, nil, o.Now)
		o.Deadline, o.SourceDeadline = time.Minute, time.Minute
		p.Tasks = func(string) tasks.List { return todos }
		r := tools.New(o.Now, tools.Options{})
		err := tools.Add(r, tools.Tool[webpage.Request, webpage.Expansion]{
			Spec: tools.Spec{
				Name: "url_expand", Description: map[string]string{"ja": "。", "en": "."}, Class: tools.Read,
				Roles: []tools.Role{tools.Owner}, Timeout: time.Second,
			},
			Do: func(_ context.Context, _ tools.Caller, in webpage.Request) (webpage.Expansion, error) {
				if page, ok := pages[in.URL]; ok {
					return page, nil
				}
				out := webpage.Expansion{URL: in.URL, Backend: "embedded", Degraded: true, Error: "404."}
				out.Reason = webpage.Status
				return out, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Capture = capture.New(r, capture.Options{})
	})
	return s, todos
}

// give is what an owner gives with POST /capture.
func (s *study) give(t *testing.T, session, text string, lang string) api.QueryResponse {
	t.Helper()
	turn := dialog.Turn{
		Query: "これを予定に入れて", SessionID: session, Owner: true, Given: &dialog.Given{Text: text},
	}
	if turn.Language = "ja"; lang == "en" {
		turn.Query, turn.Language = "Add this to my calendar", "en"
	}
	r, err := s.Answer(t.Context(), turn)
	if err != nil {
		t.Fatalf("give %q = %v", text, err)
	}
	check(t, r)
	return r
}

// holds reports what of some words is not in a text.
func holds(t *testing.T, step, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%s: %q, want %q in it", step, text, w)
		}
	}
}

const notice = `しめ縄ワークショップ
とき：1月26日（日）13:30～15:30
ところ：公民館 2階工作室
持ち物：はさみ
申込締切：1月20日（月）まで`

// TestGivenIsPlannedOnce: what was given is a plan as any other, which is changed by talk, written once, and
// then what is to be done for it is offered as tasks.
func TestGivenIsPlannedOnce(t *testing.T) {
	s, todos := openDesk(t, nil)
	r := s.give(t, "s", notice, "ja")
	holds(t, "given", r.Text, "しめ縄ワークショップ", "2025年1月26日(日) 13:30〜15:30", "公民館 2階工作室",
		"申し込みは、1月20日(月)までです。", "登録してよろしいですか")
	if r.Interrupt == nil || r.Interrupt.Kind != "confirm" || s.shelf(t) != "" {
		t.Fatalf("given: interrupt %+v and %q in the calendar, want a question and nothing", r.Interrupt, s.shelf(t))
	}
	if r.Capture == nil || len(r.Capture.Fields) != 7 || len(r.Capture.Missing) != 0 || r.Capture.From != "text" {
		t.Errorf("capture = %+v, want title, date, start, end, place, apply and bring", r.Capture)
	}
	holds(t, "changed", s.owner(t, "s", "いや、14時から").Text, "14:00〜16:00", "しめ縄ワークショップ")
	r = s.owner(t, "s", "はい")
	holds(t, "yes", r.Text, "登録しました", "次の2件のタスクを追加してよろしいですか")
	if got := s.shelf(t); strings.Count(got, "しめ縄") != 1 || !strings.Contains(got, "2025-01-26 14:00") {
		t.Errorf("calendar = %q, want it once, at two", got)
	}
	holds(t, "yes to the tasks", s.owner(t, "s", "はい").Text, "2件のタスクを追加しました")
	list, err := todos.Tasks(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatalf("tasks = %v, %v, want two", list, err)
	}
	if list[0].Due.String() != "2025-01-20" || !strings.Contains(list[0].Notes, "1月26日") {
		t.Errorf("first task = %+v, want it due on the 20th, with what it is for", list[0])
	}
	s.owner(t, "s", "はい")
	again, _ := todos.Tasks(t.Context())
	if got := s.shelf(t); strings.Count(got, "しめ縄") != 1 || len(again) != 2 {
		t.Errorf("after another yes there are %q and %d tasks, want no more", got, len(again))
	}
}

// TestGivenAskedFor: what was not found is said and asked for, and never made up.
func TestGivenAskedFor(t *testing.T) {
	s, _ := openDesk(t, nil)
	r := s.give(t, "s", "Yoga class\nVenue: Gym", "en")
	holds(t, "no date", r.Text, "From the text I read “Yoga class”, at Gym.", "I could not find the date.",
		"When is “Yoga class”?")
	r = s.owner(t, "s", "on January 20")
	holds(t, "no time", r.Text, "I could not find the time.", "What time on Mon, Jan 20?")
	r = s.owner(t, "s", "at 7 pm")
	holds(t, "all", r.Text, "Mon, Jan 20, 2025, 19:00–20:00", "I could not find when it ends")
	holds(t, "no", s.owner(t, "s", "no").Text, "haven't added")
	r = s.give(t, "s", "Dinner\nJanuary 21, 7pm - 9pm", "en")
	holds(t, "no place", r.Text, "I could not find the place.")
	s.owner(t, "s", "no")
	r = s.give(t, "s", "1月22日 10:00〜11:00", "ja")
	holds(t, "no title", r.Text, "予定の名前は、見つかりませんでした。", "何の予定ですか")
	if got := s.shelf(t); got != "" {
		t.Errorf("calendar = %q, want nothing", got)
	}
	_, err := s.Answer(t.Context(), dialog.Turn{Query: "add", Owner: true, Given: &dialog.Given{Text: "..."}})
	if !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("nothing in it: %v, want ErrInvalid", err)
	}
}

// TestGivenInTheWay: what is in the calendar then is said, and another thing that is given takes the place of
// the plan.
func TestGivenInTheWay(t *testing.T) {
	s, _ := openDesk(t, nil)
	r := s.give(t, "s", "Talk\nJanuary 16, 2025, 10:30 - 11:30\nat City Hall", "en")
	holds(t, "overlap", r.Text, "定例会議", "10:00–11:00")
	r = s.give(t, "s", "Fair\nJanuary 18, 2025, 10 am - 3 pm\nat City Hall", "en")
	holds(t, "another", r.Text, "Fair", "Sat, Jan 18", "nothing")
	holds(t, "yes", s.owner(t, "s", "yes").Text, "added “Fair”")
	if got := s.shelf(t); !strings.Contains(got, "Fair") || strings.Contains(got, "Talk") {
		t.Errorf("calendar = %q, want the fair alone", got)
	}
}

// TestLinkInTalk: "add this" with an address reads the page, for an owner; all others are refused.
func TestLinkInTalk(t *testing.T) {
	const link = "https://hall.example/1"
	s, _ := openDesk(t, map[string]webpage.Expansion{link: {
		URL: link, Title: "Jazz night - Hall", SiteName: "Hall", Backend: "embedded",
		Event: &webpage.Event{
			Name: "Jazz night", StartDate: "2025-01-24T19:00:00+09:00", EndDate: "2025-01-24T21:00:00+09:00",
			Location: &webpage.Place{Name: "Hall", Address: "1 Main Street"}, Status: "postponed",
		},
	}})
	r := s.owner(t, "s", "Add this "+link)
	holds(t, "link", r.Text, "Jazz night", "Fri, Jan 24, 2025, 19:00–21:00", "Hall (1 Main Street)", link, "postponed")
	holds(t, "yes", s.owner(t, "s", "yes").Text, "added “Jazz night”")
	holds(t, "Japanese", s.owner(t, "t", link+" これを入れて").Text, "Jazz night", "延期", "登録してよろしいですか")
	holds(t, "gone", s.owner(t, "u", "これを入れて https://hall.example/2").Text, "そのページは読めませんでした", "404")
	if r := s.owner(t, "u", "What is "+link+" about?"); r.Interrupt != nil || r.Capture != nil {
		t.Errorf("a question about a link: %q, want no plan", r.Text)
	}
	for words, want := range map[string]string{
		"これを入れて " + link: "カレンダー", "Add this " + link: "Only the owner of the calendar can add",
	} {
		r, err := s.Answer(t.Context(), dialog.Turn{Query: words, SessionID: "v"})
		if err != nil || !strings.Contains(r.Text, want) || r.Interrupt != nil || r.Capture != nil {
			t.Errorf("a visitor's %q = %q, %v, want %q", words, r.Text, err, want)
		}
	}
	lines := "これを予定に入れて\n町内会の集まり\n1月28日(火) 18:30〜20:00\n場所 公民館"
	holds(t, "lines", s.owner(t, "w", lines).Text, "町内会の集まり", "18:30〜20:00", "公民館")
}
