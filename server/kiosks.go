package server

import (
	"cmp"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"annai/api"
	"annai/server/door"
	"annai/server/httpd"
)

// maxKiosks is how many kiosks are remembered, and told apart in figures; who was not heard of for longest is forgotten
// first.
const maxKiosks = 64

// otherKiosk is the name in figures of a kiosk that is not remembered.
const otherKiosk = "other"

// kiosks are the screens that said that they live. It is safe for concurrent use.
type kiosks struct {
	mu    sync.Mutex
	known map[string]kiosk
	// forgotten is told the name of one that made room.
	forgotten func(device string)
}

type kiosk struct {
	api.Kiosk

	at time.Time
}

// beat keeps that a kiosk lives.
func (k *kiosks) beat(one api.Kiosk, at time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.known[one.Device]; !ok && len(k.known) >= maxKiosks {
		old := k.list()[maxKiosks-1].Device
		delete(k.known, old)
		k.forgotten(old)
	}
	k.known[one.Device] = kiosk{one, at}
}

// list has the latest first.
func (k *kiosks) list() []kiosk {
	all := make([]kiosk, 0, len(k.known))
	for _, one := range k.known {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b kiosk) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.Device, b.Device))
	})
	return all
}

// label is the name of a device in figures, which are few.
func (k *kiosks) label(device string) string {
	if device == "" {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.known[device]; ok {
		return device
	}
	return otherKiosk
}

var lastSeen = prometheus.NewDesc(
	"annai_kiosk_last_seen_timestamp_seconds", "When a kiosk was heard of last.", []string{"device", "version"}, nil,
)

// Describe is part of [prometheus.Collector].
func (k *kiosks) Describe(to chan<- *prometheus.Desc) { to <- lastSeen }

// Collect is part of [prometheus.Collector].
func (k *kiosks) Collect(to chan<- prometheus.Metric) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for device, one := range k.known {
		to <- prometheus.MustNewConstMetric(
			lastSeen, prometheus.GaugeValue, float64(one.at.UnixMilli())/1000, device, one.Version,
		)
	}
}

// maxVersion is how many characters the version of a page may have.
const maxVersion = 40

// heartbeat is POST /heartbeat.
func (s *Server) heartbeat(c *gin.Context) error {
	beat, err := readJSON[api.Heartbeat](c)
	device := door.DeviceOf(c.Request)
	switch {
	case err != nil:
		return err
	case device == "":
		return door.Invalid("X-Device", "must be a header with 1 to 40 letters, digits, dots, dashes and underscores")
	case !isVersion(beat.Version):
		return door.Invalid("version", "must be 1 to 40 letters, digits, dots, dashes and underscores")
	case beat.Language != "" && beat.Language != "ja" && beat.Language != "en":
		return door.Invalid("language", "must be ja or en")
	}
	s.kiosks.beat(api.Kiosk{
		Device: device, Version: beat.Version, Language: beat.Language, Address: door.CallerOf(c).Address,
	}, s.parts.Now())
	c.Status(http.StatusNoContent)
	return nil
}

func isVersion(text string) bool {
	return text != "" && len(text) <= maxVersion && door.IsName(text)
}

// listKiosks is GET /admin/kiosks.
func (s *Server) listKiosks(c *gin.Context) error {
	s.kiosks.mu.Lock()
	all := s.kiosks.list()
	s.kiosks.mu.Unlock()
	response := api.KiosksResponse{Kiosks: make([]api.Kiosk, 0, len(all))}
	for _, one := range all {
		one.SeenAt = one.at.In(s.parts.Venue.Location).Format(time.RFC3339)
		response.Kiosks = append(response.Kiosks, one.Kiosk)
	}
	return httpd.WriteJSON(c, http.StatusOK, response)
}
