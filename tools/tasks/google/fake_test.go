package google_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A wire is a task as Google writes it.
type wire struct {
	Kind      string `json:"kind"`
	ID        string `json:"id"`
	Etag      string `json:"etag"`
	Title     string `json:"title"`
	Updated   string `json:"updated"`
	SelfLink  string `json:"selfLink"`
	Position  string `json:"position"`
	Notes     string `json:"notes,omitempty"`
	Status    string `json:"status"`
	Due       string `json:"due,omitempty"`
	Completed string `json:"completed,omitempty"`
	Deleted   bool   `json:"deleted,omitempty"`
	Hidden    bool   `json:"hidden,omitempty"`
}

// A fake is Google Tasks with one list, as its documentation has it.
type fake struct {
	// pageSize bounds pages, whatever is asked for.
	pageSize int
	// fail answers the next requests, one each: a status, or 0 to do what is asked and lose the
	// answer.
	fail []int

	mu     sync.Mutex
	tasks  []*wire
	asked  []string
	tokens []string
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, r.Method+" "+r.URL.Path)
	f.tokens = append(f.tokens, r.Header.Get("Authorization"))
	if len(f.fail) > 0 {
		status := f.fail[0]
		f.fail = f.fail[1:]
		if status != 0 {
			w.Header().Set("Retry-After", "7")
			refuse(w, status)
			return
		}
		f.handle(nowhere{}, r)
		panic(http.ErrAbortHandler)
	}
	f.handle(w, r)
}

// nowhere is where a lost answer goes.
type nowhere struct{}

func (nowhere) Header() http.Header         { return http.Header{} }
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) WriteHeader(int)             {}

func refuse(w http.ResponseWriter, status int) {
	reason := map[int]string{
		400: "invalid", 401: "authError", 403: "insufficientPermissions", 404: "notFound",
		429: "rateLimitExceeded", 503: "backendError",
	}[status]
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(
		w,
		`{"error":{"code":%d,"message":"お茶を買う","errors":[{"message":"お茶を買う","domain":"global","reason":%q}]}}`,
		status,
		reason,
	)
}

func (f *fake) handle(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, "/tasks/v1/lists/@default/tasks")
	if !ok {
		refuse(w, http.StatusNotFound)
		return
	}
	id := strings.TrimPrefix(path, "/")
	at := slices.IndexFunc(f.tasks, func(t *wire) bool { return t.ID == id })
	switch {
	case id == "" && r.Method == http.MethodGet:
		f.list(w, r)
	case id == "" && r.Method == http.MethodPost:
		f.insert(w, r)
	case at < 0:
		refuse(w, http.StatusNotFound)
	case r.Method == http.MethodGet:
		answer(w, f.tasks[at])
	case r.Method == http.MethodPatch:
		f.patch(w, r, f.tasks[at])
	case r.Method == http.MethodDelete:
		f.tasks[at].Deleted = true
		w.WriteHeader(http.StatusNoContent)
	}
}

func answer(w http.ResponseWriter, t *wire) {
	text, _ := json.Marshal(t)
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.Header().Set("ETag", t.Etag)
	_, _ = w.Write(text)
}

func (f *fake) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	found := []*wire{}
	for _, t := range f.tasks {
		done := t.Status == "completed"
		hidden := t.Hidden && q.Get("showHidden") != "true" || done && q.Get("showCompleted") == "false"
		if !t.Deleted && !hidden && (q.Get("completedMin") == "" || !done || t.Completed >= q.Get("completedMin")) {
			found = append(found, t)
		}
	}
	from, _ := strconv.Atoi(q.Get("pageToken"))
	size, _ := strconv.Atoi(cmp.Or(q.Get("maxResults"), "20"))
	size = min(size, cmp.Or(f.pageSize, 100))
	page := map[string]any{"kind": "tasks#tasks", "etag": `"list"`, "items": found[from:min(len(found), from+size)]}
	if from+size < len(found) {
		page["nextPageToken"] = strconv.Itoa(from + size)
	}
	text, _ := json.Marshal(page)
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.Header().Set("ETag", `"list"`)
	_, _ = w.Write(text)
}

func (f *fake) insert(w http.ResponseWriter, r *http.Request) {
	t := &wire{Kind: "tasks#task", Status: "needsAction", ID: fmt.Sprintf("Task_%d-x", len(f.tasks)), Position: "00"}
	if json.NewDecoder(r.Body).Decode(t) != nil || t.Title == "" {
		refuse(w, http.StatusBadRequest)
		return
	}
	if t.Due != "" { // the time of day is dropped
		t.Due = t.Due[:10] + "T00:00:00.000Z"
	}
	f.touch(t)
	f.tasks = append(f.tasks, t)
	answer(w, t)
}

func (f *fake) patch(w http.ResponseWriter, r *http.Request, t *wire) {
	var patch map[string]*string
	if json.NewDecoder(r.Body).Decode(&patch) != nil {
		refuse(w, http.StatusBadRequest)
		return
	}
	if status := patch["status"]; status != nil {
		t.Status = *status
	}
	if t.Status == "completed" {
		t.Completed, t.Hidden = now().Format(time.RFC3339), true
	} else {
		t.Completed, t.Hidden = "", false
	}
	f.touch(t)
	answer(w, t)
}

func (f *fake) touch(t *wire) {
	t.Updated = now().Format("2006-01-02T15:04:05.000Z07:00")
	t.Etag = fmt.Sprintf("%q", fmt.Sprint("e", len(f.asked)))
	t.SelfLink = "https://www.googleapis.com/tasks/v1/lists/l/tasks/" + t.ID
}
