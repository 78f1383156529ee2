package evals

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A Report is how the cases went, in their order.
type Report struct {
	Results  []Result
	measured bool
}

// Passed reports whether all cases passed. No cases have not.
func (r Report) Passed() bool {
	return len(r.Results) > 0 && !slices.ContainsFunc(r.Results, func(x Result) bool { return !x.Passed() })
}

// row is a line of the table.
type row struct {
	group         string
	cases, passed int
	took          []time.Duration
}

func (r *row) count(x Result) {
	r.cases++
	if x.Passed() {
		r.passed++
	}
	for _, t := range x.Turns {
		r.took = append(r.took, t.Took)
	}
}

// rows counts the results by file and tag, in the order of the cases, with the sum last.
func (r Report) rows() []row {
	var rows []row
	places := map[string]int{}
	total := row{group: "all"}
	for _, x := range r.Results {
		group := strings.TrimSpace(x.Case.File + " " + x.Case.Tag)
		place, ok := places[group]
		if !ok {
			place = len(rows)
			places[group] = place
			rows = append(rows, row{group: group})
		}
		rows[place].count(x)
		total.count(x)
	}
	return append(rows, total)
}

// WriteTable writes a line per file and tag: how many cases there are, how many passed and failed, and how long half and how long 95
// of 100 answers took at most. Below it, what was said, what was answered, how the last turn was
// understood and what was wanted of each case that failed.
func (r Report) WriteTable(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "cases\tnumber\tpassed\tfailed\tp50 ms\tp95 ms\n")
	for _, row := range r.rows() {
		p50, p95 := "-", "-"
		if r.measured {
			p50, p95 = milliseconds(quantile(row.took, 50)), milliseconds(quantile(row.took, 95))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\n", row.group, row.cases, row.passed, row.cases-row.passed, p50, p95)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	for _, x := range r.Results {
		if x.Passed() {
			continue
		}
		if _, err := io.WriteString(out, "\n"+x.String()); err != nil {
			return fmt.Errorf("write failures: %w", err)
		}
	}
	return nil
}

// quantile returns the time that p of 100 did not exceed.
func quantile(took []time.Duration, p int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.SortedFunc(slices.Values(took), cmp.Compare[time.Duration])
	return sorted[(len(sorted)*p+99)/100-1]
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000) }

// String is the conversation, with what is wrong with the last answer, for people.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Case.File, r.Case.Name)
	if r.Err != nil {
		fmt.Fprintf(&b, "  ! %v\n", r.Err)
	}
	for _, t := range r.Turns {
		said := t.Turn.Say
		if t.Turn.Pick != nil {
			said = "pick " + string(t.Turn.Pick)
		}
		fmt.Fprintf(&b, "  > %s\n", said)
		if t.Answer.Text != "" {
			fmt.Fprintf(&b, "  < %s\n", strings.ReplaceAll(t.Answer.Text, "\n", "\n    "))
		}
		if info := t.Answer.Metadata.ProcessingInfo; info.Understood != nil && len(t.Failures) > 0 {
			if u, err := json.Marshal(info.Understood); err == nil {
				fmt.Fprintf(&b, "  = %s %s\n", info.Reason, u)
			}
		}
		for _, f := range t.Failures {
			fmt.Fprintf(&b, "  ! %s\n", f)
		}
	}
	return b.String()
}
