package httpd

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A Reading is a figure that somebody else keeps, and that is read when GET /metrics is asked for.
type Reading struct {
	// Name is that of the figure: "annai_runs_pending".
	Name, Help string
	// Label is what its values are told apart by. Empty: there is one value.
	Label string
	// Grows says that it only ever grows: it counts.
	Grows bool
}

// readLimit is how long one look may take; what has not been said by then is not told.
const readLimit = time.Second

// Say tells the value of a reading, with its label, if it has one.
type Say func(name, label string, value float64)

// A look reads figures together.
type look struct {
	readings []Reading
	descs    map[string]*prometheus.Desc
	read     func(ctx context.Context, say Say)
}

// Read has figures read whenever they are asked for. What read does not say is not told, rather than
// told to be nothing. Read must be safe for concurrent use.
func (f *Figures) Read(readings []Reading, read func(ctx context.Context, say Say)) {
	l := &look{readings: readings, descs: map[string]*prometheus.Desc{}, read: read}
	for _, r := range readings {
		var labels []string
		if r.Label != "" {
			labels = []string{r.Label}
		}
		l.descs[r.Name] = prometheus.NewDesc(r.Name, r.Help, labels, nil)
	}
	f.registry.MustRegister(l)
}

// Describe is part of [prometheus.Collector].
func (l *look) Describe(to chan<- *prometheus.Desc) {
	for _, r := range l.readings {
		to <- l.descs[r.Name]
	}
}

// Collect is part of [prometheus.Collector].
func (l *look) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readLimit)
	defer cancel()
	l.read(ctx, func(name, label string, value float64) {
		for _, r := range l.readings {
			if r.Name != name {
				continue
			}
			kind, labels := prometheus.GaugeValue, []string{}
			if r.Grows {
				kind = prometheus.CounterValue
			}
			if r.Label != "" {
				labels = append(labels, label)
			}
			to <- prometheus.MustNewConstMetric(l.descs[name], kind, value, labels...)
		}
	})
}
