// Command generate writes data/zones.pb.zst: the simplified map of time zones that the Go module
// github.com/ringsaturn/tzf-rel-lite carries, compressed once more, by 2 MB. It runs in the folder of package timezone.
package main

import (
	"log"
	"os"

	"github.com/klauspost/compress/zstd"
	tzfrellite "github.com/ringsaturn/tzf-rel-lite"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return err
	}
	return os.WriteFile("data/zones.pb.zst", w.EncodeAll(tzfrellite.LiteCompressData, nil), 0o644)
}
