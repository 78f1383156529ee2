//go:build !novoice

package hibari

import "embed"

// The files are made by scripts/voice-en; NOTICE says what of.
//
//go:embed data/hibari.bin.gz data/gold.tsv.gz data/silver.tsv.gz data/tagger.tsv.gz data/tokens.tsv.gz
//go:embed data/normalize.tsv
var data embed.FS
